//! How long it takes to parse a skill, and to judge a thousand of them side by side, without any reading:
//! `cargo bench --bench judge`. Whole commands beside git are timed by whole.sh.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use skilltree::config::{self, Config, Inputs};
use skilltree::judge;
use skilltree::lint::bounds;
use skilltree::roots::RootId;
use skilltree::skill::{Parsed, parse};
use skilltree::snapshot::{Body, File, Names, Origin, Role, Snapshot};
use skilltree::text::FileId;

const SKILLS: usize = 1_000;

/// A skill of 5 KB, the median of real ones. One in fifty is named after the one before it.
fn skill(number: usize) -> File {
    let name = format!("skill-{number}");
    let said = if number % 50 == 49 { format!("skill-{}", number - 1) } else { name.clone() };
    let paragraph =
        "Read the report, line by line, and write down what every table in it leaves out.\n\n- Then `check` it.\n\n";
    let text = format!(
        "---\nname: {said}\ndescription: Does the thing that is numbered {number}. Use when that thing is to be done.\n\
         tags: [one, two, three]\nmetadata:\n  author: somebody\n---\n\n# {name}\n\n{}",
        paragraph.repeat(50)
    );
    let path = format!(".agent/skills/{name}/SKILL.md");
    File::new(path, Role::Skill, Some(RootId(0)), Body::Text(text.into_bytes()))
}

fn snapshot(config: &Config) -> Snapshot {
    let mut files: Vec<File> = (0..SKILLS).map(skill).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let pattern = config.roots.patterns.iter().position(|pattern| pattern.glob == ".agent/skills");
    let number = pattern.expect("it is one of the roots that are always read");
    let root = config.roots.patterns[number].root(number as u32, b".agent/skills".into());
    Snapshot { origin: Origin::Memory, time: None, roots: vec![root], files }
}

fn one_skill(criterion: &mut Criterion, config: &Config, snapshot: &Snapshot) {
    let file = &snapshot.files[0];
    let Body::Text(text) = &file.body else { unreachable!("it was made of text") };
    let mut group = criterion.benchmark_group("one skill");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            parse(FileId(0), file, &snapshot.roots[0], Names::new(&snapshot.files, FileId(0)), bounds(&config.limits))
        });
    });
    group.finish();
}

fn a_thousand_skills(criterion: &mut Criterion, config: &Config, snapshot: &Snapshot) {
    let parsed = Parsed::new(snapshot.clone(), bounds(&config.limits));
    let mut group = criterion.benchmark_group("a thousand skills");
    group.throughput(Throughput::Elements(SKILLS as u64));
    group.bench_function("judge", |bencher| {
        bencher.iter_batched(|| parsed.clone(), |parsed| judge(parsed, config), BatchSize::LargeInput);
    });
    group.finish();
}

fn both(criterion: &mut Criterion) {
    let config = config::read(Inputs::default()).expect("without any file there is nothing to misunderstand");
    let snapshot = snapshot(&config);
    one_skill(criterion, &config, &snapshot);
    a_thousand_skills(criterion, &config, &snapshot);
}

criterion_group!(benches, both);
criterion_main!(benches);
