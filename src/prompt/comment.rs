//! comment.md: what to tell the people of the issue that is worked on, when skills were left out of the prompt. It is
//! ready to be posted on a tracker: headings, lists and code spans are all that it uses.

use std::collections::BTreeMap;

use super::line;
use super::markdown::{code, prose};
use super::material::{Problem, Skipped};

/// Problems of a file that are shown.
const SHOWN_PROBLEMS: usize = 10;

/// The comment; what was skipped is in order.
pub(super) fn render(skipped: &[Skipped]) -> String {
    let mut text = match skipped.len() {
        1 => {
            "### A skill was left out\n\nThe agent works without this skill, because its file cannot be used as it is. "
                .to_owned()
        }
        many => format!(
            "### {many} skills were left out\n\nThe agent works without these skills, because their files cannot be used as they are. "
        ),
    };
    text.push_str("Every other skill was handed over, and nothing waits for this.\n");
    for entry in skipped {
        text.push_str(&format!("\n**{}**\n\n", code(&line::path(entry.path.as_ref()))));
        let problems = alike(&entry.problems);
        for (problem, places) in problems.iter().take(SHOWN_PROBLEMS) {
            text.push_str(&bullet(problem, places));
        }
        if problems.len() > SHOWN_PROBLEMS {
            text.push_str(&format!("- and {} more\n", problems.len() - SHOWN_PROBLEMS));
        }
    }
    text.push_str("\n`skilltree check` shows every place, and `skilltree explain RULE` says why a rule matters.\n");
    text
}

fn bullet(problem: &Problem, places: &[(u32, u32)]) -> String {
    let places: Vec<String> = places.iter().map(|(line, column)| format!("line {line}, column {column}")).collect();
    let mut text = format!("- {}, {}: {}", code(&problem.rule), places.join("; "), prose(&problem.message));
    if let Some(help) = &problem.help {
        text.push_str(". What to do: ");
        text.push_str(&prose(help));
    }
    text.push_str(".\n");
    text
}

/// The problems of a file, the same one once with all of its places.
fn alike(problems: &[Problem]) -> Vec<(&Problem, Vec<(u32, u32)>)> {
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
    fn a_comment_names_the_file_the_rule_the_place_and_what_to_do() {
        let problems =
            vec![problem(1, "missing-name", "the name is missing", Some("add `name: pdf` below the first line"))];
        let text = render(&[Skipped { path: ".symphony/skills/pdf/SKILL.md".into(), problems }]);
        let expected = "### A skill was left out\n\n\
            The agent works without this skill, because its file cannot be used as it is. \
            Every other skill was handed over, and nothing waits for this.\n\n\
            **`.symphony/skills/pdf/SKILL.md`**\n\n\
            - `missing-name`, line 1, column 1: the name is missing. What to do: add `name: pdf` below the first line.\n\n\
            `skilltree check` shows every place, and `skilltree explain RULE` says why a rule matters.\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_same_problem_twice_makes_one_line_and_many_are_counted() {
        let mut problems = vec![problem(3, "x", "same", None), problem(7, "x", "same", None)];
        problems.extend((0..12).map(|number| problem(9, "y", &format!("other {number}"), None)));
        let text = render(&[Skipped { path: "a/SKILL.md".into(), problems }]);
        assert!(text.contains("\n- `x`, line 3, column 1; line 7, column 1: same.\n"), "{text}");
        assert!(text.contains("\n- `y`, line 9, column 1: other 8.\n- and 3 more\n"), "{text}");
    }

    #[test]
    fn nothing_of_the_tree_becomes_markup() {
        let hostile = "`@team` <img src=x> | [a](javascript:b) #1 www.x.example\n\n# y";
        let problems = vec![problem(1, "x", hostile, Some(hostile))];
        let skipped = Skipped { path: "a`b\n@all/<b>/SKILL.md".into(), problems };
        let text = render(&[skipped.clone(), Skipped { path: "z".into(), problems: Vec::new() }]);
        assert!(text.starts_with("### 2 skills were left out\n"), "{text}");
        assert!(text.contains("\n**``a`b\\n@all/<b>/SKILL.md``**\n"), "{text}");
        let span = "`` `@team` <img src=x> | [a](javascript:b) #1 www.x.example\\n\\n# y ``";
        assert!(text.contains(&format!("column 1: {span}. What to do: {span}.\n")), "{text}");
        assert!(!text.contains("\n# "), "{text}");
    }
}
