//! Ignores in the configuration and in skills: the findings that they suppress, and findings about them.
//!
//! Only the driver sees all findings, so only it knows which ignores are unused.

mod findings;

pub(super) use findings::{Round, Run};

use std::collections::BTreeMap;
use std::ops::Range;

use bstr::{BStr, ByteSlice};

use crate::config::{self, Config};
use crate::rule::{Finding, Ignored, IgnoredBy, Rule, RuleRef};
use skilltree_front_matter::text::{FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::date;
use skilltree_skills::roots;
use skilltree_skills::skill::{IgnoreComment, Skill};

/// All ignores of a run.
#[derive(Default)]
pub(super) struct Ignores<'a> {
    /// Ignores in skills, by skill; then those of the configuration.
    all: Vec<Ignore<'a>>,
    /// Range of the ignores of a file.
    of_file: BTreeMap<FileId, Range<usize>>,
    /// Numbers of the ignores of the configuration by their paths, apart from those with wildcards: most findings are at few paths.
    by_path: BTreeMap<String, Vec<usize>>,
    with_wildcards: Vec<usize>,
}

/// An entry of the configuration, or a comment in a skill.
struct Ignore<'a> {
    source: Source<'a>,
    /// Place of the ignore; `None` if its file is not checked.
    place: Option<Place>,
    status: Status,
    /// Rules that it names, and whether it suppressed a finding of each.
    rules: Vec<(RuleRef, bool)>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Entry(&'a config::Ignore),
    Comment(&'a IgnoreComment, &'a Skill),
}

/// Whether an ignore is in effect.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Active,
    /// It is malformed.
    Flawed,
    /// It has no reason.
    WithoutReason,
    /// Its last day has passed.
    Expired(i64),
    /// The revision that provides the configuration does not have it.
    NotInBase,
}

impl<'a> Ignores<'a> {
    /// Collects the ignores in force on the day of the commit. Without a commit, ignores do not expire. The
    /// configuration files begin at `first_config`.
    pub(super) fn new(catalog: &'a Catalog, config: &'a Config, first_config: usize) -> Self {
        let today = catalog.parsed.time.map(|seconds| seconds.div_euclid(86_400));
        let mut ignores = Self::default();
        let commands = catalog.parsed.commands.iter().map(|command| &command.skill);
        for skill in catalog.parsed.skills.iter().chain(commands) {
            for (file, comments) in skill.comments().filter(|(_, comments)| !comments.is_empty()) {
                let first = ignores.all.len();
                ignores.all.extend(comments.iter().map(|comment| Ignore::comment(comment, skill, config, today)));
                ignores.of_file.insert(file, first..ignores.all.len());
            }
        }
        for entry in &config.ignores {
            let number = ignores.all.len();
            let is_glob = roots::has_wildcard(&entry.pattern) || entry.pattern.contains('\\');
            match roots::normalise(&entry.pattern).filter(|_| !is_glob) {
                Some(path) => ignores.by_path.entry(path).or_default().push(number),
                None => ignores.with_wildcards.push(number),
            }
            ignores.all.push(Ignore::entry(entry, first_config, today));
        }
        ignores
    }

    /// Returns the numbers of the ignores that may cover a path, in their order: those of the file, and those of the configuration.
    fn candidates(&self, file: FileId, path: &BStr) -> Vec<usize> {
        let mut numbers = self.with_wildcards.clone();
        let ends = path.find_iter("/").chain([path.len()]);
        let above = ends.filter_map(|end| self.by_path.get(path[..end].to_str().ok()?));
        above.for_each(|named| numbers.extend(named));
        numbers.sort_unstable();
        self.of_file.get(&file).cloned().unwrap_or_default().chain(numbers).collect()
    }

    /// Marks a finding as ignored. Of a finding at several places of which some are covered, that is the part at those; the
    /// rest is returned as another finding. If no ignore in effect covers any place, adds the ineffective ones as related places.
    pub(super) fn apply(&mut self, finding: &mut Finding, path: &BStr) -> Option<Finding> {
        let mut inactive = BTreeMap::new();
        let mut at = |place, many| self.covering(&finding.rule, place, many, path, &mut inactive);
        let found: Vec<(Place, Option<Ignored>)> = match finding.occurrences.as_slice() {
            [] => vec![(finding.place, at(finding.place, false))],
            several => several.iter().map(|one| (one.place, at(one.place, one.count > 1))).collect(),
        };
        let Some(ignored) = found.iter().find_map(|(_, ignored)| ignored.clone()) else {
            finding.related.extend(inactive.into_values());
            return None;
        };
        let is_open = |place: Place| found.iter().any(|(open, ignored)| *open == place && ignored.is_none());
        let rest = finding.part(|occurrence| is_open(occurrence.place));
        if let Some(part) = rest.as_ref().and_then(|_| finding.part(|occurrence| !is_open(occurrence.place))) {
            *finding = part;
        }
        finding.ignored = Some(ignored);
        rest
    }

    /// Returns the ignore that covers a place, and adds those without effect by their numbers. The place of `many` others is
    /// covered only by an ignore of the whole file.
    fn covering(
        &mut self,
        rule: &Rule,
        place: Place,
        many: bool,
        path: &BStr,
        inactive: &mut BTreeMap<usize, (Place, String)>,
    ) -> Option<Ignored> {
        let mut ignored = None;
        for number in self.candidates(place.file, path) {
            let ignore = &mut self.all[number];
            let Some((_, used)) = ignore.rules.iter_mut().find(|(named, _)| named.id() == rule.id()) else {
                continue;
            };
            if !ignore.source.covers(place, many, path) {
                continue;
            }
            match ignore.status.inactive_reason() {
                None => {
                    *used = true;
                    ignored.get_or_insert_with(|| ignore.source.ignored());
                }
                Some(words) => inactive.extend(ignore.place.map(|place| (number, (place, words)))),
            }
        }
        ignored
    }
}

impl<'a> Ignore<'a> {
    fn comment(comment: &'a IgnoreComment, skill: &'a Skill, config: &Config, today: Option<i64>) -> Self {
        let status = if comment.flaw.is_some() {
            Status::Flawed
        } else if !comment.counts {
            Status::NotInBase
        } else {
            status(&comment.reason, comment.until, today)
        };
        let rules = comment.rules.iter().filter_map(|rule| config.rule(&rule.value)).map(|rule| (rule, false));
        Self { source: Source::Comment(comment, skill), place: Some(comment.place), status, rules: rules.collect() }
    }

    fn entry(entry: &'a config::Ignore, first_config: usize, today: Option<i64>) -> Self {
        let place = |(file, range): (usize, Range<usize>)| Place::new(FileId((first_config + file) as u32), range);
        Self {
            source: Source::Entry(entry),
            place: entry.written.clone().map(place),
            status: status(&entry.reason, entry.until, today),
            rules: vec![(entry.rule.clone(), false)],
        }
    }
}

fn status(reason: &str, until: Option<i64>, today: Option<i64>) -> Status {
    match (until, today) {
        _ if reason.is_empty() => Status::WithoutReason,
        (Some(until), Some(today)) if today > until => Status::Expired(until),
        _ => Status::Active,
    }
}

impl Source<'_> {
    /// Returns whether the ignore covers a place, which may represent many that are not known.
    fn covers(self, place: Place, many: bool, path: &BStr) -> bool {
        match self {
            Self::Entry(entry) => entry.path.is_match(&*config::as_path(path)),
            Self::Comment(comment, _) => comment.covers.is_some_and(|covered| {
                let starts_inside = (covered.start..covered.end).contains(&place.start) && !place.is_whole() && !many;
                place.file == comment.place.file && (covered.is_whole() || starts_inside)
            }),
        }
    }

    fn ignored(self) -> Ignored {
        match self {
            Self::Entry(entry) => Ignored { reason: entry.reason.clone(), by: IgnoredBy::Configuration },
            Self::Comment(comment, _) => Ignored { reason: comment.reason.clone(), by: IgnoredBy::Comment },
        }
    }
}

impl Status {
    /// Returns why the ignore has no effect; `None` if it has.
    fn inactive_reason(self) -> Option<String> {
        Some(match self {
            Self::Active => return None,
            Self::Flawed => "this ignore has no effect: it is malformed".into(),
            Self::WithoutReason => "this ignore has no effect: it gives no reason".into(),
            Self::Expired(until) => format!("this ignore expired after {}", date::written(until)),
            Self::NotInBase => {
                "this ignore has no effect: the revision that the configuration comes from does not have it".into()
            }
        })
    }
}
