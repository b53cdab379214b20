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

mod additions;
mod disk;
mod generate;
mod growth;
mod store;
mod surroundings;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bstr::BStr;
use rayon::iter::{IntoParallelIterator, ParallelExtend, ParallelIterator};
use skilltree_git::{Environment, Revision};
use skilltree_lint::config::{self, CommandLine, Inputs};
use skilltree_lint::lint;
use skilltree_lint::rule::{Finding, Severity};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Entry, Source};

use self::disk::Disk;
use self::generate::{Files, Random};
use self::store::{Fault, Tree};
use crate::common::good;

/// Number of repositories in a normal run of the tests.
const SEEDS: u64 = 60;

/// One in so many repositories is also written to the disk.
const ON_DISK: u64 = 8;

/// One in so many repositories is checked on several threads with so many skills that they share them.
const WITH_MANY: u64 = 4;

/// A long run ends after so many repositories in which a law is broken.
const SHOWN: usize = 100;

/// What a check says about a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Verdict {
    /// Why it failed.
    failure: Option<String>,
    /// Paths of the skills, each with its skills directory, and whether that is made for distribution.
    skills: BTreeMap<String, (String, bool)>,
    /// Skills directories.
    roots: BTreeSet<String>,
    /// Findings: rule and path, and everything else.
    findings: Vec<((String, String), String)>,
    /// Rule and path of each error in force.
    errors: Vec<(String, String)>,
}

impl Verdict {
    fn failed(error: impl std::fmt::Display) -> Self {
        Self { failure: Some(error.to_string()), ..Self::default() }
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
    let skills = report.catalog.parsed.skills.iter().map(|skill| {
        let root = report.catalog.root(skill.root).path.to_string();
        let is_published = report.catalog.published()[skill.root.index()];
        (report.catalog.file(skill.file).path.to_string(), (root, is_published))
    });
    let key = |finding: &Finding| (finding.rule.id().to_owned(), report.path(finding).to_string());
    let findings = report.findings.iter().map(|finding| {
        let rest = (finding.severity, finding.place.range(), &finding.message, &finding.notes, &finding.help);
        (key(finding), format!("{rest:?} {}", finding.ignored.is_some()))
    });
    Verdict {
        failure: None,
        skills: skills.collect(),
        roots: report.catalog.parsed.roots.iter().map(|root| root.path.to_string()).collect(),
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

/// Law: a skill over the limit of its size has a finding that says so, and no other has it.
fn limits_are_named(files: &Files, random: &mut Random, fault: Fault) -> Result<(), String> {
    let (files, limit) = generate::with_limit(files, random);
    let verdict = verdict(&in_tree(&files, fault));
    for path in verdict.skills.keys() {
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
    let many = seed.is_multiple_of(WITH_MANY).then(|| generate::with_many(&files, &mut random));
    let threads = threads_agree(many.as_ref().unwrap_or(&files), Fault::None);
    let laws = [
        sources_agree(&files, Fault::None),
        on_disk,
        threads,
        additions::hide_nothing(&files, &mut random, Fault::None),
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
    let mut found: Vec<String> = Vec::new();
    let mut next = first;
    while begun.elapsed() < Duration::from_secs(seconds) && next < end && found.len() < SHOWN {
        let seeds: Vec<u64> = (next..end.min(next + 64)).collect();
        next += seeds.len() as u64;
        found.par_extend(seeds.into_par_iter().filter_map(broken));
    }
    println!("{} repositories: seeds {first} to {}", next - first, next - 1);
    assert!(found.is_empty(), "{} repositories:\n{}", found.len(), found.join("\n"));
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
fn nothing_hides_for_a_file_next_to_it() {
    let skill = |path: &str, name: &str| (path.to_owned(), source::Content::File(good(name).into()));
    let file = |path: &str, text: &str| (path.to_owned(), source::Content::File(text.into()));
    let link = |path: &str, target: &str| (path.to_owned(), source::Content::Link(target.into()));
    let cases = [
        // A name that sorts between the directory of the manifest and what is in it.
        (
            vec![file(".claude/openclaw.plugin.json", ""), skill(".claude/skills/a/SKILL.md", "a")],
            skill(".claude-x/s3/SKILL.md", "s3"),
        ),
        // Of the top, only skill directories are read.
        (vec![link("services/a/.claude/skills/s2", "s0")], skill("s4/SKILL.md", "s4")),
        // A directory that a manifest names is around one that runtimes search.
        (
            vec![
                skill("pack/a/.claude/skills/s0/SKILL.md", "s0"),
                ("pack/a/.claude/skills/s1".to_owned(), source::Content::Submodule),
            ],
            file(".vscode/settings.json", r#"{"chat.agentSkillsLocations":{"pack":true}}"#),
        ),
        // A directory `skills` without a skill.
        (
            vec![file(".claude-plugin/plugin.json", r#"{"name":"p"}"#), skill(".claude/skills/s0/SKILL.md", "s0")],
            file("skills/page.txt", ""),
        ),
        // A lock is not the manifest of a package.
        (
            vec![skill(".agent/skills/skills/s3/SKILL.md", "s3"), file("skilltree.toml", "targets = [\"cursor\"]\n")],
            file(".agent/skills/skills-lock.json", r#"{"version":1,"skills":{}}"#),
        ),
    ];
    for (files, (path, content)) in cases {
        let files: Files = files.into_iter().map(|(path, content)| (path.into(), content)).collect();
        let mut added = files.clone();
        added.insert(path.clone().into(), content);
        let (before, after) = (verdict(&in_tree(&files, Fault::None)), verdict(&in_tree(&added, Fault::None)));
        let hidden: Vec<_> = before.errors.iter().filter(|error| !after.errors.contains(error)).collect();
        assert!(hidden.is_empty(), "{path}: {hidden:?}");
        assert!(!before.skills.is_empty(), "{path}");
        assert!(before.skills.keys().all(|skill| after.skills.contains_key(skill)), "{path}");
    }
}

#[test]
fn every_law_fails_with_a_fault_in_the_source() {
    assert!(fails(|files, _| sources_agree(files, Fault::HidesCopies)), "sources");
    assert!(fails(|files, _| sources_on_disk_agree(files, Fault::HidesCopies)), "sources on the disk");
    assert!(fails(|files, _| threads_agree(files, Fault::DependsOnThreads)), "threads");
    assert!(fails(|files, random| additions::hide_nothing(files, random, Fault::ListsFirstEntries)), "additions");
    assert!(fails(|files, random| limits_are_named(files, random, Fault::CutsFiles)), "limits");
}
