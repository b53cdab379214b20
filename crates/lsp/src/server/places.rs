//! Which project a document belongs to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bstr::BString;
use gen_lsp_types::Uri;

use super::send::Severity;
use super::{PROJECTS, Server};
use crate::diagnostics::ByPath;
use crate::host::Opened;
use crate::project::{Place, Project};
use crate::uri;
use crate::worker::Job;

impl Server {
    /// Opens the repository of a folder. A folder outside a repository is checked once a file in it is open.
    pub(super) fn open_folder(&mut self, folder: &Path) {
        if let Ok(opened) = self.opener.open(folder)
            && let Some(project) = self.add(opened)
        {
            self.projects[project].ask_for_disk();
        }
    }

    /// Returns whether a project has an open document, or shares files with an open folder.
    pub(super) fn is_used(&self, number: usize) -> bool {
        let place = self.projects[number].place.as_ref();
        let shares = |folder: &PathBuf| {
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            place.is_some_and(|place| folder.starts_with(&place.top) || place.top.starts_with(&folder))
        };
        self.documents.are_in(number) || self.folders.iter().any(shares)
    }

    /// Clears the diagnostics of the projects that are not used any more. They are checked again once they are.
    pub(super) fn clear_unused(&mut self) {
        for number in 0..self.projects.len() {
            if self.is_used(number) {
                continue;
            }
            let project = &mut self.projects[number];
            (project.due, project.running) = (None, None);
            self.publish(number, &ByPath::new(), &BTreeMap::new(), true);
            self.answer_waiting(number);
        }
    }

    /// Returns whether no project can be added, and says so once.
    pub(super) fn is_full(&mut self) -> bool {
        let is_full = self.projects.len() >= PROJECTS;
        if is_full && !self.said_full {
            self.said_full = true;
            self.show(
                Severity::Warning,
                &format!("more than {PROJECTS} repositories are open: further ones are not checked"),
            );
        }
        is_full
    }

    /// Adds a project, or finds the one with the same directory.
    pub(super) fn add(&mut self, opened: Opened) -> Option<usize> {
        let Opened { source, repository } = opened;
        let top = source.top()?.to_owned();
        let is_same = |project: &Project| project.place.as_ref().is_some_and(|place| place.top == top);
        if let Some(known) = self.projects.iter().position(is_same) {
            return Some(known);
        }
        if self.is_full() {
            return None;
        }
        let job = Job::Add { repository, top: Some(top.clone()) };
        self.projects.push(Project::new(Some(Place { source, top })));
        self.jobs.send(job).ok()?;
        Some(self.projects.len() - 1)
    }

    /// Returns the project of a document and its path there.
    pub(super) fn locate(&mut self, uri: &Uri, text: &str) -> Option<(usize, BString)> {
        if uri::is_untitled(uri) {
            return self.locate_untitled(uri, text);
        }
        let path = uri::to_path(uri)?;
        let directory = path.ancestors().skip(1).find(|directory| directory.is_dir())?;
        let opened = match self.opener.open(directory) {
            Ok(opened) => opened,
            Err(refusal) if refusal.is_outside => {
                let folder = self
                    .folders
                    .iter()
                    .filter(|folder| path.starts_with(folder))
                    .max_by_key(|folder| folder.as_os_str().len());
                self.opener.open_directory(folder.map_or(directory, PathBuf::as_path))
            }
            Err(refusal) => {
                self.show(Severity::Error, &refusal.to_string());
                return None;
            }
        };
        let project = self.add(opened)?;
        let source = &self.projects[project].place.as_ref()?.source;
        let path = source.repository_path(&path)?;
        Some((project, source.resolved(path.as_ref()).unwrap_or(path)))
    }

    /// A document without a file is a skill if it begins like one.
    pub(super) fn locate_untitled(&mut self, uri: &Uri, text: &str) -> Option<(usize, BString)> {
        let is_skill = text.starts_with("---")
            && text.lines().take(100).any(|line| line.starts_with("name:") || line.starts_with("description:"));
        let path = BString::from("stdin");
        if let Some(known) = self.untitled.get(&uri.0) {
            return Some((*known, path));
        }
        if !is_skill || self.is_full() {
            return None;
        }
        self.jobs.send(Job::Add { repository: self.opener.untitled(), top: None }).ok()?;
        self.projects.push(Project::new(None));
        self.untitled.insert(uri.0.clone(), self.projects.len() - 1);
        Some((self.projects.len() - 1, path))
    }

    /// Returns the project of a document, or of a file that is not open.
    pub(super) fn project_of(&mut self, uri: &Uri) -> Option<usize> {
        match self.documents.get(uri) {
            Some(document) => document.place.as_ref().map(|(project, _)| *project),
            None => self.locate(uri, "").map(|(project, _)| project),
        }
    }
}
