//! Reports on texts in memory, paired and compared as on the command line.

use std::convert::Infallible;

use bstr::ByteSlice;

use super::outline::Outline;
use super::*;
use crate::config::{self, Config, Inputs};
use crate::lint;
use skilltree_skills::skill::Parsed;
use skilltree_skills::snapshot::File;
use skilltree_skills::source::{Content, Entry, Source, memory};

/// Report on some skills of `.agent/skills` with their source, each given as a directory and a text.
struct Linted {
    source: Source,
    report: Report,
}

impl Linted {
    fn new<P: AsRef<str>, T: AsRef<str>>(skills: &[(P, T)]) -> Self {
        let entry = |(path, text): &(P, T)| Entry {
            path: format!(".agent/skills/{}", path.as_ref()).into(),
            content: Content::File(text.as_ref().into()),
        };
        let source = memory(Origin::Memory, skills.iter().map(entry).collect());
        let config: Config = config::read(Inputs::default()).expect("no configuration is a configuration");
        let parsed: Parsed = source.read(&config.roots, config.limits.bounds()).expect("memory can be read");
        let report = lint(parsed, &config);
        Self { source, report }
    }

    fn read(&self, files: &[File]) -> Result<Vec<Vec<u8>>, Infallible> {
        Ok(self.source.bodies(files).expect("memory can be read"))
    }

    fn outlines(&self, files: &[FileId]) -> Outlines {
        let Ok(outlines) = Outlines::new(&self.report.catalog, files, |files| self.read(files));
        outlines
    }
}

fn paired<'a>(head: &'a Linted, base: &'a Linted) -> Pairs<'a> {
    let mut pairs = Pairs::new(&head.report, &base.report);
    let (heads, bases) = pairs.unpaired();
    let (heads, bases) = (head.outlines(heads), base.outlines(bases));
    pairs.pair_similar(&heads, &bases);
    pairs
}

/// Returns the report of the head with the states of its findings.
fn compared(head: &Linted, base: &Linted) -> Report {
    let mut report = head.report.clone();
    comparison(head, base).apply(&mut report, &base.report);
    report
}

fn comparison(head: &Linted, base: &Linted) -> Comparison {
    let excerpts = |linted: &Linted| Excerpts::new(&linted.report, |files| linted.read(files)).expect("it is read");
    let (ours, theirs) = (excerpts(head), excerpts(base));
    compare(
        Side { report: &head.report, excerpts: &ours },
        Side { report: &base.report, excerpts: &theirs },
        &paired(head, base),
    )
}

/// Formats each pair below the root as `head <- base`.
fn pairs(head: &Linted, base: &Linted) -> Vec<String> {
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

/// Returns a skill with a finding: its description is missing.
fn text(name: &str, lines: &[&str]) -> String {
    format!("---\nname: {name}\n---\n{}\n", lines.join("\n"))
}

const TEN: [&str; 10] = ["l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9"];

#[test]
fn pairs_skills_by_path_then_object_then_similarity() {
    let base = Linted::new(&[
        ("path/SKILL.md", text("path", &["anything"])),
        ("object/SKILL.md", text("object", &TEN)),
        ("body/SKILL.md", text("body", &["one", "two", "three", "four"])),
        ("lines/SKILL.md", text("lines", &["line a", "line b", "line c", "line d", "e", "f"])),
        ("gone/SKILL.md", text("gone", &["nothing", "like", "it"])),
    ]);
    let head = Linted::new(&[
        // The path takes precedence, although the text belongs to another skill.
        ("path/SKILL.md", text("object", &TEN)),
        ("object2/SKILL.md", text("object", &TEN)),
        ("body2/SKILL.md", text("another", &["", "one", "two", "three", "four", ""])),
        ("lines2/SKILL.md", text("lines2", &["line a", "line b", "line c", "line d", "x", "y"])),
        ("new/SKILL.md", text("new", &["wholly", "of", "its", "own"])),
    ]);
    assert_eq!(pairs(&head, &base), ["body2 <- body", "lines2 <- lines", "object2 <- object", "path <- path"]);
}

#[test]
fn pairs_the_most_similar_skill_with_half_of_the_text() {
    let base = Linted::new(&[
        ("near/SKILL.md", text("near", &["l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7"])),
        ("far/SKILL.md", text("far", &["l0", "l1", "l2", "l3", "l4", "l5", "l6"])),
    ]);
    let head = Linted::new(&[("x/SKILL.md", text("x", &TEN)), ("y/SKILL.md", text("y", &TEN[..8]))]);
    // `y` shares 16 of 26 bytes with `near`, `x` 16 of 27. The remaining candidate for `x` shares 14 of 27.
    assert_eq!(pairs(&head, &base), ["x <- far", "y <- near"]);

    let one = |lines: &[&str]| Outline::new(lines.join("\n").as_bytes());
    assert_eq!(one(&["a", "bcd", "---", "", "a"]).common(&one(&["ef", " bcd\r", "g"])), (3, 6));
}

/// Returns a skill whose description has a finding, with the body of a template.
fn of_template(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n## Steps\n\n1. Read.\n2. Do.\n")
}

#[test]
fn pairs_skills_with_equal_bodies_by_the_rest_of_their_text() {
    let base = Linted::new(&[("rename-a/SKILL.md", of_template("rename-a", "Handles: papers."))]);
    let added = ("added/SKILL.md", of_template("added", "Handles: bad."));
    let renamed = ("rename-b/SKILL.md", of_template("rename-b", "Handles: papers."));
    assert_eq!(pairs(&Linted::new(&[added.clone(), renamed]), &base), ["rename-b <- rename-a"]);
    assert!(pairs(&Linted::new(&[added]), &base).is_empty(), "the body of a template alone pairs nothing");
}

#[test]
fn pairs_each_copy_once_in_path_order() {
    let copy = text("copy", &["same"]);
    let base = Linted::new(&[("b/SKILL.md", &copy), ("c/SKILL.md", &copy)]);
    let head = Linted::new(&[("x/SKILL.md", &copy), ("y/SKILL.md", &copy), ("z/SKILL.md", &copy)]);
    assert_eq!(pairs(&head, &base), ["x <- b", "y <- c"]);
}

#[test]
fn pairs_the_other_files_of_a_renamed_skill() {
    let base = Linted::new(&[("old/SKILL.md", text("old", &TEN)), ("old/a/b.md", String::new())]);
    let head = Linted::new(&[
        ("new/SKILL.md", text("old", &TEN)),
        ("new/a/b.md", String::new()),
        ("new/a/c.md", String::new()),
    ]);
    assert_eq!(pairs(&head, &base), ["new <- old", "new/a/b.md <- old/a/b.md"]);
}

#[test]
fn reads_texts_only_if_both_sides_have_findings() {
    let good = |name: &str| {
        format!("---\nname: {name}\ndescription: Does it. Use when {name} is wanted.\n---\n# {name}\n\nDo it.\n")
    };
    let clean = Linted::new(&[("a/SKILL.md", good("a"))]);
    let other = Linted::new(&[("b/SKILL.md", good("b"))]);
    let bad = Linted::new(&[("c/SKILL.md", text("c", &TEN))]);
    let counts = |head: &Linted, base: &Linted| {
        let pairs = Pairs::new(&head.report, &base.report);
        let (heads, bases) = pairs.unpaired();
        (heads.len(), bases.len())
    };
    assert_eq!(counts(&clean, &other), (0, 0));
    assert_eq!(counts(&bad, &clean), (0, 0));
    assert_eq!(counts(&clean, &bad), (0, 0));
    assert_eq!(counts(&bad, &Linted::new(&[("d/SKILL.md", text("d", &TEN))])), (1, 1));
}

#[test]
fn ignores_lines_shared_by_many_skills() {
    let named = |prefix: &str, number: usize| (format!("{prefix}{number}/SKILL.md"), text(&format!("n{number}"), &TEN));
    let skills = |prefix: &str, count: usize, more: &str| -> Vec<(String, String)> {
        (0..count).map(|number| named(prefix, number)).map(|(path, text)| (path, text + more)).collect()
    };
    let (base, head) = (Linted::new(&skills("b", 40, "")), Linted::new(&skills("h", 40, "more\n")));
    let found = pairs(&head, &base);
    // The only line shared by exactly two skills pairs them.
    assert_eq!(found.len(), 40);
    assert!(found.contains(&"h7 <- b7".to_owned()), "{found:?}");
}

#[test]
fn compares_the_skills_with_the_most_common_lines() {
    let few = |number: usize| (format!("b{number}/SKILL.md"), text(&format!("b{number}"), &["l0", "l1", "another"]));
    let mut skills: Vec<(String, String)> = (0..9).map(few).collect();
    skills.push(("z/SKILL.md".to_owned(), text("z", &TEN)));
    let head = Linted::new(&[("x/SKILL.md", text("x", &[&TEN[..], &["more"]].concat()))]);
    assert_eq!(pairs(&head, &Linted::new(&skills)), ["x <- z"], "nine skills before it share two lines");
}

#[test]
fn compares_findings_in_any_order() {
    let base = Linted::new(&[("a/SKILL.md", text("a", &TEN)), ("b/SKILL.md", text("b", &["x"]))]);
    let head = Linted::new(&[("a/SKILL.md", text("a", &TEN)), ("c/SKILL.md", text("c", &["y"]))]);
    let report = compared(&head, &base);
    let states: Vec<_> = report
        .findings
        .iter()
        .map(|finding| format!("{} {}", report.path(finding), finding.state.map_or("", State::name)))
        .collect();
    assert_eq!(states, [".agent/skills/a/SKILL.md unchanged", ".agent/skills/c/SKILL.md new"]);
    assert_eq!((report.active().count(), report.existing()), (1, 1));
    let fixed = report.base.expect("there was one").fixed;
    assert_eq!(fixed.iter().map(|fixed| fixed.path.to_string()).collect::<Vec<_>>(), [".agent/skills/b/SKILL.md"]);
}

#[test]
fn pairs_many_equal_files_in_path_order() {
    let skills = |prefix: &str| -> Vec<(String, String)> {
        (10..50).map(|number| (format!("{prefix}{number}/SKILL.md"), text("same", &TEN))).collect()
    };
    let found = pairs(&Linted::new(&skills("h")), &Linted::new(&skills("b")));
    let expected: Vec<String> = (10..50).map(|number| format!("h{number} <- b{number}")).collect();
    assert_eq!(found, expected);
}

/// Compares one skill with its base, each given as comments above a line, and returns the lines of the findings about ignores.
fn newly_ignored(head: &[&str], base: &[&str]) -> Vec<String> {
    let linted = |comments: &[&str]| Linted::new(&[("a/SKILL.md", text("a", &[comments, &["[a](gone.md)"]].concat()))]);
    let (head, base) = (linted(head), linted(base));
    let loosened = Loosened::new(None, &head.report, &base.report, &paired(&head, &base));
    let mut report = head.report.clone();
    let known = report.findings.len();
    let config = config::read(Inputs::default()).expect("no configuration is a configuration");
    let found = loosened.apply(&mut report, &config.levels);
    assert_eq!(found, report.findings.len() > known);
    let findings = report.findings.iter().filter(|finding| finding.rule.id() == "loosened-policy");
    findings.map(|finding| format!("{:?}: {}", finding.state, finding.message)).collect()
}

#[test]
fn reports_ignores_that_the_base_does_not_have_or_that_last_longer() {
    const ALWAYS: &str = "<!-- skilltree: ignore[broken-link] made by the build -->";
    const MAY: &str = "<!-- skilltree: ignore[broken-link] until=2027-05-01 made by the build -->";
    const JUNE: &str = "<!-- skilltree: ignore[broken-link] until=2027-06-01 made by the build -->";
    const OTHER: &str = "<!-- skilltree: ignore[machine-path] made by the build -->";
    let new = ["Some(New): `broken-link` is ignored here: made by the build"];
    for (head, base, expected) in [
        (&[ALWAYS] as &[&str], &[] as &[&str], &new as &[&str]),
        (&[ALWAYS], &[OTHER], &new),
        (&[ALWAYS], &[ALWAYS], &[]),
        (&[MAY], &[ALWAYS], &[]),
        (&[ALWAYS], &[JUNE], &new),
        (&[JUNE], &[MAY], &new),
        (&[MAY], &[JUNE], &[]),
        (&[JUNE], &[MAY, JUNE], &[]),
        (&[JUNE], &[JUNE, MAY], &[]),
        (&[], &[ALWAYS], &[]),
        // These have no effect.
        (&["<!-- skilltree: ignore[broken-link] -->"], &[], &[]),
        (&["<!-- skilltree: ignore[broken-link] until=2027-02-31 made by the build -->"], &[], &[]),
    ] {
        assert_eq!(newly_ignored(head, base), expected, "{head:?} after {base:?}");
    }
}

#[test]
fn knows_what_the_change_did_to_a_file() {
    let base = Linted::new(&[
        ("same/SKILL.md", text("same", &TEN)),
        ("edited/SKILL.md", text("edited", &["x"])),
        ("old/SKILL.md", text("moved", &["only", "here"])),
        ("old/b.md", "b".to_owned()),
    ]);
    let head = Linted::new(&[
        ("same/SKILL.md", text("same", &TEN)),
        ("edited/SKILL.md", text("edited", &["y"])),
        ("new/SKILL.md", text("moved", &["only", "here"])),
        ("new/b.md", "b".to_owned()),
        ("added/SKILL.md", text("added", &["z"])),
    ]);
    let pairs = paired(&head, &base);
    let files = head.report.catalog.files().filter(|(_, file)| file.path.ends_with(b".md"));
    let found: Vec<String> = files.map(|(id, file)| format!("{} {:?}", file.path, pairs.novelty(id))).collect();
    let expected = [
        "added/SKILL.md Added",
        "edited/SKILL.md Changed",
        "new/SKILL.md Changed",
        "new/b.md Changed",
        "same/SKILL.md Untouched",
    ];
    assert_eq!(found, expected.map(|line| format!(".agent/skills/{line}")));
}

#[test]
fn reports_duplicate_at_the_skill_that_the_change_added() {
    let base = Linted::new(&[("b/SKILL.md", text("same", &TEN))]);
    let head = Linted::new(&[("a/SKILL.md", text("same", &["new"])), ("b/SKILL.md", text("same", &TEN))]);
    let report = compared(&head, &base);
    let found = report.findings.iter().find(|finding| finding.rule.id() == "duplicate-name").expect("it is reported");
    let path = |place: Place| report.catalog.file(place.file).path.to_string();
    assert_eq!(path(found.place), ".agent/skills/a/SKILL.md");
    // The skill that is already in the base is related, and the new one no longer is.
    let related: Vec<_> = found.related.iter().map(|(place, label)| format!("{} {label}", path(*place))).collect();
    assert_eq!(related, [".agent/skills/b/SKILL.md already in the base"]);
}

#[test]
fn keeps_ignores_that_both_bases_do_not_have() {
    const COMMENT: &str = "<!-- skilltree: ignore[broken-link] made by the build -->";
    let linted = |comments: &[&str]| Linted::new(&[("a/SKILL.md", text("a", &[comments, &["[a](gone.md)"]].concat()))]);
    let (with, without) = (linted(&[COMMENT]), linted(&[]));
    let config = config::read(Inputs::default()).expect("no configuration is a configuration");
    let has_findings = |one: &Linted, other: &Linted| {
        let new = |base: &Linted| Loosened::new(None, &with.report, &base.report, &paired(&with, base));
        let mut loosened = new(one);
        loosened.keep(&new(other));
        loosened.apply(&mut with.report.clone(), &config.levels)
    };
    assert!(has_findings(&without, &without));
    assert!(!has_findings(&without, &with));
    assert!(!has_findings(&with, &without));
}

#[test]
fn finding_is_fixed_if_both_bases_have_it() {
    let base = Linted::new(&[("a/SKILL.md", text("a", &TEN)), ("b/SKILL.md", text("b", &["x"]))]);
    let other = Linted::new(&[("b/SKILL.md", text("b", &["x"]))]);
    let head = Linted::new(&[("c/SKILL.md", text("c", &["y"]))]);
    let mut comparison = comparison(&head, &base);
    comparison.keep_fixed(&self::comparison(&head, &other));
    let paths: Vec<String> = comparison.fixed.iter().map(|fixed| fixed.path.to_string()).collect();
    assert_eq!(paths, [".agent/skills/b/SKILL.md"]);
}

/// Returns a skill with an unknown rule per word, each a finding of one rule.
fn unknown(words: impl Iterator<Item = String>) -> Linted {
    let lines: Vec<String> = words.map(|word| format!("<!-- skilltree: ignore[{word}] -->\n")).collect();
    Linted::new(&[("a/SKILL.md", format!("---\nname: a\ndescription: Use it.\n---\n{}", lines.concat()))])
}

/// Returns the texts of the new findings of the rule, with the number of those that are only counted, and the number of fixed ones.
fn new_unknown(head: &Linted, base: &Linted) -> (Vec<String>, usize) {
    let report = compared(head, base);
    let is_new = |finding: &&Finding| finding.rule.id() == "unknown-rule" && finding.state == Some(State::New);
    let new = report.findings.iter().filter(is_new).map(|finding| finding.message.clone()).collect();
    let fixed = &report.base.as_ref().expect("it was compared").fixed;
    (new, fixed.iter().filter(|fixed| fixed.rule.id() == "unknown-rule").count())
}

#[test]
fn finding_that_the_base_only_counts_is_existing() {
    let words = |numbers: std::ops::Range<u32>| numbers.map(|number| format!("w{number}"));
    let base = unknown(words(0..150));
    assert!(base.report.findings.iter().any(|finding| finding.is_rest && finding.extent == 50));
    let none: [&str; 0] = [];
    let check = |head: Linted, new: &[&str], fixed: usize| assert_eq!(new_unknown(&head, &base), (texts(new), fixed));
    check(unknown(words(0..150)), &none, 0);
    // Those that follow are listed in place of the removed ones.
    check(unknown(words(1..150)), &none, 1);
    check(unknown(words(0..3).chain(words(7..150))), &none, 4);
    check(unknown(words(0..149)), &none, 0);
    check(unknown(words(60..150)), &none, 60);
    // Those that were listed are counted after the added ones.
    let added = || ["x0", "x1"].into_iter().map(str::to_owned);
    check(unknown(added().chain(words(0..150))), &["there is no rule `x0`", "there is no rule `x1`"], 0);
    check(unknown(words(0..150).chain(added())), &["52 more findings of this rule in this file; 100 are listed"], 0);
    check(unknown(added().chain(words(2..150))), &["there is no rule `x0`", "there is no rule `x1`"], 2);
}

#[test]
fn finding_is_new_if_the_first_one_over_the_limit_is() {
    let words = |numbers: std::ops::Range<u32>| numbers.map(|number| format!("w{number}"));
    let base = unknown(words(0..100));
    assert!(base.report.findings.iter().all(|finding| !finding.is_rest));
    let one_more = texts(&["1 more finding of this rule in this file; 100 are listed"]);
    assert_eq!(new_unknown(&unknown(words(0..101)), &base), (one_more, 0));
    let first = std::iter::once("x".to_owned()).chain(words(0..100));
    assert_eq!(new_unknown(&unknown(first), &base), (texts(&["there is no rule `x`"]), 0));
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}
