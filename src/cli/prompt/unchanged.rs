//! `--if-changed`: whether an artifact is current, without reading a skill.

use crate::cli::args::{Common, Source};
use crate::cli::request::{self, Request};
use crate::cli::session as opened;
use crate::digest::{self, Asked, Cover};
use crate::external;
use crate::failure::Failure;
use crate::options::PromptOptions;
use crate::purpose::Purpose;
use crate::session;

/// Returns whether a digest is the one that the output of these arguments would have.
pub(super) fn is(
    common: &Common,
    arguments: &Source,
    request: &Request<'_>,
    wanted: &PromptOptions,
    digest: &str,
) -> Result<bool, Failure> {
    let place = opened::typed_in(common)?;
    let options = request::options(arguments, request);
    let Some(source) = opened::source(&place, arguments, request)? else { return Ok(false) };
    let mut config = session::configure(&place, &source, &options)?;
    let volumes = external::volumes(&place, &options, Purpose::Prompt)?;
    config.roots.elsewhere = external::users(&source, &volumes);
    let (source, unread) = skilltree_git::mount(source, &volumes, &config.roots);
    let asked = Asked { place: &place, source: &source, config: &config, options: &options, wanted };
    if !unread.is_empty() {
        return Ok(false);
    }
    // The cheap covers come first, and most repositories need no other.
    let (cheap, others) = Cover::ALL.split_at(2);
    for covers in [cheap, others] {
        if digest::digests(&asked, covers)?.is_some_and(|digests| digests.iter().any(|known| known == digest)) {
            return Ok(true);
        }
    }
    Ok(false)
}
