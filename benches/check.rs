//! Times parsing one skill and linting 1,000 skills in memory: `cargo bench --bench check`.
//! whole.sh times complete commands next to git.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use skilltree_front_matter::text::FileId;
use skilltree_lint::config::{self, Config, Inputs};
use skilltree_lint::lint;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Parsed, parse};
use skilltree_skills::snapshot::{Body, File, Names, Origin, Role};
use skilltree_skills::source::{self, Content, Entry};

const SKILLS: usize = 1_000;

/// Returns a skill of 5 KB, the median size of public skills. Every fiftieth has the name of the previous one.
fn skill(number: usize) -> Entry {
    let name = format!("skill-{number}");
    let declared = if number % 50 == 49 { format!("skill-{}", number - 1) } else { name.clone() };
    let paragraph =
        "Read the report, line by line, and write down what every table in it leaves out.\n\n- Then `check` it.\n\n";
    let text = format!(
        "---\nname: {declared}\ndescription: Does the thing that is numbered {number}. Use when that thing is to be done.\n\
         tags: [one, two, three]\nmetadata:\n  author: example\n---\n\n# {name}\n\n{}",
        paragraph.repeat(50)
    );
    Entry { path: format!(".agent/skills/{name}/SKILL.md").into(), content: Content::File(text.into_bytes()) }
}

fn one_skill(criterion: &mut Criterion, config: &Config, parsed: &Parsed) {
    let Entry { path, content: Content::File(text) } = skill(0) else { unreachable!("`skill` returns text") };
    let bytes = text.len() as u64;
    let file = File::new(path, Role::Skill, Some(RootId(0)), Body::Text(text));
    let mut group = criterion.benchmark_group("one skill");
    group.throughput(Throughput::Bytes(bytes));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            parse(FileId(0), &file, &parsed.roots[0], Some(Names::new(&parsed.files)), config.limits.bounds())
        });
    });
    group.finish();
}

fn thousand_skills(criterion: &mut Criterion, config: &Config, parsed: &Parsed) {
    let mut group = criterion.benchmark_group("1,000 skills");
    group.throughput(Throughput::Elements(SKILLS as u64));
    group.bench_function("lint", |bencher| {
        bencher.iter_batched(|| parsed.clone(), |parsed| lint(parsed, config), BatchSize::LargeInput);
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let config = config::read(Inputs::default()).expect("the default configuration is valid");
    let source = source::memory(Origin::Memory, (0..SKILLS).map(skill).collect());
    let parsed = source.read(&config.roots, config.limits.bounds()).expect("files in memory can be read");
    one_skill(criterion, &config, &parsed);
    thousand_skills(criterion, &config, &parsed);
}

criterion_group!(benches, all);
criterion_main!(benches);
