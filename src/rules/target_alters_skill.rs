//! A skill that a runtime in which it must work shows otherwise than it is written, or not at all.

use crate::catalog::Catalog;
use crate::forecast::{Fate, Reason, RootForecast, Shown, SkillForecast, plural};
use crate::prompt;
use crate::roots::RootId;
use crate::rule::{Check, E2026, Facts, Group, Level, Outlook, Rule, Sink, Subject, Target};
use crate::select;
use crate::skill::{Skill, SkillId};
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "target-alters-skill",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a runtime of `targets` would show less or something else than is written",
    why: "a model chooses a skill by what it is shown of it, and there it is shown something that nobody wrote",
    explanation: include_str!("target_alters_skill.md"),
    check: Check::Target(check),
};

/// Skills that are named.
const SHOWN: usize = 20;
/// Characters of a text that are quoted.
const QUOTED: usize = 64;

fn check(catalog: &Catalog, _: &Facts<'_>, outlook: &Outlook<'_>, sink: &mut Sink) {
    for lost in outlook.lost(catalog, Fate::Altered) {
        let skill = catalog.skill(lost.skill);
        let message = format!("{} would not load the skill as it is written: {}", lost.titles(), lost.reason);
        let finding = sink.about(Subject::Skill(lost.skill)).report(lost.place(skill), message);
        finding.losses = lost.losses();
        for (target, told) in &lost.targets {
            if let Some(shown) = shown(skill, told, lost.reason) {
                finding.note(format!("{} shows the model {shown}", target.profile.title));
            }
        }
        for evidence in lost.targets.iter().filter_map(|(target, _)| target.evidence(lost.reason)) {
            finding.note(format!("known of {evidence}"));
        }
        if let Reason::TooLong { unit, most, .. } = lost.reason {
            finding.help(format!("shorten it to {most} {}", plural(*unit)));
        }
    }
    for target in &outlook.targets {
        for (root, told) in (0u32..).map(RootId).zip(&target.forecast.roots) {
            if !outlook.is_capped(root) {
                report_squeezed(catalog, target, root, told, sink);
            }
        }
    }
}

/// What the model is shown instead of what is written.
fn shown(skill: &Skill, told: &SkillForecast, reason: &Reason) -> Option<String> {
    let of = |shown: &Option<Shown>, key| Some(shown.as_ref()?.text(skill, key).into_owned());
    match reason {
        Reason::ShownOtherwise("name") => Some(format!("`{}`", text::shortened(&of(&told.name, "name")?, QUOTED))),
        Reason::ShownOtherwise(_) => {
            Some(format!("`{}`", text::shortened(&of(&told.description, "description")?, QUOTED)))
        }
        Reason::TooLong { .. } if told.cut_from.is_some() => {
            let text = of(&told.description, "description")?;
            let length = text.chars().count();
            let end: String = text.chars().skip(length.saturating_sub(QUOTED / 2)).collect();
            Some(format!("{length} characters of the description, which end with `{end}`"))
        }
        _ => None,
    }
}

/// Says which skills of a root do not fit into the list of a target.
fn report_squeezed(catalog: &Catalog, target: &Target<'_>, root: RootId, told: &RootForecast, sink: &mut Sink) {
    let Some(&first) = told.lost.first().or_else(|| told.shortened.first()) else { return };
    let (lost, shortened) = (told.lost.len(), told.shortened.len());
    let title = &target.profile.title;
    let of = format!("{} skills of `{}`", told.listed.len() + shortened + lost, root_path(catalog, root));
    let message = match lost {
        0 => format!("{title} would show {shortened} of {of} without their whole descriptions"),
        _ => format!("{title} would leave {lost} of {of} out of its list"),
    };
    let finding = sink.about(Subject::Root(root)).report(select::name_place(catalog.skill(first)), message);
    finding.extent(lost + shortened);
    if let (Some(budget), Some(unit)) = (told.budget, told.unit) {
        finding.note(format!("its list has room for {budget} {}, and all of them take {}", plural(unit), told.wanted));
    }
    let named = |skills: &[SkillId]| prompt::named(catalog, skills, SHOWN);
    if lost > 0 {
        finding.note(format!("left out: {}", named(&told.lost)));
    }
    if shortened > 0 {
        finding.note(format!("shown with a part of the description or none: {}", named(&told.shortened)));
    }
    finding.help("shorten descriptions, or move skills to a root that this runtime does not read");
}

fn root_path(catalog: &Catalog, root: RootId) -> String {
    text::lossless(catalog.root(root).path.as_ref())
}
