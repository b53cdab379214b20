//! Reading all skills: the steps, in their order.

use std::sync::Arc;

use bstr::ByteSlice;
use skilltree_front_matter::Bounds;

use super::memory_limit::MemoryLimit;
use super::tolerant::Tolerant;
use super::{
    Error, Progress, Source, absent, agent_files, agents, anchors, commands, discover, excluded, ignored, known, lists,
    locked, misnamed, read, records, references, scope, scripts, sizes, unreferenced, volume, walk,
};
use crate::records::Records;
use crate::roots::RootSet;
use crate::skill::{AGENT_FILE, Parsed};
use crate::snapshot::{Body, File, Origin, Role};

impl Source {
    /// Finds the roots, lists the files below them, and reads and parses every skill in parallel.
    ///
    /// # Errors
    /// If anything cannot be read, or exceeds the limits of the roots: a state that was not read completely must not
    /// look clean.
    pub fn read(&self, roots: &RootSet, bounds: Bounds) -> Result<Parsed, Error> {
        self.read_counted(roots, bounds, &Progress::default())
    }

    /// Reads like [`Source::read`] and reports progress.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_counted(&self, roots: &RootSet, bounds: Bounds, progress: &Progress) -> Result<Parsed, Error> {
        self.read_within(roots, self.searched(), bounds, progress, None)
    }

    /// Reads like [`Source::read`], except for the skills that another state of the repository has, too, which was read with the
    /// same roots and bounds.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_changed(&self, roots: &RootSet, bounds: Bounds, other: &Parsed) -> Result<Parsed, Error> {
        self.read_within(roots, self.searched(), bounds, &Progress::default(), Some(other))
    }

    /// Reads like [`Source::read_counted`], but searches for no skills in other places than the roots: without a discovery only the
    /// directories that the patterns name are read.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_named(&self, roots: &RootSet, bounds: Bounds, progress: &Progress) -> Result<Parsed, Error> {
        self.read_within(roots, self.searched().filter(|_| roots.discovery.is_some()), bounds, progress, None)
    }

    fn read_within(
        &self,
        roots: &RootSet,
        searched: Option<discover::Bounds>,
        bounds: Bounds,
        progress: &Progress,
        other: Option<&Parsed>,
    ) -> Result<Parsed, Error> {
        let own = self.own.as_deref().map(|own| scope::roots(own, roots));
        let roots = own.as_ref().unwrap_or(roots);
        let store = self.combined();
        let mut walked = volume::append(self.walked(roots, searched)?, &self.volumes)?;
        absent::leave(&mut walked, &self.unneeded);
        let known = known::skills(other, &walked);
        known::copy_ids(other, &known, &mut walked.files);
        let memory = MemoryLimit::default();
        let mut skills = read::skills(&*store, &mut walked, &known, roots, bounds, (progress, &memory))?;
        let sizes = sizes::of(&*store, &walked.files, &roots.queries)?;
        references::read(&*store, &mut walked, &mut skills, &known, (roots, &memory))?;
        read::look_for_links(&*store, &walked.files, &mut skills);
        unreferenced::find(&*store, &walked.files, &mut skills, roots)?;
        scripts::read(&*store, &walked.files, &mut skills, &known, (roots, &memory))?;
        agent_files::read(&*store, &walked.files, &mut skills, &known, (roots, bounds, &memory))?;
        anchors::look_for(&*store, &walked.files, &mut skills, roots)?;
        if self.origin == Origin::StandardInput {
            scope::forget_directories(&mut skills);
        }
        let flat = read::mark_flat(&*store, &mut walked, roots.file_bytes, bounds)?;
        let misnamed = misnamed::find(&*store, &walked, roots.file_bytes, bounds)?;
        let (roots_lists, skips_unreadable) = (roots.queries.lists(), roots.skips_unreadable);
        let is_prompt = roots.skips_agent_files;
        locked::compare(&*store, &mut walked)?;
        excluded::mark(&*store, &walked.roots, &mut walked.files)?;
        let walk::Walked { roots, mut files, mut manifests, settings, unsearched, unread } = walked;
        for file in files.iter_mut().filter(|file| file.role == Role::Skill) {
            file.is_stored = file.id.is_some_and(|id| store.holds(file.shown_path().as_bstr(), id));
        }
        let records = records::read(self, &mut files, skips_unreadable)?;
        let lists = lists::read(self, roots_lists, &mut files, &memory)?;
        // A file that belongs to a skill, and is at the top.
        if manifests.is_file(AGENT_FILE.into()) && !files.iter().any(|file| file.path == AGENT_FILE) {
            files.push(File::new(AGENT_FILE, Role::Config, None, Body::NotRead));
        }
        ignored::explain(&*store, &mut manifests, &mut files);
        let (agents, definitions) = agents::read(self, &manifests, &mut files, bounds, &memory)?;
        let commands = match is_prompt {
            true => Vec::new(),
            false => commands::read(self, &manifests, &mut files, bounds, &memory)?,
        };
        let (origin, time) = (self.origin.clone(), self.time);
        Ok(Parsed {
            origin,
            time,
            roots,
            files,
            skills,
            flat,
            misnamed,
            records,
            agents,
            definitions,
            commands,
            manifests,
            settings,
            unsearched,
            unread,
            edited: Vec::new(),
            gains: Vec::new(),
            sizes,
            lists,
        })
    }

    /// Returns the record files of agents, without the skills.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn records(&self) -> Result<Records, Error> {
        records::read(self, &mut Vec::new(), false)
    }

    /// Finds the roots and lists the files below them.
    pub(super) fn walked(&self, roots: &RootSet, searched: Option<discover::Bounds>) -> Result<walk::Walked, Error> {
        if !roots.skips_unreadable {
            return walk::walk(&*self.store, roots, searched);
        }
        let store = Tolerant::new(Arc::clone(&self.store));
        let walked = walk::walk(&store, roots, searched)?;
        Ok(walk::Walked { unread: store.unread(), ..walked })
    }

    /// Returns the bounds of a search for skills; `None` if only one skills directory was opened.
    pub(super) fn searched(&self) -> Option<discover::Bounds> {
        let bounds = match self.origin {
            Origin::Directory => discover::OUTSIDE,
            Origin::WorkTree => discover::WORK_TREE,
            _ => discover::REPOSITORY,
        };
        (!self.is_root()).then_some(bounds)
    }
}
