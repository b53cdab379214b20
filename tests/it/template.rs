//! Prompt templates of a repository: read from the source of the configuration, the same bytes everywhere, and status 2 with
//! a place for forbidden operations.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use crate::common::{Repository, good};
use serde_json::Value;

const TEMPLATE: &str = "{% macro head() %}SKILLS\n{% endmacro %}\
    {% macro skill(skill) %}* {{ skill.name }} at {{ skill.body_path }}\n{% endmacro %}";

fn repository() -> Repository {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one").skill(".agent/skills", "two").write("block.txt", TEMPLATE).commit();
    repository
}

#[test]
fn template_renders_same_bytes_from_every_source() {
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    let mut blocks = Vec::new();
    for source in ["--staged", "--worktree", "--rev=HEAD"] {
        let run =
            repository.skilltree(&["prompt", "--template=block.txt", source, "--out", out.path().to_str().unwrap()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let read = |name: &str| std::fs::read_to_string(out.path().join(name)).unwrap();
        blocks.push((read("available-skills.md"), read("skills.json")));
    }
    let (block, index) = &blocks[0];
    assert_eq!(block, "SKILLS\n* one at .agent/skills/one/SKILL.md\n* two at .agent/skills/two/SKILL.md\n");
    assert!(blocks.iter().all(|other| other == &blocks[0]));
    let index: Value = serde_json::from_str(index).unwrap();
    assert_eq!(index["recipe"]["template"]["path"], "block.txt");
    let fragment = &index["skills"][1]["fragment"];
    let range = fragment["start"].as_u64().unwrap() as usize..fragment["end"].as_u64().unwrap() as usize;
    assert_eq!(&block[range], "* two at .agent/skills/two/SKILL.md\n");
    let small = repository.skilltree(&["prompt", "--template=block.txt", "--budget-bytes=50"]);
    assert_eq!(small.stdout, "SKILLS\n* one at .agent/skills/one/SKILL.md\n");
}

#[test]
fn reads_template_from_source_of_configuration() {
    let repository = repository();
    repository.write("block.txt", "{% macro skill(skill) %}CHANGED\n{% endmacro %}");
    let of =
        |arguments: &[&str]| repository.skilltree(&[&["prompt", "--template=block.txt"], arguments].concat()).stdout;
    assert_eq!(of(&["--worktree"]), "CHANGED\nCHANGED\n");
    assert!(of(&["--staged"]).starts_with("SKILLS\n"));
    assert!(of(&["--worktree", "--config-from=HEAD"]).starts_with("SKILLS\n"));
}

#[test]
fn rejects_invalid_template_and_writes_nothing() {
    let repository = repository();
    repository.write("bad.txt", "{% macro skill(skill) %}\n{{ skill.nmae }}{% endmacro %}");
    let out = tempfile::tempdir().unwrap();
    for (path, message) in [
        ("missing.txt", "the template `missing.txt` does not exist"),
        ("../block.txt", "is not a path inside the repository"),
        ("/etc/passwd", "is not a path inside the repository"),
        (".agent", "is not a regular file"),
        ("bad.txt", "the template bad.txt:2: undefined value"),
    ] {
        let run = repository.skilltree(&["prompt", "--template", path, "--out", out.path().to_str().unwrap()]);
        assert_eq!(run.status, 2, "{path}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{path}: {}", run.stderr);
        assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "{path}");
    }
}

#[test]
fn absent_values_render_empty() {
    let repository = repository();
    let text = "{% macro skill(skill) %}<{{ skill.short_description }}>{% endmacro %}";
    for (path, block) in [("t.txt", "<><>"), ("t.xml", "<><>"), ("t.json", "<null><null>")] {
        repository.write(path, text);
        let run = repository.skilltree(&["prompt", "--template", path]);
        assert_eq!(run.stdout, block, "{path}: {}", run.stderr);
    }
}

/// Comparing lists of lists takes time without end in one step, so a template cannot make any, however it is written.
#[test]
fn rejects_computed_values() {
    let repository = repository();
    let of = |body: &str| {
        repository.write("t.txt", format!("{{% macro skill(skill) %}}\n{body}{{% endmacro %}}"));
        repository.skilltree(&["prompt", "--template=t.txt"])
    };
    let nested = |name: &str| {
        format!("{{% set {name}=['a'] %}}") + &format!("{{% set {name}=[{}] %}}", [name; 8].join(",")).repeat(12)
    };
    let both = nested("x") + &nested("y");
    for (body, token) in [
        (format!("{both}{{% if x == y %}}{{% endif %}}"), "x"),
        (format!("{both}{{{{ x < y }}}}"), "x"),
        ("{% set x = skill.tags %}{{ 1 if x in[x] }}".to_owned(), "x"),
        ("{% set x = skill.tags %}{% set m={x:1} %}{{ m[x] }}".to_owned(), "{"),
        ("{% set x = (skill, skill) %}".to_owned(), ","),
        ("{% set x = skill, skill %}".to_owned(), ","),
        ("{{ 1 if skill in(skill, skill) }}".to_owned(), ","),
        ("{% set x = 1 if false else (skill, skill) %}".to_owned(), ","),
        (r#"{{ "\\" ~ skill.name }}"#.to_owned(), "~"),
        ("{# {{ ' #}{{ skill.name ~ skill.name }}".to_owned(), "~"),
        ("{%- raw %}{{ ' {% endraw %}{{ skill.name ~ skill.name }}".to_owned(), "raw"),
    ] {
        let run = of(&body);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{body}");
        assert!(run.stderr.contains(&format!("`{token}` in line 2")), "{body}: {}", run.stderr);
    }
    let run =
        of("{# [x] #}{% for a in ['~', \"[x, {\\\"+\"] %}{{ a }}{% endfor %}{{ [1, 2][-1] }}{{ skill['name'][:2] }};");
    assert_eq!(run.stdout, "\n~[x, {\"+2on;\n~[x, {\"+2tw;", "{}", run.stderr);
}

#[test]
fn command_line_overrides_configured_template() {
    let repository = repository();
    let other = "{% macro skill(skill) %}OTHER\n{% endmacro %}";
    repository.write("skilltree.toml", "[prompt]\ntemplate = './block.txt'\n").write("other.txt", other).commit();
    let of = |arguments: &[&str]| {
        let run = repository.skilltree(&[&["prompt"], arguments].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout
    };
    for source in ["--staged", "--worktree", "--rev=HEAD"] {
        assert!(of(&[source]).starts_with("SKILLS\n* one"), "{source}");
    }
    let index: Value = serde_json::from_str(&of(&["--format=json"])).unwrap();
    assert_eq!(index["recipe"]["template"]["path"], "block.txt");
    assert_eq!(of(&["--template=other.txt"]), "OTHER\nOTHER\n");
    assert!(of(&["--no-config"]).starts_with("## Available skills\n"));
    assert!(of(&["--profile=agentskills"]).starts_with("<available_skills>"), "a profile is a form");
    assert!(of(&["--format=messages"]).starts_with("{\"role\""), "a message is a form");

    // Both files come from one source: changes in the working tree do not affect a commit.
    repository.write("block.txt", "{% macro skill(skill) %}CHANGED\n{% endmacro %}");
    assert!(of(&["--rev=HEAD"]).starts_with("SKILLS\n"));
    assert_eq!(of(&["--worktree"]), "CHANGED\nCHANGED\n");
    assert!(of(&["--worktree", "--config-from=HEAD"]).starts_with("SKILLS\n"));
    repository.write("skilltree.toml", "[prompt]\ntemplate = 'other.txt'\n");
    assert_eq!(of(&["--worktree"]), "OTHER\nOTHER\n");
    assert!(of(&["--worktree", "--config-from=HEAD"]).starts_with("SKILLS\n"));
}

#[test]
fn rejects_missing_configured_template() {
    let repository = repository();
    for (path, status, message) in [
        ("missing.txt", 2, "the template `missing.txt` (set in skilltree.toml) does not exist"),
        (".agent", 2, "the template `.agent` (set in skilltree.toml) is not a regular file"),
        ("../block.txt", 0, "skilltree.toml:2: `../block.txt` is not a path below the repository root"),
    ] {
        repository.write("skilltree.toml", format!("[prompt]\ntemplate = '{path}'\n"));
        let run = repository.skilltree(&["prompt"]);
        assert_eq!((run.status, run.stdout.is_empty()), (status, status == 2), "{path}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{path}: {}", run.stderr);
    }
    let check = repository.skilltree(&["check", "--format=concise"]);
    assert!(
        check.status == 1 && check.stdout.starts_with("skilltree.toml:2:12: error[invalid-configuration]"),
        "{}",
        check.stdout
    );
}

/// `check` finds the error that would stop `prompt`.
#[test]
fn check_reports_configured_template_that_renders_no_block() {
    let repository = repository();
    repository.write("skilltree.toml", "[prompt]\ntemplate = 't.md'\n");
    let check = |words: &[&str]| repository.skilltree(&[&["check", "--format=concise"], words].concat());
    let broken = [
        ("{% macro skill(skill) %}\n{{ skill.nmae }}{% endmacro %}", "t.md:2: undefined value"),
        ("{% macro skill(skill) %}\n{{ skill.name", "t.md:2: syntax error"),
        ("{% macro head() %}x{% endmacro %}", "the macro `skill(skill)` is missing"),
    ];
    for (text, message) in broken {
        repository.write("t.md", text);
        let run = check(&[]);
        assert_eq!(run.status, 1, "{text}: {}{}", run.stdout, run.stderr);
        assert!(
            run.stdout.starts_with("skilltree.toml:2:13: error[invalid-configuration] the template t.md"),
            "{text}: {}",
            run.stdout
        );
        assert!(run.stdout.contains(message), "{text}: {}", run.stdout);
        assert_eq!(repository.skilltree(&["prompt"]).status, 2, "{text}");
    }
    // The base has the same settings, and another template.
    repository.write("t.md", "{% macro skill(skill) %}{{ skill.name }}{% endmacro %}").commit();
    assert_eq!(check(&[]).status, 0);
    repository.write("t.md", broken[0].0);
    assert_eq!(check(&["--base", "HEAD"]).status, 1);
    repository.commit();
    assert_eq!(check(&["--base", "HEAD"]).status, 0, "the base has the error too");
}

/// Everything that a block consists of: text of the template, escapes in its constants, and values.
#[test]
fn template_cannot_print_hidden_characters() {
    let repository = repository();
    repository.write("skilltree.toml", "[prompt]\ntemplate = 't.md'\n");
    for character in ['\u{e0069}', '\u{202e}', '\u{1b}', '\u{200b}', '\u{2028}', '\r'] {
        for text in [
            format!("{{% macro head() %}}\nx{character}{{% endmacro %}}{{% macro skill(skill) %}}x{{% endmacro %}}"),
            format!("{{% macro skill(skill) %}}\n{{{{ 'x{character}' }}}}{{% endmacro %}}"),
        ] {
            repository.write("t.md", &text).add();
            let code = format!("U+{:04X}", u32::from(character));
            let check = repository.skilltree(&["check", "--staged", "--format=concise"]);
            let place = if text.contains("head") { "t.md:2:2" } else { "t.md:2:6" };
            let finding = format!(
                "{place}: error[invalid-configuration] the template contains the hidden or control character {code}"
            );
            assert_eq!(check.status, 1, "{code}: {}", check.stderr);
            assert!(check.stdout.contains(&finding), "{code}: {}", check.stdout);
            let run = repository.skilltree(&["prompt", "--staged"]);
            assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{code}");
            assert!(
                run.stderr.contains(&format!("line 2 contains the hidden or control character {code}")),
                "{}",
                run.stderr
            );
        }
    }
    for escape in [r"\u202e", r"\x1b", r"\033", r"\r", r"\b", r"\udb40\udc69"] {
        repository.write("t.md", format!("{{% macro skill(skill) %}}\n{{{{ 'x{escape}' }}}}{{% endmacro %}}")).add();
        let run = repository.skilltree(&["prompt", "--staged"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{escape}");
        assert!(run.stderr.contains("in line 2 is not supported"), "{escape}: {}", run.stderr);
    }
    repository.write("t.md", "{% macro skill(skill) %}\r\n{{ '\\n\\t\\'' }}⚠\u{fe0f}{% endmacro %}").add();
    assert_eq!(repository.skilltree(&["check", "--staged"]).status, 0);
    assert_eq!(repository.skilltree(&["prompt", "--staged"]).stdout, "\n\n\t'⚠\u{fe0f}\n\n\t'⚠\u{fe0f}");
}

/// Literal text counts like values, so loops over it stop too.
#[test]
fn template_output_is_limited() {
    let repository = repository();
    let literal = "x".repeat(15_000);
    let looped = format!(
        "{{% macro skill(skill) %}}{{% for a in skill.description %}}{{% for b in skill.description %}}{literal}{{% endfor %}}{{% endfor %}}{{% endmacro %}}"
    );
    repository.write("t.md", &looped);
    let run = repository.skilltree(&["prompt", "--template=t.md"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("is larger than 1 MiB"), "{}", run.stderr);

    // Each skill stays below its limit; together they exceed the limit of the block.
    for number in 0..30 {
        repository.skill(".agent/skills", &format!("skill-{number}"));
    }
    let items = vec!["1"; 60].join(",");
    repository.write(
        "t.md",
        format!("{{% macro skill(skill) %}}{{% for a in [{items}] %}}{literal}{{% endfor %}}{{% endmacro %}}"),
    );
    let run = repository.skilltree(&["prompt", "--template=t.md"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("the block is larger than 16,777,216 bytes"), "{}", run.stderr);
    let few = repository.skilltree(&["prompt", "--template=t.md", "--budget-skills=10"]);
    assert_eq!((few.status, few.stdout.len()), (0, 10 * 60 * 15_000), "{}", few.stderr);
}

#[test]
fn template_has_bodies_and_separators() {
    let repository = repository();
    repository.write(".agent/skills/two/SKILL.md", good("two") + "\n```\n\"# <x>\"\n");
    repository.write(
        "t.json",
        "{% macro head() %}[{% endmacro %}{% macro separator() %}, {% endmacro %}{% macro tail() %}]\n{% endmacro %}\
         {% macro skill(skill) -%}\n  {\"name\": {{ skill.name }}, \"chars\": {{ skill.body.chars }}, \"body\": {{ skill.body }}}\n{%- endmacro %}",
    );
    let run = repository.skilltree(&["prompt", "--template=t.json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let list: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2, "{}", run.stdout);
    for (skill, name) in list.as_array().unwrap().iter().zip(["one", "two"]) {
        let file = std::fs::read_to_string(repository.path().join(format!(".agent/skills/{name}/SKILL.md"))).unwrap();
        let (_, body) = file.split_once("\n---\n").unwrap();
        assert_eq!(skill["body"], body);
        assert_eq!(skill["chars"], body.trim().chars().count());
    }
    repository.write(".agent/skills/two/SKILL.md", good("two") + "\u{1b}[31m\n");
    let run = repository.skilltree(&["prompt", "--template=t.json"]);
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap().as_array().unwrap().len(), 1);
    assert!(run.stderr.contains("contains the hidden or control character U+001B"), "{}", run.stderr);
    repository.write("t.txt", "{% macro skill(skill) %}{{ skill.name }}{% endmacro %}");
    assert_eq!(repository.skilltree(&["prompt", "--template=t.txt"]).stdout, "onetwo", "no body, nothing hidden");
}
