//! Changes as JSON by schema/diff.json, one line per skill and per runtime.

use std::borrow::Cow;
use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;

use super::{Between, shown_patch};
use crate::render::redact;
use skilltree_front_matter::text;
use skilltree_lint::changes::{
    Affected, Authority, Changes, Impact, InList, Kind, Reading, RuntimeChange, SkillChange, SkillState,
};
use skilltree_skills::json;
use skilltree_skills::skill::Power;

/// Name of the schema.
const SCHEMA: &str = "skilltree/diff/v1";

#[derive(Serialize)]
struct Counts {
    added: usize,
    removed: usize,
    renamed: usize,
    rewritten: usize,
    edited: usize,
}

#[derive(Serialize)]
struct ListSize {
    tokens_before: usize,
    tokens: usize,
    changed: bool,
}

#[derive(Serialize)]
struct Change<'a> {
    change: &'static str,
    renamed: bool,
    rewritten: bool,
    other_files: usize,
    unchecked: bool,
    before: Option<State<'a>>,
    after: Option<State<'a>>,
}

#[derive(Serialize)]
struct State<'a> {
    path: String,
    name: Cow<'a, str>,
    description: Cow<'a, str>,
    readings: Vec<ReadingEntry<'a>>,
    when_to_use: Option<Cow<'a, str>>,
    always_on: usize,
    body_tokens: usize,
}

#[derive(Serialize)]
struct ReadingEntry<'a> {
    runtimes: &'a [String],
    description: Cow<'a, str>,
}

#[derive(Serialize)]
struct AuthorityEntry<'a> {
    path: String,
    name: Cow<'a, str>,
    gains: Vec<PowerEntry>,
}

#[derive(Serialize)]
struct PowerEntry {
    kind: &'static str,
    words: String,
}

#[derive(Serialize)]
struct Runtime<'a> {
    runtime: &'a str,
    impacts: Vec<ImpactEntry<'a>>,
}

#[derive(Serialize)]
struct ImpactEntry<'a> {
    outcome: &'static str,
    in_list: Option<&'static str>,
    count: usize,
    skills: Vec<AffectedEntry<'a>>,
}

#[derive(Serialize)]
struct AffectedEntry<'a> {
    path: String,
    name: Cow<'a, str>,
    reason: Option<&'a str>,
}

/// Writes changes, one line per skill and per runtime.
pub(super) fn write(changes: &Changes, between: &Between, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"schema\":\"{SCHEMA}\"")?;
    member("base", &between.base, out)?;
    member("head", &between.head, out)?;
    member("summary", &changes.summary(), out)?;
    let [added, removed, renamed, rewritten, edited] = Kind::ALL.map(|kind| changes.count(kind));
    member("counts", &Counts { added, removed, renamed, rewritten, edited }, out)?;
    let (tokens_before, tokens) = (changes.list_before, changes.list);
    member("list", &ListSize { tokens_before, tokens, changed: changes.is_block_changed }, out)?;
    lines("authority", &changes.authority, authority, out)?;
    lines("skills", &changes.skills, change, out)?;
    lines("runtimes", &changes.runtimes, runtime, out)?;
    member("block_diff", &shown_patch(changes), out)?;
    out.write_all(b"}\n")
}

fn member<T: Serialize>(name: &str, value: &T, out: &mut dyn Write) -> io::Result<()> {
    write!(out, ",\n\"{name}\":")?;
    json::write_value(value, out)
}

fn lines<'a, T, E: Serialize>(
    name: &str,
    items: &'a [T],
    entry: impl Fn(&'a T) -> E,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, ",\n\"{name}\":[")?;
    for (number, item) in items.iter().enumerate() {
        out.write_all(if number == 0 { b"\n" } else { b",\n" })?;
        json::write_value(&entry(item), out)?;
    }
    out.write_all(b"\n]")
}

fn authority(authority: &Authority) -> AuthorityEntry<'_> {
    let power = |power: &Power| PowerEntry { kind: power.word(), words: redact::text(&power.to_string()).into_owned() };
    AuthorityEntry {
        path: text::lossless(authority.path.as_bstr()),
        name: redact::text(&authority.name),
        gains: authority.powers.iter().map(power).collect(),
    }
}

fn change(change: &SkillChange) -> Change<'_> {
    Change {
        change: change.kind().word(),
        renamed: change.is_renamed(),
        rewritten: change.is_rewritten(),
        other_files: change.files,
        unchecked: change.is_unchecked,
        before: change.before.as_ref().map(state),
        after: change.after.as_ref().map(state),
    }
}

fn state(state: &SkillState) -> State<'_> {
    State {
        path: text::lossless(state.path.as_bstr()),
        name: redact::text(&state.name),
        description: redact::text(&state.description),
        readings: state.readings.iter().map(reading).collect(),
        when_to_use: state.when_to_use.as_deref().map(redact::text),
        always_on: state.always_on,
        body_tokens: state.body_tokens,
    }
}

fn reading(reading: &Reading) -> ReadingEntry<'_> {
    ReadingEntry { runtimes: &reading.runtimes, description: redact::text(&reading.description) }
}

fn runtime(change: &RuntimeChange) -> Runtime<'_> {
    Runtime { runtime: &change.id, impacts: change.impacts.iter().map(impact).collect() }
}

fn impact(impact: &Impact) -> ImpactEntry<'_> {
    ImpactEntry {
        outcome: impact.outcome.word(),
        in_list: impact.in_list.map(InList::word),
        count: impact.count,
        skills: impact.skills.iter().map(affected).collect(),
    }
}

fn affected(skill: &Affected) -> AffectedEntry<'_> {
    AffectedEntry {
        path: text::lossless(skill.path.as_bstr()),
        name: redact::text(&skill.name),
        reason: skill.reason.as_deref(),
    }
}
