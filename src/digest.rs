//! The digest of everything that a prompt artifact depends on, from ids of trees and files: no skill is read.

use bstr::{BStr, ByteSlice};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use skilltree_git::Revision;
use skilltree_lint::config::Config;
use skilltree_lint::lint;
use skilltree_skills::records::{KNOWLEDGE, THREADS};
use skilltree_skills::snapshot::{Body, File, Origin};
use skilltree_skills::source::{self, RootsState, Source};

use crate::failure::Failure;
use crate::options::{CatalogFile, Options, PromptOptions};
use crate::place::Place;
use crate::purpose::Purpose;
use crate::session;
use crate::template;

/// What a run asks for, and from where.
pub(crate) struct Asked<'a> {
    pub(crate) place: &'a Place,
    pub(crate) source: &'a Source,
    pub(crate) config: &'a Config,
    pub(crate) options: &'a Options,
    pub(crate) wanted: &'a PromptOptions,
}

/// What a digest covers besides the trees of the skills directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cover {
    /// The targets of links in skills directories.
    pub(crate) links: bool,
    /// The day, because an ignore ends.
    pub(crate) day: bool,
}

impl Cover {
    /// Every cover, the cheapest first. A digest that one of them gives again is current: whether links and days count follows from
    /// what the digest covers.
    pub(crate) const ALL: [Self; 4] = [
        Self { links: false, day: false },
        Self { links: false, day: true },
        Self { links: true, day: false },
        Self { links: true, day: true },
    ];
}

/// Returns the digests for some covers, in their order; `None` if an id is not known, or the artifact depends on more.
pub(crate) fn digests(asked: &Asked<'_>, covers: &[Cover]) -> Result<Option<Vec<String>>, Failure> {
    let Asked { source, config, options, .. } = asked;
    if is_open(config, source) {
        return Ok(None);
    }
    let roots = Purpose::Prompt.roots(config);
    let Some(fixed) = fixed(asked)? else { return Ok(None) };
    let day = session::today(options)?.or(source.time()).map(|seconds| seconds.div_euclid(86_400));
    let mut states: [Option<Value>; 2] = [None, None];
    let mut digests = Vec::new();
    for cover in covers {
        let state = &mut states[usize::from(cover.links)];
        if state.is_none() {
            let Some(found) = source.state(&roots, cover.links)? else { return Ok(None) };
            *state = Some(state_value(&found));
        }
        let all = json!({ "fixed": fixed, "state": state, "links": cover.links, "day": cover.day.then_some(day) });
        digests.push(hex(all.to_string().as_bytes()));
    }
    Ok(Some(digests))
}

/// Returns whether the artifact depends on files that no digest covers.
fn is_open(config: &Config, source: &Source) -> bool {
    let is_file = matches!(source.origin(), Origin::StandardInput | Origin::Memory);
    is_file || lint::leaves_skills_directories(config)
}

/// Returns everything except the skills directories and the day.
fn fixed(asked: &Asked<'_>) -> Result<Option<Value>, Failure> {
    let Asked { place, source, config, options, wanted } = asked;
    let mut records = Vec::new();
    for name in [THREADS, KNOWLEDGE] {
        match source.file(BStr::new(name)) {
            Ok(Some(File { id: None, .. })) | Err(source::Error::Unreadable { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
            Ok(file) => records.push(file.and_then(|file| file.id).map(|id| id.to_string())),
        }
    }
    let template = template::chosen(place, source, config, options, wanted)?;
    let from = match &options.overrides.config_from {
        Some(revision) => {
            let other = skilltree_git::open(place, &Revision::Tree(revision.clone()), &place.environment)?;
            match other.state(&Purpose::Prompt.roots(config), false)? {
                Some(state) => Some(state_value(&state)),
                None => return Ok(None),
            }
        }
        None => None,
    };
    // A run that only prints the block asks for the same as one that writes it with a catalog.
    let wanted = PromptOptions { catalog: CatalogFile::Absent, ..(*wanted).clone() };
    let configuration: Vec<Value> = config.files.iter().map(file).collect();
    Ok(Some(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "configuration": configuration,
        "from": from,
        "records": records,
        "template": template.map(|template| (template.path, template.text)),
        "options": [
            json!(options.profile), json!(options.overrides.roots), json!(options.rules), json!(options.overrides.preview),
            json!(options.overrides.no_config), json!(options.home.is_some()),
        ],
        // Its members are texts and numbers: the same in every build of this version.
        "wanted": format!("{wanted:?}"),
    })))
}

fn file(file: &File) -> Value {
    match &file.body {
        Body::Text(text) => json!([file.path.to_str_lossy(), hex(text)]),
        other => json!([file.path.to_str_lossy(), format!("{other:?}")]),
    }
}

fn state_value(state: &RootsState) -> Value {
    let text = |path: &bstr::BString| skilltree_front_matter::text::lossless(path.as_bstr());
    let roots = state
        .roots
        .iter()
        .map(|(paths, id)| json!([paths.iter().map(text).collect::<Vec<_>>(), id.map(|id| id.to_string())]));
    let linked =
        state.linked.iter().map(|(path, real, id)| json!([text(path), text(real), id.map(|id| id.to_string())]));
    json!([roots.collect::<Vec<_>>(), linked.collect::<Vec<_>>()])
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
