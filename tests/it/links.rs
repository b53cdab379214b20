//! Every link of ours leads somewhere: those of the documentation, and the address of each rule in SARIF.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "the test looks at the files of the package")]

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use skilltree_lint::rules;
use skilltree_report::render;

const HERE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
/// Addresses in outputs are those of the version that wrote them.
const VERSION: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/");

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
    let target = match path.strip_prefix(HERE).or_else(|| path.strip_prefix(VERSION)) {
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
    let directories = [root(), root().join("docs"), root().join("docs/dev"), root().join("docs/rules")];
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
