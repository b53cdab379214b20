use super::*;
use skilltree_runtimes::samples::{self, RootSample};
use skilltree_skills::skill::Skill;

/// Ten bytes per skill, and five more per root.
fn growth(_: SkillId, position: Position) -> Size {
    let bytes = if position == Position::Following { 10 } else { 15 };
    Size { bytes, chars: bytes }
}

/// Returns the paths of taken, dropped and shadowed skills; `!` marks a skill that is not accepted.
fn run(roots: &[RootSample], paths: &[(&str, &str)], request: &Request<'_>) -> [Vec<String>; 3] {
    let names: Vec<[(&str, &str); 1]> =
        paths.iter().map(|(_, name)| [("name", name.trim_start_matches('!'))]).collect();
    let skills: Vec<(&str, &[(&str, &str)])> = paths.iter().zip(&names).map(|((path, _), f)| (*path, &f[..])).collect();
    let catalog = samples::catalog(roots, &skills);
    let is_bad = |skill: &Skill| {
        paths.iter().any(|(path, name)| name.starts_with('!') && catalog.file(skill.file).path == *path)
    };
    let rejected: Vec<bool> = catalog.parsed.skills.iter().map(is_bad).collect();
    let selected = select(&Accepted::new(&catalog, &rejected), request);
    let path = |id: SkillId| catalog.path(id).to_string();
    [
        selected.skills.iter().map(|&id| path(id)).collect(),
        selected.dropped.iter().map(|d| format!("{} {} {}", path(d.skill), d.reason.word(), d.detail)).collect(),
        selected.shadowed.iter().map(|s| format!("{} {}", path(s.skill), path(s.by))).collect(),
    ]
}

fn all<'a>() -> Request<'a> {
    Request {
        roots: &[RootId(0), RootId(1), RootId(2)],
        depth: None,
        skips: &|_| false,
        merges_tools: false,
        by_directory: false,
        reserved: &[],
        selection: &Selection::All,
        limits: Caps::default(),
        budget: Caps::default(),
        each: Caps::default(),
        body: &|_| Cow::Borrowed(""),
        unfit: &|_, _| None,
        growth: &growth,
    }
}

const PLAIN: &[RootSample] = &[("a", "agentskills", None), ("b", "agentskills", None)];

/// Two roots of one package.
const TOGETHER: &[RootSample] = &[(".a/skills", "agentskills", None), (".b/skills", "agentskills", None)];

#[test]
fn sorts_bytewise_by_name_then_path() {
    let skills = [
        (".a/skills/1/SKILL.md", "z"),
        (".a/skills/2/SKILL.md", "a"),
        (".b/skills/1/SKILL.md", "Z"),
        (".b/skills/2/SKILL.md", "é"),
    ];
    let [taken, dropped, shadowed] = run(TOGETHER, &skills, &all());
    assert_eq!(taken, [".a/skills/2/SKILL.md", ".a/skills/1/SKILL.md", ".b/skills/2/SKILL.md"]);
    assert_eq!(dropped, [""; 0]);
    assert_eq!(shadowed, [".b/skills/1/SKILL.md .a/skills/1/SKILL.md"], "`Z` and `z` are one name to some runtimes");
}

#[test]
fn selects_accepted_skills_by_root_depth_and_name() {
    let skills = [("a/x/SKILL.md", "x"), ("a/y/SKILL.md", "!y"), ("a/d/z/SKILL.md", "z"), ("b/w/SKILL.md", "w")];
    let request = Request { roots: &[RootId(0)], depth: Some(1), ..all() };
    assert_eq!(run(PLAIN, &skills, &request)[0], ["a/x/SKILL.md"]);
    let request = Request { reserved: &["x".to_owned(), "w".to_owned()], ..all() };
    assert_eq!(run(PLAIN, &skills, &request)[0], ["a/d/z/SKILL.md"]);
}

#[test]
fn keeps_first_duplicate_by_root_and_path() {
    let skills = [
        (".a/skills/1/SKILL.md", "x"),
        (".a/skills/2/SKILL.md", "x"),
        (".b/skills/0/SKILL.md", "x"),
        (".a/skills/0/SKILL.md", "!x"),
    ];
    let [taken, _, shadowed] = run(TOGETHER, &skills, &all());
    assert_eq!(taken, [".a/skills/1/SKILL.md"]);
    let first = ".a/skills/1/SKILL.md";
    assert_eq!(shadowed, [format!(".a/skills/2/SKILL.md {first}"), format!(".b/skills/0/SKILL.md {first}")]);
}

#[test]
fn treats_packages_as_separate_scopes() {
    let skills = [("p/a/x/SKILL.md", "x"), ("p/b/x/SKILL.md", "x"), ("p/b/y/SKILL.md", "x"), (".q/x/SKILL.md", "x")];
    let [by_pattern, by_list] = [Some(0), None].map(|pattern| {
        let roots = [("p/a", "agentskills", pattern), ("p/b", "agentskills", pattern), (".q", "agentskills", None)];
        run(&roots, &skills, &all())
    });
    assert_eq!(by_pattern, by_list);
    let [taken, _, shadowed] = by_list;
    assert_eq!(taken, ["p/a/x/SKILL.md", "p/b/x/SKILL.md"]);
    assert_eq!(shadowed, ["p/b/y/SKILL.md p/b/x/SKILL.md", ".q/x/SKILL.md p/a/x/SKILL.md"]);
}

#[test]
fn cap_drops_last_by_name_across_roots() {
    let skills = [("a/z/SKILL.md", "z"), ("b/x/SKILL.md", "x"), ("b/y/SKILL.md", "y")];
    let request = Request { limits: Caps { skills: Some(2), ..Caps::default() }, ..all() };
    let [taken, dropped, _] = run(PLAIN, &skills, &request);
    assert_eq!(taken, ["b/x/SKILL.md", "b/y/SKILL.md"]);
    assert_eq!(dropped, ["a/z/SKILL.md cap the limit is 2 skills"]);
    let request = Request { limits: Caps { skills: Some(0), ..Caps::default() }, ..all() };
    assert_eq!(run(PLAIN, &skills, &request)[0], [""; 0]);
}

#[test]
fn budget_skips_large_skills_and_takes_later_ones() {
    let skills = [("a/w/SKILL.md", "w"), ("b/x/SKILL.md", "x"), ("a/y/SKILL.md", "y"), ("a/z/SKILL.md", "z")];
    let request = Request { limits: Caps { bytes: Some(25), ..Caps::default() }, ..all() };
    let [taken, dropped, _] = run(PLAIN, &skills, &request);
    assert_eq!(taken, ["a/w/SKILL.md", "a/y/SKILL.md"]);
    assert_eq!(
        dropped,
        [
            "b/x/SKILL.md budget with it the block would have 30 bytes; the limit is 25",
            "a/z/SKILL.md budget with it the block would have 35 bytes; the limit is 25",
        ]
    );
    let request = Request { budget: Caps { tokens: Some(4), skills: Some(1), ..Caps::default() }, ..all() };
    let [taken, dropped, _] = run(PLAIN, &skills[..2], &request);
    assert_eq!(taken, ["a/w/SKILL.md"]);
    assert_eq!(dropped, ["b/x/SKILL.md budget the limit is 1 skill"]);
}

#[test]
fn reports_unit_of_exceeded_size() {
    let size = Size { bytes: 9, chars: 5 };
    let caps = |bytes, chars, tokens| Caps { skills: None, bytes, chars, tokens };
    assert_eq!(caps(Some(9), Some(5), Some(2)).exceeded(size), None);
    assert_eq!(caps(Some(8), None, None).exceeded(size).unwrap(), "9 bytes; the limit is 8");
    assert_eq!(caps(None, Some(4), None).exceeded(size).unwrap(), "5 characters; the limit is 4");
    assert_eq!(caps(None, None, Some(1)).exceeded(size).unwrap(), "2 estimated tokens; the limit is 1");
}

#[test]
fn bound_skills_keep_order_of_thread() {
    let names = ["b", "gone", "a", "b"].map(str::to_owned).to_vec();
    let selection = Selection::Bound { thread: "7".into(), names };
    let skills = [("a/1/SKILL.md", "a"), ("a/2/SKILL.md", "b"), ("a/3/SKILL.md", "c")];
    let [taken, dropped, _] = run(PLAIN, &skills, &Request { selection: &selection, ..all() });
    assert_eq!(taken, ["a/2/SKILL.md", "a/1/SKILL.md"]);
    assert_eq!(dropped, ["a/3/SKILL.md not-bound the thread does not bind it"]);
}

#[test]
fn names_the_reason_of_each_refused_name() {
    let skills = [
        ("a/dir/SKILL.md", "pdf"),
        ("a/one/SKILL.md", "twin"),
        ("b/two/SKILL.md", "twin"),
        ("a/three/SKILL.md", "!broken"),
        ("b/four/SKILL.md", "!other"),
    ];
    let refused = |by_directory: bool, names: &[&str]| -> Vec<String> {
        let fields: Vec<[(&str, &str); 1]> =
            skills.iter().map(|(_, name)| [("name", name.trim_start_matches('!'))]).collect();
        let samples: Vec<(&str, &[(&str, &str)])> =
            skills.iter().zip(&fields).map(|((path, _), fields)| (*path, &fields[..])).collect();
        let catalog = samples::catalog(PLAIN, &samples);
        let is_bad = |skill: &Skill| matches!(skill.name(), Some("broken" | "other"));
        let rejected: Vec<bool> = catalog.parsed.skills.iter().map(is_bad).collect();
        let selection = Selection::Named(names.iter().map(|&name| name.to_owned()).collect());
        let reserved = ["kept".to_owned()];
        let request =
            Request { roots: &[RootId(0)], selection: &selection, reserved: &reserved, by_directory, ..all() };
        let selected = select(&Accepted::new(&catalog, &rejected), &request);
        let line = |refusal: &Refusal| format!("{}; {}", refusal.message, refusal.help.as_deref().unwrap_or_default());
        selected.refused.iter().map(line).collect()
    };
    let list = "run `skilltree list` with the same options to see the available skills";
    let check = "fix the error, or leave the skill out";
    assert_eq!(refused(false, &["pdf"]), [""; 0]);
    assert_eq!(refused(false, &["dir"]), [""; 0], "a directory is as good as a name");
    assert_eq!(refused(false, &["pdf", "pdf"]), ["`pdf` is requested twice; "]);
    assert_eq!(refused(false, &["pdg"]), ["there is no skill `pdg`; did you mean `pdf`?"]);
    assert_eq!(refused(false, &["translate"]), [format!("there is no skill `translate`; {list}")]);
    assert_eq!(refused(false, &["kept"]), ["`kept` is reserved: the runtime always includes that skill; "]);
    let broken = |wanted: &str| [format!("`{wanted}` cannot be used: `a/three/SKILL.md` has an error; {check}")];
    assert_eq!(refused(false, &["broken"]), broken("broken"));
    assert_eq!(refused(false, &["three"]), broken("three"));
    assert_eq!(refused(true, &["three"]), broken("three"));
    assert_eq!(refused(true, &["broken"]), [format!("there is no skill `broken`; {list}")]);
    assert_eq!(refused(false, &["four"]), [format!("there is no skill `four`; {list}")], "it is in another root");
}

#[test]
fn lists_shadowed_skills_without_a_selection() {
    let skills: [(&str, &[(&str, &str)]); 3] = [
        (".a/skills/1/SKILL.md", &[("name", "x")]),
        (".b/skills/1/SKILL.md", &[("name", "x")]),
        (".b/skills/2/SKILL.md", &[("name", "y")]),
    ];
    let catalog = samples::catalog(TOGETHER, &skills);
    let shadowed = shadowed(&Accepted::new(&catalog, &[false; 3]), &all());
    let path = |id: SkillId| catalog.path(id).to_string();
    let found: Vec<_> = shadowed.iter().map(|lost| (path(lost.skill), path(lost.by))).collect();
    assert_eq!(found, [(".b/skills/1/SKILL.md".to_owned(), ".a/skills/1/SKILL.md".to_owned())]);
}

#[test]
fn words_are_sorted_and_unique() {
    assert_eq!(words_of("Review the PDF, then review it"), ["it", "pdf", "review", "the", "then"]);
}

#[test]
fn matchers_have_words() {
    let words = [Matcher::Tags, Matcher::Bm25].map(|matcher| matcher.word());
    assert_eq!(words, ["tags", "bm25"]);
}

#[test]
fn sizes_add_bytes_and_characters() {
    assert_eq!(Size { bytes: 1, chars: 3 } + Size { bytes: 4, chars: 5 }, Size { bytes: 5, chars: 8 });
}
