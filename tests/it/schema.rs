//! The schemas for editors accept and reject the same files as the program.
#![allow(clippy::disallowed_methods, reason = "the test looks at the files of the package")]

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value as Json, json};
use skilltree_front_matter as front_matter;
use skilltree_front_matter::text::FileId;
use skilltree_lint::config::keys::{Key, Value};
use skilltree_lint::config::{self, Inputs, rows};
use skilltree_lint::rules;
use skilltree_report::explain::{Example, sections};
use skilltree_report::schema;
use skilltree_skills::snapshot::{Body, File, Role};
use skilltree_skills::source::Content;

fn validator(name: &str) -> Validator {
    let schema = schema::all().into_iter().find(|(known, _)| *known == name).expect("the schema is there").1;
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{name} is not a JSON Schema: {error}"))
}

/// A file as a language server for TOML hands it to a schema: days are strings.
fn json(text: &str) -> Option<Json> {
    fn converted(value: toml::Value) -> Json {
        match value {
            toml::Value::Datetime(day) => day.to_string().into(),
            toml::Value::Array(values) => values.into_iter().map(converted).collect(),
            toml::Value::Table(table) => table.into_iter().map(|(key, value)| (key, converted(value))).collect(),
            toml::Value::String(text) => text.into(),
            toml::Value::Integer(number) => number.into(),
            toml::Value::Float(number) => json!(number),
            toml::Value::Boolean(boolean) => boolean.into(),
        }
    }
    Some(converted(toml::Value::Table(text.parse().ok()?)))
}

/// Errors of the program for a configuration.
fn faults(text: &str) -> Vec<String> {
    let file = File::new(config::SETTINGS, Role::Config, None, Body::Text(text.into()));
    match config::read(Inputs { settings: Some(file), ..Inputs::default() }) {
        Ok(config) => config.faults.iter().map(|fault| format!("{}: {}", fault.rule.id(), fault.message)).collect(),
        Err(error) => vec![error.message],
    }
}

/// Every skilltree.toml of the fixtures, the pages and the documentation.
fn configurations() -> Vec<(String, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for fixture in fs::read_dir(top.join("fixtures")).expect("the fixtures") {
        let path = fixture.expect("a fixture").path().join("repo/skilltree.toml");
        found.extend(fs::read_to_string(&path).map(|text| (path.display().to_string(), text)));
    }
    for rule in rules::ALL {
        for section in sections(rule.explanation()) {
            let files = Example::new(&section).files;
            for file in files.into_iter().filter(|file| file.path == config::SETTINGS) {
                if let Content::File(bytes) = file.content {
                    let text = String::from_utf8(bytes).expect("a page is UTF-8");
                    found.push((format!("{}: {}", rule.id(), section.heading), text));
                }
            }
        }
    }
    let pages = ["configuration", "ignores", "own-rules", "policy", "targets", "templates"]
        .map(|name| format!("docs/{name}.md"));
    for page in pages.into_iter().chain(["README.md".to_owned()]) {
        let text = fs::read_to_string(top.join(&page)).expect("the page");
        let blocks = text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
        let before = found.len();
        found.extend(blocks.map(|text| (page.clone(), text.to_owned())));
        assert!(found.len() > before, "{page} shows a configuration");
    }
    found
}

#[test]
fn schema_accepts_same_configurations_as_program() {
    let schema = validator("skilltree");
    let (mut valid, mut invalid) = (0, 0);
    for (place, text) in configurations() {
        let faults = faults(&text);
        let Some(value) = json(&text) else { continue };
        if faults.is_empty() {
            // A separate rule reports an ignore without a reason.
            let no_reason = value["ignore"].as_array().is_some_and(|all| all.iter().any(|one| one["reason"].is_null()));
            let error = schema.iter_errors(&value).next().map(|error| error.to_string());
            assert!(no_reason || error.is_none(), "{place}: {error:?}");
            valid += 1;
        } else if faults.iter().any(|fault| fault.starts_with("unknown-")) {
            assert!(!schema.is_valid(&value), "{place}: {faults:?}");
            invalid += 1;
        }
    }
    assert!(valid > 15 && invalid > 2, "{valid} and {invalid} were seen");
}

/// A value that is right for a key, as TOML.
fn right(value: Value) -> String {
    match value {
        Value::Boolean => "true".into(),
        Value::Text => "'words'".into(),
        Value::Path => "'a/b'".into(),
        Value::Paths | Value::SomePaths => "['a/b']".into(),
        Value::Words => "['a']".into(),
        Value::Number => "1".into(),
        Value::Pattern => "'a+'".into(),
        Value::Group => "'(a)'".into(),
        Value::OwnRule => "'acme/license'".into(),
        Value::Kind => "'string'".into(),
        Value::Files => "{ 'SKILL.md' = '' }".into(),
        Value::Groups => "[['a', 'b']]".into(),
        Value::Date => "2027-01-01".into(),
        Value::Edition => "'2026'".into(),
        Value::Profile => "'codex'".into(),
        Value::ProfileList => "['codex', 'symphony']".into(),
        Value::Level => "'warning'".into(),
        Value::Rule => "'empty-body'".into(),
        Value::VersionFields => "['plugin']".into(),
        Value::Levels => "{ empty-body = 'note' }".into(),
        Value::Limits => "{ name-chars = 32 }".into(),
        Value::OwnProfiles => "{ mine = { extends = 'codex' } }".into(),
        Value::Table(keys) => format!("{{ {} }}", table(keys).join(", ")),
        Value::Tables(keys) => format!("[{{ {} }}]", table(keys).join(", ")),
    }
}

fn table(keys: &[Key]) -> Vec<String> {
    // A condition that forbids something goes with no other condition.
    let keys = keys.iter().filter(|key| key.name != "forbidden");
    keys.map(|key| format!("{} = {}", key.name, right(key.value))).collect()
}

/// Values that are wrong for a key, as TOML.
fn wrong(value: Value) -> Vec<String> {
    let mut wrong = vec!["1.5".to_owned()];
    let more: &[&str] = match value {
        Value::Boolean => &["'true'"],
        Value::Text | Value::Path => &["''", "['a']"],
        Value::Paths => &["'a'", "[1]"],
        Value::SomePaths => &["[]", "'a'", "[1]"],
        Value::Words => &["[]", "'a'", "[1]", "['']"],
        Value::Number => &["-1", "'1'"],
        Value::Pattern => &["['a']", "''"],
        Value::Group => &["'a'"],
        Value::OwnRule => &["'license'", "'a/B'", "'a/b/c'"],
        Value::Kind => &["'text'"],
        Value::Files => &["{}", "{ 'a.md' = '' }", "{ 'SKILL.md' = 1 }"],
        Value::Groups => &["['a']", "[['a']]", "[['a', 'a']]"],
        Value::Date => &["true", "7"],
        Value::Edition => &["'1999'"],
        Value::Profile => &["true"],
        Value::ProfileList => &["'codex'", "[1]"],
        Value::Level => &["'off'", "'fatal'"],
        Value::Rule => &["'no-such-rule'"],
        Value::VersionFields => &["[]", "'version'", "['Version']"],
        Value::Levels => &["{ empty-body = 'fatal' }", "{ no-such-rule = 'off' }", "{ empty-body = 1 }"],
        Value::Limits => &["{ name-chars = 0 }", "{ name-chars = -1 }", "{ nothing = 1 }", "{ name-chars = '1' }"],
        Value::OwnProfiles => {
            &["{ mine = 1 }", "{ Mine = { extends = 'codex' } }", "{ mine = { extends = 'no-such' } }"]
        }
        Value::Table(keys) => {
            wrong.push("[]".to_owned());
            wrong.extend(wrong_tables(keys));
            &[]
        }
        Value::Tables(keys) => {
            wrong.push("{}".to_owned());
            wrong.extend(wrong_tables(keys).iter().map(|table| format!("[{table}]")));
            &[]
        }
    };
    wrong.extend(more.iter().map(|&value| value.to_owned()));
    wrong
}

#[test]
fn schema_accepts_same_values_as_program() {
    let schema = validator("skilltree");
    let check = |text: &str, expected: bool| {
        let value = json(text).unwrap_or_else(|| panic!("`{text}` is not TOML"));
        let faults = faults(text);
        assert_eq!(faults.is_empty(), expected, "`{text}`: the program says {faults:?}");
        let error = schema.iter_errors(&value).next().map(|error| error.to_string());
        assert_eq!(error.is_none(), expected, "`{text}`: the schema says {error:?}");
    };
    check("", true);
    check("colour = 'red'", false);
    check(&table(&rows::keys()).join("\n"), true);
    for key in rows::keys() {
        check(&format!("{} = {}", key.name, right(key.value)), true);
        for value in wrong(key.value) {
            check(&format!("{} = {value}", key.name), false);
        }
    }
}

#[test]
fn schema_lists_parts_of_profile() {
    let (_, schema) = schema::all().into_iter().find(|(name, _)| *name == "skilltree").expect("the schema");
    let parts = schema["definitions"]["own-profile"]["properties"].as_object().expect("the parts");
    let profiles = skilltree_runtimes::profile::Profiles::default();
    for id in profiles.ids() {
        let source: toml::Table =
            skilltree_runtimes::profile::source(id).expect("its text").parse().expect("it is TOML");
        for key in source.keys().filter(|key| *key != "id") {
            assert!(parts.contains_key(key), "{id} has `{key}`");
        }
    }
}

/// The front matter of a SKILL.md as an editor hands it to a schema; `None` where there is none to hand over.
fn fields(bytes: &[u8]) -> Option<Json> {
    let reading = front_matter::read(FileId(0), bytes, skilltree_skills::limits::Limits::default().bounds());
    let yaml = reading.front_matter?.yaml.range();
    let mut fields: Json = serde_yaml::from_slice(bytes.get(yaml)?).ok().filter(Json::is_object)?;
    // Leading and trailing whitespace does not count toward the length, and a schema cannot express this.
    for field in fields.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        if let Some(trimmed) = field.as_str().map(|text| text.trim_ascii().to_owned()) {
            *field = trimmed.into();
        }
    }
    Some(fields)
}

/// Front matter of the rule pages, under headings that begin with a word, without a configuration in the same example.
fn skills(heading: &str) -> Vec<(&'static str, String, Json)> {
    let mut found = Vec::new();
    for rule in rules::ALL {
        for section in sections(rule.explanation()) {
            let files = Example::new(&section).files;
            if !section.heading.starts_with(heading) || files.iter().any(|file| file.path == config::SETTINGS) {
                continue;
            }
            for file in files.iter().filter(|file| file.path.ends_with(b"/SKILL.md")) {
                if let Content::File(bytes) = &file.content
                    && let Some(fields) = fields(bytes)
                {
                    found.push((rule.id(), section.heading.to_owned(), fields));
                }
            }
        }
    }
    found
}

#[test]
fn schema_accepts_front_matter_without_findings() {
    let schema = validator("skill");
    let skills = skills("Quiet");
    assert!(skills.len() > 60, "the pages show skills: {}", skills.len());
    for (rule, heading, fields) in skills {
        let error = schema.iter_errors(&fields).next().map(|error| error.to_string());
        assert_eq!(error, None, "{rule}: {heading}: {fields}");
    }
}

#[test]
fn schema_expresses_checkable_rules() {
    let schema = validator("skill");
    let said = [
        "compatibility-too-long",
        "description-not-a-string",
        "description-too-long",
        "malformed-name",
        "metadata-not-a-mapping",
        "missing-description",
        "missing-name",
        "name-too-long",
        "short-description-too-long",
    ];
    let skills = skills("Fires");
    for id in said {
        let mut shown = skills.iter().filter(|(rule, ..)| *rule == id).peekable();
        assert!(shown.peek().is_some(), "the page of {id} shows a skill");
        for (_, heading, fields) in shown {
            // For a schema, `metadata: ~` equals `metadata:` without a value, which no rule reports.
            let is_nothing = id == "metadata-not-a-mapping" && fields["metadata"].is_null();
            assert!(is_nothing || !schema.is_valid(fields), "{id}: {heading}: {fields}");
        }
    }
}

/// TOML tables with an extra key, a missing key or an invalid value.
fn wrong_tables(keys: &[Key]) -> Vec<String> {
    let mut wrong = vec![format!("{{ {}, colour = 1 }}", table(keys).join(", "))];
    for (number, key) in keys.iter().enumerate() {
        let others: Vec<Key> =
            keys.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, key)| *key).collect();
        // A separate rule reports an ignore without a reason.
        if key.required && key.name != "reason" {
            wrong.push(format!("{{ {} }}", table(&others).join(", ")));
        }
        let values = self::wrong(key.value).into_iter().map(|value| format!("{} = {value}", key.name));
        // The same rule reports an empty reason.
        let values = values.filter(|written| written != "reason = ''");
        wrong.extend(values.map(|written| {
            let all: Vec<String> = table(&others).into_iter().chain([written]).collect();
            format!("{{ {} }}", all.join(", "))
        }));
    }
    wrong
}

#[test]
fn catalog_names_existing_schemas() {
    let text = include_str!("../../schema/schemastore.json");
    let catalog: Json = serde_json::from_str(text).expect("it is JSON");
    let entries = catalog["schemas"].as_array().expect("a list");
    for entry in entries {
        let url = entry["url"].as_str().expect("an address");
        let name = url.rsplit('/').next().and_then(|file| file.strip_suffix(".json")).expect("a file");
        let (_, schema) = schema::all().into_iter().find(|(known, _)| *known == name).expect("the schema");
        // SchemaStore requires both members, and one of these drafts.
        assert!(schema["$schema"].as_str().is_some_and(|draft| draft.contains("draft-07")), "{name}");
        assert!(schema["$id"].is_string() && schema["title"].is_string(), "{name}");
        assert!(entry["name"].is_string() && entry["description"].is_string(), "{name}");
    }
    assert_eq!(entries.len(), 2);
}

/// An output says `"schema": "skilltree/NAME/vN"`, and a program that keeps schemas by `$id` must not confuse two versions.
#[test]
fn ids_of_output_schemas_have_the_version() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let mut seen = 0;
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a text");
        let schema: Json = serde_json::from_str(&text).expect("it is JSON");
        let Some((_, after)) = text.split_once("\"const\": \"skilltree/") else { continue };
        let (name, version) = after.split('"').next().and_then(|id| id.split_once("/v")).expect("a name and a version");
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!(file, format!("{name}.json"));
        let id = schema["$id"].as_str().expect("an id");
        assert!(id.ends_with(&format!("/main/schema/{file}?version={version}")), "{file}: {id}");
        seen += 1;
    }
    assert!(seen >= 14, "{seen}");
}
