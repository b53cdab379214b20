//! Skills that a target shows with changes or omits from its list.

use crate::rule::{
    Check, E2026, Elsewhere, Facts, Finding, Group, Level, Outlook, Remedy, Rule, Sink, Subject, Target, listed,
};
use crate::rules::rarely_used;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{
    ListForecast, ListScope, Outcome, Reason, RootForecast, Shown, SkillForecast, plural,
};
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Skill, SkillId};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "target-changes-skill",
    group: Group::Configuration,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime in scope would change a skill or omit it from its list",
    why: "a model chooses a skill by the text it is shown, and here that text differs from the file",
    explanation: include_str!("target_changes_skill.md"),
    check: Check::Target(check),
    ..Rule::DEFAULT
};

/// Maximum number of skills that a note names.
const SHOWN: usize = 20;
/// Maximum number of packages that a note names.
const SHOWN_PACKAGES: usize = 8;
/// Maximum number of quoted characters.
const QUOTED: usize = 64;

fn check(catalog: &Catalog, _: &Facts<'_>, outlook: &Outlook<'_>, sink: &mut Sink) {
    let fact = |titles: &str, skills: &str| format!("{titles} would load {skills} with changes");
    for lost in rarely_used::report(catalog, outlook, Outcome::Changes, sink, fact) {
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
            finding.source(&evidence);
        }
        if matches!(
            lost.reason,
            Reason::TooLong { .. }
                | Reason::WrongType(..)
                | Reason::Malformed(_)
                | Reason::NoKnownWord(_)
                | Reason::NoEffect { .. }
                | Reason::Missing(_)
        ) {
            let remedy = Remedy::new(catalog, &lost);
            finding.help(&*remedy.help);
            remedy.apply(finding);
        }
    }
    // What a list of a rarely used runtime omits is in the forecast.
    for target in outlook.targets.iter().filter(|target| outlook.is_explicit() || target.profile.is_evidence()) {
        // How much all plugins of a marketplace need together is a fact, but nobody enables them all.
        let lists = target.lists.iter().filter(|list| !list.scope.is_of_all());
        let mut small: Vec<&ListForecast> = Vec::new();
        for list in lists.filter(|list| !list.roots.iter().any(|&root| outlook.is_capped(root))) {
            let finding = report_squeezed(catalog, target, list, sink);
            if let (Some(finding), false) = (finding, outlook.is_explicit()) {
                finding.at_most(Level::Note);
            }
            if !list.is_squeezed() && list.listing.small.is_some() {
                small.push(list);
            }
        }
        let (packages, others): (Vec<_>, Vec<_>) =
            small.into_iter().partition(|list| matches!(list.scope, ListScope::Package(_)));
        for list in others {
            report_small_window(catalog, target, list, sink);
        }
        match packages.as_slice() {
            [list] => report_small_window(catalog, target, list, sink),
            _ => report_small_windows(catalog, target, packages, sink),
        };
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

/// Reports the skills that do not fit into a list of a runtime.
fn report_squeezed<'s>(
    catalog: &Catalog,
    target: &Target<'_>,
    list: &ListForecast,
    sink: &'s mut Sink,
) -> Option<&'s mut Finding> {
    let forecast = &list.listing;
    let &first = forecast.lost.first().or_else(|| forecast.shortened.first())?;
    let (lost, shortened) = (forecast.lost.len(), forecast.shortened.len());
    let title = &target.profile.title;
    let all = forecast.listed.len() + shortened + lost;
    let with_skills = list.roots.iter().filter(|root| catalog.has_skills(**root));
    let roots: Vec<String> = with_skills.map(|&root| root_path(catalog, root)).collect();
    let of = format!("{} skills of {}", text::grouped(all), listed(&roots));
    let message = match lost {
        0 => format!("{title} would not show the full descriptions of {} of {of}", text::grouped(shortened)),
        _ => format!("{title} would omit {} of {of} from its list", text::grouped(lost)),
    };
    let root = catalog.skill(first).root;
    let finding = sink.about(Subject::Root(root)).report(catalog.skill(first).name_place(), message);
    finding.extent(lost + shortened).or_at(Elsewhere::Counted(list.roots.clone()));
    if let (Some(budget), Some(unit)) = (forecast.budget, forecast.unit) {
        let needed = needed(forecast);
        finding.note(format!("the limit of its list is {} {}; {needed}", text::grouped(budget), plural(unit)));
    }
    let named = |skills: &[SkillId]| catalog.name_list(skills, SHOWN);
    if lost > 0 {
        finding.note(format!("omitted: {}", named(&forecast.lost)));
    }
    if shortened > 0 && forecast.by_use {
        finding.note("which descriptions it omits depends on how often each skill is used");
    } else if shortened > 0 {
        finding.note(format!("description shortened or omitted: {}", named(&forecast.shortened)));
    }
    Some(finding.help("shorten descriptions, or move skills to a directory that this runtime does not read"))
}

/// Describes what the entries of a list need, and those that the runtime bundles.
fn needed(forecast: &RootForecast) -> String {
    let bundled = match forecast.bundled {
        0 => String::new(),
        bundled => format!(", and its own {}", text::grouped(bundled)),
    };
    format!("these skills need {}{bundled}", text::grouped(forecast.own()))
}

/// Reports a list that fits for the assumed model, and not for one with a smaller context window.
fn report_small_window(catalog: &Catalog, target: &Target<'_>, list: &ListForecast, sink: &mut Sink) -> Option<()> {
    let (forecast, small) = (&list.listing, list.listing.small.as_ref()?);
    let first = *forecast.listed.first()?;
    let title = &target.profile.title;
    let lost = small.shortened + small.lost;
    let message = format!(
        "with a context window of {} tokens, {title} would not show the full descriptions of {} of {} skills",
        text::grouped(small.window),
        text::grouped(lost),
        text::grouped(forecast.listed.len())
    );
    let root = catalog.skill(first).root;
    let finding = sink.about(Subject::Root(root)).report(catalog.skill(first).name_place(), message);
    finding.extent(lost).or_at(Elsewhere::Counted(list.roots.clone())).at_most(Level::Note);
    let (budget, unit) = (text::grouped(small.budget), forecast.unit.map_or("", plural));
    finding.note(format!("the limit of its list is then {budget} {unit}; {}", needed(forecast)));
    finding.help("use a model with a larger context window, or shorten descriptions");
    Some(())
}

/// Reports the packages whose lists fit for the assumed model, and not for one with a smaller context window.
fn report_small_windows(
    catalog: &Catalog,
    target: &Target<'_>,
    mut lists: Vec<&ListForecast>,
    sink: &mut Sink,
) -> Option<()> {
    let lost = |list: &ListForecast| list.listing.small.as_ref().map_or(0, |small| small.shortened + small.lost);
    lists.sort_by_key(|list| std::cmp::Reverse(lost(list)));
    let worst = &lists.first()?.listing;
    let (first, small) = (*worst.listed.first()?, worst.small.as_ref()?);
    let packages = catalog.packages(target.profile);
    let package = |list: &ListForecast| match list.scope {
        ListScope::Package(number) => packages.all.get(number),
        _ => None,
    };
    let noun = package(lists[0])?.format.noun.as_str();
    let title = &target.profile.title;
    let message = format!(
        "with a context window of {} tokens, {title} would not show all descriptions of {} {noun}s, each alone",
        text::grouped(small.window),
        text::grouped(lists.len())
    );
    let root = catalog.skill(first).root;
    let roots: Vec<RootId> = lists.iter().flat_map(|list| list.roots.iter().copied()).collect();
    let finding = sink.about(Subject::Root(root)).report(catalog.skill(first).name_place(), message);
    finding.extent(lists.iter().map(|list| lost(list)).sum()).or_at(Elsewhere::Counted(roots)).at_most(Level::Note);
    let named = lists.iter().take(SHOWN_PACKAGES).filter_map(|list| {
        let name = text::shortened(package(list)?.shown_name(), QUOTED);
        Some(format!("`{name}` {} of {}", text::grouped(lost(list)), text::grouped(list.listing.listed.len())))
    });
    let mut named: Vec<String> = named.collect();
    if lists.len() > SHOWN_PACKAGES {
        named.push(format!("{} more", text::grouped(lists.len() - SHOWN_PACKAGES)));
    }
    finding.note(format!("descriptions that are not shown in full: {}", text::joined(&named)));
    finding.help("use a model with a larger context window, or shorten descriptions");
    Some(())
}

fn root_path(catalog: &Catalog, root: RootId) -> String {
    format!("`{}`", text::lossless(catalog.root(root).path.as_ref()))
}
