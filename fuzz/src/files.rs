//! Inputs of several files, and skills directories in memory.

use bstr::{BString, ByteSlice};
use skilltree_front_matter::text::Place;
use skilltree_lint::Report;
use skilltree_lint::config::{self, CommandLine, Config, Inputs};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Content, Entry, Source};

/// Separates the files of an input. It is in no UTF-8 text.
const SEPARATOR: u8 = 0xff;

/// Maximum number of bytes that a target reads. Larger inputs only cost time.
const INPUT_BYTES: usize = 16 << 10;

/// Returns the parts of an input: at least one, at most `most`.
pub(crate) fn parts(data: &[u8], most: usize) -> Vec<&[u8]> {
    data[..data.len().min(INPUT_BYTES)].splitn(most, |&byte| byte == SEPARATOR).collect()
}

/// Returns a part; empty if the input has fewer.
pub(crate) fn part<'a>(parts: &[&'a [u8]], number: usize) -> &'a [u8] {
    parts.get(number).copied().unwrap_or_default()
}

/// Returns a regular file.
pub(crate) fn entry(path: impl Into<BString>, text: &[u8]) -> Entry {
    Entry { path: path.into(), content: Content::File(text.to_vec()) }
}

/// Directories of the skills of an input. The names of the later ones differ in case, or are part of another name.
const DIRECTORIES: [&str; 4] = ["pdf", "pdf-tools", "PDF", "forms"];

/// Returns a skills directory with one skill per part.
pub(crate) fn skills(parts: &[&[u8]]) -> Vec<Entry> {
    let named = DIRECTORIES.iter().zip(parts);
    named.map(|(name, text)| entry(format!(".agent/skills/{name}/SKILL.md"), text)).collect()
}

/// A source in memory with its report.
pub(crate) struct Linted {
    pub(crate) source: Source,
    pub(crate) config: Config,
    pub(crate) report: Report,
}

impl Linted {
    /// Checks files with their own configuration. `None` if it is not valid.
    pub(crate) fn new(files: &[Entry]) -> Option<Self> {
        Self::of(source::memory(Origin::Memory, files.to_vec()))
    }

    /// Checks a source with its own configuration. `None` if it is not valid.
    pub(crate) fn of(source: Source) -> Option<Self> {
        let file = |name: &str| source.file(name.into()).expect("memory can be read");
        let settings = file(config::SETTINGS);
        let policy = settings.as_ref().and_then(config::extended).and_then(|(path, _)| file(&path));
        let inputs = Inputs {
            policies: policy.into_iter().collect(),
            settings,
            workflow: file(config::WORKFLOW),
            overrides: CommandLine::default(),
        };
        let config = config::read(inputs).ok()?;
        let parsed = source.read(&lint::roots(&config), config.limits.bounds()).expect("memory can be read");
        let report = lint(parsed, &config);
        Some(Self { source, config, report })
    }

    /// Returns the excerpts of the report.
    pub(crate) fn excerpts(&self) -> Excerpts {
        Excerpts::new(&self.report, |files| self.source.bodies(files)).expect("memory can be read again")
    }
}

/// Checks that a place is a range of the text, and that it cuts no character of valid UTF-8.
pub(crate) fn check_place(place: Place, text: &[u8], what: &str) {
    let range = place.range();
    assert!(range.start <= range.end, "{what}: {place:?} ends before it starts");
    assert!(range.end <= text.len(), "{what}: {place:?} ends after the text of {} bytes", text.len());
    if let Ok(text) = text.to_str() {
        assert!(text.get(range).is_some(), "{what}: {place:?} cuts a character");
    }
}
