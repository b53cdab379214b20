//! The end of a run: what the runtimes load, and the order of the findings before it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests fail by panicking, and make files")]

use serde_json::Value;
use skilltree_report::render;

use crate::common::{Repository, good, skilltree};
use crate::render::fixture::Case;

/// A skill whose front matter has no closing fence.
fn unclosed(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does what {name} says. Use when {name} is wanted.\n# {name}\n\nDo it.\n")
}

/// Three skills: Codex drops one of two, and Claude Code reads one.
fn three() -> Repository {
    let repository = Repository::new();
    repository.skill(".claude/skills", "notes").skill(".agents/skills", "csv");
    repository.write(".agents/skills/pdf/SKILL.md", unclosed("pdf"));
    repository
}

#[test]
fn names_the_most_used_runtimes_worst_first() {
    let run = three().skilltree(&["check"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].starts_with("1 error") && lines[0].ends_with(" in 3 skills (working tree)"), "{}", run.stderr);
    let label = |line: &str| line.trim_start().split("  ").next().unwrap_or_default().to_owned();
    let place =
        |name: &str| lines.iter().position(|line| label(line) == name).unwrap_or_else(|| panic!("{}", run.stderr));
    assert!(lines[place("Codex")].ends_with("  1 of 2 loaded: pdf rejected"), "{}", run.stderr);
    assert!(lines[place("Claude Code")].ends_with("  1 of 1 loaded"), "{}", run.stderr);
    assert!(place("Codex") < place("Claude Code"), "{}", run.stderr);
    let more = lines.iter().find(|line| label(line).ends_with(" more")).unwrap();
    assert!(more.ends_with(" drop skills: skilltree forecast --all"), "{more}");
    assert_eq!(lines.last(), Some(&"1 fixable: skilltree fix --unsafe"), "{}", run.stderr);
    assert!(lines.len() <= 10, "{}", run.stderr);
    // A skill of which nothing is known is not called loaded.
    assert!(lines[place("Cursor")].ends_with("  2 of 3 loaded: pdf unknown"), "{}", run.stderr);
}

#[test]
fn is_one_line_if_every_runtime_loads_every_skill() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "notes");
    let run = repository.skilltree(&["check"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.stderr);
    assert!(lines[1].starts_with("  Claude Code, ") && lines[1].ends_with(" more load the skill"), "{}", run.stderr);
    // Runtimes that read only a part say so.
    let run = three().skilltree(&["check", "--target", "claude-code"]);
    assert!(run.stderr.contains("\n  Claude Code  1 of 3 loaded: 2 in .agents/skills not read"), "{}", run.stderr);
}

#[test]
fn versions_trees_and_readers_need_verbose() {
    let repository = three();
    repository.add();
    let run = repository.skilltree(&["check", "--staged"]);
    for word in ["skills tree", "read by", "observed"] {
        assert!(!run.stderr.contains(word), "{}", run.stderr);
    }
    let run = repository.skilltree(&["check", "--staged", "--verbose"]);
    for word in ["checked the index (skills trees ", "read by Claude Code", "Codex 0.", ", observed 20"] {
        assert!(run.stderr.contains(word), "{word}: {}", run.stderr);
    }
    let run = repository.skilltree(&["check", "--staged", "--quiet"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("error[unclosed-front-matter]"), "{}", run.stdout);
}

#[test]
fn evidence_needs_verbose() {
    let repository = Repository::new();
    repository.skill(".claude/skills/team", "csv").skill(".claude/skills/team", "pdf");
    let run = repository.skilltree(&["check"]);
    assert!(run.stdout.contains("error[target-drops-skill]"), "{}", run.stdout);
    assert!(!run.stdout.contains("source: ") && !run.stdout.contains("2.1."), "{}", run.stdout);
    for arguments in [&["--verbose"][..], &["--format", "json"]] {
        let run = repository.skilltree(&[&["check"], arguments].concat());
        assert!(run.stdout.contains("source: Claude Code 2."), "{arguments:?}: {}", run.stdout);
    }
}

#[test]
fn is_about_the_named_paths() {
    let repository = three();
    repository.write("README.md", "Nothing.\n").add();
    let run = repository.skilltree(&["check", ".agents/skills/csv", "README.md"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.contains("\nno findings in 1 of 3 skills (working tree)\n"), "{}", run.stderr);
    assert!(run.stderr.ends_with(" more load the skill\n") && !run.stderr.contains("pdf"), "{}", run.stderr);
    let run = repository.skilltree(&["check", ".agents/skills/pdf/SKILL.md"]);
    assert!(run.status == 1 && run.stderr.contains("\n  Codex "), "{}", run.stderr);
    assert!(run.stderr.contains("  0 of 1 loaded: pdf rejected"), "{}", run.stderr);
    assert!(!run.stderr.contains("Claude Code "), "{}", run.stderr);
    // Without a skill, there is nothing to load.
    let run = repository.skilltree(&["check", "README.md"]);
    assert!(run.stderr.ends_with("no findings in 0 of 3 skills (working tree)\n"), "{}", run.stderr);
    // All skills have the verdict of a run without paths.
    assert_eq!(repository.skilltree(&["check", ".claude", ".agents"]).stderr.replace(" .claude .agents", ""), {
        repository.skilltree(&["check"]).stderr
    });
}

#[test]
fn check_and_forecast_count_the_same_runtimes() {
    let repository = three();
    let more = |text: &str| text.lines().map(str::trim).find(|line| line.contains(" more ")).unwrap().to_owned();
    assert_eq!(more(&repository.skilltree(&["check"]).stderr), more(&repository.skilltree(&["forecast"]).stdout));
}

#[test]
fn lines_fit_the_width() {
    let mut case = Case::new(&[("s/x/SKILL.md", unclosed("x"))]);
    case.report.loaded = lint(&case).loaded;
    assert!(!case.report.loaded.is_empty());
    for width in 20..120 {
        for line in render::verdict(&case.report, &render::Commands::default(), width) {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

/// The report of the same skill in a directory that many runtimes read.
fn lint(case: &Case) -> skilltree_lint::Report {
    let config =
        skilltree_lint::config::Config { targets: vec!["claude-code".into(), "codex".into()], ..Default::default() };
    skilltree_lint::lint(case.report.catalog.parsed.clone(), &config)
}

#[test]
fn passing_hook_prints_one_line() {
    let repository = Repository::new();
    repository.write(".agents/skills/pdf/SKILL.md", unclosed("pdf")).commit();
    repository.skill(".agents/skills", "csv").add();
    let run = repository.skilltree(&["hook", "run", "pre-commit"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert_eq!(run.stderr, "no new findings in 2 skills (index); 1 existing: skilltree check --staged\n");
    repository.write(".agents/skills/pdf/SKILL.md", good("pdf")).commit();
    let run = skilltree(repository.path(), &["hook", "run", "pre-commit"], &[("GIT_INDEX_FILE", ".git/index")]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "the commit changes nothing");
}

#[test]
fn action_summary_and_page_have_the_verdict() {
    let repository = three();
    let of = |format: &str| repository.skilltree(&["check", "--format", format]).stdout;
    assert!(of("markdown").contains("\n- Codex: 1 of 2 loaded: pdf rejected\n"), "{}", of("markdown"));
    assert!(of("html").contains("<li><b>Codex</b> 1 of 2 loaded: pdf rejected</li>"));
    let report: Value = serde_json::from_str(&of("json")).unwrap();
    let runtimes = report["runtimes"].as_array().unwrap();
    let codex = runtimes.iter().find(|one| one["target"] == "codex").unwrap();
    assert_eq!([&codex["skills"], &codex["loaded"], &codex["dropped"]], [2, 1, 1].map(Value::from).each_ref());
    assert_eq!(runtimes[0]["target"], "claude-code", "by use");
}

/// A token is reported before the other errors, whatever its path is. Then come the skills that widely used runtimes lose.
#[test]
fn every_format_orders_findings_by_severity_security_and_loss() {
    let repository = Repository::new();
    for number in 0..3 {
        repository.write(&format!(".agent/skills/a{number}/SKILL.md"), unclosed(&format!("a{number}")));
    }
    repository.write(".agents/skills/b/SKILL.md", unclosed("b"));
    let token = ["ghp_8Kq2VbX7nLp0Rz4TfWc9", "Hs6JdYm3Ea5GuQ1o"].concat();
    repository.write(".claude/skills/z/SKILL.md", format!("{}Send `{token}`.\n", good("z")));
    let concise = repository.skilltree(&["check", "--format", "concise"]).stdout;
    let first: Vec<&str> = concise.lines().map(|line| line.split(':').next().unwrap()).take(3).collect();
    assert_eq!(
        first,
        [".claude/skills/z/SKILL.md", ".agents/skills/b/SKILL.md", ".agent/skills/a0/SKILL.md"],
        "{concise}"
    );
    let report: Value = serde_json::from_str(&repository.skilltree(&["check", "--format", "json"]).stdout).unwrap();
    let rules: Vec<&str> =
        report["findings"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect();
    assert_eq!(rules[..2], ["leaked-secret", "unclosed-front-matter"]);
    for format in ["full", "github", "markdown", "sarif", "gitlab", "rdjson", "junit", "html"] {
        let text = repository.skilltree(&["check", "--format", format]).stdout;
        // Rules are listed at the start of SARIF.
        let text = text.split("\"results\":").last().unwrap();
        let place = |rule: &str| text.find(rule).unwrap_or_else(|| panic!("{format}: {text}"));
        assert!(place("leaked-secret") < place("unclosed-front-matter"), "{format}: {text}");
    }
}

#[test]
fn says_what_hides_a_skill() {
    let cases = [
        ("openclaw", "metadata: {\"openclaw\": {\"os\": [\"darwin\"]}}", "unless `metadata.openclaw.os` is met"),
        ("claude-code", "disable-model-invocation: true", "by `disable-model-invocation`"),
        ("claude-code", "paths: '*.rs'", "until a file matches `paths`"),
        // The description is also shown with changes.
        ("claude-code", "paths: '*.rs'\nwhen_to_use: 5", "until a file matches `paths`"),
    ];
    for (target, line, words) in cases {
        let repository = Repository::new();
        let text = good("pw").replace("when_to_use: The task mentions pw.", line);
        let root = if target == "openclaw" { "skills" } else { ".claude/skills" };
        repository.write(&format!("{root}/pw/SKILL.md"), text).add();
        let run = repository.skilltree(&["check", "--target", target]);
        let title = if target == "openclaw" { "OpenClaw" } else { "Claude Code" };
        assert!(run.stderr.contains(&format!("  {title}  1 of 1 loaded")), "{line}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("pw hidden {words}\n")), "{line}: {}", run.stderr);
        let forecast = repository.skilltree(&["forecast", target]).stdout;
        assert!(forecast.contains(&format!("pw hidden {words}\n")), "{line}: {forecast}");
        assert!(forecast.contains(&format!("\n  loaded by {title}: `")), "{line}: {forecast}");
        assert!(forecast.contains(" excludes it from the list"), "{line}: {forecast}");
    }
}

#[test]
fn sixth_warning_of_a_rule_is_a_line() {
    let repository = Repository::new();
    for number in 0..8 {
        let text =
            format!("---\nname: other-{number}\ndescription: Sorts mail. Use when mail arrives.\n---\nSort it.\n");
        repository.write(&format!(".claude/skills/skill-{number}/SKILL.md"), text);
    }
    repository.add();
    let shown = |arguments: &[&str]| {
        let text = repository.skilltree(&[&["check", "--target", "agentskills"], arguments].concat()).stdout;
        let of = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
        let lines = text.lines().filter(|line| line.starts_with(".claude/") && line.contains("[name-differs"));
        (of("error[name-differs"), of("warning[name-differs"), lines.count(), text)
    };
    // Errors are shown whole.
    let (errors, _, lines, text) = shown(&[]);
    assert_eq!((errors, lines), (8, 0), "{text}");
    let warnings = ["--rule", "name-differs-from-directory=warning"];
    let (_, frames, lines, text) = shown(&warnings);
    assert_eq!((frames, lines), (5, 3), "{text}");
    assert!(text.contains("findings of rules with more than 5: `--verbose` shows each whole"), "{text}");
    let (_, frames, lines, text) = shown(&[&warnings[..], &["--verbose"]].concat());
    assert_eq!((frames, lines), (8, 0), "{text}");
}
