//! A repository with open documents, as the main thread knows it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types::Uri;
use skilltree_skills::source::Source;

use crate::host::Checked;

/// Time between a change and its check (ours: 150 ms), so that a word is not checked letter by letter.
pub(crate) const DELAY: Duration = Duration::from_millis(150);

/// Time after which a change looks at the disk again, if the client does not watch files (ours).
pub(crate) const GLANCE: Duration = Duration::from_secs(2);

/// A repository, a directory, or a document without a file.
pub(crate) struct Project {
    /// Where its files are; `None` for a document without a file.
    pub(crate) place: Option<Place>,
    /// The last check.
    pub(crate) latest: Option<Arc<Checked>>,
    /// The hash and the version of what was published, by address.
    pub(crate) published: HashMap<String, (u64, Option<i32>)>,
    /// When to check; `None` if nothing changed.
    pub(crate) due: Option<Instant>,
    /// Whether files on disk may have changed since the last check.
    pub(crate) forget: bool,
    /// When the last check that looked at the disk began.
    pub(crate) looked: Instant,
    /// The number of the check that runs.
    pub(crate) running: Option<u64>,
    /// The last message about a failed check, so that it is shown once.
    pub(crate) told: Option<String>,
}

/// The place of a project.
pub(crate) struct Place {
    pub(crate) source: Source,
    pub(crate) top: PathBuf,
}

impl Project {
    pub(crate) fn new(place: Option<Place>) -> Self {
        Self {
            place,
            latest: None,
            published: HashMap::new(),
            due: None,
            forget: false,
            looked: Instant::now(),
            running: None,
            told: None,
        }
    }

    /// Asks for a check after a delay. An earlier wish is replaced: who types on waits on.
    pub(crate) fn ask(&mut self, delay: Duration) {
        self.due = Some(Instant::now() + delay);
    }

    /// Asks for a check at once, because files on disk may have changed.
    pub(crate) fn ask_for_disk(&mut self) {
        self.forget = true;
        self.ask(Duration::ZERO);
    }

    /// Returns whether the last check is of the present state.
    pub(crate) fn is_fresh(&self) -> bool {
        self.due.is_none() && self.running.is_none()
    }

    /// Notes the hash and the version of published diagnostics; `false` if they are known already.
    pub(crate) fn publishes(&mut self, uri: &Uri, of: (u64, Option<i32>)) -> bool {
        match of {
            (0, None) => self.published.remove(&uri.0).is_some_and(|(hash, _)| hash != 0),
            _ => self.published.insert(uri.0.clone(), of) != Some(of),
        }
    }
}
