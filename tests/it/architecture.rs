//! Cargo holds the arrows between crates. Inside a crate, modules of one directory do not use each other in a circle. Comments and
//! tests may refer to anything.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "the test reads the sources of the workspace")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every directory of sources. The pure crates are first.
const SOURCES: [&str; 11] = [
    "crates/front-matter/src",
    "crates/skills/src",
    "crates/runtimes/src",
    "crates/dispatch/src",
    "crates/lint/src",
    "crates/report/src",
    "crates/web/src",
    "crates/git/src",
    "crates/fleet/src",
    "crates/lsp/src",
    "src",
];

/// How many of them have no input and no output.
const PURE: usize = 7;

#[test]
fn has_no_circles_of_modules() {
    let mut seen = 0;
    for directory in SOURCES {
        let source = Source::new(directory);
        for parent in source.parents() {
            let uses = source.uses(&parent);
            seen += uses.len();
            if let Some(circle) = circle(&uses) {
                panic!("{directory}/{}: {} use each other in a circle", parent.join("/"), circle.join(", "));
            }
        }
    }
    assert!(seen > 300, "the test saw {seen} modules only");
}

#[test]
fn finds_a_circle() {
    let uses = |pairs: &[(&str, &str)]| -> Uses {
        let mut uses = Uses::new();
        for (from, to) in pairs {
            uses.entry((*from).to_owned()).or_default().insert((*to).to_owned());
            uses.entry((*to).to_owned()).or_default();
        }
        uses
    };
    assert_eq!(circle(&uses(&[("a", "b"), ("b", "c")])), None);
    assert_eq!(circle(&uses(&[("a", "b"), ("b", "c"), ("c", "b")])), Some(vec!["b".to_owned(), "c".to_owned()]));
}

#[test]
fn keeps_input_and_output_at_the_edges() {
    for directory in &SOURCES[..PURE] {
        for file in files_below(&root().join(directory)) {
            let code = code(&file);
            for word in [
                "gix::",
                "std::fs",
                "std::env",
                "std::process",
                "std::thread",
                "println!",
                "print!",
                "eprint",
                "stdout()",
            ] {
                assert!(!code.contains(word), "{} has `{word}`", file.display());
            }
        }
    }
    for file in files_below(&root().join("src")) {
        assert!(!code(&file).contains("gix::"), "{}: only crates/git uses gitoxide", file.display());
    }
}

#[test]
fn starts_no_program() {
    for directory in SOURCES.into_iter().chain(["python/src"]) {
        for file in files_below(&root().join(directory)) {
            let code = code(&file);
            for word in
                ["process::Command", "CommandExt", "process::{", "process::*", "execve", "posix_spawn", "fork()"]
            {
                assert!(is_test(&file) || !code.contains(word), "{} has `{word}`", file.display());
            }
        }
    }
}

#[test]
fn names_existing_functions_in_the_walkthrough() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut steps = 0;
    for (at, _) in page.match_indices("` (") {
        let (before, rest) = (&page[..at], &page[at + 3..]);
        let files: Vec<&str> = rest.split(')').next().unwrap().split(", ").collect();
        if !files.iter().all(|file| file.ends_with(".rs")) {
            continue;
        }
        let name = before.rsplit(['`', ':']).next().unwrap();
        for file in files {
            let code = fs::read_to_string(root().join(file)).expect(file);
            let is_defined = ["fn ", "struct ", "enum ", "static ", "const "]
                .iter()
                .any(|word| code.contains(&format!("{word}{name}")));
            assert!(is_defined, "{file} has no `{name}`");
        }
        steps += 1;
    }
    assert!(steps > 15, "the walkthrough names functions and their files: {steps}");
}

/// Modules of one directory, and which of their siblings each uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The sources of a crate.
struct Source {
    root: PathBuf,
}

impl Source {
    fn new(directory: &str) -> Self {
        let root = root().join(directory);
        assert!(!children(&root).is_empty(), "{directory} has modules");
        Self { root }
    }

    /// Every module with submodules, as a path from the crate.
    fn parents(&self) -> Vec<Vec<String>> {
        let mut parents = vec![Vec::new()];
        let mut next = 0;
        while next < parents.len() {
            let parent: Vec<String> = parents[next].clone();
            let directory = parent.iter().fold(self.root.clone(), |path, part| path.join(part));
            for child in children(&directory) {
                if directory.join(&child).is_dir() {
                    parents.push(parent.iter().cloned().chain([child]).collect());
                }
            }
            next += 1;
        }
        parents
    }

    /// Which siblings each submodule of a module uses.
    fn uses(&self, parent: &[String]) -> Uses {
        let directory = parent.iter().fold(self.root.clone(), |path, part| path.join(part));
        let siblings = children(&directory);
        let mut uses = Uses::new();
        for sibling in &siblings {
            let mut used = BTreeSet::new();
            let own = directory.join(format!("{sibling}.rs"));
            for file in
                files_below(&directory.join(sibling)).into_iter().chain([own].into_iter().filter(|own| own.is_file()))
            {
                if is_test(file.strip_prefix(&self.root).unwrap()) {
                    continue;
                }
                let depth = file.strip_prefix(&directory).unwrap().components().count();
                let code = code(&file);
                let from_here = "super::".repeat(depth);
                let from_top = format!("crate::{}", parent.iter().map(|part| format!("{part}::")).collect::<String>());
                used.extend(paths(&code, &from_here).into_iter().chain(paths(&code, &from_top)));
            }
            used.retain(|name| name != sibling && siblings.contains(name));
            uses.insert(sibling.clone(), used);
        }
        uses
    }
}

/// A circle of modules: the first one found, in alphabetical order.
fn circle(uses: &Uses) -> Option<Vec<String>> {
    let mut rest: Uses = uses.clone();
    loop {
        let free: Vec<String> = rest
            .iter()
            .filter(|(_, used)| used.iter().all(|name| !rest.contains_key(name)))
            .map(|(name, _)| name.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        free.iter().for_each(|name| drop(rest.remove(name)));
    }
    // What is left uses a circle; what nothing left uses is not in one.
    loop {
        let used: BTreeSet<String> = rest.values().flatten().cloned().collect();
        let before = rest.len();
        rest.retain(|name, _| used.contains(name));
        if rest.len() == before {
            break;
        }
    }
    (!rest.is_empty()).then(|| rest.into_keys().collect())
}

/// The first names of the paths that begin with a prefix, also those in braces.
fn paths(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let is_whole = !code[..at].ends_with("super::")
            && !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        if !is_whole {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(listed(list).into_iter().map(first_name)),
            None => names.push(first_name(rest)),
        }
    }
    names
}

/// The items of a list in braces, up to its closing brace.
fn listed(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            ',' if depth == 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            '}' if depth == 0 => {
                items.push(&text[start..at]);
                return items;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    items
}

fn first_name(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The modules right in a directory.
fn children(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut modules = BTreeSet::new();
    for path in entries {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_module = path.extension().is_some_and(|extension| extension == "rs");
        if is_module && !matches!(name.as_str(), "lib" | "main") {
            modules.insert(name);
        }
    }
    modules
}

/// Every Rust file below a directory.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.extension() {
                Some(extension) if extension == "rs" => files.push(path),
                None => directories.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

fn is_test(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

/// The text of a file without comments and without the test module that ends it.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let end = text.find("\n#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}
