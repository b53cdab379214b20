//! comment.md: a comment for the issue that the agent works on, listing skills that are not in the prompt. It can be
//! posted to a tracker as it is: it uses only headings, lists and code spans.

use std::collections::BTreeMap;

use super::line;
use super::markdown::{code, prose};
use super::material::{Problem, Skipped};
use skilltree_front_matter::text::grouped;
use skilltree_skills::markdown::marker;

/// Maximum number of problems shown per file.
const SHOWN_PROBLEMS: usize = 10;

/// Topic of the comment: a dispatcher finds the comment that it wrote before by it, and updates that one.
const TOPIC: &str = "skipped skills";

/// Renders the comment; `skipped` is sorted. `settings` are files of the configuration with faults.
pub(super) fn render(skipped: &[Skipped], settings: &[Skipped]) -> String {
    let mut text = marker(TOPIC);
    text.push_str(&match skipped.len() {
        0 => "### Settings with errors\n\nThe agent runs with the default of each faulty setting. ".to_owned(),
        1 => "### 1 skill left out\n\nThis skill has errors, so the agent runs without it. ".to_owned(),
        many => format!(
            "### {} skills left out\n\nThese skills have errors, so the agent runs without them. ",
            grouped(many)
        ),
    });
    text.push_str(match skipped.len() {
        0 => "The run is not blocked.\n",
        _ => "The agent gets all other skills, and the run is not blocked.\n",
    });
    for entry in skipped.iter().chain(settings) {
        text.push_str(&format!("\n**{}**\n\n", code(&line::path(entry.path.as_ref()))));
        let problems = group_problems(&entry.problems);
        for (problem, places) in problems.iter().take(SHOWN_PROBLEMS) {
            text.push_str(&bullet(problem, places));
        }
        if problems.len() > SHOWN_PROBLEMS {
            text.push_str(&format!("- and {} more\n", grouped(problems.len() - SHOWN_PROBLEMS)));
        }
    }
    text.push_str("\n`skilltree check` lists every finding. `skilltree explain RULE` explains a rule.\n");
    text
}

fn bullet(problem: &Problem, places: &[(u32, u32)]) -> String {
    let places: Vec<String> = places.iter().map(|(line, column)| format!("line {line}, column {column}")).collect();
    let mut text = format!("- {}, {}: {}", code(&problem.rule), places.join("; "), prose(&problem.message));
    if let Some(help) = &problem.help {
        text.push_str(". Fix: ");
        text.push_str(&prose(help));
    }
    text.push_str(".\n");
    text
}

/// Groups equal problems of a file, each with all of its places.
fn group_problems(problems: &[Problem]) -> Vec<(&Problem, Vec<(u32, u32)>)> {
    let mut groups: Vec<(&Problem, Vec<(u32, u32)>)> = Vec::new();
    let mut numbers = BTreeMap::new();
    for problem in problems {
        let number = *numbers.entry((&problem.rule, &problem.message, &problem.help)).or_insert(groups.len());
        if number == groups.len() {
            groups.push((problem, Vec::new()));
        }
        groups[number].1.push((problem.line, problem.column));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(line: u32, rule: &str, message: &str, help: Option<&str>) -> Problem {
        Problem { line, column: 1, rule: rule.to_owned(), message: message.to_owned(), help: help.map(str::to_owned) }
    }

    #[test]
    fn comment_has_file_rule_place_and_help() {
        let problems =
            vec![problem(1, "missing-name", "the name is missing", Some("add `name: pdf` below the first line"))];
        let text = render(&[Skipped { path: ".symphony/skills/pdf/SKILL.md".into(), problems }], &[]);
        let expected = "<!-- skilltree: skipped skills -->\n### 1 skill left out\n\n\
            This skill has errors, so the agent runs without it. \
            The agent gets all other skills, and the run is not blocked.\n\n\
            **`.symphony/skills/pdf/SKILL.md`**\n\n\
            - `missing-name`, line 1, column 1: the name is missing. Fix: add `name: pdf` below the first line.\n\n\
            `skilltree check` lists every finding. `skilltree explain RULE` explains a rule.\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn groups_equal_problems_and_counts_the_rest() {
        let mut problems = vec![problem(3, "x", "same", None), problem(7, "x", "same", None)];
        problems.extend((0..12).map(|number| problem(9, "y", &format!("other {number}"), None)));
        let text = render(&[Skipped { path: "a/SKILL.md".into(), problems }], &[]);
        assert!(text.contains("\n- `x`, line 3, column 1; line 7, column 1: same.\n"), "{text}");
        assert!(text.contains("\n- `y`, line 9, column 1: other 8.\n- and 3 more\n"), "{text}");
    }

    #[test]
    fn counts_no_rest_if_all_problems_are_shown() {
        let problems: Vec<Problem> = (0..10).map(|number| problem(9, "y", &format!("other {number}"), None)).collect();
        let text = render(&[Skipped { path: "a/SKILL.md".into(), problems }], &[]);
        assert!(text.contains("\n- `y`, line 9, column 1: other 9.\n\n"), "{text}");
    }

    #[test]
    fn repository_text_never_becomes_markup() {
        let hostile = "`@team` <img src=x> | [a](javascript:b) #1 www.x.example\n\n# y";
        let problems = vec![problem(1, "x", hostile, Some(hostile))];
        let skipped = Skipped { path: "a`b\n@all/<b>/SKILL.md".into(), problems };
        let text = render(&[skipped.clone(), Skipped { path: "z".into(), problems: Vec::new() }], &[]);
        assert!(text.contains("\n### 2 skills left out\n"), "{text}");
        assert!(text.contains("\n**``a`b\\n@all/<b>/SKILL.md``**\n"), "{text}");
        let span = "`@team` `<img src=x> | [a](javascript:b) #1 www.x.example\\n\\n#` y";
        assert!(text.contains(&format!("column 1: {span}. Fix: {span}.\n")), "{text}");
        assert!(!text.contains("\n# "), "{text}");
    }
}
