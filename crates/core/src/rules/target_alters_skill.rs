//! Skills that a target shows with changes or omits from its list.

use crate::catalog::Catalog;
use crate::forecast::{Fate, Reason, RootForecast, Shown, SkillForecast, plural};
use crate::prompt;
use crate::roots::RootId;
use crate::rule::{Check, E2026, Facts, Group, Level, Outlook, Rule, Sink, Subject, Target};
use crate::select;
use crate::skill::{Skill, SkillId};
use crate::text;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "target-alters-skill",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    faults: &[],
    summary: "a runtime in `targets` would change a skill or omit it from its list",
    why: "a model chooses a skill by the text it is shown, and here that text differs from the file",
    explanation: include_str!("target_alters_skill.md"),
    check: Check::Target(check),
    ..Rule::DEFAULT
};

/// Maximum number of skills that a note names.
const SHOWN: usize = 20;
/// Maximum number of quoted characters.
const QUOTED: usize = 64;

fn check(catalog: &Catalog, _: &Facts<'_>, outlook: &Outlook<'_>, sink: &mut Sink) {
    for lost in outlook.lost(catalog, Fate::Altered) {
        let skill = catalog.skill(lost.skill);
        let message = format!("{} would load the skill with changes: {}", lost.titles(), lost.reason);
        let finding = sink.about(Subject::Skill(lost.skill)).report(lost.place(skill), message);
        finding.losses = lost.losses();
        for (target, forecast) in &lost.targets {
            if let Some(shown) = shown(skill, forecast, lost.reason) {
                finding.note(format!("{} shows the model {shown}", target.profile.title));
            }
        }
        for evidence in lost.targets.iter().filter_map(|(target, _)| target.evidence(lost.reason)) {
            finding.note(format!("source: {evidence}"));
        }
        if let Reason::TooLong { unit, most, .. } = lost.reason {
            finding.help(format!("shorten it to {} {}", text::grouped(most), plural(*unit)));
        }
    }
    for target in &outlook.targets {
        for (root, forecast) in (0u32..).map(RootId).zip(&target.forecast.roots) {
            if !outlook.is_capped(root) {
                report_squeezed(catalog, target, root, forecast, sink);
            }
        }
    }
}

/// Returns the text that the model sees instead of the text in the file.
fn shown(skill: &Skill, forecast: &SkillForecast, reason: &Reason) -> Option<String> {
    let of = |shown: &Option<Shown>, key| Some(shown.as_ref()?.text(skill, key).into_owned());
    match reason {
        Reason::ShownDifferently("name") => {
            Some(format!("`{}`", text::shortened(&of(&forecast.name, "name")?, QUOTED)))
        }
        Reason::ShownDifferently(_) => {
            Some(format!("`{}`", text::shortened(&of(&forecast.description, "description")?, QUOTED)))
        }
        Reason::TooLong { .. } if forecast.cut_from.is_some() => {
            let text = of(&forecast.description, "description")?;
            let length = text.chars().count();
            let end: String = text.chars().skip(length.saturating_sub(QUOTED / 2)).collect();
            Some(format!("{} characters of the description, ending with `{end}`", text::grouped(length)))
        }
        _ => None,
    }
}

/// Reports the skills of a root that do not fit into the list of a target.
fn report_squeezed(catalog: &Catalog, target: &Target<'_>, root: RootId, forecast: &RootForecast, sink: &mut Sink) {
    let Some(&first) = forecast.lost.first().or_else(|| forecast.shortened.first()) else { return };
    let (lost, shortened) = (forecast.lost.len(), forecast.shortened.len());
    let title = &target.profile.title;
    let of = format!("{} skills of `{}`", forecast.listed.len() + shortened + lost, root_path(catalog, root));
    let message = match lost {
        0 => format!("{title} would not show the full descriptions of {shortened} of {of}"),
        _ => format!("{title} would omit {lost} of {of} from its list"),
    };
    let finding = sink.about(Subject::Root(root)).report(select::name_place(catalog.skill(first)), message);
    finding.extent(lost + shortened);
    if let (Some(budget), Some(unit)) = (forecast.budget, forecast.unit) {
        finding.note(format!(
            "the limit of its list is {} {}; the skills need {}",
            text::grouped(budget),
            plural(unit),
            text::grouped(forecast.wanted)
        ));
    }
    let named = |skills: &[SkillId]| prompt::name_list(catalog, skills, SHOWN);
    if lost > 0 {
        finding.note(format!("omitted: {}", named(&forecast.lost)));
    }
    if shortened > 0 && forecast.by_use {
        finding.note("which descriptions it omits depends on how often each skill is used");
    } else if shortened > 0 {
        finding.note(format!("description shortened or omitted: {}", named(&forecast.shortened)));
    }
    finding.help("shorten descriptions, or move skills to a directory that this runtime does not read");
}

fn root_path(catalog: &Catalog, root: RootId) -> String {
    text::lossless(catalog.root(root).path.as_ref())
}
