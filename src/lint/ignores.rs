//! Ignores, in the configuration and in skills: which findings they leave out, and what is to be said of them.
//!
//! Only the driver sees all findings, so only it knows which ignore left nothing out.

mod said;

pub(super) use said::{Round, Run};

use std::collections::BTreeMap;
use std::ops::Range;

use bstr::BStr;

use crate::catalog::Catalog;
use crate::config::{self, Config};
use crate::date;
use crate::rule::{Finding, Ignored, IgnoredBy, Rule};
use crate::rules;
use crate::skill::{IgnoreComment, Skill};
use crate::text::{FileId, Place};

/// Every ignore of a run.
#[derive(Default)]
pub(super) struct Ignores<'a> {
    /// Those in skills, by skill; then those of the configuration.
    all: Vec<Ignore<'a>>,
    /// Those of a skill, by its file.
    of_file: BTreeMap<FileId, Range<usize>>,
    /// The first one of the configuration.
    first_of_config: usize,
}

/// An entry of the configuration, or a comment in a skill.
struct Ignore<'a> {
    source: Source<'a>,
    /// Where it stands; `None` where that is not judged.
    place: Option<Place>,
    standing: Standing,
    /// The rules that it names, and whether it left out a finding of each.
    rules: Vec<(&'static Rule, bool)>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Entry(&'a config::Ignore),
    Comment(&'a IgnoreComment, &'a Skill),
}

/// Whether an ignore leaves anything out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Holds,
    /// It cannot be understood.
    Flawed,
    /// It does not say why.
    WithoutReason,
    /// Its last day has passed.
    Expired(i64),
    /// The revision that the configuration comes from does not have it.
    NotInBase,
}

impl<'a> Ignores<'a> {
    /// The ignores in force on a day. Without a day to go by they hold: an old ignore is no reason to fail where there
    /// is no commit to take the day from. The files of the configuration begin at `first_config`.
    pub(super) fn new(catalog: &'a Catalog, config: &'a Config, first_config: usize) -> Self {
        let today = catalog.parsed.time.map(|seconds| seconds.div_euclid(86_400));
        let mut ignores = Self { all: Vec::new(), of_file: BTreeMap::new(), first_of_config: 0 };
        for skill in &catalog.parsed.skills {
            let first = ignores.all.len();
            ignores.all.extend(skill.ignores.iter().map(|comment| Ignore::comment(comment, skill, today)));
            if first < ignores.all.len() {
                ignores.of_file.insert(skill.file, first..ignores.all.len());
            }
        }
        ignores.first_of_config = ignores.all.len();
        ignores.all.extend(config.ignores.iter().map(|entry| Ignore::entry(entry, first_config, today)));
        ignores
    }

    /// Marks a finding that an ignore leaves out. Where none does, those that would and do not count are shown with it.
    pub(super) fn apply(&mut self, finding: &mut Finding, path: &BStr) {
        let mut void = Vec::new();
        let of_file = self.of_file.get(&finding.place.file).cloned().unwrap_or_default();
        for number in of_file.chain(self.first_of_config..self.all.len()) {
            let ignore = &mut self.all[number];
            let Some((_, used)) = ignore.rules.iter_mut().find(|(rule, _)| rule.id == finding.rule.id) else {
                continue;
            };
            if !ignore.source.covers(finding.place, path) {
                continue;
            }
            match ignore.standing.void() {
                None => {
                    *used = true;
                    finding.ignored.get_or_insert_with(|| ignore.source.ignored());
                }
                Some(words) => void.extend(ignore.place.map(|place| (place, words))),
            }
        }
        if finding.ignored.is_none() {
            finding.related.extend(void);
        }
    }
}

impl<'a> Ignore<'a> {
    fn comment(comment: &'a IgnoreComment, skill: &'a Skill, today: Option<i64>) -> Self {
        let standing = match () {
            () if comment.flaw.is_some() => Standing::Flawed,
            () if !comment.counts => Standing::NotInBase,
            () => standing(&comment.reason, comment.until, today),
        };
        let rules = comment.rules.iter().filter_map(|rule| rules::find(&rule.value)).map(|rule| (rule, false));
        Self { source: Source::Comment(comment, skill), place: Some(comment.place), standing, rules: rules.collect() }
    }

    fn entry(entry: &'a config::Ignore, first_config: usize, today: Option<i64>) -> Self {
        let place = |(file, range): (usize, Range<usize>)| Place::new(FileId((first_config + file) as u32), range);
        Self {
            source: Source::Entry(entry),
            place: entry.written.clone().map(place),
            standing: standing(&entry.reason, entry.until, today),
            rules: vec![(entry.rule, false)],
        }
    }
}

fn standing(reason: &str, until: Option<i64>, today: Option<i64>) -> Standing {
    match (until, today) {
        _ if reason.is_empty() => Standing::WithoutReason,
        (Some(until), Some(today)) if today > until => Standing::Expired(until),
        _ => Standing::Holds,
    }
}

impl Source<'_> {
    /// Whether it is about a finding there.
    fn covers(self, place: Place, path: &BStr) -> bool {
        match self {
            Self::Entry(entry) => entry.path.is_match(&*config::as_path(path)),
            Self::Comment(comment, skill) => comment.covers.is_some_and(|covered| {
                let begins_there = (covered.start..covered.end).contains(&place.start) && !place.is_whole();
                place.file == skill.file && (covered.is_whole() || begins_there)
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

impl Standing {
    /// Why it leaves nothing out, in words that stand beside it; `None` when it does.
    fn void(self) -> Option<String> {
        Some(match self {
            Self::Holds => return None,
            Self::Flawed => "this ignore cannot be understood, so it does not count".into(),
            Self::WithoutReason => "this ignore gives no reason, so it does not count".into(),
            Self::Expired(until) => format!("this ignore held until {}", date::written(until)),
            Self::NotInBase => {
                "this ignore does not count: the revision that the configuration comes from does not have it".into()
            }
        })
    }
}
