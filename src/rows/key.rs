//! The key of rows: what they depend on. With an equal key, nothing is read again.

use std::path::PathBuf;

use serde_json::json;
use sha2::{Digest as _, Sha256};
use skilltree_skills::source::{CONFIG_BYTES, Source};

use crate::failure::Failure;
use crate::file;
use crate::options::{Options, Overrides};
use crate::session::{self, Session};

/// The keys that the rows of a tree can have: whether the day counts follows from the skills, which are not read yet.
pub(super) struct Keys {
    /// The key of rows in which no ignore ends on a day.
    always: String,
    /// The key of rows in which one does.
    on_this_day: String,
}

impl Keys {
    /// Returns the keys; `None` if the source is not a tree, or the configuration comes from another revision.
    pub(super) fn new(source: &Source, options: &Options) -> Result<Option<Self>, Failure> {
        let is_open = options.overrides.config_from.is_some() || options.base.is_some() || options.home.is_some();
        let Some(tree) = source.tree().filter(|_| !is_open && options.external.is_empty()) else { return Ok(None) };
        let day = session::today(options)?.or(source.time()).map(|seconds| seconds.div_euclid(86_400));
        let read = |path: &Option<PathBuf>| path.as_deref().and_then(|path| file::read(path, CONFIG_BYTES).ok());
        let (config, policy) = (read(&options.overrides.config), read(&options.overrides.policy));
        // Members of the options are texts, paths and numbers: the same in every build of this version.
        let named = Options {
            revision: None,
            overrides: Overrides { today: None, ..options.overrides.clone() },
            ..options.clone()
        };
        let key = |day: Option<i64>| {
            let all = json!([
                env!("CARGO_PKG_VERSION"),
                tree.to_string(),
                format!("{named:?}"),
                config.as_deref().map(hex),
                policy.as_deref().map(hex),
                day
            ]);
            hex(all.to_string().as_bytes())
        };
        Ok(Some(Self { always: key(None), on_this_day: key(day) }))
    }

    /// Returns whether rows with this key are current.
    pub(super) fn contain(&self, known: &str) -> bool {
        self.always == known || self.on_this_day == known
    }

    /// Returns the key of the rows of a session.
    pub(super) fn of(self, session: &Session) -> String {
        if session.has_until() { self.on_this_day } else { self.always }
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
