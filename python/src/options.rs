//! Options, from dictionaries that have every key.

use std::path::PathBuf;

use pyo3::FromPyObject;
use skilltree::{Budget, CatalogFile, Home, Matcher, Options, Overrides, PromptOptions, Revision, Selection};

/// What to read, and how to check it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    revision: Option<String>,
    staged: bool,
    worktree: bool,
    config: Option<PathBuf>,
    config_from: Option<String>,
    no_config: bool,
    policy: Option<PathBuf>,
    roots: Vec<String>,
    profile: Option<String>,
    rules: Vec<String>,
    targets: Vec<String>,
    all_runtimes: bool,
    preview: bool,
    today: Option<String>,
    base: Option<String>,
    home: Option<PathBuf>,
    external: Vec<PathBuf>,
}

impl Reading {
    pub(crate) fn options(self) -> Options {
        let revision = match self.revision {
            Some(revision) => Some(Revision::Tree(revision)),
            None if self.staged => Some(Revision::Index),
            None if self.worktree => Some(Revision::WorkTree),
            None => None,
        };
        Options {
            revision,
            overrides: Overrides {
                config: self.config,
                config_from: self.config_from,
                no_config: self.no_config,
                policy: self.policy,
                roots: self.roots,
                preview: self.preview,
                today: self.today,
            },
            profile: self.profile,
            rules: self.rules,
            targets: self.targets,
            all_runtimes: self.all_runtimes,
            base: self.base,
            home: self.home.map(Home::Directory),
            external: self.external,
            ..Options::default()
        }
    }
}

/// Which skills a prompt block contains, and how large it may be.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Selecting {
    task: Option<String>,
    matcher: Option<String>,
    top: Option<usize>,
    role: Option<String>,
    task_id: Option<String>,
    mention: Option<String>,
    skills: Option<Vec<String>>,
    thread: Option<String>,
    active_thread: bool,
    knowledge: bool,
    template: Option<String>,
    messages: bool,
    bodies: bool,
    budget: Limits,
}

/// Limits of a prompt block, and of each skill in it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Limits {
    skills: Option<u64>,
    bytes: Option<u64>,
    chars: Option<u64>,
    tokens: Option<u64>,
    each_bytes: Option<u64>,
    each_chars: Option<u64>,
    each_tokens: Option<u64>,
}

impl Selecting {
    pub(crate) fn options(self) -> PromptOptions {
        let Limits { skills, bytes, chars, tokens, each_bytes, each_chars, each_tokens } = self.budget;
        let matcher = match self.matcher.as_deref() {
            Some("tags") => Matcher::Tags,
            Some("bm25") => Matcher::Bm25,
            _ => Matcher::Auto,
        };
        let selection = if let Some(text) = self.task {
            Selection::Task { text, matcher, top: self.top, role: self.role, id: self.task_id }
        } else if let Some(text) = self.mention {
            Selection::Mention(text)
        } else if let Some(names) = self.skills {
            Selection::Skills(names)
        } else if let Some(thread) = self.thread {
            Selection::Thread(thread)
        } else if self.active_thread {
            Selection::ActiveThread
        } else {
            Selection::All
        };
        PromptOptions {
            selection,
            budget: Budget { skills, bytes, chars, tokens, each_bytes, each_chars, each_tokens },
            template: self.template,
            without_knowledge: !self.knowledge,
            messages: self.messages,
            catalog: if self.bodies { CatalogFile::WithBodies } else { CatalogFile::WithoutBodies },
        }
    }
}
