//! Tests of the built-in profiles.

use super::*;

#[test]
fn parses_every_built_in_profile() {
    for (Builtin { id, .. }, text) in BUILTIN.iter().zip(SOURCES) {
        let mut profile = Profile::parse(text).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(profile.id, *id);
        assert_eq!(Profiles::default().find(id), Some(&profile), "{id}: the JSON of the build script differs");
        assert_eq!(table(id), extend::whole(text, &|id| source(id).map(str::to_owned)).ok(), "{id}");
        let merged = toml::to_string(&table(id).unwrap()).unwrap();
        assert_eq!(
            toml::from_str::<Profile>(&merged).as_ref(),
            Ok(&profile),
            "{id}: WebAssembly reads another profile"
        );
        assert!(profile.patterns().all(|pattern| pattern.regex().is_some()), "{id}");
        assert!(profile.usage_rank.is_some(), "{id}: `usage-rank` is missing");
        let kinds = [&profile.observed, &profile.read, &profile.documented];
        assert_eq!(kinds.iter().flat_map(|at| at.as_ref()).count(), 1, "{id}: say how it was found out, once");
    }
    assert!(BUILTIN.is_sorted_by_key(|ours| ours.id), "the profiles are listed in alphabetical order");
}

#[test]
fn rejects_evidence_without_a_value() {
    for (Builtin { id, .. }, text) in BUILTIN.iter().zip(SOURCES) {
        let table = Profiles::default().table(id).unwrap();
        for path in Profile::parse(text).unwrap().evidence.keys() {
            let whole = toml::Value::Table(table.clone());
            let value = path.split('.').try_fold(&whole, |value, step| value.get(step));
            assert!(value.is_some(), "{id}: the evidence for `{path}` is about nothing");
        }
    }
}

#[test]
fn requires_evidence_for_every_loads_table() {
    for (Builtin { id, .. }, text) in BUILTIN.iter().zip(SOURCES) {
        let profile = Profile::parse(text).unwrap();
        let table = Profiles::default().table(id).unwrap();
        for key in table["loads"].as_table().unwrap().keys() {
            assert!(profile.evidence(&format!("loads.{key}")).is_some(), "{id}: nothing says who found `loads.{key}`");
        }
    }
}

#[test]
fn without_lists_only_cells_that_have_no_value() {
    for (Builtin { id, .. }, text) in BUILTIN.iter().zip(SOURCES) {
        let table = Profiles::default().table(id).unwrap();
        for name in &Profile::parse(text).unwrap().loads.without {
            let path = format!("loads.{name}");
            assert!(cells::CELLS.contains(&&*path), "{id}: there is no cell `{path}`");
            assert_eq!(cells::value(&table, &path), None, "{id}: `{path}` has a value");
        }
    }
}

#[test]
fn evidence_uses_the_longest_path() {
    let text = "id = 'x'\ntitle = 'X'\nabout = 'y'\n[evidence]\nloads = { source = 'all' }\n'loads.faults' = { source = 'some' }";
    let profile = Profile::parse(text).unwrap();
    assert_eq!(profile.evidence("loads.faults.unclosed").unwrap().source, "some");
    assert_eq!(profile.evidence("loads.links.file").unwrap().source, "all");
    assert_eq!(profile.evidence("prompt"), None);
}

#[test]
fn rejects_unknown_profile_keys_and_values_with_position() {
    for wrong in ["colour = 1", "[loads]\ndeep = 1", "[loads.faults]\nbom = 'dropped'", "[loads.links]\nfile = 'maybe'"]
    {
        let text = format!("id = 'x'\ntitle = 'X'\nabout = 'y'\n{wrong}");
        assert!(Profile::parse(&text).unwrap_err().span().is_some(), "{wrong}");
    }
}

#[test]
fn finds_built_in_profiles_by_id() {
    let profiles = Profiles::default();
    let depth = |id| profiles.find(id).map(|profile| profile.loads.depth);
    assert_eq!([depth("symphony"), depth("agentskills"), depth("none")], [Some(Some(1)), Some(None), None]);
}
