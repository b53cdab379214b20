//! Handwritten reports, so that the output of a format does not depend on the rules.

use std::collections::BTreeMap;

use bstr::{BString, ByteSlice};
use skilltree_front_matter::text::{FileId, Place};
use skilltree_lint::config::Config;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::{self, Report};
use skilltree_lint::rule::{E2026, Finding, Group, Ignored, IgnoredBy, Level, Rule, RuleRef, Sink, Subject};
use skilltree_report::render::{self, Format, Options};
use skilltree_skills::roots::{RootPattern, RootSet};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{File, Origin};
use skilltree_skills::source::{self, Content, Entry, Source};

const fn rule(id: &'static str, group: Group, level: Level, summary: &'static str) -> Rule {
    Rule {
        id,
        group,
        since: E2026,
        level,
        summary,
        why: "some runtimes silently drop the skill",
        explanation: "# A page\n\nIn Markdown.\n",
        ..Rule::DEFAULT
    }
}

pub(crate) static BAD: Rule = rule("bad-thing", Group::Fields, Level::Error, "a thing is bad");
pub(crate) static HIDDEN: Rule = rule("hidden-thing", Group::Security, Level::Warning, "a thing is hidden");
pub(crate) static SMALL: Rule = rule("small-thing", Group::Body, Level::Note, "a thing is small");
pub(crate) fn rules() -> Vec<RuleRef> {
    [&BAD, &HIDDEN, &SMALL].map(RuleRef::from).to_vec()
}

/// A source in memory, its report, and the texts of its files.
pub(crate) struct Case {
    source: Source,
    texts: BTreeMap<BString, Vec<u8>>,
    pub(crate) report: Report,
    pub(crate) options: Options,
}

impl Case {
    /// A case of regular files; the root is `s`.
    pub(crate) fn new<P: AsRef<[u8]>, T: AsRef<[u8]>>(files: &[(P, T)]) -> Self {
        let texts = files.iter().map(|(path, text)| (path.as_ref().into(), text.as_ref().to_vec()));
        let texts: BTreeMap<BString, Vec<u8>> = texts.collect();
        let file =
            |(path, text): (&BString, &Vec<u8>)| Entry { path: path.clone(), content: Content::File(text.clone()) };
        Self::with(texts.iter().map(file).collect(), texts.clone())
    }

    /// A case of entries, with the texts in which findings have places.
    pub(crate) fn with(entries: Vec<Entry>, texts: BTreeMap<BString, Vec<u8>>) -> Self {
        let source = source::memory(Origin::Index, entries);
        let config = config();
        let parsed = source.read(&config.roots, config.limits.bounds()).expect("memory can be read");
        let mut report = lint::lint(parsed, &config);
        report.findings.clear();
        report.loaded.clear();
        let source_words = "the index (skills tree 3f2c1ab)".to_string();
        let options = Options { source: source_words, place: "index".into(), rules: rules(), ..Options::default() };
        Self { source, texts, report, options }
    }

    pub(crate) fn file(&self, path: impl AsRef<[u8]>) -> FileId {
        let path = path.as_ref().as_bstr();
        self.report.catalog.files().find(|(_, file)| file.path == path).expect("the file is in the report").0
    }

    /// The place of the first occurrence of a text in a file.
    pub(crate) fn place(&self, path: impl AsRef<[u8]>, text: impl AsRef<[u8]>) -> Place {
        let start = self.texts[path.as_ref().as_bstr()].find(text.as_ref()).expect("the text is in the file");
        Place::new(self.file(path), start..start + text.as_ref().len())
    }

    /// Adds a finding.
    pub(crate) fn report(&mut self, rule: &'static Rule, place: Place, message: &str) -> &mut Finding {
        let skills = &self.report.catalog.parsed.skills;
        let skill = skills.iter().zip(0..).find(|(skill, _)| skill.file == place.file);
        let subject = skill.map_or(Subject::Tree, |(_, number)| Subject::Skill(SkillId(number)));
        let mut sink = Sink::new(rule, subject);
        sink.report(place, message);
        self.report.findings.extend(sink.into_findings());
        self.report.findings.last_mut().expect("it was just added")
    }

    pub(crate) fn excerpts(&self) -> Excerpts {
        Excerpts::new(&self.report, |files| self.source.bodies(files)).expect("memory can be read again")
    }

    pub(crate) fn render(&self, format: Format) -> String {
        self.write(format, &self.excerpts())
    }

    /// A format of a report whose files were given other paths after they were read.
    pub(crate) fn render_after(&mut self, format: Format, change: impl FnOnce(&mut Vec<File>)) -> String {
        let excerpts = self.excerpts();
        change(&mut self.report.catalog.parsed.files);
        self.write(format, &excerpts)
    }

    fn write(&self, format: Format, excerpts: &Excerpts) -> String {
        let (mut out, mut report) = (Vec::new(), self.report.clone());
        report.sort();
        render::write(format, &report, excerpts, &self.options, &mut out).expect("a vector takes it all");
        String::from_utf8(out).expect("every format is UTF-8")
    }

    /// A format that is JSON, read back.
    pub(crate) fn json(&self, format: Format) -> serde_json::Value {
        let text = self.render(format);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"))
    }
}

fn config() -> Config {
    let mut config = Config::new();
    let patterns = vec![RootPattern::configured("s", "agentskills")];
    config.roots = RootSet { patterns, depth: 16, files: 10_000, file_bytes: 256_000, ..RootSet::default() };
    config
}

/// Two skills with one name, one edit, and a finding about a complete file.
pub(crate) fn ordinary() -> Case {
    let pdf = "---\nname: pdf-tools\ndescription: Reads PDF files. Use when asked.\n---\nBody.\n";
    let mut case = Case::new(&[
        ("s/ocr/SKILL.md", "---\nname: pdf-tools\ndescription: Reads scans.\n---\nBody.\n"),
        ("s/pdf/SKILL.md", pdf),
    ]);
    let (here, there) = (case.place("s/pdf/SKILL.md", "pdf-tools"), case.place("s/ocr/SKILL.md", "pdf-tools"));
    let whole = Place::whole(case.file("s/ocr/SKILL.md"));
    case.report(&SMALL, whole, "the file is small");
    case.report(&BAD, here, "the name `pdf-tools` is used twice")
        .related(there, "first defined here")
        .note("names are compared in lower case")
        .help("name the skill `pdf`, as its directory")
        .edit(here, "pdf");
    let when = case.place("s/pdf/SKILL.md", "Use when asked.");
    case.report(&HIDDEN, when, "the description says nothing").ignored =
        Some(Ignored { reason: "it is a demonstration".into(), by: IgnoredBy::Comment });
    case
}
