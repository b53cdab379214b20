//! Where a finding is, in every unit, for the texts that are awkward.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use skilltree_front_matter::text::Place;
use skilltree_report::render::Format;
use skilltree_skills::source::{Content, Entry};
use snapbox::{IntoData, assert_data_eq, file, str};

use crate::render::fixture::{BAD, Case, SMALL};

const PATH: &str = "s/x/SKILL.md";

fn one(text: &[u8], needle: &[u8]) -> Case {
    let mut case = Case::new(&[(PATH, text)]);
    let place = case.place(PATH, needle);
    case.report(&BAD, place, "bad");
    case
}

fn region(case: &Case) -> Value {
    case.json(Format::Sarif)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"].clone()
}

#[test]
fn columns_use_unit_of_format() {
    // Text, needle, then line, code points and UTF-16 units of start and end.
    type Case = (&'static [u8], &'static [u8], [u32; 6]);
    let cases: [Case; 7] = [
        ("---\na: 😀é bad\n".as_bytes(), b"bad", [2, 7, 8, 2, 10, 11]),
        (b"---\na:\t\tbad\n", b"bad", [2, 5, 5, 2, 8, 8]),
        (b"---\r\na: bad\r\n---\r\n", b"bad", [2, 4, 4, 2, 7, 7]),
        (b"\xef\xbb\xbfbad: a\n", b"bad", [1, 1, 1, 1, 4, 4]),
        (b"---\ra: bad\r---\r", b"bad", [2, 4, 4, 2, 7, 7]),
        (b"---\na: \xff\xfe bad\n", b"bad", [2, 7, 7, 2, 10, 10]),
        (b"---\nbad", b"bad", [2, 1, 1, 2, 4, 4]),
    ];
    for (text, needle, [line, column, utf16, end_line, end_column, end_utf16]) in cases {
        let case = one(text, needle);
        let range = &case.json(Format::Json)["findings"][0]["range"];
        let unit = |end: &str, unit: &str| range[end][unit].clone();
        let found = json!([
            unit("start", "line"),
            unit("start", "column"),
            unit("start", "utf16"),
            unit("end", "line"),
            unit("end", "column"),
            unit("end", "utf16"),
        ]);
        assert_eq!(
            found,
            json!([line, column, utf16, end_line, end_column, end_utf16]),
            "{}",
            String::from_utf8_lossy(text)
        );
        let region = region(&case);
        assert_eq!([&region["startColumn"], &region["endColumn"]], [utf16, end_utf16]);
        assert_eq!(region["snippet"]["text"], "bad");
        let concise = format!("{PATH}:{line}:{column}: error[bad-thing] bad\n");
        assert_eq!(case.render(Format::Concise), concise);
        assert!(case.render(Format::Full).contains(&format!(" --> {PATH}:{line}:{column}\n")));
    }
}

#[test]
fn region_has_one_line() {
    let case = one(b"---\na: |\n  one\n  two\nb: c\n", b"one\n  two");
    let region = region(&case);
    assert_eq!([&region["startLine"], &region["endLine"]], [3, 3]);
    assert_eq!([&region["startColumn"], &region["endColumn"]], [3, 6]);
    assert_eq!(region["snippet"]["text"], "one");
    let end = &case.json(Format::Json)["findings"][0]["range"]["end"];
    assert_eq!(*end, json!({ "line": 4, "column": 6, "utf16": 6, "byte": 20 }));
}

#[test]
fn finding_without_text_is_at_start() {
    let entry = |path: &str, content| Entry { path: path.into(), content };
    let entries = vec![
        entry("s/a/SKILL.md", Content::Link("nowhere".into())),
        entry("s/b/SKILL.md", Content::Submodule),
        entry("s/c/SKILL.md", Content::Unmerged),
        entry("s/d/SKILL.md", Content::File(Vec::new())),
    ];
    let mut case = Case::with(entries, BTreeMap::new());
    let files: Vec<_> = case.report.catalog.files().map(|(id, _)| id).collect();
    for &file in &files {
        case.report(&SMALL, Place::whole(file), "small");
        // A place beyond the end of a file must not panic.
        case.report(&BAD, Place::new(file, 7..90_000), "bad");
    }
    let sarif = case.json(Format::Sarif);
    let results = sarif["runs"][0]["results"].as_array().expect("results are a list");
    assert_eq!(results.len(), 2 * files.len());
    for result in results {
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(*region, json!({ "startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1 }));
        assert!(result["partialFingerprints"]["primaryLocationLineHash"].is_string());
    }
    assert!(case.render(Format::Full).contains("error[bad-thing]: bad\n--> s/a/SKILL.md:1:1\n"));
    assert!(case.render(Format::Concise).contains("s/b/SKILL.md:1:1: error[bad-thing] bad\n"));
}

#[test]
fn crops_long_line_around_place() {
    let text = format!("---\ndescription: {} NEEDLE {}\n", "日本語 ".repeat(300), "word ".repeat(4_000));
    let mut case = one(text.as_bytes(), b"NEEDLE");
    case.options.look.width = 60;
    case.options.look.unicode = true;
    assert_data_eq!(
        case.render(Format::Full),
        str![[r#"
error[bad-thing]: bad
  ╭▸ s/x/SKILL.md:2:1215
  │
2 │ … 日本語 日本語  NEEDLE word word word word word word …
  │                  ━━━━━━
  │
  ╰ note: some runtimes silently drop the skill


"#]]
        .raw()
    );
}

#[test]
fn wraps_and_aligns_notes() {
    let mut case = one(b"---\na: b\n", b"a: b");
    case.options.look.width = 40;
    case.report.findings[0].notes.push("silently dropped by goose; logged and dropped by CAMEL and pi".into());
    assert_data_eq!(
        case.render(Format::Full),
        str![[r#"
error[bad-thing]: bad
 --> s/x/SKILL.md:2:1
  |
2 | a: b
  | ^^^^
  |
  = note: silently dropped by goose;
          logged and dropped by CAMEL
          and pi
  = note: some runtimes silently drop
          the skill


"#]]
        .raw()
    );
    case.options.look.unicode = true;
    let drawn = case.render(Format::Full);
    assert!(drawn.contains("\n  ├ note: silently dropped by goose;\n  │       logged and"), "{drawn}");
    assert!(drawn.lines().all(|line| line.chars().count() <= 40), "{drawn}");
}

#[test]
fn multiline_frame_ends_with_last_shown_line() {
    let mut case = one(b"---\na: |\n  one\n  two\nb: c\n", b"  one\n  two\n");
    let many = "line\n".repeat(20);
    case.report.findings[0].notes.push("both lines".into());
    let mut long = one(many.as_bytes(), many.as_bytes());
    long.report.findings[0].notes.push("the first line alone".into());
    let mut near = one(b"a: one\nb: two\n", b"one");
    let place = near.place(PATH, "two");
    let whole = Place::whole(near.file(PATH));
    near.report.findings[0].related(place, "beside").related(whole, "elsewhere");
    assert_data_eq!(
        case.render(Format::Full) + &long.render(Format::Full) + &near.render(Format::Full),
        file!["golden/lines.txt"].raw()
    );
}

#[test]
fn patch_may_delete_line() {
    let mut case = one(b"---\r\na: b\r\nc: d\r\n---\r\n", b"a: b");
    let line = case.place(PATH, "a: b\r\n");
    case.report.findings[0].help("take the line out").edit(line, "");
    assert_data_eq!(case.render(Format::Full), file!["golden/patch.txt"].raw());
}

#[test]
fn fingerprint_survives_unrelated_changes() {
    let print = |text: &[u8], number: usize| {
        let mut case = one(text, b"bad");
        let second = Place::new(case.file(PATH), text.len() - 4..text.len() - 1);
        case.report(&BAD, second, "bad");
        case.json(Format::Json)["findings"][number]["fingerprint"].clone()
    };
    let first = print(b"---\na: bad\n---\n  a: bad\n", 0);
    assert_eq!(first, print(b"---\nnew: line\na: bad\n---\na: bad\n", 0), "a line above");
    assert_ne!(first, print(b"---\na: bad \xff\n---\na: bad\n", 0), "another line");
    let second = print(b"---\na: bad\n---\n  a: bad\n", 1);
    assert_eq!(first.as_str().map(|print| print.replace(":1", ":2")), second.as_str().map(str::to_owned));
}

#[test]
fn rereads_files_in_batches() {
    let files: Vec<(String, &str)> = (0..600).map(|number| (format!("s/x{number}/SKILL.md"), "bad")).collect();
    let mut case = Case::new(&files);
    for (path, _) in &files {
        let place = case.place(path, "bad");
        case.report(&BAD, place, "bad");
    }
    let mut chunks = Vec::new();
    let excerpts = skilltree_lint::excerpt::Excerpts::new(&case.report, |files| {
        chunks.push(files.len());
        Ok::<_, ()>(vec![b"bad".to_vec(); files.len()])
    });
    assert_eq!(chunks, [256, 256, 88]);
    let excerpts = excerpts.expect("reading cannot fail");
    assert!(case.report.findings.iter().all(|finding| excerpts.get(finding.place).end.column == 4));
    let failed = skilltree_lint::excerpt::Excerpts::new(&case.report, |_| Err("gone"));
    assert_eq!(failed.err(), Some("gone"));
}
