//! Skills directories outside the opened source: the user's, the machine's, or those that a caller names.
#![allow(clippy::disallowed_methods, reason = "links above a directory that was named are followed as the shell does")]

use std::path::PathBuf;
use std::sync::Arc;

use bstr::BString;
use skilltree_skills::roots::{Owner, RootSet};
use skilltree_skills::source::{HashKind, Mount, Mounted, Source, Unread};

use crate::directory::Directory;

/// A skills directory outside the opened source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// The display prefix of its paths: `~/.agent/skills`, `external:team`.
    pub shown: String,
    /// Its path.
    pub place: PathBuf,
    /// Who owns it.
    pub owner: Owner,
    /// The profile whose layout it has.
    pub profile: String,
    /// Maximum depth of a skill directory below it; `None` for any depth.
    pub depth: Option<u32>,
    /// Whether a skill directory that is a link is read, wherever in `within` it points.
    pub follows_links: bool,
    /// The directory that nothing of it may leave through links; `None` if its owner is trusted.
    pub within: Option<PathBuf>,
    /// The name of the installed package that it belongs to.
    pub package: Option<String>,
}

/// Adds directories to a source. Their roots follow its own roots, in this order. A directory that does not exist is skipped
/// silently; files that cannot be read are returned and skipped. The limits of `roots` apply.
pub fn mount(source: Source, volumes: &[Volume], roots: &RootSet) -> (Source, Vec<Unread>) {
    let mut unread = Vec::new();
    let hash = source.hash();
    let mounted = volumes.iter().filter_map(|volume| volume.mounted(roots, hash, &mut unread)).collect();
    (source.with_volumes(mounted), unread)
}

impl Volume {
    fn mounted(&self, roots: &RootSet, hash: HashKind, unread: &mut Vec<Unread>) -> Option<Arc<Mounted>> {
        let real = std::fs::canonicalize(&self.place).ok()?;
        let within = match &self.within {
            Some(within) => Some(std::fs::canonicalize(within).ok()?),
            None => None,
        };
        let mut refused = |message: &str| {
            let path = self.shown.as_str().into();
            unread.push(Unread { path, owner: self.owner, message: message.to_owned() });
            None
        };
        if within.as_ref().is_some_and(|within| !real.starts_with(within)) {
            return refused("it is outside the home directory");
        }
        let name = real.file_name().and_then(|name| name.to_str());
        let Some((parent, name)) = real.parent().zip(name) else {
            return refused("its path is not valid UTF-8");
        };
        // Nothing next to it is listed, so no link of it leads out of the named directory.
        let only = Some((BString::default(), name.into()));
        let directory = Directory::plain(parent.to_owned(), only).hashed(hash);
        let directory = if self.follows_links { directory.linked(&real, name, within.as_deref()) } else { directory };
        let mount = Mount {
            shown: self.shown.clone(),
            owner: self.owner,
            profile: self.profile.clone(),
            depth: self.depth,
            package: self.package.clone(),
            name: name.to_owned(),
            store: Box::new(directory),
        };
        Mounted::new(mount, roots, unread)
    }
}
