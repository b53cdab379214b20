//! `check --test-routes`: the skills that must rank first for a task.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test creates the files that it checks")]

use crate::common::{Repository, Run};

fn skill(name: &str, description: &str, more: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n{more}---\n# {name}\n\nDo it.\n")
}

fn repository(settings: &str) -> Repository {
    let repository = Repository::new();
    let skills = [
        ("csv-tables", "Converts CSV exports. Use when a table is exported.", ""),
        ("pdf-forms", "Fills PDF forms. Use when a form is due.", ""),
        ("release", "Tags a release. Use when a version is due.", "roles: [builder]\n"),
    ];
    for (name, description, more) in skills {
        repository.write(&format!(".claude/skills/{name}/SKILL.md"), skill(name, description, more));
    }
    repository.write("skilltree.toml", settings).commit();
    repository
}

fn test(repository: &Repository) -> Run {
    repository.skilltree(&["check", "--test-routes"])
}

fn route(task: &str, rest: &str) -> String {
    format!("[[route]]\ntask = \"{task}\"\n{rest}\n")
}

#[test]
fn passes_if_the_skills_rank_first() {
    let settings = route("Convert the CSV export", "skills = [\"csv-tables\"]")
        + &route("A form is due, then a version", "skills = [\"release\", \"pdf-forms\"]");
    let run = test(&repository(&settings));
    let expected =
        "ok: Convert the CSV export\nok: A form is due, then a version\n2 routes tested: 0 with other skills first\n";
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, expected, ""));
}

#[test]
fn fails_with_the_rank_and_the_skills_before() {
    let wrong = |rest: &str, problem: &str| {
        let run = test(&repository(&route("Convert the CSV export; then a form", rest)));
        let expected = format!(
            "skilltree.toml:1: wrong: Convert the CSV export; then a form: {problem}\n1 route tested: 1 with other skills first\n"
        );
        assert_eq!((run.status, run.stdout), (1, expected), "{}", run.stderr);
    };
    wrong("skills = [\"pdf-forms\"]", "`pdf-forms` ranks 2 after `csv-tables`");
    wrong("skills = [\"release\"]", "`release` does not fit: it contains no word of the task");
    wrong("skills = [\"release\"]\nrole = \"planner\"", "`release` does not fit: it is for other roles");
    wrong("skills = [\"pdf-form\"]", "no accepted skill is named `pdf-form`; did you mean `pdf-forms`?");
    let run =
        test(&repository(&route("Convert the CSV export; then a form", "skills = [\"pdf-forms\", \"csv-tables\"]")));
    assert_eq!(run.status, 0, "{}", run.stdout);
}

#[test]
fn a_description_that_no_longer_fits_fails() {
    let repository = repository(&route("Convert the CSV export", "skills = [\"csv-tables\"]"));
    assert_eq!(test(&repository).status, 0);
    let text = skill("csv-tables", "Reads sheets. Use when a sheet is wanted.", "");
    repository.write(".claude/skills/csv-tables/SKILL.md", text.replace("csv-tables\n\n", "Sheets\n\n"));
    let text = skill("pdf-forms", "Fills PDF forms, and exports them to CSV. Use when a form is due.", "");
    repository.write(".claude/skills/pdf-forms/SKILL.md", text);
    let run = test(&repository);
    assert!(run.status == 1 && run.stdout.contains("`csv-tables` ranks 2 after `pdf-forms`"), "{}", run.stdout);
}

#[test]
fn refuses_faulty_routes_and_hostile_tasks() {
    for (rest, said) in [
        ("", "has no `skills`"),
        ("skills = []", "`skills` has 0 words"),
        ("skills = [\"\"]", "`skills` has an empty word"),
        ("skills = [\"a\"]\nmodel = \"x\"", "model"),
    ] {
        let run = test(&repository(&route("A task", rest)));
        assert!(run.status == 2 && run.stderr.contains(said), "{rest}: {}", run.stderr);
    }
    let many = route("A task", "skills = [\"release\"]").repeat(201);
    let run = test(&repository(&many));
    assert!(run.status == 2 && run.stderr.contains("more than 200"), "{}", run.stderr);
    let run = test(&repository(&route("\\u001b[31m##[error]x\\n::error::y", "skills = [\"release\"]")));
    assert!(
        !run.stdout.contains('\u{1b}') && !run.stdout.contains("##[") && !run.stdout.contains("\n::"),
        "{}",
        run.stdout
    );
    let none = test(&repository("edition = \"2026\"\n"));
    assert!(none.status == 0 && none.stderr.contains("there is no `[[route]]`"), "{}", none.stderr);
}

#[test]
fn removing_a_route_loosens_the_policy() {
    let one = route("Convert the CSV export", "skills = [\"csv-tables\"]");
    let repository = repository(&(one.clone() + &route("Tag it", "skills = [\"release\"]")));
    repository.write("skilltree.toml", &one).add();
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD", "--format", "concise"]);
    assert!(run.stdout.contains("loosened-policy") && run.stdout.contains("Tag it"), "{}", run.stdout);
    repository.write(
        "skilltree.toml",
        one + &route("Tag it", "skills = [\"release\"]") + &route("Fill it", "skills = [\"pdf-forms\"]"),
    );
    let run = repository.add().skilltree(&["check", "--staged", "--base", "HEAD", "--format", "concise"]);
    assert!(!run.stdout.contains("loosened-policy"), "{}", run.stdout);
}

#[test]
fn problems_have_their_line() {
    let good = route("Convert the CSV export", "skills = [\"csv-tables\"]");
    let repository = repository(&(good.clone() + &route("Convert the CSV export", "skills = [\"pdf-forms\"]")));
    let run = test(&repository);
    assert!(run.stdout.contains("\nskilltree.toml:4: wrong: Convert the CSV export: "), "{}", run.stdout);
    // A setting that is not in force has its place, too.
    repository.write("skilltree.toml", good + "[limits]\nname-chars = 0\n");
    for option in ["--test-routes", "--test-rules"] {
        let run = repository.skilltree(&["check", option]);
        assert!(run.status == 2 && run.stderr.contains("--> skilltree.toml:5:14"), "{option}: {}", run.stderr);
        // They print a text only.
        for more in [&["--format", "json"][..], &["--output", "json=out.json"], &["--statistics"]] {
            let run = repository.skilltree(&[&["check", option], more].concat());
            assert!(run.status == 2 && run.stderr.contains("cannot be used with"), "{option} {more:?}: {}", run.stderr);
        }
    }
}
