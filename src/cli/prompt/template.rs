//! Which template makes the block, and its text.

use bstr::ByteSlice;
use skilltree::config::SETTINGS;
use skilltree::prompt::Template;
use skilltree::roots;
use skilltree::snapshot::Body;
use skilltree::source::{self, Revision};

use crate::cli::args::{Prompt, PromptFormat};
use crate::cli::failure::Failure;
use crate::cli::session::Session;

/// The template of the command line; else that of the configuration, unless the command line asks for another form: by a
/// profile, or by messages.
pub(super) fn chosen(session: &Session, arguments: &Prompt) -> Result<Option<Template>, Failure> {
    let asks_for_a_form = arguments.profile.is_some() || arguments.format == PromptFormat::Messages;
    match (&arguments.template, &session.config.template) {
        (Some(path), _) => read(session, arguments, path, "").map(Some),
        (None, Some(path)) if !asks_for_a_form => {
            read(session, arguments, path, &format!(", which {SETTINGS} names,")).map(Some)
        }
        _ => Ok(None),
    }
}

/// A template is configuration: it comes from the tree that the configuration comes from. `by` says who names it.
fn read(session: &Session, arguments: &Prompt, path: &str, by: &str) -> Result<Template, Failure> {
    let refused = |what: &str| {
        let help = match by {
            "" => "name a file of the repository: `--template .agent/block.md`".to_owned(),
            _ => format!(
                "name a file of the repository: `template = \".agent/block.md\"` below `[prompt]` of {SETTINGS}"
            ),
        };
        Failure::new(format!("the template `{path}`{by} {what}")).help(help)
    };
    let normal = roots::normalise(path).ok_or_else(|| refused("is no path from the repository's root"))?;
    let other;
    let from = match &arguments.source.config_from {
        Some(revision) => {
            other = source::open(&session.place, &Revision::Tree(revision.clone()), &session.place.environment)?;
            &other
        }
        None => &session.source,
    };
    let file = from.file(normal.as_bytes().as_bstr())?.ok_or_else(|| refused("is not there"))?;
    match file.body {
        Body::Text(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| refused("is not UTF-8"))?;
            Ok(Template { path: normal, text })
        }
        _ => Err(refused("is no regular file of at most 1 MiB")),
    }
}
