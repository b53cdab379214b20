//! Law: the work grows linearly in each dimension of a repository. Work is what a source is asked for: calls, and the entries of
//! listings. It is the same in each run, whatever the load of the machine is.

use std::sync::Arc;

use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{Content, Source};

use super::generate::{Files, add};
use super::store::{Fault, Tree};
use super::{on_threads, verdict};
use crate::common::good;

/// A dimension: its name, and a repository with so many.
type Dimension = (&'static str, fn(usize) -> Vec<(String, Content)>);

fn file(path: String, text: impl Into<Vec<u8>>) -> (String, Content) {
    (path, Content::File(text.into()))
}

fn skill(directory: &str, name: &str, more: &str) -> (String, Content) {
    file(format!("{directory}/{name}/SKILL.md"), good(name) + more)
}

fn each(count: usize, one: impl Fn(usize) -> (String, Content)) -> Vec<(String, Content)> {
    (0..count).map(one).collect()
}

fn with(mut files: Vec<(String, Content)>, more: (String, Content)) -> Vec<(String, Content)> {
    files.push(more);
    files
}

const DIMENSIONS: [Dimension; 20] = [
    ("skills", |n| each(n, |i| skill(".agent/skills", &format!("s{i}"), ""))),
    ("skills that link to each other", |n| {
        each(n, |i| skill(".agent/skills", &format!("s{i}"), &format!("[next](../s{}/SKILL.md)\n", (i + 1) % n)))
    }),
    ("skills directories", |n| each(n, |i| skill(&format!("p{i}/.claude/skills"), &format!("s{i}"), ""))),
    ("copies", |n| each(n, |i| skill(&format!("p{i}/.claude/skills"), "same", ""))),
    ("reference files", |n| {
        let links: String = (0..n).map(|i| format!("[{i}](references/r{i}.md)\n")).collect();
        let pages = each(n, |i| file(format!(".agent/skills/a/references/r{i}.md"), format!("# {i}\n")));
        with(pages, skill(".agent/skills", "a", &links))
    }),
    ("broken links", |n| {
        vec![skill(".agent/skills", "a", &(0..n).map(|i| format!("[{i}](gone/r{i}.md)\n")).collect::<String>())]
    }),
    ("files that nothing names", |n| {
        with(each(n, |i| file(format!(".agent/skills/a/data/f{i}"), "x")), skill(".agent/skills", "a", ""))
    }),
    ("scripts", |n| {
        let calls: String = (0..n).map(|i| format!("Run `scripts/r{i}.sh`.\n")).collect();
        let scripts = each(n, |i| file(format!(".agent/skills/a/scripts/r{i}.sh"), "echo x\n"));
        with(scripts, skill(".agent/skills", "a", &calls))
    }),
    ("links to one directory", |n| {
        let links = each(n, |i| (format!(".agent/skills/l{i}"), Content::Link("../../shared/a".into())));
        with(links, skill("shared", "a", ""))
    }),
    ("plugins", |n| {
        let mut files = each(n, |i| file(format!("p{i}/.claude-plugin/plugin.json"), format!("{{\"name\":\"p{i}\"}}")));
        files.extend(each(n, |i| skill(&format!("p{i}/skills"), "a", "")));
        files
    }),
    ("plugins of a marketplace", |n| {
        let list: Vec<String> = (0..n).map(|i| format!(r#"{{"name":"p{i}","source":"./p{i}"}}"#)).collect();
        let text = format!(r#"{{"name":"m","owner":{{"name":"o"}},"plugins":[{}]}}"#, list.join(","));
        let skills = each(n, |i| skill(&format!("p{i}/skills"), "a", ""));
        with(skills, file(".claude-plugin/marketplace.json".into(), text))
    }),
    ("agents", |n| {
        let text = "---\nname: a\ndescription: d\nskills: [a]\n---\n";
        with(each(n, |i| file(format!(".claude/agents/a{i}.md"), text)), skill(".claude/skills", "a", ""))
    }),
    ("commands", |n| {
        let commands = each(n, |i| file(format!(".claude/commands/c{i}.md"), "Run !`npm test`.\n"));
        with(commands, skill(".claude/skills", "a", ""))
    }),
    ("agents and commands of plugins", |n| {
        let mut files = each(n, |i| file(format!("p{i}/.claude-plugin/plugin.json"), r#"{"name":"p"}"#));
        files.extend(each(n, |i| file(format!("p{i}/agents/a.md"), "---\nname: a\ntools: [\n---\n")));
        files.extend(each(n, |i| file(format!("p{i}/commands/a.md"), "!`npm test`\n")));
        with(files, skill("p0/skills", "a", ""))
    }),
    ("scripts of hooks", |n| {
        let hook =
            |i| format!(r#"{{"hooks":[{{"type":"command","command":"${{CLAUDE_PLUGIN_ROOT}}/scripts/s{i}.sh"}}]}}"#);
        let hooks: Vec<String> = (0..n).map(hook).collect();
        let mut files = each(n, |i| file(format!("p/scripts/s{i}.sh"), "#!/bin/sh\n"));
        files.push(file("p/hooks/hooks.json".into(), format!(r#"{{"hooks":{{"Stop":[{}]}}}}"#, hooks.join(","))));
        files.push(file("p/.claude-plugin/plugin.json".into(), r#"{"name":"p"}"#));
        with(files, skill("p/skills", "a", ""))
    }),
    ("names of one installed skill", |n| {
        let hash = "0".repeat(64);
        let names: Vec<String> =
            (0..n).map(|i| format!(r#""a{}":{{"computedHash":"{hash}"}}"#, "-".repeat(i + 1))).collect();
        let mut files = each(n, |i| file(format!(".claude/skills/a/data/f{i}"), "x"));
        files.push(file("skills-lock.json".into(), format!(r#"{{"skills":{{{}}}}}"#, names.join(","))));
        with(files, skill(".claude/skills", "a", ""))
    }),
    ("packages of npm", |n| {
        let package = r#"{"name":"n","pi":{"skills":["./skills"]}}"#;
        let mut files = each(n, |i| file(format!("p{i}/package.json"), package));
        files.extend(each(n, |i| file(format!("p{i}/.npmignore"), "dist\n")));
        files.extend(each(n, |i| skill(&format!("p{i}/skills"), "a", "")));
        files
    }),
    ("levels", |n| {
        vec![skill(&format!("{}.claude/skills", "d/".repeat(n / 4)), "a", ""), skill(".agent/skills", "b", "")]
    }),
    ("directories without skills", |n| {
        with(each(n, |i| file(format!("src/m{i}/x.rs"), "x")), skill(".agent/skills", "a", ""))
    }),
    ("ignores and requirements", |n| {
        let one = |i| {
            format!(
                "[[ignore]]\nrule = \"empty-body\"\npath = \"p{i}\"\nreason = \"r\"\n[[require]]\nid = \"r{i}\"\nkeys = [\"k{i}\"]\n"
            )
        };
        let text: String = (0..n / 8).map(one).collect();
        vec![file("skilltree.toml".into(), text), skill(".agent/skills", "a", "")]
    }),
];

/// Returns the work of a check.
fn work(files: Vec<(String, Content)>, fault: Fault) -> usize {
    let mut all = Files::new();
    for (path, content) in files {
        assert!(add(&mut all, &path, content), "{path} is there already");
    }
    let tree = Arc::new(Tree::new(&all, fault));
    let source = Source::new(Origin::Memory, None, Arc::<Tree>::clone(&tree), None);
    let verdict = on_threads(1, || verdict(&source));
    assert_eq!(verdict.failure, None);
    assert!(!verdict.skills.is_empty());
    tree.work()
}

/// Returns the dimensions in which twice as much takes more than twice the work.
fn steep(fault: Fault) -> Vec<String> {
    let measured = DIMENSIONS.iter().map(|(name, files)| (name, [1, 50, 100, 200].map(|n| work(files(n), fault))));
    // The start is the same for each size.
    let is_steep = |work: &[usize; 4]| {
        work[3] - work[0] > (work[2] - work[0]) * 21 / 10 + 20 || work[2] > (work[1] * 21 / 10) + 20
    };
    measured
        .filter(|(_, work)| is_steep(work))
        .map(|(name, work)| format!("{name}: 1, 50, 100, 200: {work:?}"))
        .collect()
}

#[test]
fn work_grows_linearly_in_each_dimension() {
    assert_eq!(steep(Fault::None), [""; 0]);
}

#[test]
fn growth_fails_if_a_file_costs_as_much_as_the_others() {
    assert!(steep(Fault::ListsForEachFile).len() > 4, "{:?}", steep(Fault::ListsForEachFile));
}
