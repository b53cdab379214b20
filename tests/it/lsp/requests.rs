//! One request each.

use serde_json::{Value, json};

use super::client::{Client, edited, uri};
use super::{skill, with_name};
use crate::common::{Repository, good};

fn top(repository: &Repository) -> std::path::PathBuf {
    repository.path().canonicalize().unwrap()
}

/// Returns the skill whose description has a colon, in quotes.
fn quoted() -> String {
    let description = "Does what: pdf says. Use when pdf is wanted.";
    good("pdf").replace(&description.replace(':', ""), &format!("\"{description}\""))
}

#[test]
fn fixes_a_finding() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let text = good("pdf").replace("what pdf says.", "what: pdf says.");
    client.open(&pdf, &text);
    assert_eq!(client.codes(&pdf, 1), ["invalid-yaml"]);
    let actions = client.actions(&pdf, 2..3, Some("quickfix"));
    let fix = actions.iter().find(|action| action["isPreferred"] == true).unwrap_or_else(|| panic!("{actions:#?}"));
    assert_eq!(edited(&fix["edit"], &pdf, &text), quoted());
    assert_eq!(fix["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
    assert_eq!(client.actions(&pdf, 6..7, Some("quickfix")), [Value::Null; 0], "there is nothing to fix here");
}

#[test]
fn fixes_all() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let text = good("pdf").replace("what pdf says.", "what: pdf says.");
    client.open(&pdf, &text);
    client.codes(&pdf, 1);
    let actions = client.actions(&pdf, 0..0, Some("source.fixAll"));
    assert_eq!(actions.len(), 1, "{actions:#?}");
    assert_eq!(actions[0]["kind"], "source.fixAll.skilltree");
    let fixed = edited(&actions[0]["edit"], &pdf, &text);
    assert_eq!(fixed, quoted());
}

#[test]
fn ignores_a_finding_with_a_reason() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let text = with_name(&good("pdf"), "pdf-tools");
    client.open(&pdf, &text);
    assert_eq!(client.codes(&pdf, 1), ["name-differs-from-directory"]);
    let actions = client.actions(&pdf, 1..2, Some("quickfix"));
    let ignore = actions.iter().find(|action| action["title"].as_str().unwrap().starts_with("Ignore "));
    let ignored = edited(&ignore.unwrap_or_else(|| panic!("{actions:#?}"))["edit"], &pdf, &text);
    assert!(ignored.contains("# skilltree: ignore[name-differs-from-directory] TODO"), "{ignored}");
    client.change(&pdf, 2, &ignored);
    assert_eq!(client.codes(&pdf, 2), [""; 0]);
}

#[test]
fn ignores_a_finding_in_a_block_scalar_above_its_key() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    for (number, header) in [">", "|", ">-"].into_iter().enumerate() {
        let text = format!("---\nname: pdf\ndescription: {header}\n  Fills in forms.\n---\n\nFill them in.\n");
        let version = i64::try_from(2 * number + 1).unwrap();
        if number == 0 {
            client.open(&pdf, &text)
        } else {
            client.change(&pdf, version, &text)
        }
        assert_eq!(client.codes(&pdf, version), ["description-without-trigger"]);
        let actions = client.actions(&pdf, 2..4, Some("quickfix"));
        let ignore = actions.iter().find(|action| action["title"].as_str().unwrap().starts_with("Ignore "));
        let ignored = edited(&ignore.unwrap_or_else(|| panic!("{actions:#?}"))["edit"], &pdf, &text);
        assert!(ignored.contains("name: pdf\n# skilltree: ignore[description-without-trigger]"), "{ignored}");
        client.change(&pdf, version + 1, &ignored);
        assert_eq!(client.codes(&pdf, version + 1), [""; 0]);
    }
}

#[test]
fn ignores_two_places_of_one_rule_with_the_line_ends_of_the_file() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let text = format!("{}\nFirst [x](no1.md).\n\nSecond [y](no2.md).\n", good("pdf")).replace('\n', "\r\n");
    client.open(&pdf, &text);
    let codes = client.codes(&pdf, 1);
    let line = text.lines().position(|line| line.starts_with("First")).unwrap() as u32;
    let actions = client.actions(&pdf, line..line + 1, Some("quickfix"));
    let ignore = actions.iter().find(|action| action["title"].as_str().unwrap().starts_with("Ignore broken-link"));
    let ignored = edited(&ignore.unwrap_or_else(|| panic!("{codes:?} {actions:#?}"))["edit"], &pdf, &text);
    assert_eq!(ignored.matches('\n').count(), ignored.matches("\r\n").count(), "{ignored}");
    client.change(&pdf, 2, &ignored);
    assert_eq!(client.codes(&pdf, 2).len(), codes.len() - 1, "{ignored}");
}

#[test]
fn offers_no_edit_of_an_older_text() {
    let repository = Repository::new();
    let settings = "edition = \"2026\"\n\n[[ignore]]\nrule = \"empty-body\"\npath = \"**\"\n";
    repository.skill("skills", "pdf").write("skilltree.toml", settings).add();
    let mut client = Client::new(repository.path());
    let toml = uri(&top(&repository).join("skilltree.toml"));
    client.open(&toml, settings);
    client.codes(&toml, 1);
    assert_ne!(client.actions(&toml, 0..5, Some("quickfix")), [Value::Null; 0]);
    client.change(&toml, 2, &format!("{settings}reason = \"an example that\n"));
    assert_eq!(client.codes(&toml, 2), ["invalid-configuration"]);
    assert_eq!(client.actions(&toml, 0..6, None), [Value::Null; 0]);
}

#[test]
fn title_says_that_an_ignore_is_removed() {
    let settings = "[[ignore]]\nrule = \"empty-body\"\npath = \"skills/**\"\n";
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skilltree.toml", settings).add();
    let mut client = Client::new(repository.path());
    let (pdf, toml) = (skill(&repository, "pdf"), uri(&top(&repository).join("skilltree.toml")));
    let unexplained = format!("{}<!-- skilltree: ignore[empty-body] -->\n", good("pdf"));
    let unparsed = format!("{}<!-- skilltree: ignore[empty-body] until=never why -->\n", good("pdf"));
    for (version, text, address, title) in [
        (1, settings, &toml, "Remove the entry (may change what the skill means)"),
        (1, unexplained.as_str(), &pdf, "Remove the comment (may change what the skill means)"),
        (2, unparsed.as_str(), &pdf, "Remove the comment (may change what the skill means)"),
    ] {
        if version == 1 {
            client.open(address, text)
        } else {
            client.change(address, version, text)
        }
        client.codes(address, version);
        let actions = client.actions(address, 0..99, Some("quickfix"));
        let removal = actions.iter().find(|action| action["title"] == title);
        let removal = removal.unwrap_or_else(|| panic!("{actions:#?}"));
        assert!(!edited(&removal["edit"], address, text).contains("empty-body"), "{removal}");
    }
}

#[test]
fn unsafe_fixes_say_so() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &with_name(&good("pdf"), "pdf-tools"));
    client.codes(&pdf, 1);
    for action in client.actions(&pdf, 0..9, Some("quickfix")) {
        let title = action["title"].as_str().unwrap();
        let is_unsafe = title.contains("may change");
        assert!(!is_unsafe || action["isPreferred"] == false, "{action}");
    }
}

#[test]
fn hover_names_the_runtimes_that_read_a_key() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf").replacen("---\n", "---\nallowed-tools: Read\nnonsense: 1\n", 1));
    client.codes(&pdf, 1);
    let mut hover = |line| {
        let answer = client.at("textDocument/hover", &pdf, line, 2).unwrap();
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let tools = hover(1);
    assert!(tools.contains("Read by") && tools.contains("Claude Code 2."), "{tools}");
    assert!(hover(2).starts_with("**nonsense**\n\nNone of"), "{}", hover(2));
    let name = hover(3);
    assert!(name.contains("The model sees in") && name.contains("```text\npdf\n```"), "{name}");
    assert_eq!(hover(0), "", "nothing at a fence");
}

/// Returns what is said at `|` of a text; empty if nothing.
fn said(client: &mut Client, uri: &str, version: i64, text: &str) -> String {
    let at = text.find('|').unwrap();
    let (line, start) = (text[..at].matches('\n').count(), text[..at].rfind('\n').map_or(0, |end| end + 1));
    client.change(uri, version, &text.replacen('|', "", 1));
    let answer = client.at("textDocument/hover", uri, line as u32, (at - start) as u32).unwrap();
    answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hover_says_what_runtimes_make_of_a_manifest() {
    let repository = Repository::new();
    let plugin = "{ \"name\": \"p\", \"skills\": [\"./skills\"], \"author\": { \"name\": \"x\" } }\n";
    let market =
        "{ \"name\": \"m\", \"owner\": { \"name\": \"x\" }, \"plugins\": [{ \"name\": \"p\", \"source\": \"./\" }] }\n";
    repository
        .skill("skills", "pdf")
        .write(".claude-plugin/plugin.json", plugin)
        .write(".claude-plugin/marketplace.json", market)
        .write("hooks/hooks.json", "{ \"hooks\": {} }\n")
        .add();
    let mut client = Client::new(repository.path());
    let cases = [
        ("plugin.json", plugin, "\"na|me\"", "- Claude Code: without it, nothing loads"),
        (
            "plugin.json",
            plugin,
            "[\"./sk|ills\"]",
            "Claude Code: it names skills or directories of skills, in addition to `skills`",
        ),
        ("plugin.json", plugin, "\"auth|or\"", "No runtime is known to find skills by this key"),
        ("plugin.json", plugin, "\"auth|or\"", "The file is read by "),
        (
            "marketplace.json",
            market,
            "{ \"na|me\": \"x\"",
            "nothing is installed if `owner` is not an object with a `name`",
        ),
        (
            "marketplace.json",
            market,
            "\"sour|ce\"",
            "Codex: a source with `./` starts at the directory of the marketplace",
        ),
        ("marketplace.json", market, "\"na|me\": \"p\"", "without it, the plugin is not installed"),
    ];
    for (number, (file, text, place, expected)) in cases.into_iter().enumerate() {
        let uri = uri(&top(&repository).join(format!(".claude-plugin/{file}")));
        client.open(&uri, text);
        let text = text.replacen(&place.replacen('|', "", 1), place, 1);
        let words = said(&mut client, &uri, number as i64 + 2, &text);
        assert!(words.contains(expected), "{place}: {words}");
    }
    let hooks = uri(&top(&repository).join("hooks/hooks.json"));
    client.open(&hooks, "{}");
    assert_eq!(said(&mut client, &hooks, 2, "{ \"ho|oks\": {} }\n"), "");
}

#[test]
fn hover_says_what_a_setting_is() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skilltree.toml", "").add();
    let mut client = Client::new(repository.path());
    let settings = uri(&top(&repository).join("skilltree.toml"));
    client.open(&settings, "");
    let cases = [
        ("targ|ets = [\"codex\"]", "**targets**: The runtimes that"),
        ("targets = [\"co|dex\"]", "**codex**: Codex"),
        ("targets = [\"codex\"]\n[ru|les]\n", "**rules**: The severities of rules."),
        ("[rules]\nempt|y-body = \"off\"", "**empty-body**: a skill has no body\n\nDefault: `error`. "),
        ("[rules]\nempty-body = \"o|ff\"", "**rules.empty-body**: a skill has no body\n\nDefault: `\"error\"`"),
        ("[limits]\nbody|-lines = 3", "**limits.body-lines**: Lines of the body"),
        (
            "[[ignore]]\nrule = \"em|pty-body\"",
            "**empty-body**: a skill has no body\n\nDefault: `error`. [Documentation](https://",
        ),
        ("[[ignore]]\nrea|son = \"x\"", "**ignore.reason**: Why"),
        ("# tar|gets", ""),
        ("nonse|nse = 1", ""),
    ];
    for (number, (text, expected)) in cases.into_iter().enumerate() {
        let words = said(&mut client, &settings, number as i64 + 2, text);
        assert!(words.starts_with(expected) && words.is_empty() == expected.is_empty(), "{text}: {words}");
    }
}

#[test]
fn lens_counts_runtimes_and_tokens() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = uri(&top(&repository).join(".claude/skills/pdf/SKILL.md"));
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    let document = json!({ "textDocument": { "uri": pdf } });
    let lenses = client.request("textDocument/codeLens", document.clone()).unwrap();
    let title = lenses[0]["command"]["title"].as_str().unwrap();
    assert!(title.contains(" load") && title.contains("tokens always, "), "{title}");
    assert_eq!(lenses[0]["command"]["command"], "skilltree.forecast");
    let forecast = client.request("skilltree/forecast", document).unwrap();
    assert!(forecast["text"].as_str().unwrap().contains("Claude Code"), "{forecast}");
    let command = json!({ "command": "skilltree.forecast", "arguments": [pdf] });
    assert_eq!(client.request("workspace/executeCommand", command).unwrap(), forecast);
    let unknown = json!({ "command": "rm", "arguments": [pdf] });
    assert!(client.request("workspace/executeCommand", unknown).is_err());
}

#[test]
fn lens_counts_the_runtimes_that_read_the_directory() {
    let repository = Repository::new();
    let keys = |keys: &str| good("pdf").replacen("---\n", &format!("---\n{keys}"), 1);
    let person = keys("disable-model-invocation: true\n");
    let nobody = keys("disable-model-invocation: true\nuser-invocable: false\n");
    repository
        .write("skilltree.toml", "targets = [\"claude-code\", \"codex\", \"cursor\"]\n")
        .write(".claude/skills/pdf/SKILL.md", good("pdf"))
        .write(".claude/skills/person/SKILL.md", person)
        .write(".claude/skills/nobody/SKILL.md", nobody)
        .write(".agent/skills/pdf/SKILL.md", good("pdf"))
        .add();
    let mut client = Client::new(repository.path());
    let mut lens = |path: &str| {
        let uri = uri(&top(&repository).join(path));
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } })).unwrap();
        let title = lenses[0]["command"]["title"].as_str().unwrap().to_owned();
        title.split_once(" \u{b7} ").unwrap().0.to_owned()
    };
    assert_eq!(lens(".claude/skills/pdf/SKILL.md"), "2 load", "Codex does not read it");
    assert_eq!(lens(".claude/skills/person/SKILL.md"), "2 hide");
    assert_eq!(lens(".claude/skills/nobody/SKILL.md"), "1 hide, 1 never start");
    assert_eq!(lens(".agent/skills/pdf/SKILL.md"), "no target reads this directory");
    repository.write("skilltree.toml", "");
    let settings = uri(&top(&repository).join("skilltree.toml"));
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": settings, "type": 2 }] }));
    let document = json!({ "textDocument": { "uri": uri(&top(&repository).join(".agent/skills/pdf/SKILL.md")) } });
    let lenses = client.request("textDocument/codeLens", document).unwrap();
    let title = lenses[0]["command"]["title"].as_str().unwrap();
    assert!(!title.contains("unknown"), "of some runtimes only the directories are known: {title}");
}

#[test]
fn lens_says_that_another_skill_has_the_name() {
    let repository = Repository::new();
    repository
        .skill(".agents/skills", "pdf")
        .skill(".agents/skills", "csv")
        .write("skilltree.toml", "targets = [\"gemini-cli\"]\n");
    repository.write(".gemini/skills/pdf/SKILL.md", good("pdf").replace("Use when", "Also use when")).add();
    let mut client = Client::new(repository.path());
    let mut lens = |path: &str| {
        let uri = uri(&top(&repository).join(path));
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } })).unwrap();
        lenses[0]["command"]["title"].as_str().unwrap().contains("another skill has its name")
    };
    assert!(lens(".agents/skills/pdf/SKILL.md") && lens(".gemini/skills/pdf/SKILL.md"));
    assert!(!lens(".agents/skills/csv/SKILL.md"));
}

fn labels(answer: &Value) -> Vec<&str> {
    answer["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn completes_keys_values_tools_paths_and_names() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").skill("skills", "csv").write("skills/pdf/references/a b.md", "# A\n").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let text = "---\nname: \ndescription: x\nall\nallowed-tools: Rea\n---\n[a](ref\n$c\n<!-- skilltree: ignore[dup\n";
    client.open(&pdf, text);
    client.codes(&pdf, 1);
    let mut complete = |line, character| client.at("textDocument/completion", &pdf, line, character).unwrap();
    assert_eq!(labels(&complete(1, 6)), ["pdf"]);
    let keys = complete(3, 3);
    assert!(labels(&keys).contains(&"when_to_use") && !labels(&keys).contains(&"name"), "{:?}", labels(&keys));
    assert!(keys["items"][0]["detail"].as_str().unwrap().starts_with("read by "), "{}", keys["items"][0]);
    assert!(labels(&complete(4, 18)).contains(&"Read"));
    assert_eq!(labels(&complete(6, 7)), ["references/a b.md"]);
    assert_eq!(labels(&complete(7, 2)), ["csv"]);
    assert!(labels(&complete(8, 30)).contains(&"duplicate-name"));
    assert_eq!(labels(&complete(99, 0)), [""; 0]);
}

#[test]
fn completes_settings() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skilltree.toml", "").add();
    let mut client = Client::new(repository.path());
    let settings = uri(&top(&repository).join("skilltree.toml"));
    client.open(&settings, "edi\ntargets = [\"cla\n[rules]\ndup\nduplicate-name = \"\n[[ignore]]\nrea\n");
    client.wait("a fault", |client| client.published.contains_key(&settings));
    client.change(&settings, 2, "");
    client.codes(&settings, 2);
    client.change(&settings, 3, "edi\ntargets = [\"cla\n[rules]\ndup\nduplicate-name = \"\n[[ignore]]\nrea\n");
    let mut complete = |line, character| client.at("textDocument/completion", &settings, line, character).unwrap();
    assert!(labels(&complete(0, 3)).contains(&"edition"));
    assert!(labels(&complete(1, 15)).contains(&"claude-code"));
    assert!(labels(&complete(3, 3)).contains(&"empty-body"));
    assert_eq!(labels(&complete(4, 18)), ["off", "note", "warning", "error"]);
    assert!(labels(&complete(6, 3)).contains(&"reason"));
}

#[test]
fn follows_links_both_ways() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skills/pdf/references/a.md", "# A\n[up](../SKILL.md)\n").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let reference = uri(&top(&repository).join("skills/pdf/references/a.md"));
    let text = format!("{}\nRead [\u{1f600}](references/a.md).\n", good("pdf"));
    client.open(&pdf, &text);
    client.codes(&pdf, 1);
    let line = text.lines().count() as u32 - 1;
    let links = client.request("textDocument/documentLink", json!({ "textDocument": { "uri": pdf } })).unwrap();
    assert_eq!(links[0]["target"], reference.as_str(), "{links}");
    assert_eq!(links[0]["range"]["start"], json!({ "line": line, "character": 10 }), "a smiley has two units");
    let definition = client.at("textDocument/definition", &pdf, line, 12).unwrap();
    assert_eq!(definition["uri"], reference.as_str());
    let references = client.at("textDocument/references", &reference, 0, 0).unwrap();
    assert_eq!(references[0]["uri"], pdf.as_str(), "{references}");
    let references = client.at("textDocument/references", &pdf, 0, 0).unwrap();
    assert_eq!(references[0]["uri"], reference.as_str(), "{references}");
}

#[test]
fn renames_a_skill_with_directory_links_and_manifests() {
    let repository = Repository::new();
    let linking = format!("{}\nSee [it](../pdf/references/a.md), and use the skill `$pdf`.\n", good("csv"));
    repository
        .skill("skills", "pdf")
        .write("skills/pdf/references/a.md", "# A\n")
        .write("skills/csv/SKILL.md", &linking)
        .write(".claude-plugin/plugin.json", "{ \"name\": \"p\", \"skills\": [\"./skills/pdf\"] }\n")
        .add();
    let mut client = Client::new(repository.path());
    let (pdf, csv) = (skill(&repository, "pdf"), skill(&repository, "csv"));
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    let range = client.at("textDocument/prepareRename", &pdf, 1, 7).unwrap();
    assert_eq!(range["placeholder"], "pdf", "{range}");
    assert_eq!(client.at("textDocument/prepareRename", &pdf, 2, 0).unwrap(), Value::Null);
    let mut rename = |name: &str| {
        let position = json!({ "line": 1, "character": 7 });
        client.request(
            "textDocument/rename",
            json!({ "textDocument": { "uri": pdf }, "position": position, "newName": name }),
        )
    };
    assert!(rename("../etc").is_err() && rename("").is_err() && rename("csv").is_err());
    assert_eq!(rename("pdf").unwrap(), Value::Null);
    assert!(edited(&rename("true").unwrap(), &pdf, &good("pdf")).contains("name: \"true\"\n"));
    let edit = rename("pdf-forms").unwrap();
    assert_eq!(edited(&edit, &pdf, &good("pdf")), with_name(&good("pdf"), "pdf-forms"));
    let moved = edited(&edit, &csv, &linking);
    assert!(moved.contains("(../pdf-forms/references/a.md)") && moved.contains("$pdf-forms"), "{moved}");
    let manifest = uri(&top(&repository).join(".claude-plugin/plugin.json"));
    let text = std::fs::read_to_string(repository.path().join(".claude-plugin/plugin.json")).unwrap();
    assert!(edited(&edit, &manifest, &text).contains("\"./skills/pdf-forms\""), "{edit:#}");
    let last = edit["documentChanges"].as_array().unwrap().last().unwrap();
    assert_eq!(last["kind"], "rename");
    assert!(last["newUri"].as_str().unwrap().ends_with("/skills/pdf-forms"), "{last}");
    let files = json!({ "files": [{ "oldUri": last["oldUri"], "newUri": last["newUri"] }] });
    let will = client.request("workspace/willRenameFiles", files).unwrap();
    assert_eq!(edited(&will, &pdf, &good("pdf")), with_name(&good("pdf"), "pdf-forms"), "{will:#}");
    assert_eq!(edited(&will, &csv, &linking), moved);
    let many = vec![json!({ "oldUri": last["oldUri"], "newUri": last["newUri"] }); 65];
    let refused = client.request("workspace/willRenameFiles", json!({ "files": many })).unwrap_err();
    assert!(refused.contains("more than 64 files"), "{refused}");
}

#[test]
#[cfg(unix)]
fn refuses_to_rename_what_a_link_leads_to() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "pdf");
    std::fs::create_dir_all(repository.path().join(".agents/skills")).unwrap();
    std::os::unix::fs::symlink("../../.claude/skills/pdf", repository.path().join(".agents/skills/pdf")).unwrap();
    repository.add();
    let mut client = Client::new(repository.path());
    let pdf = uri(&top(&repository).join(".claude/skills/pdf/SKILL.md"));
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    let position = json!({ "line": 1, "character": 7 });
    let document = json!({ "textDocument": { "uri": pdf }, "position": position, "newName": "other" });
    let refused = client.request("textDocument/rename", document).unwrap_err();
    assert!(refused.contains("`.agents/skills/pdf` is a symbolic link"), "{refused}");
}

#[test]
fn checks_manifests_and_agent_files() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write(".claude-plugin/plugin.json", "{ \"name\": \"p\" }\n").add();
    let mut client = Client::new(repository.path());
    let manifest = uri(&top(&repository).join(".claude-plugin/plugin.json"));
    client.open(&manifest, "{ \"name\": \"p\" }\n");
    client.codes(&manifest, 1);
    client.change(&manifest, 2, "{ \"name\": \"p\", \"skills\": [\"./nowhere\"] }\n");
    assert!(!client.codes(&manifest, 2).is_empty());
    let hooks = uri(&top(&repository).join("hooks/hooks.json"));
    client.open(&hooks, "{ \"hooks\": { \"Stop\": \"x\" } }\n");
    assert_eq!(client.codes(&hooks, 1), ["ignored-plugin-hook"]);
    let agent = uri(&top(&repository).join("skills/pdf/agents/openai.yaml"));
    client.open(&agent, "interface: [\n");
    assert!(!client.codes(&agent, 1).is_empty(), "{:?}", client.published);
}

#[test]
fn fixes_a_path_in_a_manifest() {
    let repository = Repository::new();
    let text = "{ \"name\": \"p\", \"skills\": [\"./skills/pdf/SKILL.md\"] }\n";
    repository.skill("skills", "pdf").write(".claude-plugin/plugin.json", text).add();
    let mut client = Client::new(repository.path());
    let manifest = uri(&top(&repository).join(".claude-plugin/plugin.json"));
    client.open(&manifest, text);
    assert!(client.codes(&manifest, 1).contains(&"dead-plugin-path".to_owned()), "{:?}", client.published);
    let actions = client.actions(&manifest, 0..1, Some("quickfix"));
    let title = "Write the directory: `./skills/pdf` (may change what the skill means)";
    let fix = actions.iter().find(|action| action["title"] == title).unwrap_or_else(|| panic!("{actions:#?}"));
    assert_eq!(edited(&fix["edit"], &manifest, text), text.replace("/SKILL.md", ""));
}
