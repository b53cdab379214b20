//! Writes the pages of the site that are made from data: `cargo run -p skilltree-web --example site -- PROGRAM DOCS`. The help of the
//! commands is that of PROGRAM. With a third argument, writes there for each example of a rule what the playground must answer, as JSON Lines.
#![allow(clippy::disallowed_methods, reason = "an example reads its arguments and writes files")]

use std::path::Path;
use std::process::Command;
use std::{env, error::Error, fs};

use serde_json::json;
use skilltree_lint::rule::RuleRef;
use skilltree_lint::rules;
use skilltree_report::explain::{Example, Explanation, explain, sections};
use skilltree_web::answer;
use skilltree_web::request::{Fix, Request};
use skilltree_web::site::{self, Page};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [program, docs, answers @ ..] = arguments.as_slice() else {
        return Err("usage: site PROGRAM DOCS [ANSWERS]".into());
    };
    if let Some(path) = answers.first() {
        fs::write(path, expected()?)?;
    }
    let mut commands = Vec::new();
    find(program, &[], &mut commands)?;
    let rules: Vec<RuleRef> = rules::ALL.iter().copied().map(RuleRef::from).collect();
    let explanations: Vec<Explanation<'_>> = rules.iter().map(explain).collect();
    for Page { path, text } in site::pages(&explanations, &commands) {
        let path = Path::new(docs).join(path);
        fs::create_dir_all(path.parent().ok_or("a page has no directory")?)?;
        fs::write(path, text)?;
    }
    fs::write(Path::new(docs).join("llms.txt"), index(Path::new(docs))?)?;
    Ok(())
}

/// Returns the list of all pages for agents: title, address and first sentence. <https://llmstxt.org> defines the form.
fn index(docs: &Path) -> Result<String, Box<dyn Error>> {
    let mut pages = Vec::new();
    let mut open = vec![docs.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|extension| extension == "md") => pages.push(path),
                false => {}
            }
        }
    }
    let mut lines = Vec::new();
    for page in pages {
        let name = page.strip_prefix(docs)?.with_extension("").to_string_lossy().replace('\\', "/");
        if name.starts_with("dev/") {
            continue;
        }
        let text = fs::read_to_string(&page)?;
        let (title, words) = title_and_words(&text);
        let address = if name == "index" { String::new() } else { format!("{name}/") };
        lines.push(format!("- [{title}]({address}): {words}\n"));
    }
    lines.sort();
    Ok(format!("# skilltree\n\n> A linter for agent skills (SKILL.md)\n\n## Pages\n\n{}", lines.concat()))
}

/// Returns the heading of a page, and its description or else its first paragraph.
fn title_and_words(text: &str) -> (String, String) {
    let description = text.strip_prefix("---\n").and_then(|rest| rest.lines().next()?.strip_prefix("description: "));
    let mut paragraphs = text.split("\n\n").skip_while(|part| !part.contains("# "));
    let title = paragraphs.next().and_then(|part| part.lines().find_map(|line| line.strip_prefix("# ")));
    let is_prose = |part: &&str| part.starts_with(|first: char| first.is_alphabetic());
    let words = match description {
        Some(description) => description.trim_matches('"').to_owned(),
        None => paragraphs.find(is_prose).unwrap_or_default().replace('\n', " "),
    };
    (title.unwrap_or_default().to_owned(), words)
}

/// Returns the answers to the examples of all rules.
fn expected() -> Result<String, Box<dyn Error>> {
    let mut lines = String::new();
    for rule in rules::ALL.iter().copied().map(RuleRef::from) {
        for section in sections(rule.explanation()) {
            if !matches!(section.heading.split(':').next(), Some("Fires" | "Quiet")) {
                continue;
            }
            let files = Example::new(&section).under(&rule);
            let request = serde_json::to_string(&Request { fix: Some(Fix::Safe), ..Request::of(&files) })?;
            let name = format!("{}: {}", rule.id(), section.heading);
            let line = json!({"name": name, "request": request, "answer": answer(&request)});
            lines.push_str(&format!("{line}\n"));
        }
    }
    Ok(lines)
}

/// Collects the help of all commands below some words.
fn find(program: &str, words: &[String], found: &mut Vec<site::Command>) -> Result<(), Box<dyn Error>> {
    let output = Command::new(program).args(words).arg("--help").output()?;
    let help = String::from_utf8(output.stdout)?;
    let names: Vec<String> = below(&help).collect();
    if !words.is_empty() {
        found.push(site::Command { words: words.to_vec(), help });
    }
    names.iter().try_for_each(|name| find(program, &[words, std::slice::from_ref(name)].concat(), found))
}

/// Returns the names of the commands that a help lists.
fn below(help: &str) -> impl Iterator<Item = String> + '_ {
    let is_command = |line: &&str| line.starts_with("  ") && line.as_bytes().get(2).is_some_and(u8::is_ascii_lowercase);
    let listed = help.lines().skip_while(|line| !line.ends_with(':') || line.starts_with(' ')).filter(is_command);
    listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned)
}
