//! The template of the prompt block.

use bstr::ByteSlice;
use skilltree_dispatch::prompt::Template;
use skilltree_git::Revision;
use skilltree_lint::config::{Config, SETTINGS};
use skilltree_skills::roots;
use skilltree_skills::snapshot::Body;
use skilltree_skills::source::Source;

use crate::failure::Failure;
use crate::options::{Options, PromptOptions};
use crate::place::Place;

/// Returns the template of the options, or else of the configuration. A profile or the message format disables the latter.
pub(crate) fn chosen(
    place: &Place,
    source: &Source,
    config: &Config,
    options: &Options,
    prompt: &PromptOptions,
) -> Result<Option<Template>, Failure> {
    let read = |path: &str, by: &str| read(place, source, options, path, by);
    let has_format = options.profile.is_some() || prompt.messages;
    match (&prompt.template, &config.template) {
        (Some(path), _) => read(path, "").map(Some),
        (None, Some(path)) if !has_format => read(path, &format!(" (set in {SETTINGS})")).map(Some),
        _ => Ok(None),
    }
}

/// Reads a template from the same tree as the configuration. `by` names the file that sets it.
fn read(place: &Place, source: &Source, options: &Options, path: &str, by: &str) -> Result<Template, Failure> {
    let refused = |problem: &str| {
        let help = match by {
            "" => "pass a file in the repository: `--template .agent/block.md`".to_owned(),
            _ => format!("set a file in the repository: `template = \".agent/block.md\"` in `[prompt]` of {SETTINGS}"),
        };
        Failure::new(format!("the template `{path}`{by} {problem}")).help(help)
    };
    let normal = roots::normalise(path).ok_or_else(|| refused("is not a path inside the repository"))?;
    let other;
    let from = match &options.overrides.config_from {
        Some(revision) => {
            other = skilltree_git::open(place, &Revision::Tree(revision.clone()), &place.environment)?;
            &other
        }
        None => source,
    };
    let file = from.file(normal.as_bytes().as_bstr())?.ok_or_else(|| refused("does not exist"))?;
    match file.body {
        Body::Text(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| refused("is not UTF-8"))?;
            Ok(Template { path: normal, text })
        }
        _ => Err(refused("is not a regular file of at most 1 MiB")),
    }
}
