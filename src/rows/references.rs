//! The rows of the table `references`: what the Markdown files of skills lead to.

use bstr::ByteSlice;
use skilltree_front_matter::text::{self, FileId};
use skilltree_report::render::redact;
use skilltree_runtimes::graph::{self, Mention};
use skilltree_skills::roots;
use skilltree_skills::skill::{Skill, SkillId};
use skilltree_skills::snapshot::File;

use crate::failure::Failure;
use crate::session::Session;
use skilltree_fleet::tables::{Row, Value};

/// The bytes of texts in memory at once, as a power of two (ours: 8 MiB). Texts were dropped after they were checked, so they are
/// read again.
const BATCH_BITS: u32 = 23;

/// A file of a skill, and the number of its batch.
type Listed = (SkillId, FileId, u64);

/// Returns the rows of all skills.
pub(super) fn rows(session: &Session, repository: &Value, commit: &Value) -> Result<Vec<Row>, Failure> {
    let catalog = &session.report.catalog;
    let mut rows = Vec::new();
    for batch in listed(session).chunk_by(|one, next| one.2 == next.2) {
        let files: Vec<File> = batch.iter().map(|&(_, file, _)| catalog.file(file).clone()).collect();
        for (&(skill, file, _), bytes) in batch.iter().zip(session.source.bodies(&files)?) {
            let path = Value::of(text::lossless(catalog.file(file).path.as_bstr()));
            let directory = text::parent(catalog.path(skill));
            for Mention { target, line, column } in graph::mentions(catalog, skill, file, &bytes) {
                let state = match target.exists {
                    true => "exists",
                    false if roots::is_within(target.path.as_bstr(), directory) => "missing",
                    false => "unknown",
                };
                rows.push(vec![
                    repository.clone(),
                    commit.clone(),
                    path.clone(),
                    Value::Integer(line.into()),
                    Value::Integer(column.into()),
                    Value::of(if target.is_link { "link" } else { "path" }),
                    Value::of(redact::text(&text::lossless(target.path.as_bstr()))),
                    Value::of(state),
                ]);
            }
        }
    }
    Ok(rows)
}

/// Returns the files that were read as text, in the order of their skills.
fn listed(session: &Session) -> Vec<Listed> {
    let mut bytes = 0;
    let mut listed = Vec::new();
    for (id, skill) in session.report.catalog.skills() {
        for (file, size) in files(skill) {
            bytes += u64::from(size);
            listed.push((id, file, bytes >> BATCH_BITS));
        }
    }
    listed
}

/// Returns the Markdown files of a skill with their sizes. The limits of the configuration hold for them.
fn files(skill: &Skill) -> impl Iterator<Item = (FileId, u32)> {
    let own = skill.body.iter().map(|body| (skill.file, body.file_bytes));
    own.chain(skill.references.read.iter().map(|reference| (reference.file, reference.bytes)))
}
