use super::*;

fn new(content: &str, contributor: &str, created_at: i64) -> New {
    New {
        content: content.to_owned(),
        category: "gotcha".to_owned(),
        contributor: contributor.to_owned(),
        scope: "global".to_owned(),
        task_ref: None,
        created_at,
    }
}

fn parse(text: &str) -> Knowledge {
    Knowledge::parse(FileId(0), text.as_bytes())
}

fn faults(text: &str) -> Vec<String> {
    let fault = |fault: &Fault| format!("{} {}", text.get(fault.place.range()).unwrap_or("?"), fault.message);
    parse(text).faults.iter().map(fault).collect()
}

#[test]
fn writes_one_line_with_a_hash_per_entry() {
    let line = new("Nullable \"types\"\nmust match.", "reviewer-01", 1_772_013_600).line().unwrap();
    assert_eq!(
        line,
        "{\"content\":\"Nullable \\\"types\\\"\\nmust match.\",\"category\":\"gotcha\",\"contributor\":\"reviewer-01\",\"scope\":\"global\",\"task_ref\":null,\"created_at\":\"2026-02-25T10:00:00Z\",\"content_hash\":\"643397f1fd962a25e4d3948caadd4b9a32cefdc633d9dc395ffd0c5a302f5f2c\"}\n"
    );
    let knowledge = parse(&line);
    assert_eq!((knowledge.entries.len(), knowledge.faults.len()), (1, 0));
    assert!(knowledge.entries[0].is_valid());
    assert_eq!(knowledge.entries[0].created_at.value, 1_772_013_600);
    // printf '\0\0\0\0\0\0\0\2ab\0\0\0\0\0\0\0\1c' | sha256sum
    assert_eq!(content_hash("ab", "c"), "601d5476e2ccfe2c87a2bba7a322659734a05749d5b5aa781f513e4912db0d5f");
    assert_ne!(content_hash("ab", "c"), content_hash("a", "bc"));
}

#[test]
fn rejects_duplicate_and_too_frequent_entries() {
    let there = parse(&(new("A.", "x", 100).line().unwrap() + &new("B.", "y", 110).line().unwrap()));
    assert_eq!(new("A.", "z", 1_000).refusal(&there), Some(Refusal::Duplicate { line: 1 }));
    let task = New { scope: "task:7".to_owned(), ..new("A.", "z", 1_000) };
    assert_eq!(task.refusal(&there), None, "another scope is another entry");
    assert_eq!(new("C.", "y", 139).refusal(&there), Some(Refusal::TooFrequent { line: 2, seconds: 29 }));
    assert_eq!(new("C.", "y", 140).refusal(&there), None);
    assert_eq!(new("C.", "y", 90).refusal(&there), Some(Refusal::TooFrequent { line: 2, seconds: 20 }));
}

#[test]
fn reports_faults_at_their_places_and_keeps_the_rest() {
    let good = new("A.", "x", 100).line().unwrap();
    let cases = [
        ("[]", "[] an entry is a list, not an object"),
        ("{}", "{} the entry has no `content`"),
        ("{\"content\": 1}", "1 `content` is a number, not a string"),
        ("{\"content\": \" \"}", "\" \" `content` is empty, not a string"),
        ("{\"text\": 1}", "\"text\" unknown key `text`"),
        ("{\"scope\": 1, \"scope\": 2}", "\"scope\" duplicate key `scope`"),
        ("{\"content\"}", "} the line is not JSON: expected `:`"),
    ];
    for (line, fault) in cases {
        let text = format!("{good}{line}\n\n{good}");
        assert_eq!(faults(&text), [fault], "{line}");
        assert_eq!(parse(&text).entries.len(), 2);
    }
    assert_eq!(faults(&good.replace("global", "team")), ["\"team\" `team` is not a valid scope"]);
    assert_eq!(faults(&good.replace("1970-01-01T00:01:40Z", "soon")), ["\"soon\" `created_at` is not a valid time"]);
}

#[test]
fn detects_torn_last_lines() {
    let good = new("A.", "x", 100).line().unwrap();
    let two = format!("{good}{good}");
    assert_eq!((torn(b""), torn(two.as_bytes())), (None, None));
    for length in good.len() + 1..two.len() {
        let expected = Some((good.len(), length + 1 == two.len()));
        assert_eq!(torn(&two.as_bytes()[..length]), expected);
    }
    assert!(faults(&two[..two.len() - 1])[0].starts_with("} the last line has no line feed"));
}

#[test]
fn accepts_appended_lines() {
    let line = |content: &str| new(content, content, 0).line().unwrap();
    let before = parse(&(line("a") + &line("b")));
    let number = |text: String| parse(&text).rewritten(&before).map(|(number, _)| number);
    assert_eq!(number(line("a") + &line("b") + &line("c")), None);
    assert_eq!(number((line("a") + &line("b")).replace('\n', "\r\n")), None, "another line end is no other text");
    assert_eq!(number(line("b") + &line("a")), Some(0));
    assert_eq!(number(line("a") + &line("c") + &line("b")), Some(1));
    assert_eq!(number(line("a")), Some(1));
    assert_eq!(number(String::new()), Some(0));
}

#[test]
fn shows_whole_last_character_of_incomplete_line() {
    let ends = |text: &str| Knowledge::parse(FileId(0), text.as_bytes()).faults.last().map(|fault| fault.place.range());
    assert_eq!(ends("{}\nno"), Some(4..5));
    assert_eq!(ends("{}\né"), Some(3..5));
}
