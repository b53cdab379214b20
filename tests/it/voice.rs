//! Checks the words of every text that a user reads against the table "Words we use" of CONTRIBUTING.md.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "the test reads the sources of the package")]

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use crate::common;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

const GLOSSARY: &str = "## Words we use";

struct Hit {
    file: String,
    line: usize,
    phrase: String,
    context: String,
}

/// One expression for all forbidden phrases.
struct Vocabulary(Regex);

impl Vocabulary {
    fn new() -> Self {
        let patterns: Vec<String> = glossary().iter().map(|phrase| pattern(phrase)).collect();
        Self(Regex::new(&format!(r"(?i)\b(?:{})\b", patterns.join("|"))).unwrap())
    }

    /// Returns the forbidden phrases of a text whose code is masked; `line` is the number of its first line.
    fn hits(&self, file: &str, line: usize, masked: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        for found in self.0.find_iter(masked) {
            let phrase = found.as_str().to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
            let context = context(masked, found.range());
            let line = line + masked[..found.start()].matches('\n').count();
            hits.push(Hit { file: file.into(), line, phrase, context });
        }
        hits
    }
}

/// Reads the words in code spans in the third column of the table.
fn glossary() -> Vec<String> {
    let text = read("CONTRIBUTING.md");
    let table = text.split_once(GLOSSARY).expect("CONTRIBUTING.md has the table").1;
    let columns = table.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.split('|').nth(3));
    let spans = columns.flat_map(|column| column.split('`').skip(1).step_by(2));
    spans.map(str::to_lowercase).collect()
}

/// A single word matches with its endings, a phrase with any whitespace between its words.
fn pattern(phrase: &str) -> String {
    let words: Vec<String> = phrase.split(' ').map(regex::escape).collect();
    match words.as_slice() {
        [word] => format!("{}(?:e|es|ed|ing|er|s|d)?", word.strip_suffix('e').unwrap_or(word)),
        words => words.join(r"\s+"),
    }
}

/// The text around a match, on one line.
fn context(text: &str, range: Range<usize>) -> String {
    let start = text[..range.start].char_indices().rev().nth(40).map_or(0, |(at, _)| at);
    let end = text[range.end..].char_indices().nth(40).map_or(text.len(), |(at, _)| range.end + at);
    text[start..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Replaces everything that is not prose by spaces, and code spans by backticks. Keeps line breaks and offsets.
///
/// Findings that a page shows (the fence `text finding`) are prose.
fn prose(markdown: &str) -> String {
    let mut masked: Vec<u8> = markdown.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut in_code = false;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                in_code = !matches!(kind, CodeBlockKind::Fenced(info) if info.starts_with("text finding"));
            }
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(_) if !in_code => masked[range.clone()].copy_from_slice(&markdown.as_bytes()[range]),
            Event::Html(html) if html.starts_with("<!--") => {
                masked[range.clone()].copy_from_slice(&markdown.as_bytes()[range]);
            }
            Event::Code(_) => masked[range].fill(b'`'),
            _ => {}
        }
    }
    String::from_utf8(masked).unwrap()
}

/// Replaces what is not prose in text without Markdown structure: code spans, names of format arguments, keys of TOML.
fn without_spans(text: &str) -> String {
    let span = Regex::new(r"`[^`\n]*`|\{[a-z_][a-z_.0-9]*[^{}\s]*\}|(?m:^[a-z-]+ = )").unwrap();
    span.replace_all(text, |found: &regex::Captures<'_>| "`".repeat(found[0].len())).into_owned()
}

/// Returns line number and text of the string literals with a space. Skips unit tests and the reasons of attributes.
fn literals(source: &str) -> Vec<(usize, String)> {
    let inline_tests = Regex::new(r"(?m)^#\[cfg\(test\)\]\n(?:#.*\n)*mod \w+ \{").unwrap();
    let source = &source[..inline_tests.find(source).map_or(source.len(), |found| found.start())];
    let token = Regex::new(concat!(
        r"(?s)//[^\n]*|/\*.*?\*/|'(?:\\.[^']*|[^'\\])'",
        r##"|r#"(.*?)"#|r"([^"]*)"|"((?:\\.|[^"\\])*)""##
    ));
    let mut found = Vec::new();
    for captures in token.unwrap().captures_iter(source) {
        let Some(literal) = captures.get(1).or(captures.get(2)).or(captures.get(3)) else { continue };
        let before = &source[..captures.get(0).unwrap().start()];
        if literal.as_str().contains(' ') && !before.ends_with("reason = ") {
            let text = literal.as_str().replace("\\n", "\n ").replace("\\\"", "\"");
            found.push((before.matches('\n').count() + 1, text));
        }
    }
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap().replace("\r\n", "\n")
}

/// Returns the paths below a directory of the package that end in `suffix`, sorted.
fn files(directory: &str, suffix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{directory}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&path, suffix));
        } else if path.ends_with(suffix) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn assert_clean(hits: &[Hit]) {
    let lines: Vec<String> = hits
        .iter()
        .map(|Hit { file, line, phrase, context }| format!("{file}:{line}: `{phrase}` in: {context}"))
        .collect();
    assert!(
        lines.is_empty(),
        "{} forbidden phrases; see \"Words we use\" in CONTRIBUTING.md for the words to use:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

fn help(arguments: &[String]) -> String {
    let output = Command::new(common::program()).args(arguments).arg("--help").output().unwrap();
    assert!(output.status.success(), "skilltree {arguments:?} --help: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_uses_plain_words() {
    let vocabulary = Vocabulary::new();
    let commands = common::commands().into_iter().chain([Vec::new()]);
    let helps: Vec<(String, String)> =
        commands.map(|words| (["skilltree", &words.join(" "), "--help"].join(" "), help(&words))).collect();
    assert!(helps.len() > 10, "only {} commands", helps.len());
    let hits: Vec<Hit> = helps.iter().flat_map(|(name, text)| vocabulary.hits(name, 1, &without_spans(text))).collect();
    assert_clean(&hits);
}

#[test]
fn documentation_uses_plain_words() {
    let vocabulary = Vocabulary::new();
    let mut paths: Vec<String> =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(String::from).to_vec();
    for directory in ["docs", ".agent", ".symphony", "examples", "crates/lint/src/rules"] {
        paths.extend(files(directory, ".md"));
    }
    let mut hits = Vec::new();
    for path in paths {
        let text = read(&path);
        let mut masked = prose(&text);
        if path == "CONTRIBUTING.md" {
            masked.truncate(text.find(GLOSSARY).unwrap());
        }
        hits.extend(vocabulary.hits(&path, 1, &masked));
    }
    assert_clean(&hits);
}

#[test]
fn data_with_descriptions_uses_plain_words() {
    let vocabulary = Vocabulary::new();
    let mut paths: Vec<String> =
        ["action.yml", ".pre-commit-hooks.yaml", "mkdocs.yml", "Cargo.toml"].map(String::from).to_vec();
    paths.extend(files("crates/runtimes/src/profiles", ".toml"));
    let hits: Vec<Hit> = paths.iter().flat_map(|path| vocabulary.hits(path, 1, &without_spans(&read(path)))).collect();
    assert_clean(&hits);
}

#[test]
fn messages_use_plain_words() {
    let vocabulary = Vocabulary::new();
    let mut hits = Vec::new();
    for path in files("src", ".rs").into_iter().chain(files("crates", ".rs")) {
        if !path.contains("src/") || path.contains("/tests/") || path.ends_with("/tests.rs") {
            continue;
        }
        for (line, literal) in literals(&read(&path)) {
            hits.extend(vocabulary.hits(&path, line, &without_spans(&literal)));
        }
    }
    assert_clean(&hits);
}

#[test]
fn reads_words_of_glossary() {
    let words = glossary();
    assert_eq!(words.len(), 10, "{words:?}");
    for word in ["judge", "without a word", "white space", "capital letters"] {
        assert!(words.contains(&word.to_owned()), "`{word}` is missing in {words:?}");
    }
}

#[test]
fn finds_planted_phrases() {
    let vocabulary = Vocabulary::new();
    let planted = |text: &str| -> Vec<String> {
        let hits = vocabulary.hits("planted.md", 1, &prose(text));
        hits.into_iter().map(|hit| format!("{}:{}", hit.line, hit.phrase)).collect()
    };
    assert_eq!(planted("Fine.\n\nA rule judges it.\n"), ["3:judges"]);
    assert_eq!(planted("The skill is dropped without\na word.\n"), ["1:without a word"]);
    assert_eq!(planted("```text finding\na:1:1: white space\n```\n"), ["2:white space"]);
    assert_eq!(planted("| a |\n|---|\n| mended |\n"), ["3:mended"]);
    assert_eq!(planted("<!-- judged -->\n"), ["1:judged"]);
    assert_eq!(planted("```text\njudged\n```\nUse `judge`. [Link](mend.md)\n"), [""; 0]);
    assert_eq!(without_spans("{mended} by `judge`, judged"), "```````` by ```````, judged");
}

#[test]
fn finds_planted_phrase_in_string_literal() {
    let source = "// judged at home\nfn f<'a>() { g('\"', \"key\", \"judged \\\"by\\\" it\") }\nconst C: &str = r#\"lies \"in\" wait\"#;\n#[cfg(test)]\nmod tests {\n \"mend it\" }\n";
    let found = literals(source);
    assert_eq!(found, [(2, "judged \"by\" it".to_owned()), (3, "lies \"in\" wait".to_owned())]);
    let hits = Vocabulary::new().hits("planted.rs", found[0].0, &found[0].1);
    assert_eq!(hits.iter().map(|hit| (hit.line, hit.phrase.as_str())).collect::<Vec<_>>(), [(2, "judged")]);
}
