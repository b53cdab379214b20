//! Laws that hold in every repository, checked in generated ones. A seed names a repository.
//!
//! `cargo test --test it laws::hold_for_long -- --ignored --nocapture` checks as many as it can in `LAWS_SECONDS` (60), at most
//! `LAWS_COUNT`, from the seed `LAWS_SEED` (0).
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test creates the files that it checks, fails by panicking, and says which seeds a long run took"
)]

mod disk;
mod generate;
mod growth;
mod store;
mod surroundings;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bstr::BStr;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use skilltree_git::{Environment, Revision};
use skilltree_lint::config::{self, CommandLine, Inputs};
use skilltree_lint::lint;
use skilltree_lint::rule::{Finding, Severity};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Entry, Source};

use self::disk::Disk;
use self::generate::{Files, Random};
use self::store::{Fault, Tree};

/// Number of repositories in a normal run of the tests.
const SEEDS: u64 = 60;

/// One in so many repositories is also written to the disk.
const ON_DISK: u64 = 8;

/// Rules whose errors disappear when a file is added, with the reason. No other error may.
const MAY_DISAPPEAR: [(&str, &str); 4] = [
    ("no-skills-checked", "a skill is checked now, and `unchecked-skills` counts the others"),
    ("no-skills-found", "the skills directory has a skill now"),
    ("broken-skill-link", "the file or the directory that the link leads to exists now"),
    ("root-too-large", "its place is the first file over the limit"),
];

/// Files that make a directory a place of its own.
const NEST: [&str; 4] = ["SKILL.md", "plugin.json", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"];

/// Files that decide to which package a skill belongs, or that a program finds it without one. The page of the rule: a plugin that the
/// marketplace around it does not list does not count, nor do skills in the directory of another package.
const PACKAGING: [&str; 7] = [
    "extension.json",
    "marketplace.json",
    "opencode.json",
    "package.json",
    "plugin.json",
    ".pi/settings.json",
    ".vscode/settings.json",
];

/// Rules that count the SKILL.md files that are not checked.
const COUNTING: [&str; 2] = ["no-skills-checked", "unchecked-skills"];

/// What a check says about a source.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Verdict {
    /// Why it failed.
    failure: Option<String>,
    /// Paths of the skills.
    skills: Vec<String>,
    /// Findings: rule and path, and everything else.
    findings: Vec<((String, String), String)>,
    /// Rule and path of each error in force.
    errors: Vec<(String, String)>,
}

impl Verdict {
    fn failed(error: impl std::fmt::Display) -> Self {
        Self { failure: Some(error.to_string()), skills: Vec::new(), findings: Vec::new(), errors: Vec::new() }
    }

    /// Returns the exit status of `skilltree check`.
    fn status(&self) -> u8 {
        if self.failure.is_some() { 2 } else { u8::from(!self.errors.is_empty()) }
    }
}

/// Checks a source with its own configuration.
fn verdict(source: &Source) -> Verdict {
    let settings = match (source.file(config::SETTINGS.into()), source.file(config::WORKFLOW.into())) {
        (Ok(settings), Ok(workflow)) => {
            Inputs { settings, workflow, policies: Vec::new(), overrides: CommandLine::default() }
        }
        (Err(error), _) | (_, Err(error)) => return Verdict::failed(error),
    };
    let config = match config::read(settings) {
        Ok(config) => config,
        Err(error) => return Verdict::failed(error.message),
    };
    let parsed = match source.read(&lint::roots(&config), config.limits.bounds()) {
        Ok(parsed) => parsed,
        Err(error) => return Verdict::failed(error),
    };
    let report = lint(parsed, &config);
    let skills = report.catalog.parsed.skills.iter().map(|skill| report.catalog.file(skill.file).path.to_string());
    let key = |finding: &Finding| (finding.rule.id().to_owned(), report.path(finding).to_string());
    let findings = report.findings.iter().map(|finding| {
        let rest = (finding.severity, finding.place.range(), &finding.message, &finding.notes, &finding.help);
        (key(finding), format!("{rest:?} {}", finding.ignored.is_some()))
    });
    Verdict {
        failure: None,
        skills: skills.collect(),
        findings: findings.collect(),
        errors: report.active().filter(|finding| finding.severity == Severity::Error).map(key).collect(),
    }
}

fn in_memory(files: &Files) -> Source {
    let entries = files.iter().map(|(path, content)| Entry { path: path.clone(), content: content.clone() });
    source::memory(Origin::Memory, entries.collect())
}

fn in_tree(files: &Files, fault: Fault) -> Source {
    Source::new(Origin::Memory, None, Arc::new(Tree::new(files, fault)), None)
}

fn on_threads(threads: usize, work: impl FnOnce() -> Verdict + Send) -> Verdict {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Returns the first difference of two verdicts.
fn difference(one: &Verdict, other: &Verdict) -> Option<String> {
    if one == other {
        return None;
    }
    let (ours, theirs): (BTreeSet<_>, BTreeSet<_>) = (one.findings.iter().collect(), other.findings.iter().collect());
    Some(format!(
        "{:?} and {:?}; skills {:?} and {:?}; only in the first {:?}; only in the second {:?}",
        one.failure,
        other.failure,
        one.skills.len(),
        other.skills.len(),
        ours.difference(&theirs).next(),
        theirs.difference(&ours).next(),
    ))
}

/// Law: a tree, whose equal directories have one id, gives the verdict of a list of paths.
fn sources_agree(files: &Files, fault: Fault) -> Result<(), String> {
    let of_paths = verdict(&in_memory(files));
    difference(&of_paths, &verdict(&in_tree(files, fault)))
        .map_or(Ok(()), |found| Err(format!("paths and tree: {found}")))
}

/// Law: a commit, its bare repository, the index and the working tree give the same verdict.
fn sources_on_disk_agree(files: &Files, fault: Fault) -> Result<(), String> {
    let disk = Disk::new(files, fault);
    let open = |place: &std::path::Path, revision: Revision| match skilltree_git::open(
        place,
        &revision,
        &Environment::default(),
    ) {
        Ok(source) => verdict(&source),
        Err(error) => Verdict::failed(error),
    };
    let commit = || Revision::Tree("HEAD".to_owned());
    let first = open(disk.top(), commit());
    let others = [
        ("bare repository", open(&disk.top().join(".git"), commit())),
        ("index", open(disk.top(), Revision::Index)),
        ("working tree", open(disk.top(), Revision::WorkTree)),
        ("memory", verdict(&in_memory(files))),
    ];
    others.iter().try_for_each(|(name, other)| {
        difference(&first, other).map_or(Ok(()), |found| Err(format!("commit and {name}: {found}")))
    })
}

/// Law: one thread and several give the same.
fn threads_agree(files: &Files, fault: Fault) -> Result<(), String> {
    let on = |threads| on_threads(threads, || verdict(&in_tree(files, fault)));
    difference(&on(1), &on(3)).map_or(Ok(()), |found| Err(format!("1 and 3 threads: {found}")))
}

/// Law: an added file removes no finding that is an error elsewhere, and no skill.
fn additions_hide_nothing(files: &Files, random: &mut Random, fault: Fault) -> Result<(), String> {
    let added = generate::with_addition(files, random);
    let (before, after) = (verdict(&in_tree(files, fault)), verdict(&in_tree(&added, fault)));
    let names = || added.keys().filter(|path| !files.contains_key(*path)).collect::<Vec<_>>();
    if after.failure.is_some() {
        return Ok(());
    }
    let skills: BTreeSet<&String> = after.skills.iter().collect();
    let lost: Vec<&String> = before.skills.iter().filter(|skill| !skills.contains(skill)).collect();
    let is_counted = after.findings.iter().any(|((rule, _), _)| COUNTING.contains(&rule.as_str()));
    // docs/check.md: next to `skills/` or a plugin, a single NAME/SKILL.md at the top is a template. A finding counts it.
    let is_template = |path: &str| {
        let top = path.split('/').next().unwrap_or_default();
        let is_lost_with_top = || lost.iter().any(|other| **other == format!("{top}/SKILL.md"));
        is_counted && (path.matches('/').count() <= 1 || is_lost_with_top())
    };
    // A link that led nowhere was a skill of its own; now it leads to a directory.
    let was_broken = |path: &str| before.errors.iter().any(|(rule, at)| rule == "broken-skill-link" && at == path);
    if !lost.iter().all(|path| is_template(path) || was_broken(path)) {
        return Err(format!("{:?} hide the skills {lost:?}", names()));
    }
    // Its severity depends on who reads the skill, which a file such as a manifest can change.
    let findings: BTreeSet<_> = after.findings.iter().map(|(key, _)| key).collect();
    let adds = |name: &str, path: &str| {
        let is_above = |added: &&bstr::BString| {
            added.strip_suffix(name.as_bytes()).is_some_and(|top| path.as_bytes().starts_with(top))
        };
        names().into_iter().any(|added| is_above(&added))
    };
    let adds_below = |path: &str| {
        let top = path.strip_suffix("SKILL.md").unwrap_or(path);
        names().iter().any(|added| added.starts_with(top.as_bytes()) && added.ends_with(b"/SKILL.md"))
    };
    let said = |rule: &String, path: &String, of: &str, part: &str| {
        let is_meant = |((known, at), text): &((String, String), String)| {
            known == of && (known, at) == (rule, path) && text.contains(part)
        };
        before.findings.iter().any(is_meant)
    };
    let is_known = |(rule, path): &(String, String)| {
        lost.contains(&path)
            || names().iter().any(|added| **added == *path)
            // The directory that an entry of a marketplace names exists now.
            || said(rule, path, "unusable-plugin-manifest", "does not exist")
            // The page of the rule: skills in directories of the project count if the plugin has nothing else.
            || said(rule, path, "skill-outside-plugin", "no skill of this plugin: `.")
            || rule == "skill-outside-plugin" && names().iter().any(|added| PACKAGING.iter().any(|name| added.ends_with(name.as_bytes())))
            || MAY_DISAPPEAR.iter().any(|(known, _)| known == rule)
            // The directory around it became another spelling of a skills directory, and a finding says that it is not checked.
            || findings.iter().any(|(known, at)| {
                known == "colliding-paths" && path.strip_prefix(at.as_str()).is_some_and(|rest| rest.starts_with('/'))
            })
            // The name of a SKILL.md directly in a skills directory is not that of a directory.
            || findings.contains(&("skill-file-in-root".to_owned(), path.clone()))
            // A package that has skills now is no skill itself for some runtimes, and no namesake of one.
            || rule == "duplicate-name" && adds_below(path)
            // A manifest makes directories skills directories of their own, and some runtimes look for no skill below a skill.
            // The other spelling of such a directory has the finding then.
            || ["target-drops-skill", "colliding-paths"].contains(&rule.as_str()) && NEST.iter().any(|name| adds(name, path))
    };
    match before.errors.iter().find(|error| !findings.contains(error) && !is_known(error)) {
        Some(error) => {
            let added: Files = names().into_iter().map(|path| (path.clone(), added[path].clone())).collect();
            Err(hidden(error, &before, &added))
        }
        None => Ok(()),
    }
}

/// Says which error an added file hides.
fn hidden(error: &(String, String), before: &Verdict, added: &Files) -> String {
    let findings = before.findings.iter().filter(|(key, _)| key == error);
    let texts: Vec<&String> = findings.map(|(_, text)| text).collect();
    format!("an added file hides {error:?}: {texts:?}, added:\n{}", listed(added))
}

/// Law: a skill over the limit of its size has a finding that says so, and no other has it.
fn limits_are_named(files: &Files, random: &mut Random, fault: Fault) -> Result<(), String> {
    let (files, limit) = generate::with_limit(files, random);
    let verdict = verdict(&in_tree(&files, fault));
    for path in &verdict.skills {
        let Some(source::Content::File(bytes)) = files.get(BStr::new(path)) else { continue };
        let key = ("skill-file-too-large".to_owned(), path.clone());
        let is_named = verdict.findings.iter().any(|(found, _)| *found == key);
        if is_named != (bytes.len() > limit) {
            return Err(format!("{path} has {} bytes, the limit is {limit}, named: {is_named}", bytes.len()));
        }
    }
    Ok(())
}

/// Checks the laws in the repository of a seed. Returns the law that is broken.
fn broken(seed: u64) -> Option<String> {
    let mut random = Random(seed);
    let files = generate::repository(&mut random);
    let on_disk = if seed.is_multiple_of(ON_DISK) { sources_on_disk_agree(&files, Fault::None) } else { Ok(()) };
    let laws = [
        sources_agree(&files, Fault::None),
        on_disk,
        threads_agree(&files, Fault::None),
        additions_hide_nothing(&files, &mut random, Fault::None),
        limits_are_named(&files, &mut random, Fault::None),
    ];
    let broken: Vec<String> = laws.into_iter().filter_map(Result::err).collect();
    (!broken.is_empty()).then(|| format!("seed {seed}: {}\n{}", broken.join("\n  "), listed(&files)))
}

/// Returns the files of a repository, a line each.
fn listed(files: &Files) -> String {
    let text = |content: &source::Content| match content {
        source::Content::File(bytes) => format!("{:?}", BStr::new(&bytes[..bytes.len().min(120)])),
        other => format!("{other:?}"),
    };
    files.iter().map(|(path, content)| format!("    {path}: {}\n", text(content))).collect()
}

#[test]
fn hold_in_generated_repositories() {
    let broken: Vec<String> = (0..SEEDS).filter_map(broken).collect();
    assert!(broken.is_empty(), "{} of {SEEDS}:\n{}", broken.len(), broken.join("\n"));
}

#[test]
#[ignore = "runs for as long as the environment says"]
fn hold_for_long() {
    let number = |key: &str| std::env::var(key).ok().map(|text| text.parse::<u64>().unwrap());
    let (seconds, first) = (number("LAWS_SECONDS").unwrap_or(60), number("LAWS_SEED").unwrap_or(0));
    let end = first + number("LAWS_COUNT").unwrap_or(u64::from(u32::MAX));
    let begun = Instant::now();
    let mut found = Vec::new();
    let mut next = first;
    while begun.elapsed() < Duration::from_secs(seconds) && next < end && found.is_empty() {
        let seeds: Vec<u64> = (next..end.min(next + 64)).collect();
        next += seeds.len() as u64;
        found = seeds.into_par_iter().filter_map(broken).collect::<Vec<String>>();
    }
    println!("{} repositories: seeds {first} to {}", next - first, next - 1);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn generated_repositories_have_skills_findings_copies_and_failures() {
    let (mut rejected, mut skills, mut copies, mut links, mut rules) = (0, 0, 0, 0, BTreeSet::new());
    for seed in 0..SEEDS {
        let files = generate::repository(&mut Random(seed));
        let verdict = verdict(&in_memory(&files));
        rejected += usize::from(verdict.status() == 1);
        skills += verdict.skills.len();
        rules.extend(verdict.findings.into_iter().map(|((rule, _), _)| rule));
        copies += usize::from(Tree::new(&files, Fault::None).has_copies());
        links += files.values().filter(|content| matches!(content, source::Content::Link(_))).count();
    }
    let counts = (rejected, skills, copies, links, rules.len());
    assert!(rejected > 20 && skills > 100 && copies > 20 && links > 20 && rules.len() > 25, "{counts:?} {rules:?}");
}

/// Returns whether a law fails in one of the generated repositories.
fn fails(law: impl Fn(&Files, &mut Random) -> Result<(), String>) -> bool {
    (0..SEEDS).any(|seed| {
        let mut random = Random(seed);
        let files = generate::repository(&mut random);
        law(&files, &mut random).is_err()
    })
}

#[test]
fn every_law_fails_with_a_fault_in_the_source() {
    assert!(fails(|files, _| sources_agree(files, Fault::HidesCopies)), "sources");
    assert!(fails(|files, _| sources_on_disk_agree(files, Fault::HidesCopies)), "sources on the disk");
    assert!(fails(|files, _| threads_agree(files, Fault::DependsOnThreads)), "threads");
    assert!(fails(|files, random| additions_hide_nothing(files, random, Fault::ListsFirstEntries)), "additions");
    assert!(fails(|files, random| limits_are_named(files, random, Fault::CutsFiles)), "limits");
}
