//! Every link of ours leads somewhere: those of the documentation, and the addresses that the program prints.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "the test looks at the files of the package")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use regex::Regex;
use skilltree_lint::rules;
use skilltree_report::render::{self, Format};

use crate::common::Repository;

const HERE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
/// Addresses in outputs are those of the version that wrote them.
const VERSION: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/");
/// Schemas are read by programs.
const RAW: [&str; 2] = [
    concat!(env!("CARGO_PKG_REPOSITORY"), "/raw/main/"),
    "https://raw.githubusercontent.com/skilltree-dev/skilltree/main/",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The pages of a directory.
fn pages(directory: &Path) -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// The anchors that GitHub gives the headings of a page.
fn anchors(page: &str) -> Vec<String> {
    let (mut anchors, mut heading) = (Vec::new(), None);
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take()),
            Event::Text(text) | Event::Code(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
            _ => {}
        }
    }
    let slug = |heading: String| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|character| character.is_alphanumeric() || matches!(character, '-' | '_')).collect()
    };
    anchors.into_iter().map(slug).collect()
}

/// Problem of a link of a page.
fn broken(page: &Path, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let target = match [HERE, VERSION].iter().chain(&RAW).find_map(|prefix| path.strip_prefix(prefix)) {
        Some(ours) => root().join(ours),
        None if path.contains("://") || path.starts_with("mailto:") => return None,
        None if path.is_empty() => page.to_owned(),
        None => page.parent().unwrap().join(path),
    };
    let says = |what: &str| Some(format!("{}: `{link}` {what}", page.display()));
    if !target.exists() {
        return says("leads to nothing");
    }
    let has_anchor = || anchors(&fs::read_to_string(&target).unwrap()).iter().any(|known| known == anchor);
    if anchor.is_empty() || has_anchor() { None } else { says("leads to no heading") }
}

#[test]
fn rule_addresses_are_pages() {
    for rule in rules::ALL {
        assert_eq!(broken(&root(), &render::rule_url(rule)), None);
        assert!(render::rule_url(rule).starts_with(VERSION), "{}", rule.id());
    }
    assert!(broken(&root(), &format!("{VERSION}docs/rules/no-such-rule.md")).is_some());
}

#[test]
fn documentation_links_resolve() {
    let mut found = Vec::new();
    let mut links = 0;
    let directories = ["", "docs", "docs/contribute", "docs/dev", "docs/rules"].map(|directory| root().join(directory));
    for page in directories.iter().flat_map(|directory| pages(directory)) {
        let text = fs::read_to_string(&page).unwrap();
        for event in Parser::new(&text) {
            if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
                links += 1;
                found.extend(broken(&page, &dest_url));
            }
        }
    }
    assert_eq!(found, [""; 0]);
    assert!(links > rules::ALL.len(), "the pages have links");
}

/// Addresses of files of this project in a text.
fn addresses(text: &str) -> Vec<String> {
    let pattern = Regex::new(r#"https://[a-z.]+/skilltree-dev/skilltree/[^\s"'<>`)\]]+"#).unwrap();
    pattern.find_iter(text).map(|found| found.as_str().to_owned()).collect()
}

/// Returns what the program prints and writes: findings in every format, schemas, the files of `init`, a prompt artifact.
fn printed() -> Vec<String> {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one");
    repository
        .write(".agent/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Use when: asked.\n---\nRead it.\n")
        .add();
    let formats = Format::NAMES.iter().map(|(name, _)| vec!["check", "--format", name]);
    let names = repository.skilltree(&["schema"]).stdout;
    let schemas = names.lines().map(|name| vec!["schema", name]);
    let others = [vec!["explain", "invalid-yaml"], vec!["init", "--workflow"], vec!["prompt", "--out", "prompt"]];
    let mut texts = Vec::new();
    for arguments in formats.chain(schemas).chain(others) {
        let run = repository.skilltree(&arguments);
        assert!(run.status < 2, "{arguments:?}: {}", run.stderr);
        texts.extend([run.stdout, run.stderr]);
    }
    for written in ["skilltree.toml", ".github/workflows/skills.yml", "prompt/statement.json"] {
        texts.push(fs::read_to_string(repository.path().join(written)).unwrap());
    }
    texts
}

#[test]
fn printed_addresses_are_files() {
    let found: BTreeSet<String> = printed().iter().flat_map(|text| addresses(text)).collect();
    let broken: Vec<String> = found.iter().filter_map(|address| broken(&root(), address)).collect();
    assert_eq!(broken, [""; 0]);
    let known = |prefix: &str| found.iter().any(|address| address.starts_with(prefix));
    assert!(found.len() > rules::ALL.len() && [HERE, VERSION].into_iter().chain(RAW).all(known), "{found:?}");
    let elsewhere =
        found.iter().filter(|address| ![HERE, VERSION].iter().chain(&RAW).any(|prefix| address.starts_with(prefix)));
    assert_eq!(elsewhere.collect::<Vec<_>>(), [""; 0]);
}
