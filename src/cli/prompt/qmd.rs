//! The matcher `qmd`: the one that asks a program. What the program says is a matter of its version and is not to be
//! trusted: it decides about the order of skills that were accepted, and about nothing else.
#![allow(clippy::disallowed_methods, reason = "the one place that starts a program, and writes what it reads")]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use skilltree::accept::Accepted;
use skilltree::prompt::{Contents, Recipe};
use skilltree::select::{self, Matcher, Selection, Task};
use skilltree::skill::SkillId;

use crate::cli::args::Common;
use crate::cli::environment;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::session::Session;

mod child;

use child::Child;

/// Hits that are asked for, a word of the task (ours: 100): whoever stands behind them is not among the best.
const HITS: &str = "100";

/// Words of a task that are looked for (ours: 24). Each is a search of its own, because the program joins words by `and`:
/// of a sentence it would find the skills that hold all of it.
const WORDS: usize = 24;

/// The name of the collection.
const COLLECTION: &str = "skills";

/// A hit as the program prints it. Its score is rounded to nothing in a small collection, so its place counts.
#[derive(Deserialize)]
struct Hit {
    file: String,
}

/// The recipe with what the program found, when that is what it goes by.
pub(super) fn asked(
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
    let found = search(common, session, &skills, &task.text)?;
    let task = Task { matcher: Matcher::Qmd(found), ..task.clone() };
    Ok(Recipe { selection: Selection::Task(task), ..recipe.clone() })
}

/// Points by reciprocal rank fusion over the words of a task (Cormack, Clarke and Büttcher 2009, with their constant of
/// 60), in whole millionths.
fn search(
    common: &Common,
    session: &Session,
    skills: &[(SkillId, &[u8])],
    task: &str,
) -> Result<BTreeMap<SkillId, u64>, Failure> {
    let tree = session.source.top();
    let paths = trusted(environment::search_path(), tree);
    let Some(program) = program(&paths, tree) else { return Err(not_installed()) };
    let failed = |error: io::Error| Failure::new(format!("the bodies cannot be written: {}", output::reason(&error)));
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
    Failure::new("the matcher `qmd` needs the program of that name, and no directory of the PATH has it").help(
        "`npm install --global @tobilu/qmd` installs it, and `--matcher bm25` needs no program; a directory of the \
         repository does not count, nor one that is not absolute",
    )
}

/// The numbers of the files that were found, the best first, each once. What is no file of ours is passed over.
fn numbers(printed: &[u8]) -> Result<Vec<usize>, Failure> {
    let hits: Vec<Hit> = match printed.trim_ascii().is_empty() {
        true => Vec::new(),
        false => serde_json::from_slice(printed).map_err(|_| {
            Failure::new("`qmd` printed something else than a JSON list of hits")
                .help("this program was tried with qmd 2.8; `--matcher bm25` needs no other program")
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

/// The directories of the search path that a program is taken from: absolute ones outside of the tree that is judged.
fn trusted(path: Vec<PathBuf>, tree: Option<&Path>) -> Vec<PathBuf> {
    path.into_iter().filter(|directory| directory.is_absolute() && is_outside(directory, tree)).collect()
}

/// The program, where it is not a link into the tree either.
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
