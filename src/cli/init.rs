//! `init`: write skilltree.toml, and print the next steps: what fails today, how to adopt skilltree gradually, and how to check
//! automatically.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skilltree_lint::Report;
use skilltree_lint::config::SETTINGS;
use skilltree_lint::rule::{EDITIONS, RuleRef, Severity};
use skilltree_report::render;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_runtimes::scope;
use skilltree_skills::roots::{Root, RootId};
use skilltree_skills::snapshot::{Mode, Origin};

use super::Status;
use super::again::{self, Again};
use super::args::{Common, Init, Source};
use super::hook;
use super::output::{self, Stderr};
use super::request::Request;
use super::session;
use super::tree;
use crate::failure::Failure;
use crate::session::Session;

const SETTINGS_TEMPLATE: &str = include_str!("templates/skilltree.toml");
const WORKFLOW_TEMPLATE: &str = include_str!("templates/workflow.yml");
const PRE_COMMIT_TEMPLATE: &str = include_str!("templates/pre-commit.yaml");

/// Where the workflow is written.
const WORKFLOW: &str = ".github/workflows/skills.yml";
/// What the templates say instead of a tag until the first release.
const PLACEHOLDER: &str = "COMMIT";
/// What replaces it.
const A_COMMIT: &str = concat!("a commit of ", env!("CARGO_PKG_REPOSITORY"), ": there is no release yet");
/// The commit of this build, for builds from a clean checkout of a published commit.
const BUILT_FROM: Option<&str> = option_env!("SKILLTREE_COMMIT");
/// The schema of skilltree.toml, for editors.
const SCHEMA: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/raw/main/schema/skilltree.json");

pub(super) fn run(common: &Common, init: &Init) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let session =
        session::open(common, &Source::default(), &Request { worktree: true, here: true, ..Request::default() })?;
    let Some(top) = session.source.directory().map(Path::to_owned) else {
        return Err(Failure::new("there is no working tree to write a configuration to")
            .help("run it in a checkout; `skilltree hook install` works here"));
    };
    let is_outside = matches!(session.source.origin(), Origin::Directory);
    if is_outside && skilltree_git::directory(&session.typed_in, Path::new("."))?.is_root() {
        let check = again::here(common, None, "check .");
        return Err(Failure::new(format!("a skills directory outside a repository has no {SETTINGS}"))
            .help(format!("run `{check}`, which checks it with the defaults, or `git init` first")));
    }
    write_settings(common, &top, &session, &stderr)?;
    if init.workflow {
        tree::create(&common.watch, &top, Path::new(WORKFLOW), filled(WORKFLOW_TEMPLATE).as_bytes(), Mode::File)?;
        stderr.info(&format!("wrote {WORKFLOW}"));
        if has_placeholder(&filled(WORKFLOW_TEMPLATE)) {
            stderr.info(&format!("replace {PLACEHOLDER} in {WORKFLOW} with {A_COMMIT}"));
        }
    }
    if init.hook {
        hook::install(common, &[], &[])?;
    }
    let mut steps = today(common, &session)?;
    if !is_outside {
        steps.extend(proposals(common, init));
    } else {
        steps.push(String::new());
        steps.push("to check each commit and pull request, run `git init`, then this command again".to_owned());
    }
    output::stdout(common, |out| steps.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    Ok(Status::Clean)
}

fn write_settings(common: &Common, top: &Path, session: &Session, stderr: &Stderr) -> Result<(), Failure> {
    let path = Path::new(SETTINGS);
    if top.join(path).symlink_metadata().is_ok() {
        stderr.info(&format!("{SETTINGS} already exists and was not changed"));
        return Ok(());
    }
    let text = filled(SETTINGS_TEMPLATE) + &targets(session);
    tree::create(&common.watch, top, path, text.as_bytes(), Mode::File)?;
    stderr.info(&format!("wrote {SETTINGS}"));
    Ok(())
}

/// Proposes the runtimes that search the skills directories as targets.
fn targets(session: &Session) -> String {
    let profiles = &session.config.profiles;
    let parsed = &session.report.catalog.parsed;
    let catalog = &session.report.catalog;
    // The skills of a package are installed: the runtimes that the verdict names load them.
    let reads =
        |profile: &Profile, id: RootId, root: &Root| scope::searches(profile, root) || catalog.reads(profile, id);
    let is_reader = |id: &&str| {
        let profile = profiles.find(id);
        profile.is_some_and(|profile| {
            profile.kind == Kind::Runtime
                && (0u32..).map(RootId).zip(&parsed.roots).any(|(id, root)| reads(profile, id, root))
        })
    };
    let mut readers: Vec<&str> = profiles.ids().filter(is_reader).collect();
    readers.sort_by_key(|id| profiles.find(id).and_then(|profile| profile.usage_rank).unwrap_or(u32::MAX));
    if readers.is_empty() {
        return String::new();
    }
    let ids: Vec<String> = readers.iter().map(|id| format!("\"{id}\"")).collect();
    format!(
        "\n# The runtimes that must load the skills. These search the directories; list the ones that you use.\n# targets = [{}]\n",
        ids.join(", ")
    )
}

fn filled(template: &str) -> String {
    let edition = EDITIONS.last().map_or("", |edition| edition.0);
    let revision = BUILT_FROM.filter(|commit| is_commit(commit)).unwrap_or(PLACEHOLDER);
    template.replace("SCHEMA", SCHEMA).replace("EDITION", edition).replace(PLACEHOLDER, revision)
}

/// Returns whether a text is a full commit id.
fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn has_placeholder(text: &str) -> bool {
    text.contains(PLACEHOLDER)
}

/// Summarizes today's findings by rule, and how to start with them.
fn today(common: &Common, session: &Session) -> Result<Vec<String>, Failure> {
    let report = &session.report;
    let skills = report.catalog.skill_count();
    if skills == 0 {
        let first = format!("no skills yet: run `{}` to create one", again::here(common, None, "new NAME"));
        return Ok(std::iter::once(first).chain(session.looked_in()).collect());
    }
    let counts = counts(report);
    let checked = session.description()?;
    if counts.is_empty() {
        return Ok(vec![format!("{} in {checked}: no findings", render::count(skills, "skill"))]);
    }
    let mut lines = vec![format!("{} in {checked}, with these findings:", render::count(skills, "skill"))];
    let width = counts.iter().map(|(rule, ..)| rule.id().len()).max().unwrap_or(0);
    lines.extend(
        counts.iter().map(|(rule, severity, number)| format!("{number:>6}  {:width$}  {}", rule.id(), severity.name())),
    );
    let is_outside = matches!(session.source.origin(), Origin::Directory);
    let paths = if is_outside { vec![PathBuf::from(".")] } else { Vec::new() };
    let source = Source::default();
    let again = Again { paths: &paths, ..Again::of(common, &source) };
    lines.extend(render::fixable(report, &again.commands(!session.config.targets.is_empty())));
    lines.extend(gradually(&again, &counts));
    Ok(lines)
}

/// How often each rule fires, the worst and the most frequent first.
fn counts(report: &Report) -> Vec<(RuleRef, Severity, usize)> {
    let mut counts: BTreeMap<&RuleRef, (Severity, usize)> = BTreeMap::new();
    for finding in report.active() {
        let entry = counts.entry(&finding.rule).or_insert((finding.severity, 0));
        *entry = (entry.0.max(finding.severity), entry.1 + 1);
    }
    let mut counts: Vec<_> =
        counts.into_iter().map(|(rule, (severity, number))| (rule.clone(), severity, number)).collect();
    // The ids are in order already.
    counts.sort_by_key(|(_, severity, number)| std::cmp::Reverse((*severity, *number)));
    counts
}

/// Prints how to start with existing errors.
fn gradually(again: &Again<'_>, counts: &[(RuleRef, Severity, usize)]) -> Vec<String> {
    let errors: Vec<_> = counts.iter().filter(|(_, severity, _)| *severity == Severity::Error).collect();
    if errors.is_empty() {
        let check = again.command("check");
        return vec![String::new(), format!("none of these is an error, so `{check}` exits with 0")];
    }
    let mut lines = vec![String::new()];
    let mut first = "to adopt it gradually,";
    if again.paths.is_empty() {
        lines.push(format!("{first} report only findings that the main branch does not have:"));
        lines.push(format!("  {}", again.command("check --base main")));
        first = "or";
    }
    lines.push(format!(
        "{first} turn today's errors into warnings in {SETTINGS}, and remove a line when its last finding is fixed:"
    ));
    lines.push("  [rules]".to_owned());
    lines.extend(errors.iter().map(|(rule, ..)| format!("  {} = \"warning\"", rule.id())));
    lines
}

/// Proposes the automatic checks that were not written.
fn proposals(common: &Common, init: &Init) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    if !init.hook {
        lines.push(String::new());
        let install = again::here(common, None, "hook install");
        lines.push(format!("to check each commit, run `{install}`, or add to .pre-commit-config.yaml:"));
        lines.extend(filled(PRE_COMMIT_TEMPLATE).lines().map(|line| format!("  {line}")));
    }
    if !init.workflow {
        lines.push(String::new());
        let init = again::here(common, None, "init --workflow");
        lines.push(format!("to check each pull request, run `{init}`, which writes {WORKFLOW}"));
    }
    if lines.iter().any(|line| has_placeholder(line)) {
        lines.push(String::new());
        lines.push(format!("replace {PLACEHOLDER} with {A_COMMIT}"));
    }
    lines
}
