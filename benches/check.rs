//! Times parsing one skill and linting 1,000 skills in memory: `cargo bench --bench check`.
//! whole.sh times complete commands next to git.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use skilltree_core::config::{self, Config, Inputs};
use skilltree_core::lint;
use skilltree_core::lint::bounds;
use skilltree_core::roots::RootId;
use skilltree_core::skill::{Parsed, parse};
use skilltree_core::snapshot::{Body, File, Names, Origin, Role, Snapshot};
use skilltree_core::text::FileId;

const SKILLS: usize = 1_000;

/// Returns a skill of 5 KB, the median size of public skills. Every fiftieth has the name of the previous one.
fn skill(number: usize) -> File {
    let name = format!("skill-{number}");
    let declared = if number % 50 == 49 { format!("skill-{}", number - 1) } else { name.clone() };
    let paragraph =
        "Read the report, line by line, and write down what every table in it leaves out.\n\n- Then `check` it.\n\n";
    let text = format!(
        "---\nname: {declared}\ndescription: Does the thing that is numbered {number}. Use when that thing is to be done.\n\
         tags: [one, two, three]\nmetadata:\n  author: example\n---\n\n# {name}\n\n{}",
        paragraph.repeat(50)
    );
    let path = format!(".agent/skills/{name}/SKILL.md");
    File::new(path, Role::Skill, Some(RootId(0)), Body::Text(text.into_bytes()))
}

fn snapshot(config: &Config) -> Snapshot {
    let mut files: Vec<File> = (0..SKILLS).map(skill).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let pattern = config.roots.patterns.iter().position(|pattern| pattern.glob == ".agent/skills");
    let number = pattern.expect("`.agent/skills` is a default root");
    let root = config.roots.patterns[number].root(number as u32, b".agent/skills".into());
    Snapshot { origin: Origin::Memory, time: None, roots: vec![root], files }
}

fn one_skill(criterion: &mut Criterion, config: &Config, snapshot: &Snapshot) {
    let file = &snapshot.files[0];
    let Body::Text(text) = &file.body else { unreachable!("`skill` returns text") };
    let mut group = criterion.benchmark_group("one skill");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            parse(
                FileId(0),
                file,
                &snapshot.roots[0],
                Some(Names::new(&snapshot.files, FileId(0))),
                bounds(&config.limits),
            )
        });
    });
    group.finish();
}

fn thousand_skills(criterion: &mut Criterion, config: &Config, snapshot: &Snapshot) {
    let parsed = Parsed::new(snapshot.clone(), bounds(&config.limits));
    let mut group = criterion.benchmark_group("1,000 skills");
    group.throughput(Throughput::Elements(SKILLS as u64));
    group.bench_function("lint", |bencher| {
        bencher.iter_batched(|| parsed.clone(), |parsed| lint(parsed, config), BatchSize::LargeInput);
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let config = config::read(Inputs::default()).expect("the default configuration is valid");
    let snapshot = snapshot(&config);
    one_skill(criterion, &config, &snapshot);
    thousand_skills(criterion, &config, &snapshot);
}

criterion_group!(benches, all);
criterion_main!(benches);
