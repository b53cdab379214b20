//! `fleet`: the tables of many repositories. The output is the state: a further run reads only what changed.

mod repositories;
mod tables;

use std::panic;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use skilltree_front_matter::text;
use skilltree_git::Revision;
use skilltree_report::render;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source;

use self::repositories::Repository;
use self::tables::Tables;
use super::Status;
use super::args::{self, Common};
use super::output::Stderr;
use super::session;
use super::watch::Step;
use crate::failure::Failure;
use crate::options::{Options, Overrides};
use crate::place::Place;
use crate::rows::{self, Answer, Task};
use skilltree_fleet::format::Format;
use skilltree_fleet::tables::{Rows, Value};

/// The repositories of a part, unless its rows take too many bytes before.
const PART_REPOSITORIES: usize = 64;

/// The bytes of rows that end a part: 32 MiB.
const PART_BYTES: usize = 32 << 20;

/// The repositories that threads may be ahead of the first one that is not finished.
const WINDOW: usize = 256;

/// The failed repositories that standard error names.
const SHOWN_FAILURES: usize = 5;

pub(super) fn run(common: &Common, arguments: &args::Fleet) -> Result<Status, Failure> {
    let place = session::typed_in(common)?;
    let repositories = repositories::list(&place, &arguments.repos)?;
    let options = options(&place, arguments)?;
    require_revision(&place, &repositories, &arguments.rev)?;
    let format = if arguments.jsonl { Format::Jsonl } else { Format::Parquet };
    let mut tables = Tables::open(&common.watch, &place.join(&arguments.out), format)?;
    tables.keep(repositories.iter().map(|repository| repository.name.as_str()))?;
    let tasks: Vec<Task> = repositories.iter().map(|repository| task(repository, &options, &tables)).collect();
    let mut fleet = Fleet { tables, waiting: Vec::new(), bytes: 0, read: 0, unchanged: 0, failures: Vec::new() };
    silence_panics_of_threads();
    common.watch.step(Step::Fleet);
    common.watch.progress().begin(tasks.len());
    let threads = common.jobs.unwrap_or_else(rayon::current_num_threads);
    let work = |task: &Task| {
        let answer = rows::answer(task.clone(), Some(arguments.max_repo_time));
        common.watch.progress().advance();
        answer
    };
    skilltree_fleet::ordered::map(&tasks, threads, WINDOW, work, |task, answer| fleet.take(task, answer))?;
    fleet.flush()?;
    common.watch.step(Step::Write);
    fleet.report(common, tasks.len())
}

/// Returns the options of every repository.
///
/// # Errors
/// When they cannot be used: otherwise each repository would fail, and lose its rows.
fn options(place: &Place, arguments: &args::Fleet) -> Result<Arc<Options>, Failure> {
    let options = Options {
        revision: Some(Revision::Tree(arguments.rev.clone())),
        rules: arguments.rules.clone(),
        targets: arguments.targets.clone(),
        overrides: arguments.overrides.clone(),
        ..Options::default()
    };
    crate::session::today(&options)?;
    // A revision is one of each repository.
    let overrides = Overrides { config_from: None, ..options.overrides.clone() };
    let of_all = Options { overrides, ..options.clone() };
    crate::session::configure(place, &source::memory(Origin::Memory, Vec::new()), &of_all)?;
    let absolute = |path: &Option<PathBuf>| path.as_ref().map(|path| place.join(path));
    let (config, policy) = (absolute(&options.overrides.config), absolute(&options.overrides.policy));
    let overrides = Overrides { config, policy, ..options.overrides };
    Ok(Arc::new(Options { overrides, ..options }))
}

/// Fails if no repository has the revision: otherwise each would fail, and lose its rows.
fn require_revision(place: &Place, repositories: &[Repository], revision: &str) -> Result<(), Failure> {
    // Another error is one of the repository.
    let has = |repository: &Repository| place.outside(repository.path.clone()).has(revision).unwrap_or(true);
    if revision == "HEAD" || repositories.is_empty() || repositories.iter().any(has) {
        return Ok(());
    }
    let message = format!("none of {} has the revision `{revision}`", render::count(repositories.len(), "repository"));
    Err(Failure::new(message).help("pass a branch or a tag that they have: `--rev REV`; the tables are unchanged"))
}

fn task(repository: &Repository, options: &Arc<Options>, tables: &Tables<'_>) -> Task {
    Task {
        repository: repository.name.clone(),
        path: repository.path.clone(),
        options: Arc::clone(options),
        known: tables.run(&repository.name).and_then(|run| run.key()).map(str::to_owned),
    }
}

/// A panic is a row. The default hook would print the text of a repository.
fn silence_panics_of_threads() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if thread::current().name() == Some("main") {
            default(panic);
        }
    }));
}

/// The tables, with the rows that wait to be written.
struct Fleet<'a> {
    tables: Tables<'a>,
    waiting: Vec<Rows>,
    bytes: usize,
    read: usize,
    unchanged: usize,
    /// The names of failed repositories, with the reason.
    failures: Vec<String>,
}

impl Fleet<'_> {
    /// Takes the result of a repository, in the order of the list.
    fn take(&mut self, task: &Task, answer: Answer) -> Result<(), Failure> {
        let known = self.tables.run(&task.repository);
        let rows = match answer {
            Answer::Current { commit } => {
                self.unchanged += 1;
                if known.is_some_and(|run| run.commit() == commit.as_deref()) {
                    return Ok(());
                }
                // The tree of another commit: only the id of the commit changes.
                self.tables.rows(&task.repository, &Value::maybe(commit))?
            }
            Answer::Rows(rows) => {
                let is_read = rows.is_read();
                if !is_read {
                    let reason = rows.run("error").text().unwrap_or_default();
                    self.failures.push(format!("{}: {reason}", task.repository));
                }
                if known.is_some_and(|run| run.is_same(&rows)) {
                    self.unchanged += usize::from(is_read);
                    return Ok(());
                }
                self.read += usize::from(is_read);
                rows
            }
        };
        self.bytes += rows.bytes();
        self.waiting.push(rows);
        if self.waiting.len() >= PART_REPOSITORIES || self.bytes >= PART_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the waiting rows as a part.
    fn flush(&mut self) -> Result<(), Failure> {
        self.bytes = 0;
        self.tables.add(std::mem::take(&mut self.waiting))
    }

    fn report(self, common: &Common, all: usize) -> Result<Status, Failure> {
        let (read, unchanged, failed) = (self.read, self.unchanged, self.failures.len());
        let counted = |count: usize| text::grouped(count);
        Stderr::new(common).info(&format!(
            "{}: {} read, {} unchanged, {} failed",
            render::count(all, "repository"),
            counted(read),
            counted(unchanged),
            counted(failed)
        ));
        if failed == 0 {
            return Ok(Status::Clean);
        }
        let message = format!("{} of {} repositories could not be read", counted(failed), counted(all));
        let mut failure = Failure::new(message).help("the rows of the table `runs` with the status `failed` say why");
        failure.details = self.failures;
        failure.details.truncate(SHOWN_FAILURES);
        if failed > SHOWN_FAILURES {
            failure.details.push(format!("{} more", counted(failed - SHOWN_FAILURES)));
        }
        Err(failure)
    }
}
