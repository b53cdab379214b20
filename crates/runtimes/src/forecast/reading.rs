//! Emulation of a runtime's parser: bytes to text, text to front matter and body, front matter to fields.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::family::{self, Reading};
use super::reason::Reason;
use super::repair;
use crate::profile::listing::Measured;
use crate::profile::reading::{Family, Repair, RepairMethod, RepairWhen, YamlRule};
use crate::profile::{Handling, Loads, Reported, Verdict};
use skilltree_front_matter::{Fault, FaultKind, Field, IntendedFence, NodeKind, What};
use skilltree_skills::skill::{self, Language, Skill, Trailing};

mod decode;
mod lines;

/// Parsed file as the runtime sees it.
#[derive(Debug)]
pub(super) struct View<'a> {
    /// Parsed fields; empty without front matter.
    pub(super) fields: Cow<'a, [Field]>,
    /// Library that parsed them; `None` if lines were read or the library is unknown.
    pub(super) family: Option<Family>,
    /// Parsed YAML; `None` if it equals the linter's.
    pub(super) yaml: Option<String>,
    /// The known part of the body; `None` if it equals the linter's.
    pub(super) body: Option<String>,
    /// Change of the skill during parsing, and how it is reported.
    pub(super) altered: Option<(Reason, Option<Reported>)>,
    /// Repair during parsing.
    pub(super) repaired: Option<Reason>,
}

impl<'a> View<'a> {
    fn of(fields: &'a [Field], family: Option<Family>) -> Self {
        Self { fields: Cow::Borrowed(fields), family, yaml: None, body: None, altered: None, repaired: None }
    }
}

/// End of the forecast for a file.
#[derive(Debug)]
pub(super) enum End {
    /// The skill does not load.
    Dropped(Reason, Option<Reported>),
    /// Unknown.
    Unknown(Reason),
}

/// Parses a skill's file as a runtime does.
pub(super) fn read<'a>(skill: &'a Skill, loads: &'a Loads) -> Result<View<'a>, End> {
    if loads.fence.is_none() {
        return declared(skill, loads);
    }
    let agreed = agreed(skill, loads);
    let mut view = match agreed {
        Some(view) => view,
        None => emulated(skill, loads)?,
    };
    if let Some(repair) = loads.repair.as_ref().filter(|_| view.family.is_some()) {
        lines::fall_back(&mut view, skill, repair);
    }
    Ok(view)
}

/// Returns the linter's own result if the runtime gets the same.
fn agreed<'a>(skill: &'a Skill, loads: &Loads) -> Option<View<'a>> {
    let yaml = loads.yaml.as_ref()?;
    let fields = skill.front_matter.as_ref()?.fields.as_deref()?;
    let agreement = &skill.agreement;
    let is_cut = match (&loads.fence, agreement.trailing_block) {
        (Some(fence), Some(Trailing::Plain)) => !fence.keeps_final_line_ending()?,
        (Some(_), Some(Trailing::Odd)) => return None,
        _ => false,
    };
    // Only strictyaml rejects flow collections.
    let refuses = yaml.family == Family::Strictyaml && agreement.has_flow;
    let crashes = yaml.impossible_date.is_some() && agreement.has_impossible_date;
    // VS Code reads anchors and tags as text.
    let is_odd = yaml.family == Family::VsCode && !skill.faults.is_empty();
    let is_agreed = agreement.after_header.is_none() && !is_odd && !refuses && !crashes && !agreement.begins_oddly;
    let view = is_agreed.then(|| View::of(fields, Some(yaml.family)))?;
    Some(if is_cut { View { fields: family::without_final_line_ending(fields, yaml.family), ..view } } else { view })
}

/// Applies the outcomes per fault, if the runtime's parser is unknown.
fn declared<'a>(skill: &'a Skill, loads: &Loads) -> Result<View<'a>, End> {
    let mut view = View::of(&[], None);
    if skill.body.is_none() && skill.agreement.after_header.is_some() && skill.front_matter.is_none() {
        return Err(End::Unknown(Reason::NoText));
    }
    if skill.agreement.begins_oddly || has_line_of_dashes(skill) {
        return Err(End::Unknown(Reason::NotKnown("how it reads such a front matter")));
    }
    if let Some(fields) = skill.front_matter.as_ref().and_then(|found| found.fields.as_deref()) {
        view.fields = Cow::Borrowed(fields);
    }
    for fault in &skill.faults {
        let kind = fault.kind();
        let Some(verdict) = loads.faults.verdict(kind) else {
            // Every library reads a comment after a value and mixed line endings alike.
            if matches!(kind, FaultKind::CutByComment | FaultKind::MixedLineEndings) {
                continue;
            }
            return Err(End::Unknown(Reason::Fault(kind)));
        };
        follow(verdict, Reason::Fault(kind), &mut view)?;
    }
    let length = skill.header.len() as u64;
    if let Some(limit) = loads.limits.iter().find(|limit| limit.of == Measured::FrontMatter && length > limit.maximum) {
        let reason = Reason::TooLong { of: limit.of, unit: limit.unit, length, most: limit.maximum };
        follow(limit.over_limit, reason, &mut view)?;
    }
    Ok(view)
}

/// Returns whether a line inside the front matter, or directly below it, begins with three dashes, which may end it.
fn has_line_of_dashes(skill: &Skill) -> bool {
    let yaml = skill.front_matter.as_ref().and_then(|found| skill.header.get(found.yaml.range()));
    let is_intended =
        |fault: &Fault| matches!(fault.what, What::Unclosed { intended: Some((_, IntendedFence::WithText)) });
    yaml.is_some_and(|yaml| yaml.lines().any(|line| line.trim_start().starts_with(b"---")))
        || skill.faults.iter().any(is_intended)
}

/// Applies a verdict to the parsed file.
fn follow(verdict: Verdict, reason: Reason, view: &mut View<'_>) -> Result<(), End> {
    match verdict.handling {
        Handling::Loads => return Ok(()),
        Handling::Drops | Handling::AbortsScan => return Err(End::Dropped(reason, verdict.reported)),
        outcome if loses_fields(outcome) => view.fields = Cow::Borrowed(&[]),
        Handling::Repairs => {
            view.repaired.get_or_insert(reason);
            return Ok(());
        }
        _ => {}
    }
    view.altered.get_or_insert((reason, verdict.reported));
    Ok(())
}

/// Applies a verdict, or ends with an unknown outcome.
fn decide(verdict: Option<Verdict>, reason: Reason, view: &mut View<'_>) -> Result<(), End> {
    match verdict {
        Some(verdict) => follow(verdict, reason, view),
        None => Err(End::Unknown(reason)),
    }
}

/// Parses the bytes with the runtime's own steps.
fn emulated<'a>(skill: &'a Skill, loads: &'a Loads) -> Result<View<'a>, End> {
    let mut view = View::of(&[], loads.yaml.as_ref().map(|yaml| yaml.family));
    let text = decode::text(skill, &loads.text, &mut view)?;
    if view.altered.is_some() && loads.text.not_utf8.is_some_and(|verdict| loses_fields(verdict.handling)) {
        return Ok(view);
    }
    let fence = loads.fence.as_ref().zip(loads.fence.as_ref().and_then(|fence| fence.pattern.regex()));
    let Some((fence, pattern)) = fence else { return Err(End::Unknown(Reason::NoFrontMatter(None))) };
    match Language::of(text.as_str().into()).filter(|_| fence.engines) {
        Some((Language::JavaScript, _)) => return Err(End::Unknown(Reason::NotKnown("what its code returns"))),
        Some((Language::Json, line)) => return json(&text[line.end..], loads, view),
        _ => {}
    }
    let Some(found) = pattern.captures(&text) else {
        let hidden_by = skill.faults.iter().map(|fault| fault.kind()).find(|kind| hides_fence(*kind));
        let blank = fence.blank.filter(|_| text.trim().is_empty());
        decide(blank.or(fence.absent), Reason::NoFrontMatter(hidden_by), &mut view)?;
        view.body = Some(text);
        return Ok(view);
    };
    let after = &text[found.get(0).map_or(0, |whole| whole.end())..];
    let has_body = pattern.capture_names().flatten().any(|name| name == "body");
    let body = if has_body { found.name("body").map(|body| body.as_str()) } else { Some(after) };
    if body.is_none() && !after.trim().is_empty() {
        view.altered.get_or_insert((Reason::BodyLost, Some(Reported::Nothing)));
    }
    let Some(rule) = &loads.yaml else {
        let yaml = found.name("yaml").map_or("", |yaml| yaml.as_str());
        let groups = pattern.capture_names().flatten().filter(|name| !matches!(*name, "yaml" | "body"));
        let fields = groups.filter_map(|name| Some(repair::text_field(name, found.name(name)?.as_str().to_owned())));
        view.fields = Cow::Owned(match &loads.repair {
            Some(repair) => repair::lines(yaml, repair),
            None => fields.collect(),
        });
        view.body = Some(body.unwrap_or_default().to_owned());
        return Ok(view);
    };
    let yaml = found.name("yaml").map_or("", |yaml| yaml.as_str());
    let yaml = if fence.trimmed { yaml.trim() } else { yaml };
    view.body = Some(body.unwrap_or_default().to_owned());
    let is_repaired = |repair: &&Repair| {
        let fence = repair.fence.as_ref().and_then(|fence| fence.regex());
        fence.is_none_or(|fence| fence.is_match(&decode::bytes(skill).to_str_lossy()))
    };
    parse(yaml, rule, loads.repair.as_ref().filter(is_repaired), &loads.keys.known, view)
}

/// Parses the text after an opening fence that makes the front matter JSON.
fn json<'a>(text: &str, loads: &'a Loads, mut view: View<'a>) -> Result<View<'a>, End> {
    let (json, body) = text.split_once("\n---").unwrap_or((text, ""));
    let unknown = || End::Unknown(Reason::NotKnown("how it reads JSON"));
    let rule = loads.yaml.as_ref().ok_or_else(unknown)?;
    let Ok(value) = serde_json::from_str::<serde_json::Value>(json) else {
        decide(rule.refused, Reason::Yaml(None), &mut view)?;
        return Ok(view);
    };
    view.body = Some(body.to_owned());
    // JSON in one line is YAML with the same values.
    parse(&value.to_string(), rule, None, &loads.keys.known, view)
}

/// Returns whether an outcome leaves no fields.
fn loses_fields(handling: Handling) -> bool {
    matches!(handling, Handling::LosesFields | Handling::IgnoresFrontMatter | Handling::LosesDescription)
}

fn hides_fence(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::ByteOrderMark
            | FaultKind::NoFence
            | FaultKind::TextBeforeFence
            | FaultKind::OpenerTrailingBlanks
            | FaultKind::OpenerExtraDashes
            | FaultKind::OpenerIndented
            | FaultKind::CloserTrailingBlanks
            | FaultKind::CloserExtraDashes
            | FaultKind::CloserIndented
            | FaultKind::Unclosed
            | FaultKind::CarriageReturns
            | FaultKind::LfsPointer
    )
}

/// Returns whether a repair puts values into quotes.
fn quotes(repair: &Repair) -> bool {
    matches!(repair.method, RepairMethod::QuoteValues | RepairMethod::DoubleQuoteValues)
}

/// Returns whether name or description is a list or mapping.
fn has_collection(fields: &[Field]) -> bool {
    let is_shown = |field: &&Field| matches!(field.key.value.as_str(), "name" | "description");
    fields.iter().filter(is_shown).any(|field| !matches!(field.value.kind, NodeKind::Scalar { .. }))
}

/// Parses the YAML, and repairs it if the runtime does.
fn parse<'a>(
    yaml: &str,
    rule: &YamlRule,
    repair: Option<&Repair>,
    known: &[String],
    mut view: View<'a>,
) -> Result<View<'a>, End> {
    let mut reading = family::read(yaml, rule.family, known);
    let mut refused = rule.refused;
    if let Some(repair) = repair {
        let is_tried = match &reading {
            Reading::Refused(_) => true,
            Reading::NotAMapping => repair.when != RepairWhen::Refused,
            // Lines are read later, once the types are known.
            Reading::Fields(fields) => repair.when == RepairWhen::NoText && quotes(repair) && has_collection(fields),
            Reading::Unknown(_) => false,
        };
        let fault = if let Reading::Refused(reason) = &reading { reason.fault() } else { None };
        let repaired = Reason::Repaired(fault);
        match repair.method {
            RepairMethod::ReadLines if is_tried => {
                view.fields = Cow::Owned(repair::lines(yaml, repair));
                view.family = None;
                view.repaired = Some(repaired);
                return Ok(view);
            }
            RepairMethod::QuoteValues | RepairMethod::DoubleQuoteValues | RepairMethod::BlockScalars if is_tried => {
                if let Some(quoted) = repair::quoted(yaml, repair, rule.family) {
                    let again = family::read(&quoted, rule.family, known);
                    match again {
                        Reading::Refused(_) => refused = repair.refused.or(refused),
                        again => {
                            reading = again;
                            view.repaired = Some(repaired);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    if rule.rejects_halves && family::has_half(yaml) {
        decide(rule.refused, Reason::Yaml(None), &mut view)?;
        return Ok(view);
    }
    let has_impossible_date = |fields: &[Field]| fields.iter().any(|field| skill::is_impossible_date(&field.value));
    if let (Some(verdict), Reading::Fields(fields)) = (rule.impossible_date, &reading)
        && has_impossible_date(fields)
    {
        follow(verdict, Reason::Yaml(None), &mut view)?;
    }
    match reading {
        Reading::Fields(fields) if fields.is_empty() && rule.null.is_some() && !yaml.trim().is_empty() => {
            decide(rule.null, Reason::NotAMapping, &mut view)?;
        }
        Reading::Fields(fields) => view.fields = Cow::Owned(fields),
        Reading::NotAMapping => decide(rule.not_a_mapping, Reason::NotAMapping, &mut view)?,
        Reading::Refused(reason) => decide(refused, reason, &mut view)?,
        Reading::Unknown(reason) => return Err(End::Unknown(reason)),
    }
    view.yaml = Some(yaml.to_owned());
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;
    use skilltree_front_matter::Bounds;
    use skilltree_front_matter::text::FileId;
    use skilltree_skills::roots::{RootId, RootPattern};
    use skilltree_skills::snapshot::{Body, File, Role};

    fn skill(yaml: &str) -> Skill {
        let bytes = format!("---\n{yaml}---\n\nRead it.\n").into_bytes();
        let file = File::new("skills/a/SKILL.md", Role::Skill, Some(RootId(0)), Body::Text(bytes));
        let root = RootPattern::configured("skills", "agentskills").root(0, "skills".into());
        skill::parse(FileId(0), &file, &root, None, Bounds::NONE)
    }

    fn texts(fields: &[Field]) -> Vec<(&str, Option<&str>)> {
        fields.iter().map(|field| (field.key.value.as_str(), field.value.scalar())).collect()
    }

    #[test]
    fn agrees_with_the_parser_of_every_runtime_on_trailing_block_scalars() {
        let ends = [
            "description: >\n  One\n  two.\n",
            "description: |\n  One\n\n  two.\n",
            "description: >-\n  One.\n",
            "description: |+\n  One.\n",
            "description: |2\n   One.\n",
            "description: >\n  One \u{2192} two.\n",
            "description: One.\nlicense: |\n  MIT\n",
            "description: One.\nmetadata:\n  a: |\n    b\n",
            // What these end with is not the same in every text.
            "description: |\n  One.\n# A comment.\n",
            "description: |+\n  One.\n\n",
            "description: |\n  One\u{2028}two.\n",
            "description: |\n  One.\n\n",
        ];
        let profiles = Profiles::default();
        let mut seen = 0;
        for profile in profiles.ids().filter_map(|id| profiles.find(id)).filter(|one| one.loads.fence.is_some()) {
            for end in ends {
                let skill = skill(&format!("name: a\n{end}"));
                let Some(view) = agreed(&skill, &profile.loads) else { continue };
                let other = emulated(&skill, &profile.loads).expect("every runtime reads a plain file");
                assert_eq!(texts(&view.fields), texts(&other.fields), "{end} in {}", profile.id);
                seen += 1;
            }
        }
        assert!(seen > 200, "only {seen} files were compared");
    }
}
