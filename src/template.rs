//! The template of the prompt block.

use bstr::ByteSlice;
use skilltree_core::config::SETTINGS;
use skilltree_core::prompt::Template;
use skilltree_core::roots;
use skilltree_core::snapshot::Body;
use skilltree_git::Revision;

use crate::failure::Failure;
use crate::options::{Options, PromptOptions};
use crate::session::Session;

/// Returns the template of the options, or else of the configuration. A profile or the message format disables the latter.
pub(crate) fn chosen(
    session: &Session,
    options: &Options,
    prompt: &PromptOptions,
) -> Result<Option<Template>, Failure> {
    let has_format = options.profile.is_some() || prompt.messages;
    match (&prompt.template, &session.config.template) {
        (Some(path), _) => read(session, options, path, "").map(Some),
        (None, Some(path)) if !has_format => read(session, options, path, &format!(" (set in {SETTINGS})")).map(Some),
        _ => Ok(None),
    }
}

/// Reads a template from the same tree as the configuration. `by` names the file that sets it.
fn read(session: &Session, options: &Options, path: &str, by: &str) -> Result<Template, Failure> {
    let refused = |problem: &str| {
        let help = match by {
            "" => "pass a file in the repository: `--template .agent/block.md`".to_owned(),
            _ => format!("set a file in the repository: `template = \".agent/block.md\"` in `[prompt]` of {SETTINGS}"),
        };
        Failure::new(format!("the template `{path}`{by} {problem}")).help(help)
    };
    let normal = roots::normalise(path).ok_or_else(|| refused("is not a path inside the repository"))?;
    let other;
    let from = match &options.config_from {
        Some(revision) => {
            other = skilltree_git::open(&session.place, &Revision::Tree(revision.clone()), &session.place.environment)?;
            &other
        }
        None => &session.source,
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
