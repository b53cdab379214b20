//! Times the physical limit of a check: decompressing every Markdown file of the skills and computing its SHA-1, on all processors
//! and with the same crates, and nothing else. `cargo bench --bench floor -- REPOSITORY [RUNS]`
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark reads its own CPU time, and prints")]

use std::path::PathBuf;
use std::time::Instant;

use skilltree_git::{Environment, Revision};
use skilltree_lint::config::{self, Inputs};
use skilltree_skills::snapshot::{Body, File, Role};

/// Files that are read together: their texts are in memory at the same time.
const FILES: usize = 1_024;

/// Returns the CPU time of this process in ticks, of which Linux has 100 per second.
fn ticks() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(") ").next().unwrap_or_default();
    after_name.split(' ').skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum()
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(repository) = arguments.next().map(PathBuf::from) else { return };
    let runs: u32 = arguments.next().and_then(|runs| runs.parse().ok()).unwrap_or(10);
    let config = config::read(Inputs::default()).expect("the default configuration is valid");
    let revision = Revision::Tree("HEAD".to_owned());
    let source = skilltree_git::open(&repository, &revision, &Environment::default()).expect("it has a HEAD");
    let parsed = source.read(&config.roots, config.limits.bounds()).expect("it can be read");
    let is_read = |file: &&File| {
        let is_text = file.role == Role::Skill || file.path.to_ascii_lowercase().ends_with(b".md");
        is_text && file.body == Body::NotRead
    };
    let files: Vec<File> = parsed.files.iter().filter(is_read).cloned().collect();
    let mut bytes = 0;
    let (start, before) = (Instant::now(), ticks());
    for _ in 0..runs {
        for chunk in files.chunks(FILES) {
            bytes += source.bodies(chunk).expect("it can be read").iter().map(Vec::len).sum::<usize>();
        }
    }
    let (wall, work) = (start.elapsed().as_secs_f64() * 1e3, (ticks() - before) as f64 * 10.0);
    let runs = f64::from(runs);
    println!(
        "{} files, {:.1} MB: {:.1} ms, {:.1} ms CPU",
        files.len(),
        bytes as f64 / 1e6 / runs,
        wall / runs,
        work / runs
    );
}
