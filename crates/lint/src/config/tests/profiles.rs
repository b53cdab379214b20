use super::*;

fn settings(text: &str) -> Config {
    read(Inputs { settings: Some(file(SETTINGS, text.as_bytes())), ..Inputs::default() }).expect(text)
}

#[test]
fn extends_a_profile_by_its_differences() {
    let config = settings(
        "targets = ['house']\n[[root]]\npath = 'a'\nprofile = 'house'\n\
         [profile.house]\nextends = 'codex'\n[profile.house.loads]\ndepth = 2\n[profile.house.loads.text]\nline-endings = 'translated'",
    );
    assert_eq!(fault_lines(&config), [""; 0]);
    assert_eq!(config.targets, ["house"]);
    assert_eq!(config.roots.patterns.last().and_then(|root| root.depth), Some(2));
    let house = config.profiles.find("house").expect("it is defined");
    let codex = config.profiles.find("codex").expect("it comes with the program");
    assert_eq!((house.id.as_str(), house.title.as_str(), house.notes.len()), ("house", "house", 0));
    assert_eq!((house.loads.depth, codex.loads.depth), (Some(2), Some(6)));
    assert_eq!(house.loads.text.byte_order_mark, codex.loads.text.byte_order_mark);
    assert_ne!(house.loads.text.line_endings, codex.loads.text.line_endings);
    assert_eq!(house.loads.fence, codex.loads.fence);
    let source = |path: &str| house.evidence(path).map(|evidence| evidence.source.as_str());
    let changed = ["loads.depth", "loads.text.line-endings", "loads.text.line-endings.deeper"];
    assert_eq!(changed.map(source), [Some(SETTINGS); 3], "what is known of the other one is not known of this");
    assert!(source("loads.text.byte-order-mark").is_some_and(|source| source.contains("codex")));
    assert!(config.profiles.ids().eq(["house"].into_iter().chain(Profiles::default().ids()).fold(Vec::new(), sorted)));
}

fn sorted<'a>(mut ids: Vec<&'a str>, id: &'a str) -> Vec<&'a str> {
    ids.insert(ids.partition_point(|known| *known < id), id);
    ids
}

#[test]
fn replaces_a_builtin_profile() {
    let config = settings("[profile.pi]\nextends = 'pi'\nloads.depth = 1");
    let ours = Profiles::default();
    let (own, ours) = config.profiles.find("pi").zip(ours.find("pi")).expect("both are there");
    assert_eq!((own.loads.depth, own.cases.len()), (Some(1), 0));
    assert_eq!((&own.title, &own.about, &own.notes), (&ours.title, &ours.about, &ours.notes), "it is the same runtime");
    let other = settings("[profile.pi]\nextends = 'pi'\ntitle = 'Our Pi'");
    assert_eq!(other.profiles.find("pi").map(|pi| pi.title.as_str()), Some("Our Pi"));
    assert_eq!(config.profiles.ids().count(), Profiles::default().ids().count());
}

#[test]
fn keeps_the_evidence_of_the_repository() {
    let config = settings(
        "[profile.x]\nextends = 'codex'\n[profile.x.loads.text]\nline-endings = 'kept'\n[profile.x.loads.fields.name]\n\
         missing = 'loads'\n[profile.x.evidence]\n'loads.text' = { source = 'seen' }",
    );
    let known = config.profiles.find("x").expect("it is defined");
    let source = |path: &str| known.evidence(path).map(|evidence| evidence.source.as_str());
    assert_eq!(["loads.text.line-endings", "loads.fields.name"].map(source), [Some("seen"), Some(SETTINGS)]);
}

/// Content of the table `x`, text at the place of its fault, fact, help.
const FAULTY: &[(&str, &str, &str, &str)] = &[
    ("extends = 'codx'", "x", "the profile `x` extends `codx`, which is not a built-in profile", "write `codex`"),
    (
        "loads.deep = 1",
        "deep",
        "the profile `x` is not valid: unknown field `deep`, expected one of `depth`",
        "run `skilltree profiles agentskills`",
    ),
    (
        "extends = 'codex'\nloads.yaml.refused = 'lost'",
        "'lost'",
        "the profile `x` is not valid: ",
        "run `skilltree profiles agentskills`",
    ),
    (
        "loads.fence.absent = 'loads'",
        "fence",
        "the profile `x` is not valid: missing field `pattern`",
        "`skilltree profiles",
    ),
    (
        "loads.fence.pattern = '('",
        "x",
        "the profile `x` has an invalid regular expression: `(`",
        "use the syntax of the Rust `regex` crate",
    ),
];

#[test]
fn reports_profile_faults_at_their_place() {
    for &(lines, place, message, help) in FAULTY {
        let config = settings(&format!("targets = ['x']\n[profile.x]\n{lines}"));
        let reported = fault_lines(&config);
        assert_eq!(reported[0], "invalid-configuration 'x' | there is no profile `x` | fix the error in `[profile.x]`");
        assert!(reported[1].starts_with(&format!("invalid-configuration {place} | {message}")), "{reported:?}");
        assert!(reported[1].contains(help), "{reported:?}");
        assert!(!config.profiles.contains("x"), "{lines}");
        let error = faulty(&config.profiles, "x").expect("it has a fault");
        let (file, range) = *error.place.expect("it stands in the file");
        let Body::Text(text) = file.body else { panic!("a file of the configuration has a text") };
        assert_eq!((text[range].as_bstr(), error.message.starts_with(message)), (place.into(), true));
    }
    assert!(fault_lines(&settings("[profile.'a b']"))[0].contains("`a b` is not a valid profile name"));
    assert!(fault_lines(&settings("profile.x = 1"))[0].contains("`profile.x` is not a table"));
}

#[test]
fn checks_profile_roots_like_other_roots() {
    let house = |roots: &str| settings(&format!("[profile.house]\nextends = 'swarm'\nprompt.roots = {roots}"));
    let config = house("['..', '/etc', 'a[', '', './team//skills/']");
    let lines = fault_lines(&config);
    let expected = [
        "\"..\" | `..` is not a path below the repository root | write a path relative to the repository root",
        "\"/etc\" | `/etc` is not a path below the repository root | write a path relative to the repository root",
        "\"a[\" | `a[` is not a valid pattern: unclosed character class; missing ']' | close every bracket",
        "\"\" | the path is empty | write a path relative to the repository root",
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:?}");
    for (fault, expected) in lines.iter().zip(expected) {
        let expected = format!("invalid-configuration {}", expected.replace('"', "'"));
        assert!(fault.starts_with(&expected), "{fault}");
    }
    let roots = |config: &Config| config.profiles.find("house").unwrap().prompt.as_ref().unwrap().roots.clone();
    assert_eq!(roots(&config), ["team/skills"]);
    assert_eq!(roots(&settings("[profile.house]\nextends = 'swarm'")), [".agent/skills"]);
}

#[test]
fn reports_contradicted_cases_at_their_place() {
    let case = |outcome: &str, more: &str| {
        format!(
            "[[profile.x.cases]]\nwhat = 'a mark'\nfile = \"\\uFEFF---\\nname: demo\\ndescription: Reads.\\n---\\nDo.\\n\"\n\
             outcome = '{outcome}'\nsource = 'seen'\n{more}\n"
        )
    };
    let case_faults = |cases: &[String]| {
        let config = settings(&format!("[profile.x]\nextends = 'codex'\n{}", cases.concat()));
        assert!(config.profiles.contains("x"), "a profile stays in force with contradicted cases");
        fault_lines(&config)
    };
    assert_eq!(case_faults(&[case("drops", ""), case("drops", "reported = 'error'")]), [""; 0]);
    let wrong = case_faults(&[case("drops", ""), case("loads", "")]);
    let fact =
        "the profile `x` contradicts its case `a mark`: it predicts drops, reported: error, no front matter found";
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].starts_with("invalid-configuration [[profile.x.cases]]") && wrong[0].contains(fact), "{wrong:?}");
    assert_eq!(case_faults(&[case("drops", "reported = 'log'")]).len(), 1);
    let nowhere = case_faults(&[case("drops", "path = '../demo/README.md'")]);
    assert!(nowhere[0].contains("has no skill at the path of its case `a mark`"), "{nowhere:?}");
}

#[test]
fn compiles_shared_expressions_once() {
    let mut config = settings("[profile.a]\nextends = 'codex'\n[profile.b]\nextends = 'codex'");
    let own = config.profiles.own.values_mut();
    let compiled: Vec<Vec<*const regex::Regex>> = own
        .map(|own| own.profile.patterns().filter_map(|pattern| pattern.regex().map(std::ptr::from_ref)).collect())
        .collect();
    assert!(!compiled[0].is_empty());
    assert_eq!(compiled[0], compiled[1]);
}
