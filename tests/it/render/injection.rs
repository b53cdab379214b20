//! Attempts of a hostile tree to inject content into a log, a terminal or a page, and the output of each format.

use serde_json::Value;
use skilltree_front_matter::text::Place;
use skilltree_lint::rule::{Ignored, IgnoredBy};
use skilltree_report::render::Format;

use crate::render::fixture::{BAD, Case, HIDDEN};

const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// Paths, texts, messages, labels, notes, help and reasons that each try something.
pub(crate) fn hostile() -> Case {
    let text = format!(
        "---\nname: ##[error]x ##vso[task.x]y ##teamcity[z\ndescription: \u{202e}\u{200b}\u{1b}[31m\u{9b}31m\u{7} <img src=x> @org/admins `a` |\n\
         ::error::line\ntoken: {TOKEN}\n[x](javascript:alert(1))\n---\n"
    );
    let paths: [&[u8]; 7] = [
        b"s/a\n::stop-commands::x\n/SKILL.md",
        b"s/b%0A::error::b,c:d/SKILL.md",
        b"s/c\xff#frag?query /SKILL.md",
        b"s/d<img src=x onerror=alert(1)>`|@org/SKILL.md",
        b"s/e\x1b]8;;http:x\x07/SKILL.md",
        b"s/##[error]f/SKILL.md",
        "s/\u{202e}g\u{200b}/SKILL.md".as_bytes(),
    ];
    let files: Vec<(&[u8], &[u8])> = paths.iter().map(|path| (*path, text.as_bytes())).collect();
    let mut case = Case::new(&files);
    let bad =
        format!("`##[error]` \u{1b}[2J\u{202e} ::error:: [x](javascript:y) <b>@org</b> ` {TOKEN}\r\n::add-mask::x");
    for path in paths {
        for needle in ["##[error]x", "\u{202e}\u{200b}", "::error::line", &TOKEN[9..19], "[x](", "##vso[task.x]y"] {
            let place = case.place(path, needle);
            let token = case.place(path, "token: ");
            case.report(&BAD, place, &bad)
                .related(token, bad.clone())
                .note(bad.clone())
                .help(bad.clone())
                .edit(place, "a\r\n##[error]\n::error::\u{202e}");
        }
        let whole = Place::whole(case.file(path));
        case.report(&HIDDEN, whole, &bad).ignored = Some(Ignored { reason: bad.clone(), by: IgnoredBy::Configuration });
    }
    case
}

/// The formats that people read.
fn texts() -> impl Iterator<Item = Format> {
    Format::NAMES.into_iter().map(|(_, format)| format).filter(|format| !format.is_data())
}

#[test]
fn text_escapes_hidden_characters() {
    for unicode in [false, true] {
        let mut case = hostile();
        case.options.look.unicode = unicode;
        for format in texts() {
            let text = case.render(format);
            assert!(text.len() > 1_000, "{format:?} shows the findings");
            for character in text.chars() {
                assert!(
                    character == '\n' || skilltree_skills::characters::is_plain(character),
                    "{format:?}: {character:?}"
                );
            }
            for command in ["##[", "##vso[", "##teamcity["] {
                assert!(!text.contains(command), "{format:?}: {command}");
            }
            assert!(!text.contains(&TOKEN[9..19]), "{format:?}: a secret");
        }
    }
}

#[test]
fn no_line_starts_with_tree_text() {
    let mut case = hostile();
    for line in case.render(Format::Concise).lines() {
        assert!(line.starts_with("s/"), "{line}");
    }
    for width in 40..120 {
        case.options.look.width = width;
        for line in case.render(Format::Full).lines().filter(|line| !line.is_empty()) {
            let start = line.trim_start();
            let ours = start.starts_with(|c: char| c.is_ascii_digit())
                || ["error[bad-thing]: ", "help: ", "--> ", "::: s/", "|", "=", "..."]
                    .iter()
                    .any(|ours| start.starts_with(ours));
            // A wrapped note is indented. It must not begin with a workflow command, because runners trim lines.
            let is_wrapped = line.len() - start.len() >= "  = note: ".len() && !start.starts_with([':', '#']);
            assert!(ours || is_wrapped, "{width}: {line}");
        }
    }
    for line in case.render(Format::Markdown).lines().filter(|line| !line.is_empty()) {
        let ours =
            ["## skilltree: ", "### `", "- ", "  - ", "7 skills (index)"].iter().any(|ours| line.starts_with(ours));
        assert!(ours, "{line}");
    }
}

#[test]
fn path_never_starts_workflow_command() {
    for path in ["::error::x", " ::error::x", "##[error]x", "#x"] {
        let mut case = Case::new(&[("s/x/SKILL.md", "x")]);
        let file = case.file("s/x/SKILL.md");
        case.report(&BAD, Place::whole(file), "bad");
        let line = case.render_after(Format::Concise, |files| files[file.index()].path = path.into());
        assert!(line.starts_with("\\u{"), "{line}");
    }
}

#[test]
fn only_own_workflow_commands() {
    let text = hostile().render(Format::Github);
    let (commands, fenced) = text.split_once("::stop-commands::").expect("the list is fenced");
    for command in commands.lines() {
        let (head, data) = command[2..].split_once("::").expect("a command has data");
        assert!(head.starts_with("error file=s/") || head.starts_with("notice title="), "{command}");
        assert_eq!(head.matches(',').count(), if head.starts_with("error") { 5 } else { 0 }, "{command}");
        assert!(!data.contains("\r") && !data.is_empty());
    }
    let (token, list) = fenced.split_once('\n').expect("a token and a list");
    let list = list.strip_suffix(&format!("::{token}::\n")).expect("the fence is closed");
    assert_eq!(token.len(), 64);
    assert!(!list.contains(token));
    assert_eq!(list.lines().count(), 7 * 6);
}

#[test]
fn markdown_is_inert() {
    for line in hostile().render(Format::Markdown).lines() {
        // Without code spans and links of skilltree, the rest of a line is text of skilltree.
        let mut rest = String::new();
        let mut text = line;
        while let Some(start) = text.find('`') {
            rest.push_str(&text[..start]);
            let fence = "`".repeat(text[start..].bytes().take_while(|&byte| byte == b'`').count());
            let after = &text[start + fence.len()..];
            let runs = after
                .match_indices(&fence)
                .find(|&(at, _)| !after[..at].ends_with('`') && !after[at + fence.len()..].starts_with('`'));
            text = &after[runs.expect("a code span is closed").0 + fence.len()..];
        }
        rest.push_str(text);
        let rest = rest.replace(&format!("[bad-thing]({})", skilltree_report::render::rule_url(&BAD)), "");
        assert!(!rest.contains(['<', '@', '|', '[', '!', '\\']), "{line}");
    }
}

#[test]
fn json_escapes_and_keeps_raw_value() {
    let case = hostile();
    for format in [Format::Json, Format::Sarif, Format::Gitlab, Format::Rdjson, Format::Junit, Format::Html] {
        let text = case.render(format);
        assert!(text.len() > 1_000, "{format:?} has the findings");
        assert!(!text.contains("##["), "{format:?}: a command");
        let hidden = text.chars().find(|&c| c != '\n' && !skilltree_skills::characters::is_plain(c));
        assert_eq!(hidden, None, "{format:?}");
        assert!(!text.contains(&TOKEN[9..19]), "{format:?}: a secret");
    }
    let json = case.json(Format::Json);
    let message = json["findings"][0]["message"].as_str().expect("a message");
    assert!(message.contains("\u{1b}[2J\u{202e}") && message.contains("\r\n::add-mask::x"));
}

#[test]
fn sarif_messages_contain_no_tree_links() {
    let sarif = hostile().json(Format::Sarif);
    for result in sarif["runs"][0]["results"].as_array().expect("results are a list") {
        let text = result["message"]["text"].as_str().expect("a message");
        assert!(!text.contains("[x](") && text.contains("\\[x\\]("), "{text}");
        // The one link that is there leads to the related place.
        assert_eq!(text.matches("](").count(), text.matches("\\](").count() + 1, "{text}");
        assert_eq!(result["message"]["markdown"], Value::Null);
    }
}
