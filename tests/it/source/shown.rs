//! Prints a snapshot, one line per file, so that a test compares text.

use bstr::ByteSlice;
use skilltree_front_matter::Bounds;
use skilltree_front_matter::text;
use skilltree_skills::roots::{RootPattern, RootSet};
use skilltree_skills::skill::Parsed;
use skilltree_skills::snapshot::{Body, File, Mode, Role, State};

pub(crate) const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };

/// Configured roots: `PATH` or a glob, any depth.
pub(crate) fn roots(globs: &[&str]) -> RootSet {
    let pattern = |glob: &&str| RootPattern::configured(glob, "agentskills");
    let patterns = globs.iter().map(pattern).collect();
    RootSet { patterns, depth: 16, files: 1_000, file_bytes: 256_000, ..RootSet::default() }
}

/// The default roots.
pub(crate) fn default_roots() -> RootSet {
    let mut set = roots(&[".symphony/skills", ".agent/skills"]);
    for pattern in &mut set.patterns {
        pattern.configured = false;
    }
    set
}

/// Every file of a snapshot: `role path`, then everything unusual about it.
pub(crate) fn shown(parsed: &Parsed) -> String {
    parsed.files.iter().map(|file| line(parsed, file) + "\n").collect()
}

fn line(parsed: &Parsed, file: &File) -> String {
    let role = match file.role {
        Role::Skill => "skill ",
        Role::Other => "beside",
        Role::Flat => "flat  ",
        Role::Root => "root  ",
        Role::Near => "near  ",
        Role::Unchecked => "other ",
        Role::Manifest => "plugin",
        Role::Twin => "twin  ",
        Role::Config => "config",
    };
    let mut line = format!("{role} {}", text::lossless(file.path.as_bstr()));
    let root = file.root.map(|root| &parsed.roots[root.index()]);
    if let Some(root) =
        root.filter(|root| !skilltree_skills::roots::is_within(file.path.as_bstr(), root.path.as_bstr()))
    {
        line.push_str(&format!(" of {}", root.path));
    }
    match &file.body {
        Body::Symlink { target, resolution } => line.push_str(&format!(" -> {target}: {resolution:?}")),
        Body::NotRead => {}
        Body::Directory if file.role == Role::Root => {}
        other => line.push_str(&format!(" {other:?}")),
    }
    match file.mode {
        Mode::Executable => line.push_str(" executable"),
        Mode::Link if matches!(file.body, Body::NotRead) => line.push_str(" link"),
        _ => {}
    }
    if file.state != State::Tracked {
        line.push_str(&format!(" {:?}", file.state));
    }
    if let Some(through) = &file.through {
        line.push_str(&format!(" through {through}"));
    }
    line
}
