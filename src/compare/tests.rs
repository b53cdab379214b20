//! Reports made of texts in memory, paired and compared as the command line does it.

use std::convert::Infallible;

use bstr::ByteSlice;

use super::outline::Outline;
use super::*;
use crate::config::{self, Config, Inputs};
use crate::lint;
use crate::skill::Parsed;
use crate::snapshot::File;
use crate::source::{Content, Entry, Source, memory};

/// A report of some skills of `.agent/skills`, each a directory and a text, and where its texts are read.
struct Judged {
    source: Source,
    report: Report,
}

impl Judged {
    fn new<P: AsRef<str>, T: AsRef<str>>(skills: &[(P, T)]) -> Self {
        let entry = |(path, text): &(P, T)| Entry {
            path: format!(".agent/skills/{}", path.as_ref()).into(),
            content: Content::File(text.as_ref().into()),
        };
        let source = memory(Origin::Memory, skills.iter().map(entry).collect());
        let config: Config = config::read(Inputs::default()).expect("no configuration is a configuration");
        let parsed: Parsed = source.read(&config.roots, lint::bounds(&config.limits)).expect("memory can be read");
        let report = lint::judge(parsed, &config);
        Self { source, report }
    }

    fn read(&self, files: &[File]) -> Result<Vec<Vec<u8>>, Infallible> {
        Ok(self.source.bodies(files).expect("memory can be read"))
    }

    fn outlines(&self, files: &[FileId]) -> Outlines {
        let Ok(outlines) = Outlines::new(&self.report, files, |files| self.read(files));
        outlines
    }
}

fn paired<'a>(head: &'a Judged, base: &'a Judged) -> Pairs<'a> {
    let mut pairs = Pairs::new(&head.report, &base.report);
    let (heads, bases) = pairs.unpaired();
    let (heads, bases) = (head.outlines(heads), base.outlines(bases));
    pairs.pair_similar(&heads, &bases);
    pairs
}

/// `head <- base` for each file of the head below the root that has a counterpart.
fn pairs(head: &Judged, base: &Judged) -> Vec<String> {
    let pairs = paired(head, base);
    let short = |report: &Report, id: FileId| {
        report.catalog.file(id).path.to_str_lossy().replace(".agent/skills/", "").replace("/SKILL.md", "")
    };
    let files = head.report.catalog.files().filter(|(_, file)| file.path.contains_str("skills/"));
    files
        .filter_map(|(id, _)| {
            Some(format!("{} <- {}", short(&head.report, id), short(&base.report, pairs.base_of(id)?)))
        })
        .collect()
}

/// A text that something is wrong with: the description is missing.
fn text(name: &str, lines: &[&str]) -> String {
    format!("---\nname: {name}\n---\n{}\n", lines.join("\n"))
}

const TEN: [&str; 10] = ["l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9"];

#[test]
fn a_skill_is_paired_by_path_then_object_then_body_then_likeness() {
    let base = Judged::new(&[
        ("path/SKILL.md", text("path", &["anything"])),
        ("object/SKILL.md", text("object", &TEN)),
        ("body/SKILL.md", text("body", &["one", "two"])),
        ("lines/SKILL.md", text("lines", &["a", "b", "c", "d", "e", "f"])),
        ("gone/SKILL.md", text("gone", &["nothing", "like", "it"])),
    ]);
    let head = Judged::new(&[
        // Its path decides, though its text is another one's.
        ("path/SKILL.md", text("object", &TEN)),
        ("object2/SKILL.md", text("object", &TEN)),
        ("body2/SKILL.md", text("another", &["", "one", "two", ""])),
        ("lines2/SKILL.md", text("lines2", &["a", "b", "c", "d", "x", "y"])),
        ("new/SKILL.md", text("new", &["wholly", "of", "its", "own"])),
    ]);
    assert_eq!(pairs(&head, &base), ["body2 <- body", "lines2 <- lines", "object2 <- object", "path <- path"]);
}

#[test]
fn half_of_the_lines_is_enough_and_the_most_similar_one_is_taken() {
    let base = Judged::new(&[
        ("near/SKILL.md", text("near", &["l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7"])),
        ("far/SKILL.md", text("far", &["l0", "l1", "l2", "l3", "l4", "l5"])),
    ]);
    let head = Judged::new(&[("x/SKILL.md", text("x", &TEN)), ("y/SKILL.md", text("y", &TEN[..7]))]);
    // `y` shares seven of nine lines with `near`, `x` eight of eleven; what is left for `x` has six of eleven.
    assert_eq!(pairs(&head, &base), ["x <- far", "y <- near"]);

    let one = |lines: &[&str]| Outline::new(lines.join("\n").as_bytes(), 0);
    assert_eq!(one(&["a", "b", "---", "", "a"]).common(&one(&["c", " b\r", "d"])), (1, 3));
}

#[test]
fn of_copies_each_is_paired_once_in_the_order_of_paths() {
    let copy = text("copy", &["same"]);
    let base = Judged::new(&[("b/SKILL.md", &copy), ("c/SKILL.md", &copy)]);
    let head = Judged::new(&[("x/SKILL.md", &copy), ("y/SKILL.md", &copy), ("z/SKILL.md", &copy)]);
    assert_eq!(pairs(&head, &base), ["x <- b", "y <- c"]);
}

#[test]
fn what_lies_beside_a_skill_goes_with_it() {
    let base = Judged::new(&[("old/SKILL.md", text("old", &TEN)), ("old/a/b.md", String::new())]);
    let head = Judged::new(&[
        ("new/SKILL.md", text("old", &TEN)),
        ("new/a/b.md", String::new()),
        ("new/a/c.md", String::new()),
    ]);
    assert_eq!(pairs(&head, &base), ["new <- old", "new/a/b.md <- old/a/b.md"]);
}

#[test]
fn texts_are_read_only_where_that_can_change_something() {
    let good = |name: &str| {
        format!("---\nname: {name}\ndescription: Does it. Use when {name} is wanted.\n---\n# {name}\n\nDo it.\n")
    };
    let clean = Judged::new(&[("a/SKILL.md", good("a"))]);
    let other = Judged::new(&[("b/SKILL.md", good("b"))]);
    let bad = Judged::new(&[("c/SKILL.md", text("c", &TEN))]);
    let counts = |head: &Judged, base: &Judged| {
        let pairs = Pairs::new(&head.report, &base.report);
        let (heads, bases) = pairs.unpaired();
        (heads.len(), bases.len())
    };
    assert_eq!(counts(&clean, &other), (0, 0));
    assert_eq!(counts(&bad, &clean), (0, 0));
    assert_eq!(counts(&clean, &bad), (0, 0));
    assert_eq!(counts(&bad, &Judged::new(&[("d/SKILL.md", text("d", &TEN))])), (1, 1));
}

#[test]
fn a_template_that_all_share_pairs_nobody_and_takes_no_square_of_time() {
    let named = |prefix: &str, number: usize| (format!("{prefix}{number}/SKILL.md"), text(&format!("n{number}"), &TEN));
    let skills = |prefix: &str, count: usize, more: &str| -> Vec<(String, String)> {
        (0..count).map(|number| named(prefix, number)).map(|(path, text)| (path, text + more)).collect()
    };
    let (base, head) = (Judged::new(&skills("b", 40, "")), Judged::new(&skills("h", 40, "more\n")));
    let found = pairs(&head, &base);
    // Each is led to its own by the one line that only the two have.
    assert_eq!(found.len(), 40);
    assert!(found.contains(&"h7 <- b7".to_owned()), "{found:?}");
}

#[test]
fn a_comparison_is_the_same_whichever_findings_come_first() {
    let base = Judged::new(&[("a/SKILL.md", text("a", &TEN)), ("b/SKILL.md", text("b", &["x"]))]);
    let head = Judged::new(&[("a/SKILL.md", text("a", &TEN)), ("c/SKILL.md", text("c", &["y"]))]);
    let excerpts = |judged: &Judged| Excerpts::new(&judged.report, |files| judged.read(files)).expect("it is read");
    let (ours, theirs) = (excerpts(&head), excerpts(&base));
    let comparison = compare(
        Side { report: &head.report, excerpts: &ours },
        Side { report: &base.report, excerpts: &theirs },
        &paired(&head, &base),
    );
    let mut report = head.report.clone();
    comparison.apply(&mut report, &base.report);
    let said: Vec<_> = report
        .findings
        .iter()
        .map(|finding| format!("{} {}", report.path(finding), finding.state.map_or("", State::name)))
        .collect();
    assert_eq!(said, [".agent/skills/a/SKILL.md unchanged", ".agent/skills/c/SKILL.md new"]);
    assert_eq!((report.standing().count(), report.unchanged()), (1, 1));
    let fixed = report.base.expect("there was one").fixed;
    assert_eq!(fixed.iter().map(|fixed| fixed.path.to_string()).collect::<Vec<_>>(), [".agent/skills/b/SKILL.md"]);
}
