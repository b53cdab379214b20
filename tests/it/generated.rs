//! Compares the generated files with the committed ones. To update them:
//! `SNAPSHOTS=overwrite cargo test --test it generated`

#![allow(clippy::disallowed_methods, reason = "the test looks at the files of the package")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common;
use crate::explain::explanations;
use skilltree_report::explain::{self, Extent};
use skilltree_report::render;
use skilltree_skills::limits::{DEFAULT_PROMPT_SKILLS, TABLE};
use skilltree_web::site;
use snapbox::Data;
use snapbox::assert_data_eq;
use snapbox::file;

mod packages;
mod versions;

#[test]
fn rule_reference_is_current() {
    assert_data_eq!(site::rules(explanations()), file!["../../docs/rules.md"].raw());
}

#[test]
fn runtimes_page_is_current() {
    let profile = |id: &str| format!("{}{id}.toml", site::REPOSITORY);
    assert_data_eq!(site::runtimes(profile), file!["../../docs/runtimes.md"].raw());
}

#[test]
fn packages_page_is_current() {
    assert_data_eq!(packages::page(), file!["../../docs/packages.md"].raw());
}

#[test]
fn rule_pages_are_current() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let mut known = BTreeSet::new();
    for explanation in explanations() {
        let name = format!("{}.md", explanation.rule.id());
        let page = explain::markdown(explanation, Extent::Full);
        common::snapshot(&directory.join(&name), page.as_bytes()).unwrap_or_else(|difference| panic!("{difference}"));
        known.insert(name);
    }
    for entry in fs::read_dir(&directory).expect("docs can be read") {
        let name = entry.expect("docs can be read").file_name().into_string().expect("a name");
        assert!(known.contains(&name), "docs/rules/{name} is the page of no rule: remove it");
    }
}

#[test]
fn command_reference_is_current() {
    assert_data_eq!(site::commands(&commands()), file!["../../docs/cli.md"].raw());
}

#[test]
fn editor_schemas_are_current() {
    for (name, schema) in skilltree_report::schema::all() {
        let mut text = Vec::new();
        render::write_pretty(&schema, &mut text).expect("memory takes what it is given");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/{name}.json"));
        assert_data_eq!(String::from_utf8(text).expect("it is UTF-8"), Data::read_from(&path, None).raw());
    }
}

#[test]
fn fleet_schema_is_current() {
    let mut text = Vec::new();
    render::write_pretty(&skilltree::rows_schema(), &mut text).expect("memory takes what it is given");
    assert_data_eq!(String::from_utf8(text).expect("it is UTF-8"), file!["../../schema/fleet.json"].raw());
}

/// Compares the handwritten tables of the fleet page with the columns.
#[test]
fn fleet_page_lists_every_column() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/fleet.md")).expect("the page");
    for table in skilltree::Table::ALL {
        let heading = format!("| `{}` | ", table.name());
        let row = page.lines().find_map(|line| line.strip_prefix(&heading)).expect("the table has a row");
        let columns: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let known: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        assert_eq!(columns, known, "{}", table.name());
    }
}

/// Compares the handwritten table of limits with the program.
#[test]
fn configuration_page_lists_every_limit_with_its_default() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md")).expect("the page");
    let section = page.split("## Limits").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the section");
    let cells = |row: &str| row.split(" | ").take(2).map(|cell| cell.replace(['|', '`', ','], "")).collect::<Vec<_>>();
    let rows = section.lines().filter(|line| line.starts_with("| `")).map(cells);
    let listed: Vec<(String, String)> = rows.map(|row| (row[0].trim().to_owned(), row[1].trim().to_owned())).collect();
    let default = |name: &str, value: Option<u64>| match (name, value) {
        ("prompt-skills", None) => DEFAULT_PROMPT_SKILLS.to_string(),
        (_, None) => "none".to_owned(),
        (_, Some(number)) => number.to_string(),
    };
    let known: Vec<(String, String)> =
        TABLE.iter().map(|&(name, value, _)| (name.to_owned(), default(name, value))).collect();
    assert_eq!(listed, known);
}

#[test]
fn configuration_page_lists_every_setting() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md")).expect("the page");
    let section = page.split("## Keys").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the section");
    let name = |row: &str| row.split('`').nth(1).map(|key| key.trim_matches(['[', ']']).to_owned());
    let listed: BTreeSet<String> = section.lines().filter(|line| line.starts_with("| `")).filter_map(name).collect();
    let known = skilltree_lint::config::rows::keys();
    let known: BTreeSet<String> = known.iter().map(|key| key.name.replace("profile", "profile.NAME")).collect();
    assert_eq!(listed, known);
}

/// Draws the finding that README and the site show, and once more for a phone.
#[test]
fn finding_picture_is_current() {
    const RENAME: [&str; 3] = ["mv", ".agents/skills/pdf/Skill.md", ".agents/skills/pdf/SKILL.md"];
    let repository = common::Repository::new();
    let skill = "---\nname: pdf\ndescription: Fills in PDF forms. Use when a form is due.\n---\nRead the form first.\n";
    repository.write(RENAME[1], skill).skill(".agents/skills", "csv").add();
    let mut screen = String::new();
    for command in ["skilltree".to_owned(), format!("git {} && skilltree", RENAME.join(" "))] {
        if command.starts_with("git") {
            repository.git(&RENAME);
        }
        let run = repository.skilltree(&["check", "--color", "always"]);
        screen.push_str(&format!("\u{1b}[1m$ {command}\u{1b}[0m\n{}{}\n", run.stdout, run.stderr));
    }
    let terminal = anstyle_svg::Term::new().palette(anstyle_svg::WIN10_CONSOLE).min_width_px(1);
    let picture = |text: &str| terminal.render_svg(text);
    assert_data_eq!(picture(screen.trim_end()), file!["../../docs/assets/finding.svg"].raw());
    let narrow: Vec<String> = screen.trim_end().lines().map(|line| wrapped(line, 46)).collect();
    assert_data_eq!(picture(&narrow.join("\n")), file!["../../docs/assets/finding-narrow.svg"].raw());
}

/// Returns a line with colors, wrapped between its words.
fn wrapped(line: &str, width: usize) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let shown = word.split('\u{1b}').enumerate().map(|(at, part)| match at {
            0 => part.chars().count(),
            _ => part.split_once('m').map_or(0, |(_, shown)| shown.chars().count()),
        });
        let length: usize = shown.sum();
        if column > 0 && column + length > width {
            text.push_str("\n    ");
            column = 4;
        }
        text.push_str(word);
        column += length;
    }
    text
}

/// Returns every command and subcommand with its help.
fn commands() -> Vec<site::Command> {
    let help = |words: Vec<String>| {
        let arguments: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let run = common::skilltree(Path::new("."), &arguments, &[]);
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
        site::Command { words, help: run.stdout }
    };
    common::commands().into_iter().map(help).collect()
}
