//! Skills that several paths reach: the check and the forecast take the best fate of all paths.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests fail by panicking, and make files")]

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::common::{Repository, git, good, link, skilltree};

/// A layout: the directory of the skill, a link and its target, the manifest of a plugin, the runtime.
struct Layout {
    original: &'static str,
    link: &'static str,
    target: &'static str,
    files: &'static [(&'static str, &'static str)],
    runtime: &'static str,
}

const PLUGIN: (&str, &str) = (".claude-plugin/plugin.json", r#"{"name": "p"}"#);

const MARKETPLACE: (&str, &str) = (
    ".claude-plugin/marketplace.json",
    r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": "./tools/p"}]}"#,
);

const ROOTS: (&str, &str) = ("skilltree.toml", "[[root]]\npath = 'skills'\n[[root]]\npath = 'skills/.curated'\n");

/// In each, the runtime finds the skill only through the link.
const LAYOUTS: &[Layout] = &[
    Layout {
        original: ".agents/skills/sort",
        link: ".claude/skills/sort",
        target: "../../.agents/skills/sort",
        files: &[],
        runtime: "claude-code",
    },
    Layout {
        original: ".agents/skills/mail/sort",
        link: ".claude/skills/sort",
        target: "../../.agents/skills/mail/sort",
        files: &[],
        runtime: "claude-code",
    },
    Layout {
        original: ".agents/skills/mail/sort",
        link: ".gemini/skills/sort",
        target: "../../.agents/skills/mail/sort",
        files: &[],
        runtime: "gemini-cli",
    },
    Layout {
        original: ".claude/skills/mail/sort",
        link: ".claude/skills/sort",
        target: "mail/sort",
        files: &[],
        runtime: "claude-code",
    },
    Layout {
        original: ".claude/skills/mail/sort",
        link: ".claude/skills/sort/SKILL.md",
        target: "../mail/sort/SKILL.md",
        files: &[],
        runtime: "claude-code",
    },
    Layout {
        original: "skills/mail/sort",
        link: "skills/sort",
        target: "mail/sort",
        files: &[PLUGIN],
        runtime: "claude-code",
    },
    Layout {
        original: "skills/.curated/sort",
        link: "skills/sort",
        target: ".curated/sort",
        files: &[ROOTS],
        runtime: "openclaw",
    },
    // Next to other skills, a directory that holds nothing but links.
    Layout {
        original: "shared/sort",
        link: "web/.claude/skills/sort",
        target: "../../../shared/sort",
        files: &[],
        runtime: "claude-code",
    },
    Layout {
        original: "shared/sort",
        link: "skills/sort",
        target: "../shared/sort",
        files: &[PLUGIN],
        runtime: "claude-code",
    },
    Layout {
        original: "shared/sort",
        link: "tools/p/skills/sort",
        target: "../../../shared/sort",
        files: &[MARKETPLACE],
        runtime: "claude-code",
    },
    Layout {
        original: "shared/skills/sort",
        link: "tools/p",
        target: "../shared",
        files: &[MARKETPLACE],
        runtime: "claude-code",
    },
];

fn write(layout: &Layout) -> Repository {
    let repository = Repository::new();
    repository.write(&format!("{}/SKILL.md", layout.original), good("sort"));
    for (path, text) in layout.files {
        repository.write(path, text);
    }
    let link = repository.path().join(layout.link);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(layout.target, link).unwrap();
    repository.commit();
    repository
}

#[test]
fn takes_the_best_fate_of_all_paths() {
    for layout in LAYOUTS {
        let repository = write(layout);
        let link = layout.link;
        let bare = tempfile::tempdir().unwrap();
        let from = repository.path().to_str().unwrap();
        git(bare.path(), &["clone", "--quiet", "--bare", from, "."], &[]);
        let check = |directory, source: &[&str]| {
            let run =
                skilltree(directory, &[&["check", "--format=json", "--target", layout.runtime], source].concat(), &[]);
            serde_json::from_str::<Value>(&run.stdout).unwrap_or_else(|_| panic!("{link}: {}", run.stderr))
        };
        let sources: [(_, &[&str]); 4] = [
            (repository.path(), &["--worktree"]),
            (repository.path(), &["--staged"]),
            (repository.path(), &["--rev", "HEAD"]),
            (bare.path(), &["--rev", "HEAD"]),
        ];
        for (directory, source) in sources {
            let report = check(directory, source);
            let findings = report["findings"].as_array().unwrap().iter();
            let rules: Vec<&str> = findings.map(|finding| finding["rule"].as_str().unwrap()).collect();
            let is_about_loss = |rule: &&str| matches!(*rule, "target-drops-skill" | "unread-root");
            assert!(!rules.iter().any(is_about_loss), "{link}, {source:?}: {rules:?}");
            let runtime = &report["runtimes"][0];
            let counts = ["skills", "loaded", "dropped", "not_read"].map(|key| runtime[key].as_u64().unwrap());
            assert_eq!(counts, [1, 1, 0, 0], "{link}, {source:?}");
        }
        let text = repository.skilltree(&["forecast", layout.runtime]).stdout;
        assert!(text.contains("1 of 1 loaded\n") && !text.contains("dropped"), "{link}: {text}");
        let json = repository.skilltree(&["forecast", "--format=json", layout.runtime]).stdout;
        let forecast: Value = serde_json::from_str(&json).unwrap();
        for skill in forecast["skills"].as_array().unwrap() {
            assert_eq!(skill["forecasts"][0]["outcome"], "loads", "{link}: {skill}");
        }
    }
}

/// Next to skills, too, a directory that holds nothing but broken links is looked at.
#[test]
fn reports_broken_links_in_directories_without_skills() {
    for (link, files) in [
        ("web/.claude/skills/sort", &[][..]),
        ("skills/sort", &[]),
        ("plugins/p/skills/sort", &[]),
        ("tools/p/skills/sort", &[MARKETPLACE]),
    ] {
        let layout = Layout { original: ".claude/skills/other", link, target: "../gone", files, runtime: "" };
        let repository = write(&layout);
        for source in [&["--worktree"][..], &["--staged"], &["--rev", "HEAD"]] {
            let run = repository.skilltree(&[&["check", "--format=concise"], source].concat());
            let is_found = run.stdout.contains(&format!("{link}:1:1: error[broken-skill-link]"));
            assert!(run.status == 1 && is_found, "{link}, {source:?}: {}{}", run.stdout, run.stderr);
        }
    }
}

/// A directory is only left unread for the skills that no link leads to.
#[test]
fn reports_skill_that_no_link_leads_to() {
    let repository = write(&LAYOUTS[0]);
    repository.skill(".agents/skills", "other").add();
    let run = repository.skilltree(&["check", "--target", "claude-code"]);
    assert!(run.stdout.contains("note[unread-root]: Claude Code does not read `.agents/skills`"), "{}", run.stdout);
    assert!(run.stderr.contains("  Claude Code  1 of 2 loaded: 1 in .agents/skills not read\n"), "{}", run.stderr);
    let forecast = repository.skilltree(&["forecast", "claude-code"]).stdout;
    assert!(forecast.starts_with("Claude Code  1 of 2 loaded: 1 in .agents/skills not read\n"), "{forecast}");
}

/// Cursor and Deep Agents see neither path: one finding about one skill, at the file itself.
#[test]
fn reports_loss_of_every_path_once() {
    let repository = write(&LAYOUTS[4]);
    let run = repository.skilltree(&["check", "--format=concise"]);
    let losses: Vec<&str> = run.stdout.lines().filter(|line| line.contains("target-drops-skill")).collect();
    assert_eq!(losses.len(), 1, "{}", run.stdout);
    assert!(losses[0].starts_with(".claude/skills/mail/sort/SKILL.md:"), "{}", losses[0]);
    assert!(losses[0].contains(" would drop the skill: "), "{}", losses[0]);
    assert!(run.stderr.contains("  0 of 1 loaded: sort silently dropped\n"), "{}", run.stderr);
}

#[test]
fn forecast_says_that_a_link_leads_to_nothing() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "one");
    symlink("../../nowhere", repository.path().join(".claude/skills/two")).expect("a link");
    let forecast = repository.add().skilltree(&["forecast", "claude-code"]).stdout;
    assert!(forecast.contains("silently dropped by Claude Code: the symbolic link leads to nothing"), "{forecast}");
}

/// A repository that is a skill often links itself, so that Claude Code finds it: 2.1.332 loads it.
#[test]
fn follows_link_to_skill_above_it() {
    let layout =
        Layout { original: ".", link: ".claude/skills/sort", target: "../..", files: &[], runtime: "claude-code" };
    let repository = write(&layout);
    let run = repository.skilltree(&["check", "--target=claude-code", "--format=concise"]);
    assert!(run.status == 0 && !run.stdout.contains("broken-skill-link"), "{}", run.stdout);
    assert!(run.stdout.contains("second link to the skill in `.`"), "{}", run.stdout);
    let forecast = repository.skilltree(&["forecast", "claude-code"]).stdout;
    assert!(forecast.starts_with("Claude Code  1 of 1 loaded\n"), "{forecast}");
}

/// Every clone has a link that dangles: the working tree says so before the commit.
#[test]
fn reports_links_into_ignored_directories() {
    for (link, target) in [(".claude/skills/sort", "../../local/sort"), (".agents/skills", "../local")] {
        let layout = Layout { original: "local/sort", link, target, files: &[(".gitignore", "local/\n")], runtime: "" };
        let repository = write(&layout);
        for source in [&["--worktree"][..], &["--staged"], &["--rev", "HEAD"]] {
            let run = repository.skilltree(&[&["check", "--format=concise"], source].concat());
            let is_found = run.stdout.contains(&format!("{link}:1:1: error[broken-skill-link]"));
            assert!(run.status == 1 && is_found, "{link}, {source:?}: {}{}", run.stdout, run.stderr);
        }
        // With one skill that Git tracks, the directory exists in every clone.
        repository.git(&["add", "--force", "local"]);
        let run = repository.skilltree(&["check", "--format=concise"]);
        assert!(!run.stdout.contains("broken-skill-link"), "{link}: {}", run.stdout);
    }
}

#[test]
fn names_number_of_links_that_a_system_follows() {
    let repository = Repository::new();
    repository.skill("lib", "sort").skill(".claude/skills", "other");
    let top = repository.path();
    (1..43).for_each(|n| symlink(format!("l{}", n + 1), top.join(format!("l{n}"))).unwrap());
    symlink("lib/sort", top.join("l43")).unwrap();
    symlink("../../l1", top.join(".claude/skills/sort")).unwrap();
    let run = repository.add().skilltree(&["check", "--format=concise"]);
    assert!(run.stdout.contains("`../../l1`, which more than 40 links lead to"), "{}", run.stdout);
}

/// The summary counts a skill whose link is broken, as the finding does.
#[test]
fn counts_broken_link_in_a_plugin() {
    let files = &[("p/.claude-plugin/plugin.json", r#"{"name": "p"}"#)];
    let layout = Layout {
        original: "p/skills/sort",
        link: "p/skills/gone",
        target: "../nowhere",
        files,
        runtime: "claude-code",
    };
    let repository = write(&layout);
    let run = repository.skilltree(&["check", "--target=claude-code"]);
    assert!(run.stdout.contains("silently dropped by Claude Code"), "{}", run.stdout);
    assert!(run.stderr.contains("  1 of 2 loaded: gone silently dropped"), "{}", run.stderr);
    let forecast = repository.skilltree(&["forecast", "claude-code"]).stdout;
    assert!(forecast.starts_with("Claude Code  1 of 2 loaded: gone silently dropped"), "{forecast}");
}

#[test]
fn shows_a_skill_that_links_lead_to() {
    let repository = Repository::new();
    repository.skill(".agents/skills", "sort");
    for link in [".claude/skills", ".github/skills"] {
        fs::create_dir_all(repository.path().join(link)).unwrap();
        symlink("../../.agents/skills/sort", repository.path().join(link).join("sort")).unwrap();
    }
    repository.add();
    for (name, directory) in
        [("sort", ".agents"), (".agents/skills/sort", ".agents"), (".claude/skills/sort", ".claude")]
    {
        let run = repository.skilltree(&["show", "--format", "json", name]);
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
        let shown: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(shown["path"], format!("{directory}/skills/sort/SKILL.md"), "{name}");
    }
    // A copy is another skill.
    repository.skill(".gemini/skills", "sort").add();
    let run = repository.skilltree(&["show", "sort"]);
    assert!(run.stderr.contains("`sort` is the name of 2 skills: `.agents/skills/sort/SKILL.md`, "), "{}", run.stderr);
}

/// Links of a repository as (path, target), its skills, and the names that Claude Code, opencode, Copilot CLI and Codex 0.171.0 listed.
type Chain = (&'static [(&'static str, &'static str)], &'static [&'static str], [&'static str; 4]);

/// Claude Code 2.1.332, opencode 1.18.33 and Copilot CLI 1.0.102 were run with `.claude/skills`, Codex with `.agents/skills` in its place.
const CHAINS: &[Chain] = &[
    // The parent of the target is a link, and its parent, too.
    (&[("ROOT", "../.agent/skills"), (".agent", "conf/agent")], &["conf/agent/skills/a"], ["a"; 4]),
    (
        &[("ROOT", "../.agent/skills"), (".agent", "conf/agent"), ("conf", "deep/conf")],
        &["deep/conf/agent/skills/a"],
        ["a"; 4],
    ),
    // A link through a linked directory, and one inside a linked directory.
    (&[("ROOT/a", "../../shared/a"), ("shared", "lib/shared")], &["lib/shared/a"], ["a"; 4]),
    (&[("ROOT", "../store"), ("store/b", "../lib/b")], &["store/a", "lib/b"], ["a b"; 4]),
    // Chains.
    (&[("ROOT/a", "../../x/a"), ("x/a", "../y/a"), ("y/a", "../z/a")], &["z/a"], ["a"; 4]),
    (&[("ROOT", "../pool"), ("pool", "skills")], &["skills/a"], ["a"; 4]),
    // Circles.
    (&[("ROOT/a", "b"), ("ROOT/b", "a")], &["ROOT/c"], ["c"; 4]),
    (&[("ROOT/loop", "../skills")], &["ROOT/b"], ["b"; 4]),
    // Links below the directory of a group.
    (&[("ROOT/group", "../../lib")], &["lib/a"], ["", "a", "a", "a"]),
    (&[("ROOT/g/a", "../../../lib/a")], &["lib/a"], ["", "a", "a", "a"]),
    (&[("ROOT/group", "../../lib"), ("lib", "real"), ("real/g/a", "../../s/a")], &["s/a"], ["", "a", "a", "a"]),
];

#[test]
fn reaches_skills_through_chains_of_links_as_programs_do() {
    let mut wrong = Vec::new();
    for (number, (links, skills, expected)) in CHAINS.iter().enumerate() {
        for (root, runtimes) in
            [(".claude/skills", &["claude-code", "opencode", "copilot-cli"][..]), (".agents/skills", &["codex"])]
        {
            let repository = Repository::new();
            for skill in *skills {
                let path = skill.replace("ROOT", root);
                let name = path.rsplit('/').next().unwrap();
                repository.write(&format!("{path}/SKILL.md"), good(name));
            }
            for (path, target) in *links {
                let path = repository.path().join(path.replace("ROOT", root));
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                symlink(target, path).unwrap();
            }
            repository.commit();
            for runtime in runtimes {
                let order = ["claude-code", "opencode", "copilot-cli", "codex"];
                let expected = expected[order.iter().position(|one| one == runtime).unwrap()];
                for source in [&[][..], &["--staged"], &["--rev", "HEAD"]] {
                    let args = [&["forecast", "--target", runtime, "--format", "json"], source].concat();
                    let answer: Value = serde_json::from_str(&repository.skilltree(&args).stdout).unwrap();
                    let mut names: Vec<&str> = Vec::new();
                    for skill in answer["skills"].as_array().unwrap() {
                        let forecast = &skill["forecasts"][0];
                        if forecast["outcome"] == "loads" {
                            names.extend(forecast["name"].as_str());
                        }
                    }
                    names.sort_unstable();
                    names.dedup();
                    if names.join(" ") != expected {
                        wrong.push(format!("{number} {runtime} {source:?}: {names:?}, not {expected}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reads_agents_that_links_of_opencode_lead_to() {
    let agent = "---\nname: sort\ndescription: Sorts mail.\ntools: Read, Grep\n---\nSort it.\n";
    for (link, target) in
        [(".opencode/agents", "../.claude/agents"), (".opencode/agent/sort.md", "../../.claude/agents/sort.md")]
    {
        let repository = Repository::new();
        repository.write(".claude/skills/seek/SKILL.md", good("seek"));
        repository.write(".claude/agents/sort.md", agent);
        let link = repository.path().join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(target, &link).unwrap();
        repository.commit();
        for source in ["--worktree", "--staged", "--rev=HEAD"] {
            let text = repository.skilltree(&["check", source]).stdout;
            let found =
                ["opencode does not start, because of the agent `sort`", "put a copy for this program in place"];
            assert!(found.iter().all(|words| text.contains(words)), "{link:?} {source}: {text}");
        }
        let forecast = repository.skilltree(&["forecast", "opencode"]).stdout;
        assert!(forecast.contains("0 of 1 loaded"), "{link:?}: {forecast}");
    }
}

#[test]
fn names_the_link_whose_name_is_not_that_of_the_skill() {
    let repository = Repository::new();
    repository.write(".agents/skills/review/SKILL.md", good("review"));
    let link = repository.path().join(".claude/skills/our-review");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink("../../.agents/skills/review", link).unwrap();
    repository.commit();
    let text = repository.skilltree(&["check", "--rev=HEAD"]).stdout;
    assert!(text.contains("a link to its directory is named `our-review`"), "{text}");
    assert!(text.contains("rename the link to `review`") && !text.contains("fixable"), "{text}");
}

/// The SKILL.md at the top is only counted, and the page of the linked skill asks for a section of it.
#[test]
fn looks_for_a_section_in_a_file_that_is_only_counted() {
    let repository = Repository::new();
    repository.write("SKILL.md", good("top")).write("one/SKILL.md", good("one"));
    repository.write("one/references/a.md", "# A\n\n[steps](../SKILL.md#steps)\n");
    repository.write("skilltree.toml", "[[root]]\npath = '**/skills'\n");
    link(&repository, "two", "one");
    link(&repository, "skills/one", "../two");
    repository.commit();
    let of = |source: &[&str]| repository.skilltree(&[&["check", "--format=concise"], source].concat());
    let [tree, index, files] = [&["--rev=HEAD"][..], &["--staged"], &["--worktree"]].map(of);
    assert_eq!(tree.status, files.status, "{}", tree.stderr);
    assert_eq!((&tree.stdout, &index.stdout), (&files.stdout, &files.stdout));
}
