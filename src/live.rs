//! A repository that is checked again and again while its files are edited. What did not change is not read again: listings are kept until
//! files on disk may have changed, and skills until their files have.

use std::path::Path;
use std::sync::Arc;

use bstr::{BString, ByteSlice};
use skilltree_git::Environment;
use skilltree_lint::Report;
use skilltree_lint::config::Config;
use skilltree_lsp::{Checked, Opened, Opener, Refusal, Repository, Texts};
use skilltree_skills::source::{self, Source};

use crate::api::Collector;
use crate::failure::Failure;
use crate::options::Options;
use crate::place::Place;
use crate::session::{self, checked_again, configure};

/// The rule about files that are not added to the index: not while they are written.
const UNTRACKED: &str = "untracked-skill";

/// Opens repositories for a server.
pub(crate) struct Live;

impl Opener for Live {
    fn open(&self, directory: &Path) -> Result<Opened, Refusal> {
        let place = Place::new(directory.to_owned(), Environment::default());
        let options = Options { revision: Some(skilltree_git::Revision::WorkTree), ..Options::default() };
        match session::open(&place, &options) {
            Ok(source) => Ok(LiveRepository::opened(place, source, true)),
            Err(error @ source::Error::NoRepository { .. }) => {
                Err(Refusal { is_outside: true, ..refusal(error.into()) })
            }
            Err(error) => Err(refusal(error.into())),
        }
    }

    fn open_directory(&self, directory: &Path) -> Opened {
        let place = Place::new(directory.to_owned(), Environment::default());
        let source = directory_source(&place);
        LiveRepository::opened(place, source, false)
    }

    fn untitled(&self) -> Box<dyn Repository> {
        Box::new(Untitled)
    }
}

/// Opens a directory outside any repository: a project, a skills directory, or the directory of one skill.
fn directory_source(place: &Place) -> Source {
    skilltree_git::directory(place, Path::new(".")).unwrap_or_else(|_| skilltree_git::top(place))
}

/// A working tree that is checked again and again.
struct LiveRepository {
    place: Place,
    is_repository: bool,
    /// The working tree with its listings, until it may have changed.
    source: Option<Source>,
    last: Option<Arc<Checked>>,
}

impl LiveRepository {
    fn opened(place: Place, source: Source, is_repository: bool) -> Opened {
        let place = match source.top() {
            // The directory of a file may be removed later.
            Some(top) if is_repository => Place::new(top.to_owned(), Environment::default()),
            _ => place,
        };
        let repository = Box::new(Self { place, is_repository, source: None, last: None });
        Opened { source, repository }
    }

    fn source(&mut self) -> Result<Source, Failure> {
        if let Some(source) = &self.source {
            return Ok(source.clone());
        }
        let source = match self.is_repository {
            true => session::open(&self.place, &Options::default())?,
            false => directory_source(&self.place),
        };
        Ok(self.source.insert(source.cached()).clone())
    }
}

impl Repository for LiveRepository {
    fn check(&mut self, texts: &Texts) -> Result<Arc<Checked>, Refusal> {
        let source = self.source().map_err(refusal)?;
        let source = source.with(as_saved(&source, texts));
        let options = Options::default();
        let (config, fault) = match (configure(&self.place, &source, &options), &self.last) {
            (Ok(config), _) => (config, None),
            (Err(failure), Some(last)) => (last.config.clone(), Some(refusal(failure))),
            (Err(failure), None) => (Config::new(), Some(refusal(failure))),
        };
        let report = check(&self.place, &source, &config, self.last.as_deref()).map_err(refusal)?;
        let place = self.place.clone();
        let relint = move |checked: &Checked, texts: &Texts| {
            let source = checked.source.with(texts.clone());
            let config = match configure(&place, &source, &Options::default()) {
                // The faulty configuration is still not in force.
                Err(_) if checked.fault.is_some() => checked.config.clone(),
                config => config.map_err(refusal)?,
            };
            check(&place, &source, &config, Some(checked)).map_err(refusal)
        };
        let checked = Arc::new(Checked { source, config, report, fault, relint: Box::new(relint) });
        self.last = Some(Arc::clone(&checked));
        Ok(checked)
    }

    fn forget(&mut self) {
        self.source = None;
    }
}

/// Checks a source. What the last check had too is not read again.
fn check(place: &Place, source: &Source, config: &Config, last: Option<&Checked>) -> Result<Report, Failure> {
    let known = last.filter(|last| last.config.files == config.files).map(|last| &last.report.catalog.parsed);
    let mut report = checked_again(place, source, &Options::default(), (config, known), &Collector::default())?;
    // A file that was just saved is not yet added.
    report.keep(|rule| rule.id() != UNTRACKED);
    if let Some(least) = config.min_severity {
        report.keep_from(least, |rule| rule.always_shown);
    }
    Ok(report)
}

/// Returns the texts as an editor saves them, with the byte order marks of their files: it keeps the mark of a file, and does not show
/// it. A file that is not UTF-8 has no text here: an editor keeps its encoding, and shows other bytes.
fn as_saved(source: &Source, texts: &Texts) -> Texts {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let saved = |(path, text): (&BString, &Vec<u8>)| {
        let file = source.bytes(path.as_bstr()).unwrap_or_default();
        let is_marked = !text.starts_with(MARK) && file.starts_with(MARK);
        let text = if is_marked { [MARK, text].concat() } else { text.clone() };
        std::str::from_utf8(&file).is_ok().then(|| (path.clone(), text))
    };
    texts.iter().filter_map(saved).collect()
}

/// A document without a file: one SKILL.md without a place.
struct Untitled;

impl Repository for Untitled {
    fn check(&mut self, texts: &Texts) -> Result<Arc<Checked>, Refusal> {
        let report = |text: Vec<u8>| {
            let source = source::standard_input(text);
            let config = Config::new();
            let place = Place::new(Path::new(".").to_owned(), Environment::default());
            let report = check(&place, &source, &config, None).map_err(refusal)?;
            Ok((source, config, report))
        };
        let text = texts.values().next().cloned().unwrap_or_default();
        let (source, config, checked) = report(text)?;
        let relint = move |_: &Checked, texts: &Texts| {
            let text = texts.values().next().cloned().unwrap_or_default();
            Ok(report(text)?.2)
        };
        Ok(Arc::new(Checked { source, config, report: checked, fault: None, relint: Box::new(relint) }))
    }

    fn forget(&mut self) {}
}

fn refusal(failure: Failure) -> Refusal {
    let Failure { message, help, report, .. } = failure;
    Refusal { message, help, report, is_outside: false }
}
