//! What a completion leaves in the document.

use serde_json::{Value, json};

use super::client::{Client, edited, uri};
use super::skill;
use crate::common::{Repository, good};

/// Completes at `|` of a text, and returns the text after the item with a label; `None` if there is no such item.
fn completed(client: &mut Client, uri: &str, (version, text): (i64, &str), label: &str) -> Option<String> {
    let at = text.find('|').unwrap();
    let (line, start) = (text[..at].matches('\n').count(), text[..at].rfind('\n').map_or(0, |end| end + 1));
    let text = text.replacen('|', "", 1);
    client.change(uri, version, &text);
    let answer = client.at("textDocument/completion", uri, line as u32, (at - start) as u32).unwrap();
    let item = answer["items"].as_array().unwrap().iter().find(|item| item["label"] == label)?;
    let change = json!({ "textDocument": { "uri": uri }, "edits": [item["textEdit"]] });
    Some(edited(&json!({ "documentChanges": [change] }), uri, &text))
}

fn client(repository: &Repository, uri: &str, text: &str) -> Client {
    let mut client = Client::new(repository.path());
    client.open(uri, text);
    client.codes(uri, 1);
    client
}

#[test]
fn waits_for_the_first_check() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").skill("skills", "csv").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let text = good("pdf").replacen("---\n", "---\nlic\n", 1);
    client.open(&pdf, &text);
    let answer = client.at("textDocument/completion", &pdf, 1, 3).unwrap();
    assert!(
        answer["items"].as_array().is_some_and(|items| items.iter().any(|item| item["label"] == "license")),
        "{answer}"
    );
}

#[test]
fn settings_stay_valid_toml() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skilltree.toml", "").add();
    let settings = uri(&repository.path().canonicalize().unwrap().join("skilltree.toml"));
    let mut client = client(&repository, &settings, "");
    let cases: &[(&str, &str, Option<&str>)] = &[
        ("targets = [cl|]", "claude-code", Some("targets = [\"claude-code\"]")),
        ("targets = [\"cl|", "claude-code", Some("targets = [\"claude-code\"")),
        ("targets = [\"cl|\"]", "claude-code", Some("targets = [\"claude-code\"]")),
        ("targets = ['cl|']", "claude-code", Some("targets = ['claude-code']")),
        ("targets = [\n  \"codex\",\n  cl|\n]", "claude-code", Some("targets = [\n  \"codex\",\n  \"claude-code\"\n]")),
        ("targets = [\n  \"cl|\"\n]", "claude-code", Some("targets = [\n  \"claude-code\"\n]")),
        ("targets = [\"codex\"]\n|", "targets", None),
        ("targets = [\n  \"codex\",\n  |\n]", "edition", None),
        ("targets = [\"codex\"]\nedi|", "edition", Some("targets = [\"codex\"]\nedition = ")),
        ("edi|= \"2026\"", "edition", Some("edition= \"2026\"")),
        ("# tar|", "targets", None),
        ("min-severity = |", "error", Some("min-severity = \"error\"")),
        ("[rules]\nempty-body = er|", "error", Some("[rules]\nempty-body = \"error\"")),
        ("[rules]\nempt|", "empty-body", Some("[rules]\nempty-body = ")),
        ("[rules]\nempty-body = \"off\"\nempt|", "empty-body", None),
        ("[ru|", "[rules]", Some("[rules]")),
        ("targets = [\"codex\"]\n[ru|", "[rules]", Some("targets = [\"codex\"]\n[rules]")),
        ("[ru|]", "[rules]", Some("[rules]")),
        ("[[ig|", "[[ignore]]", Some("[[ignore]]")),
        ("[ig|]", "[[ignore]]", Some("[[ignore]]")),
        ("[[ig|]]", "[[ignore]]", Some("[[ignore]]")),
        ("ig|", "[[ignore]]", Some("[[ignore]]")),
        ("[rules]\n\n[ru|", "[rules]", None),
        ("[[ignore]]\n\n[[ig|", "[[ignore]]", Some("[[ignore]]\n\n[[ignore]]")),
        ("[tar|", "[targets]", None),
        ("ru|", "rules", None),
        ("[[ignore]]\nrule = \"x\"\nru|", "rule", None),
        (
            "[[ignore]]\nrule = \"x\"\n\n[[ignore]]\nru|",
            "rule",
            Some("[[ignore]]\nrule = \"x\"\n\n[[ignore]]\nrule = "),
        ),
        ("[[ignore]]\nrule = [\"empt|\"]", "empty-body", Some("[[ignore]]\nrule = [\"empty-body\"]")),
        ("|edition = \"2026\"", "targets", Some("targets = \"2026\"")),
        ("edi|tion = \"2026\"", "edition", Some("edition = \"2026\"")),
        ("edi|tion", "edition", Some("edition = ")),
        ("targets = [\"cl|aude\"]", "claude-code", Some("targets = [\"claude-code\"]")),
        ("targets = [cl|aude]", "claude-code", Some("targets = [\"claude-code\"]")),
        ("[ru|le]", "[rules]", Some("[rules]")),
        ("[[ig|nored]]", "[[ignore]]", Some("[[ignore]]")),
        ("[limits]\nbody-|", "body-chars", None),
        ("[limits]\ndescription-|", "description-chars", Some("[limits]\ndescription-chars = ")),
    ];
    for (number, (text, label, expected)) in cases.iter().enumerate() {
        let after = completed(&mut client, &settings, (number as i64 + 2, text), label);
        assert_eq!(after.as_deref(), *expected, "{text}");
    }
}

#[test]
fn front_matter_keeps_patterns_of_tools_and_types_of_names() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").skill("skills", "true").add();
    let (pdf, other) = (skill(&repository, "pdf"), skill(&repository, "true"));
    let mut client = client(&repository, &pdf, &good("pdf"));
    client.open(&other, &good("true"));
    let all = ["Bash(gi|)", "Bash(git st|", "Read, Bash(Re|", "[\"Bash(Re|\"]", "Bash(git *)|"];
    for (number, tools) in all.into_iter().enumerate() {
        let text = format!("---\nallowed-tools: {tools}\n---\n");
        assert_eq!(completed(&mut client, &pdf, (number as i64 + 2, &text), "Read"), None, "{tools}");
    }
    let text = "---\nallowed-tools: Bash(git *) Re|\n---\n";
    let after = completed(&mut client, &pdf, (20, text), "Read").unwrap();
    assert_eq!(after, "---\nallowed-tools: Bash(git *) Read\n---\n");
    let after = completed(&mut client, &other, (2, "---\nname: |\n---\n"), "true").unwrap();
    assert_eq!(after, "---\nname: \"true\"\n---\n");
}

#[test]
fn paths_are_targets_of_links() {
    let repository = Repository::new();
    let names = ["a b.md", "c(1).md", "d%.md", "e#f.md"];
    repository.skill("skills", "pdf");
    for name in names {
        repository.write(&format!("skills/pdf/refs/{name}"), "# A\n");
    }
    repository.add();
    let pdf = skill(&repository, "pdf");
    let mut client = client(&repository, &pdf, &good("pdf"));
    let mut version = 1;
    for name in names {
        for typed in ["[a](re|)", "[a](<re|>)", "[a](|"] {
            version += 1;
            let text = format!("{}\n{typed}\n", good("pdf"));
            let after = completed(&mut client, &pdf, (version, &text), &format!("refs/{name}")).unwrap();
            let after = if typed.contains(')') { after } else { format!("{})\n", after.trim_end()) };
            version += 1;
            client.change(&pdf, version, &after);
            assert_eq!(client.codes(&pdf, version), [""; 0], "{after}");
            let links = client.request("textDocument/documentLink", json!({ "textDocument": { "uri": pdf } })).unwrap();
            assert_ne!(links, Value::Array(Vec::new()), "{after}");
        }
    }
}

#[test]
fn replaces_the_whole_word() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").skill("skills", "csv").write("skills/pdf/refs/a.md", "# A\n").add();
    let pdf = skill(&repository, "pdf");
    let mut client = client(&repository, &pdf, &good("pdf"));
    let cases: &[(&str, &str, &str)] = &[
        ("---\n|nam: pdf\n---\n", "license", "---\nlicense: pdf\n---\n"),
        ("---\nli|cence: MIT\n---\n", "license", "---\nlicense: MIT\n---\n"),
        ("---\nli|cence\n---\n", "license", "---\nlicense: \n---\n"),
        ("---\n|MIT\n---\n", "license", "---\nlicense: \n---\n"),
        ("---\nli|cence MIT\n---\n", "license", "---\nlicense: MIT\n---\n"),
        ("---\nname: p|ddf # x\n---\n", "pdf", "---\nname: pdf # x\n---\n"),
        ("---\nname: \"p|ddf\"\n---\n", "pdf", "---\nname: \"pdf\"\n---\n"),
        ("---\nallowed-tools: Re|d, Bash\n---\n", "Read", "---\nallowed-tools: Read, Bash\n---\n"),
        ("---\nuser-invocable: |flase\n---\n", "false", "---\nuser-invocable: false\n---\n"),
        ("---\n---\n[a](re|fs/b.md) b\n", "refs/a.md", "---\n---\n[a](refs/a.md) b\n"),
        ("---\n---\n[a](re| b\n", "refs/a.md", "---\n---\n[a](refs/a.md b\n"),
        ("---\n---\nRun $c|s.\n", "csv", "---\n---\nRun $csv.\n"),
        (
            "---\n---\n<!-- skilltree: ignore[empty|-bod] x -->\n",
            "empty-body",
            "---\n---\n<!-- skilltree: ignore[empty-body] x -->\n",
        ),
    ];
    for (number, (text, label, expected)) in cases.iter().enumerate() {
        let after = completed(&mut client, &pdf, (number as i64 + 2, text), label);
        assert_eq!(after.as_deref(), Some(*expected), "{text}");
    }
    let known = completed(&mut client, &pdf, (99, "---\n|\nname: pdf\n---\n"), "name");
    assert_eq!(known, None, "the key is below");
}

#[test]
fn completes_values_that_runtimes_know() {
    let repository = Repository::new();
    repository
        .skill("skills", "pdf")
        .write("skills/csv/SKILL.md", good("csv").replacen("---\n", "---\nmodel: gpt-5.1\n", 1))
        .write(".claude/agents/reviewer.md", "---\nname: code-reviewer\ndescription: Reviews.\n---\n")
        .write(".claude/agents/odd.md", "---\nname: \"a: b\"\n---\n")
        .add();
    let pdf = skill(&repository, "pdf");
    let mut client = client(&repository, &pdf, &good("pdf"));
    let cases = [
        ("context: |", "fork", Some("context: fork")),
        ("context: inl|ine", "fork", Some("context: fork")),
        ("effort: h|", "high", Some("effort: high")),
        ("effort: |", "xhigh", Some("effort: xhigh")),
        ("agent: |", "Explore", Some("agent: Explore")),
        ("agent: \"code|\"", "code-reviewer", Some("agent: \"code-reviewer\"")),
        ("agent: |", "a: b", None),
        ("model: |", "opus", Some("model: opus")),
        ("model: |", "gpt-5.1", Some("model: gpt-5.1")),
        ("license: |", "fork", None),
    ];
    for (number, (line, label, expected)) in cases.into_iter().enumerate() {
        let text = format!("---\n{line}\n---\n");
        let after = completed(&mut client, &pdf, (number as i64 + 2, &text), label);
        assert_eq!(after, expected.map(|line| format!("---\n{line}\n---\n")), "{line}");
    }
}
