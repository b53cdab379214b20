//! The rows of one repository: one pure call from a path and a revision to the tables that a fleet consists of.

mod key;
mod packages;
mod references;
mod skill_digest;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use skilltree_front_matter::text;
use skilltree_git::{Environment, Revision};
use skilltree_lint::rule::{self, State};
use skilltree_report::render::redact;
use skilltree_runtimes::forecast::{self, Forecast};
use skilltree_skills::skill::{Skill, SkillId};
use skilltree_skills::source;

use crate::api::Collector;
use crate::failure::Failure;
use crate::options::Options;
use crate::place::Place;
use crate::purpose::Purpose;
use crate::session::Session;
use skilltree_fleet::tables::{Row, Rows, Table, Value};

/// The stack size of the thread that reads a repository: 2 MiB, Rust's default, regardless of `RUST_MIN_STACK`.
const STACK_BYTES: usize = 2 << 20;

/// The revision that is read unless the options name one.
const REVISION: &str = "HEAD";

/// A repository to read.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// Its name in the rows.
    pub(crate) repository: String,
    /// Its path: a repository, or a bare mirror.
    pub(crate) path: PathBuf,
    pub(crate) options: Arc<Options>,
    /// The key of rows that the caller has.
    pub(crate) known: Option<String>,
}

/// The result of a [`Task`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// The caller's rows are current, for this commit.
    Current {
        /// The id of the commit.
        commit: Option<String>,
    },
    /// The rows.
    Rows(Rows),
}

/// Reads a repository, or a bare mirror, and returns its rows. `repository` is its name in the rows. The revision is `HEAD`
/// unless the options name one.
///
/// The call never fails: a repository that cannot be read, that takes longer than `time_limit`, or that makes the library panic
/// has one row, in the table `runs`, which says why. No repository above `path` is opened. After a panic or the time limit the
/// thread that reads the repository is abandoned, so a caller that must return its memory ends the process.
#[must_use]
pub fn rows(repository: &str, path: &Path, options: &Options, time_limit: Option<Duration>) -> Rows {
    let (repository, path, options) = (repository.to_owned(), path.to_owned(), Arc::new(options.clone()));
    match answer(Task { repository, path, options, known: None }, time_limit) {
        Answer::Rows(rows) => rows,
        Answer::Current { .. } => Rows::default(),
    }
}

/// Reads a repository on a new thread, unless the caller's rows are current.
pub(crate) fn answer(task: Task, time_limit: Option<Duration>) -> Answer {
    let begun = Instant::now();
    let (repository, path) = (task.repository.clone(), task.path.clone());
    let answered = isolated(time_limit, move || read(&task).map_err(|failure| failure.in_one_line()));
    let mut rows = match answered.and_then(|answer| answer) {
        Ok(Answer::Rows(rows)) => rows,
        Ok(current) => return current,
        Err(error) => {
            // The path can be that of a temporary clone: rows do not depend on it.
            let error = error.replace(&path.display().to_string(), &repository);
            Run { status: "failed", error: Some(redact::text(&error).into_owned()), ..Run::default() }.rows(&repository)
        }
    };
    let seconds = Table::Runs.position("seconds");
    if let Some(value) = rows.table_mut(Table::Runs).first_mut().and_then(|row| row.get_mut(seconds)) {
        *value = Value::Number(begun.elapsed().as_secs_f64());
    }
    Answer::Rows(rows)
}

/// Runs work on a new thread that shares no pool: it can be abandoned, and a panic ends nothing else.
fn isolated<T: Send + 'static>(
    time_limit: Option<Duration>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (sender, receiver) = channel();
    let started = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        // The core maps in parallel: here on this thread alone.
        let _pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        let _ = sender.send(work());
    });
    let worker = started.map_err(|error| format!("a thread cannot be started: {}", crate::file::reason(&error)))?;
    let received = match time_limit {
        Some(limit) => receiver.recv_timeout(limit),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match (received, time_limit) {
        (Ok(result), _) => Ok(result),
        (Err(RecvTimeoutError::Timeout), limit) => Err(format!("stopped after {:?}", limit.unwrap_or_default())),
        (Err(RecvTimeoutError::Disconnected), _) => {
            let payload = worker.join().err();
            let message = payload.as_deref().and_then(|payload| {
                payload
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| Some((*payload.downcast_ref::<&str>()?).to_owned()))
            });
            Err(format!("skilltree panicked: {}", message.unwrap_or_default().replace('\n', " ")))
        }
    }
}

fn read(task: &Task) -> Result<Answer, Failure> {
    if !task.path.exists() {
        return Err(Failure::new(format!("`{}` does not exist", task.path.display())));
    }
    // Nothing above the path is opened: a broken mirror must not become the repository around it.
    let environment = Environment { ceilings: vec![task.path.join("..")], ..Environment::default() };
    let place = Place::new(task.path.clone(), environment);
    let revision = task.options.revision.clone().unwrap_or(Revision::Tree(REVISION.to_owned()));
    let source = match skilltree_git::open(&place, &revision, &place.environment) {
        Err(error @ (source::Error::Unborn { .. } | source::Error::Empty)) => {
            if skilltree_git::has_references(&place, &place.environment)? {
                return Err(error.into());
            }
            return Ok(Answer::Rows(Run { status: "empty", ..Run::default() }.rows(&task.repository)));
        }
        opened => opened?,
    };
    let keys = key::Keys::new(&source, &task.options)?;
    let commit = source.origin().commit().map(|id| id.to_string());
    if let (Some(known), Some(keys)) = (&task.known, &keys)
        && keys.contain(known)
    {
        return Ok(Answer::Current { commit });
    }
    let (tree, options) =
        (source.tree().map(|id| id.to_string()), Options { revision: Some(revision), ..(*task.options).clone() });
    let collector = Collector::default();
    let session = Session::new(place.clone(), place, source, &options, Purpose::Check, &collector)?;
    let warnings: Vec<String> = collector.into_warnings().into_iter().map(|warning| warning.message).collect();
    let run = Run {
        status: "read",
        commit,
        tree,
        key: keys.map(|keys| keys.of(&session)),
        warning: (!warnings.is_empty()).then(|| redact::text(&warnings.join("; ")).into_owned()),
        error: None,
    };
    let mut rows = run.rows(&task.repository);
    Reader::new(&task.repository, &run, &session).fill(&mut rows)?;
    Ok(Answer::Rows(rows))
}

/// The row of the table `runs`, without the seconds.
#[derive(Default)]
struct Run {
    status: &'static str,
    commit: Option<String>,
    tree: Option<String>,
    key: Option<String>,
    warning: Option<String>,
    error: Option<String>,
}

impl Run {
    fn rows(&self, repository: &str) -> Rows {
        let mut rows = Rows::default();
        rows.table_mut(Table::Runs).push(vec![
            Value::of(repository),
            Value::maybe(self.commit.as_deref()),
            Value::maybe(self.tree.as_deref()),
            Value::maybe(self.key.as_deref()),
            Value::of(env!("CARGO_PKG_VERSION")),
            Value::of(self.status),
            Value::Number(0.0),
            Value::maybe(self.warning.as_deref()),
            Value::maybe(self.error.as_deref()),
        ]);
        rows
    }
}

/// Makes rows of a session. Rows share the texts that they have in common.
struct Reader<'a> {
    session: &'a Session,
    repository: Value,
    commit: Value,
    paths: Vec<Value>,
}

impl<'a> Reader<'a> {
    fn new(repository: &str, run: &Run, session: &'a Session) -> Self {
        let catalog = &session.report.catalog;
        let paths = catalog.skills().map(|(id, _)| Value::of(text::lossless(catalog.path(id)))).collect();
        Self { session, repository: Value::of(repository), commit: Value::maybe(run.commit.as_deref()), paths }
    }

    fn fill(&self, rows: &mut Rows) -> Result<(), Failure> {
        *rows.table_mut(Table::Skills) = self.skills();
        *rows.table_mut(Table::Findings) = self.findings()?;
        let (catalog, repository) = (&self.session.report.catalog, &self.repository);
        let forecasts = forecast::forecasts(catalog, &self.session.runtimes());
        *rows.table_mut(Table::Forecast) = self.forecast(&forecasts);
        *rows.table_mut(Table::Packages) = packages::rows(catalog, &forecasts, repository, &self.commit);
        let path = |id: SkillId| self.paths[id.index()].clone();
        *rows.table_mut(Table::PackagedSkills) = packages::skills(catalog, &forecasts, repository, path);
        *rows.table_mut(Table::References) = references::rows(self.session, &self.repository, &self.commit)?;
        Ok(())
    }

    fn skills(&self) -> Vec<Row> {
        let report = &self.session.report;
        let mut accepted = vec![false; self.paths.len()];
        report.accepted().iter().for_each(|(id, _)| accepted[id.index()] = true);
        let roots: Vec<Value> =
            report.catalog.parsed.roots.iter().map(|root| Value::of(text::lossless(root.shown_path()))).collect();
        let row = |(id, skill): (SkillId, &Skill)| {
            let file = report.catalog.file(skill.file);
            vec![
                self.repository.clone(),
                self.commit.clone(),
                roots[skill.root.index()].clone(),
                self.paths[id.index()].clone(),
                Value::maybe(file.id.map(|id| id.to_string())),
                Value::maybe(skill.name().map(redact::text)),
                Value::maybe(skill.scalar("description").map(redact::text)),
                Value::maybe(skill_digest::of(&report.catalog, skill)),
                integer(skill.body.as_ref().map_or(0, |body| text::tokens(body.chars as usize))),
                Value::Boolean(accepted[id.index()]),
            ]
        };
        report.catalog.skills().map(row).collect()
    }

    fn findings(&self) -> Result<Vec<Row>, Failure> {
        let (report, excerpts) = (&self.session.report, self.session.excerpts()?);
        let row = |finding: &rule::Finding| {
            let start = excerpts.get(finding.place).start;
            vec![
                self.repository.clone(),
                self.commit.clone(),
                Value::of(text::lossless(report.path(finding))),
                Value::of(finding.rule.id()),
                Value::of(finding.severity.name()),
                Value::of(redact::text(&finding.message)),
                Value::Integer(start.line.into()),
                Value::Integer(start.column.into()),
                Value::of(excerpts.fingerprint(finding).to_string()),
            ]
        };
        let each = report.active().flat_map(rule::Finding::each);
        Ok(each.filter(|one| one.state != Some(State::Unchanged)).map(|one| row(&one)).collect())
    }

    fn forecast(&self, forecasts: &[Forecast]) -> Vec<Row> {
        let mut rows = Vec::new();
        for forecast in forecasts {
            let runtime = Value::of(&forecast.profile);
            for (path, skill) in self.paths.iter().zip(&forecast.skills).filter(|(_, skill)| skill.reads_root) {
                let reason = skill.reason.as_ref().map(ToString::to_string);
                rows.push(vec![
                    self.repository.clone(),
                    path.clone(),
                    runtime.clone(),
                    Value::of(skill.outcome().word()),
                    Value::maybe(reason.as_deref().map(redact::text)),
                ]);
            }
        }
        rows
    }
}

fn integer(number: usize) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_panic_of_isolated_work() {
        let result: Result<(), String> = isolated(None, || panic!("found {} of\n2", 1));
        assert_eq!(result, Err("skilltree panicked: found 1 of 2".to_owned()));
        let result: Result<(), String> = isolated(None, || panic!("plain"));
        assert_eq!(result, Err("skilltree panicked: plain".to_owned()));
    }

    #[test]
    fn abandons_work_at_time_limit() {
        let (release, wait) = channel::<()>();
        let result = isolated(Some(Duration::from_millis(20)), move || wait.recv().is_ok());
        assert_eq!(result, Err("stopped after 20ms".to_owned()));
        drop(release);
        assert_eq!(isolated(Some(Duration::from_secs(60)), || 7), Ok(7));
    }
}
