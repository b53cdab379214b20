//! The order of the modules in src/lib.rs is the architecture: a module uses only what is declared above it. Comments
//! and tests may look anywhere.
#![allow(clippy::disallowed_methods, reason = "the test looks at the sources of the package")]

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn a_module_uses_only_what_is_declared_above_it() {
    let modules = modules();
    for (number, module) in modules.iter().enumerate() {
        for file in files(module) {
            let code = code(&file);
            assert!(!code.contains("crate::{"), "{}: a path a line, so that this test can read it", file.display());
            assert!(!code.contains("super::super::"), "{}: name the module from the top", file.display());
            for path in code.split("crate::").skip(1) {
                let used: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                assert!(modules[..=number].contains(&used), "{} uses `{used}`, which stands below", file.display());
            }
        }
    }
}

#[test]
fn only_a_source_touches_what_is_outside() {
    for module in modules().iter().filter(|module| *module != "source") {
        for file in files(module) {
            let code = code(&file);
            for word in ["gix::", "std::fs", "std::env", "std::process", "println!", "print!", "eprint", "stdout()"] {
                assert!(!code.contains(word), "{} has `{word}`", file.display());
            }
        }
    }
}

#[test]
fn the_command_line_uses_the_public_library_only() {
    let main = code(&source("main.rs"));
    let modules: Vec<&str> = main.lines().filter_map(|line| line.strip_prefix("mod ")).collect();
    assert!(modules.iter().all(|module| *module == "cli;"), "src/main.rs has modules beside `cli`: {modules:?}");
    for file in files("cli").into_iter().chain([source("main.rs")]) {
        assert!(!code(&file).contains("#[path"), "{} takes a module from elsewhere", file.display());
        assert!(!code(&file).contains("include!"), "{} takes code from elsewhere", file.display());
    }
}

#[test]
fn the_walk_through_the_house_names_what_is_there() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let mut steps = 0;
    for (before, rest) in page.match_indices("` (src/").map(|(at, _)| (&page[..at], &page[at + 3..])) {
        let name = before.rsplit(['`', ':']).next().unwrap();
        for file in rest.split(')').next().unwrap().split(", ") {
            let code = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect(file);
            let defined = ["fn ", "struct ", "enum ", "static ", "const "]
                .iter()
                .any(|word| code.contains(&format!("{word}{name}")));
            assert!(defined, "{file} has no `{name}`");
        }
        steps += 1;
    }
    assert!(steps > 15, "the walk names its functions and their files: {steps}");
}

/// The modules of the library in the order of their declaration.
fn modules() -> Vec<String> {
    let library = code(&source("lib.rs"));
    let modules: Vec<String> = library
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    assert!(modules.len() > 10, "src/lib.rs declares its modules a line each: {modules:?}");
    modules
}

/// The files of a module: its own and everything in its directory.
fn files(module: &str) -> Vec<PathBuf> {
    let mut files = vec![source(&format!("{module}.rs"))];
    let mut directories = vec![source(module)];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten() {
            let path = entry.expect("an entry of the directory").path();
            match path.extension() {
                Some(extension) if extension == "rs" => files.push(path),
                None => directories.push(path),
                _ => {}
            }
        }
    }
    files.retain(|file| {
        let below = file.strip_prefix(source("")).expect("below src");
        file.is_file() && !below.iter().any(|part| part == "tests" || part == "tests.rs")
    });
    files
}

/// The text of a file without comments and without the tests at its end.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    lines.filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path)
}
