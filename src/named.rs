//! Configuration files that the caller or the configuration names.
#![allow(clippy::disallowed_methods, reason = "the caller names the file")]

use std::path::Path;

use bstr::{BStr, BString};
use skilltree_lint::config;
use skilltree_skills::snapshot::{Body, File, Role};
use skilltree_skills::source::{CONFIG_BYTES, Source};

use crate::failure::Failure;
use crate::file::{read, reason};
use crate::options::Options;

/// Reads the policies: the one that the caller names, and over it the one that the settings extend, which is a file of the same tree.
pub(crate) fn policies(
    place: &Path,
    from: &Source,
    settings: Option<&File>,
    options: &Options,
) -> Result<Vec<File>, Failure> {
    let mut policies = Vec::new();
    if let Some(path) = &options.overrides.policy {
        policies.push(file(place, path, &Named::POLICY)?);
    }
    if let Some(settings) = settings
        && let Some((path, range)) = config::extended(settings)
    {
        // A configuration without its policy would be looser than its author wants.
        let file = from.file(BStr::new(&path))?.ok_or_else(|| config::Error {
            place: Some(Box::new((settings.clone(), range))),
            message: format!("the policy `{path}` that `extends` names does not exist"),
            help: Some("add the file, or remove `extends`".to_owned()),
        })?;
        policies.push(file);
    }
    Ok(policies)
}

/// What a file that the caller names is for.
pub(crate) struct Named {
    noun: &'static str,
    option: &'static str,
    /// Put before its name, so that it is no path of the repository.
    prefix: &'static str,
}

impl Named {
    pub(crate) const CONFIG: Self = Self { noun: "configuration", option: "--config", prefix: "" };
    const POLICY: Self = Self { noun: "policy", option: "--policy", prefix: "policy:" };
}

/// Reads a configuration file that the caller names.
pub(crate) fn file(place: &Path, path: &Path, named: &Named) -> Result<File, Failure> {
    let Named { noun, option, prefix } = named;
    let name = path.display().to_string();
    let text = read(&place.join(path), CONFIG_BYTES + 1).map_err(|error| {
        Failure::new(format!("the {noun} `{name}` cannot be read: {}", reason(&error)))
            .help(format!("pass an existing file: `{option} FILE`, or remove the option"))
    })?;
    if text.len() as u64 > CONFIG_BYTES {
        return Err(Failure::new(format!("the {noun} `{name}` is larger than 1 MiB"))
            .help(format!("pass a skilltree.toml: `{option} FILE`, or remove the option")));
    }
    Ok(File::new(BString::from(format!("{prefix}{name}")), Role::Config, None, Body::Text(text)))
}
