//! The matcher `qmd`, which runs a program. Its output depends on its version and is not trusted: it only orders accepted skills.
#![allow(clippy::disallowed_methods, reason = "it writes the files that the program reads")]

use crate::file;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use skilltree_core::accept::Accepted;
use skilltree_core::prompt::{Contents, Recipe};
use skilltree_core::select::{self, Matcher, Selection, Task};
use skilltree_core::skill::SkillId;

use crate::cli::args::Common;
use crate::cli::environment;
use crate::failure::Failure;
use crate::session::Session;

mod child;

use child::Child;

/// The cap of hits per word of the task. Our choice; skills after the first 100 are not among the best.
const HITS: &str = "100";

/// The cap of searched words per task. Our choice. Each word is a separate search, because the program joins words with `and`.
const WORDS: usize = 24;

/// The name of the collection.
const COLLECTION: &str = "skills";

/// A hit, as the program prints it. Small collections round its score to zero, so only its rank counts.
#[derive(Deserialize)]
struct Hit {
    file: String,
}

/// Returns the recipe with the ranking of the program, if the recipe asks for it.
pub(super) fn ranked(
    common: &Common,
    session: &Session,
    accepted: &Accepted<'_>,
    contents: &Contents,
    recipe: &Recipe,
) -> Result<Recipe, Failure> {
    let Selection::Task(task) = &recipe.selection else { return Ok(recipe.clone()) };
    if !matches!(task.matcher, Matcher::Qmd(_)) || !recipe.enabled || contents.is_empty() {
        return Ok(recipe.clone());
    }
    let file = |id: &SkillId| contents.get(&accepted.catalog.skill(*id).file);
    let skills: Vec<(SkillId, &[u8])> =
        accepted.skills.iter().filter_map(|id| Some((*id, file(id)?.as_slice()))).collect();
    let points = search(common, session, &skills, &task.text)?;
    let task = Task { matcher: Matcher::Qmd(points), ..task.clone() };
    Ok(Recipe { selection: Selection::Task(task), ..recipe.clone() })
}

/// Computes points by reciprocal rank fusion over the words of a task, in millionths. Source of the constant 60: Cormack, Clarke and
/// Büttcher 2009.
fn search(
    common: &Common,
    session: &Session,
    skills: &[(SkillId, &[u8])],
    task: &str,
) -> Result<BTreeMap<SkillId, u64>, Failure> {
    let tree = session.source.top();
    let paths = trusted(environment::search_path(), tree);
    let Some(program) = program(&paths, tree) else { return Err(not_installed()) };
    let failed =
        |error: io::Error| Failure::new(format!("the files for `qmd` cannot be written: {}", file::reason(&error)));
    let private = common.watch.directories().directory().map_err(failed)?;
    let bodies = private.path().join("bodies");
    fs::create_dir(&bodies).map_err(failed)?;
    for (number, (_, content)) in skills.iter().enumerate() {
        fs::write(bodies.join(format!("s{number}.md")), content).map_err(failed)?;
    }
    let child = Child::new(&program, &paths, private.path());
    child.run(&[
        "collection".as_ref(),
        "add".as_ref(),
        bodies.as_os_str(),
        "--name".as_ref(),
        COLLECTION.as_ref(),
        "--mask".as_ref(),
        "*.md".as_ref(),
    ])?;
    let mut points = BTreeMap::new();
    for word in select::task_words(task).into_iter().take(WORDS) {
        let printed = child.run(&["search", &word, "-c", COLLECTION, "-n", HITS, "--json"].map(AsRef::as_ref))?;
        for (rank, number) in (1..).zip(numbers(&printed)?) {
            if let Some((id, _)) = skills.get(number) {
                *points.entry(*id).or_default() += 1_000_000 / (60 + rank);
            }
        }
    }
    Ok(points)
}

fn not_installed() -> Failure {
    Failure::new("the program `qmd` was not found in PATH").help(
        "install it with `npm install --global @tobilu/qmd`, or use `--matcher bm25`; \
         relative directories and directories in the repository are not searched",
    )
}

/// Returns the numbers of the files found, best first, each once. Unknown files are skipped.
fn numbers(printed: &[u8]) -> Result<Vec<usize>, Failure> {
    let hits: Vec<Hit> = match printed.trim_ascii().is_empty() {
        true => Vec::new(),
        false => serde_json::from_slice(printed).map_err(|_| {
            Failure::new("the output of `qmd` is not a JSON list of hits")
                .help("install qmd 2.8, the tested version, or use `--matcher bm25`")
        })?,
    };
    let number = |hit: &Hit| hit.file.rsplit('/').next()?.strip_prefix('s')?.strip_suffix(".md")?.parse().ok();
    let mut numbers: Vec<usize> = Vec::new();
    for number in hits.iter().filter_map(number) {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    Ok(numbers)
}

/// Returns the directories of PATH to search: absolute ones outside the checked repository.
fn trusted(path: Vec<PathBuf>, tree: Option<&Path>) -> Vec<PathBuf> {
    path.into_iter().filter(|directory| directory.is_absolute() && is_outside(directory, tree)).collect()
}

/// Finds the program. A link into the repository is skipped.
fn program(directories: &[PathBuf], tree: Option<&Path>) -> Option<PathBuf> {
    let names: &[&str] = if cfg!(windows) { &["qmd.exe", "qmd.cmd"] } else { &["qmd"] };
    let paths = directories.iter().flat_map(|directory| names.iter().map(|name| directory.join(name)));
    paths.into_iter().find(|path| is_program(path) && is_outside(path, tree))
}

fn is_outside(path: &Path, tree: Option<&Path>) -> bool {
    let Ok(real) = fs::canonicalize(path) else { return false };
    tree.is_none_or(|tree| !real.starts_with(tree))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
