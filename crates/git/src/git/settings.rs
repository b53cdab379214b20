//! Opening of a repository without trust, and the few settings that are read from it.
#![allow(clippy::disallowed_methods, reason = "this is the one place that opens repositories")]

use std::path::Path;

use gix::config::{Source, file, section};
use skilltree_skills::source::Error;
use skilltree_skills::source::OBJECT_BYTES;

/// Extensions of the repository format that do not affect reading, or are supported.
const EXTENSIONS: &[&str] = &[
    "compatObjectFormat",
    "noop",
    "noop-v1",
    "objectFormat",
    "partialClone",
    "preciousObjects",
    "refStorage",
    "relativeWorktrees",
    "worktreeConfig",
];

/// Opens a validated directory.
pub(super) fn open(git_dir: &Path, place: &Path) -> Result<gix::Repository, Error> {
    let opened = options().open_path_as_is(true).open(git_dir);
    let place = || place.to_owned();
    let opened = opened.map_err(|error| {
        if error.is_permission_denied() {
            Error::Untrusted { place: place() }
        } else if error.is_not_found() {
            Error::NoRepository { place: place() }
        } else if error.is_unsupported() {
            Error::Format { place: place(), reason: "an unknown version or hash algorithm".to_owned() }
        } else {
            Error::Repository { place: place(), reason: "its configuration or layout is damaged".to_owned() }
        }
    })?;
    let mut repository = opened.to_thread_local();
    repository.clear_namespace();
    match unknown_format(&repository) {
        Some(reason) => Err(Error::Format { place: place(), reason }),
        None => Ok(repository),
    }
}

/// Options without trust: nothing comes from the environment or from included files, a repository of another user is
/// rejected, no object is larger than [`OBJECT_BYTES`], and objects are not replaced, because the id is checked.
fn options() -> gix::open::Options {
    let mut permissions = gix::open::Permissions::isolated();
    permissions.config =
        gix::open::permissions::Config { env: false, includes: false, ..gix::open::permissions::Config::all() };
    permissions.env.home = gix::sec::Permission::Allow;
    permissions.env.xdg_config_home = gix::sec::Permission::Allow;
    gix::open::Options::default()
        .permissions(permissions)
        .filter_config_section(is_others)
        .bail_if_untrusted(true)
        .config_overrides([
            format!("gitoxide.objects.allocLimit={OBJECT_BYTES}"),
            "core.useReplaceRefs=false".to_owned(),
        ])
}

/// Returns whether a section of the configuration may name a file or set a limit: sections of the repository itself may
/// not.
fn is_others(section: &file::Metadata) -> bool {
    section::is_trusted(section) && !matches!(section.source, Source::Local | Source::Worktree)
}

/// Returns an unknown extension, which git must not ignore; gix checks the version.
fn unknown_format(repository: &gix::Repository) -> Option<String> {
    let config = repository.config_snapshot();
    let is_versioned = config.integer("core.repositoryFormatVersion") == Some(1);
    let extensions = config.plumbing().sections_by_name("extensions").into_iter().flatten();
    let mut names = extensions.flat_map(|section| section.value_names().collect::<Vec<_>>());
    let is_unknown = |name: &String| !EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(name));
    names.find(is_unknown).filter(|_| is_versioned).map(|name| format!("extensions.{name}"))
}

/// Returns whether a remote promises the missing objects.
pub(super) fn is_partial(repository: &gix::Repository) -> bool {
    let config = repository.config_snapshot();
    let mut remotes = config.plumbing().sections_by_name("remote").into_iter().flatten();
    config.string("extensions.partialClone").is_some() || remotes.any(|remote| remote.value("promisor").is_some())
}

/// Properties of the file system, as git detected them at checkout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filesystem {
    /// Whether it treats `SKILL.md` and `skill.md` as equal.
    pub(crate) ignores_case: bool,
    /// Whether it has symbolic links.
    pub(crate) has_links: bool,
    /// Whether it has the executable bit.
    pub(crate) has_modes: bool,
}

impl Default for Filesystem {
    fn default() -> Self {
        Self { ignores_case: false, has_links: true, has_modes: true }
    }
}

impl Filesystem {
    pub(super) fn new(repository: &gix::Repository) -> Self {
        let config = repository.config_snapshot();
        let default = Self::default();
        Self {
            ignores_case: config.boolean("core.ignoreCase").unwrap_or(default.ignores_case),
            has_links: config.boolean("core.symlinks").unwrap_or(default.has_links),
            has_modes: config.boolean("core.fileMode").unwrap_or(default.has_modes),
        }
    }
}
