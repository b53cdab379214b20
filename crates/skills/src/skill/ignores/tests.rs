//! Comments in a file: what they cover, and what is removed with them.

use proptest::prelude::*;

use super::*;
use skilltree_front_matter::{self as front_matter, Bounds};

const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };

fn found(text: &str) -> Vec<IgnoreComment> {
    let reading = front_matter::read(FileId(0), text.as_bytes(), BOUNDS);
    find(FileId(0), text, reading.front_matter.as_ref(), reading.body_start)
}

/// Returns the rules of each comment and what it covers.
fn covered(text: &str) -> Vec<String> {
    let covers = |comment: &IgnoreComment| match comment.covers {
        None => "nothing".to_owned(),
        Some(place) if place.is_whole() => "the file".to_owned(),
        Some(place) => text[place.range()].to_owned(),
    };
    let rules = |comment: &IgnoreComment| {
        let rules: Vec<_> = comment.rules.iter().map(|rule| rule.value.as_str()).collect();
        rules.join(",")
    };
    found(text).iter().map(|comment| format!("{}: {}", rules(comment), covers(comment))).collect()
}

fn without_comments(text: &str) -> String {
    let mut text = text.to_owned();
    for comment in found(&text.clone()).iter().rev() {
        text.replace_range(comment.removal.range(), "");
    }
    text
}

#[test]
fn front_matter_comment_covers_a_field() {
    let text = "---
# skilltree: ignore[a] r
name: pdf # skilltree: ignore[b] r
# skilltree: ignore[c] r

# Something else.
description: >- # skilltree: ignore[d] r
  Reads # skilltree: ignore[no] r
  files.
metadata:
  # skilltree: ignore[e] r
  version: 1
  author: me
tags:
  - one # skilltree: ignore[f] r
  # skilltree: ignore[g] r
  - two
list: [x, # skilltree: ignore[h] r
  y]
## skilltree: ignore[i] r
---
";
    let description = "description: >- # skilltree: ignore[d] r\n  Reads # skilltree: ignore[no] r\n  files.";
    let expected = [
        "a: the file",
        "b: name: pdf # skilltree: ignore[b] r",
        &format!("c: {description}"),
        &format!("d: {description}"),
        "e: version: 1",
        "f: one # skilltree: ignore[f] r",
        "g: two",
        "h: x, # skilltree: ignore[h] r",
        "i: nothing",
    ];
    assert_eq!(covered(text), expected);
}

#[test]
fn body_comment_covers_a_line_or_the_next_block() {
    let text = "---
name: pdf
---
# Title <!-- skilltree: ignore[a] r -->

<!-- skilltree: ignore[b] r -->
<!--
  skilltree: ignore[c] r
-->

One
two <!-- skilltree: ignore[d] r --> three
four

<!-- skilltree: ignore[e] r -->
```sh
curl x

curl y
```

- one
  <!-- skilltree: ignore[f] r -->
  ```
  two
  ```
- three

<!-- skilltree: ignore[g] r --> text
<!-- another -->
    <!-- skilltree: ignore[code] r -->

`<!-- skilltree: ignore[span] r -->`

```html
<!-- skilltree: ignore[fence] r -->
```

<!-- skilltree: ignore[h] r -->
";
    let block = "One\ntwo <!-- skilltree: ignore[d] r --> three\nfour";
    let expected = [
        "a: # Title <!-- skilltree: ignore[a] r -->",
        &format!("b: {block}"),
        &format!("c: {block}"),
        "d: two <!-- skilltree: ignore[d] r --> three",
        "e: ```sh\ncurl x\n\ncurl y\n```",
        "f:   ```\n  two\n  ```",
        "g: <!-- skilltree: ignore[g] r --> text",
        "h: nothing",
    ];
    assert_eq!(covered(text), expected);
}

#[test]
fn removes_comments_completely() {
    let cases = [
        ("---\n# skilltree: ignore[a] r\nname: x  # skilltree: ignore[a] r\n---\n", "---\nname: x\n---\n"),
        ("---\r\n  # skilltree: ignore[a] r\r\nname: x\r\n---\r\n", "---\r\nname: x\r\n---\r\n"),
        ("---\nname: x\n---\na <!-- skilltree: ignore[a] r --> b\n", "---\nname: x\n---\na b\n"),
        ("---\nname: x\n---\n<!-- skilltree: ignore[a] r --> b\n", "---\nname: x\n---\nb\n"),
        ("---\nname: x\n---\n\n <!--\nskilltree: ignore[a] r\n-->\nb", "---\nname: x\n---\n\nb"),
        ("---\nname: x\n---\nb\n<!-- skilltree: ignore[a] r -->", "---\nname: x\n---\nb\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(without_comments(text), expected);
    }
}

#[test]
fn reads_only_body_comments_without_fields() {
    let text = "---\n# skilltree: ignore[a] r\nname: [\n---\n<!-- skilltree: ignore[b] r -->\nText.\n";
    assert_eq!(covered(text), ["b: Text."]);
    assert_eq!(covered("<!-- skilltree: ignore[b] r -->\n\nText.\n"), ["b: Text."]);
    assert_eq!(covered("# skilltree: ignore[b] r\n"), [""; 0]);
}

#[test]
fn context_distinguishes_copies_of_a_comment() {
    let contexts = |text: &str| found(text).iter().map(|comment| comment.context).collect::<Vec<_>>();
    let of = |key: &str, block: &str| {
        let text =
            format!("---\nname: x\n# skilltree: ignore[a] r\n{key}\n---\n<!-- skilltree: ignore[a] r -->\n{block}\n");
        contexts(&text)
    };
    assert_eq!(of("description: a", "One."), of("description: b", "One."));
    assert_ne!(of("description: a", "One."), of("compatibility: a", "One."));
    assert_ne!(of("description: a", "One."), of("description: a", "Two."));
}

#[test]
fn reads_many_comments_on_one_line_in_linear_time() {
    let many = "<!-- skilltree: ignore[a] r --> x ".repeat(4_000);
    assert_eq!(found(&format!("---\nname: x\n---\n{many}\n")).len(), 4_000);
    let open = format!("---\nname: x\n---\n<!-- skilltree: {}", "<!-- ".repeat(40_000));
    assert_eq!(found(&open).len(), 0);
}

/// Pieces of files with comments, and delimiters that break them.
const PIECES: [&str; 24] = [
    "# skilltree: ignore[a, b] r",
    "<!-- skilltree: ignore[a] until=2027-01-01 é -->",
    "<!-- skilltree: ignore[",
    "skilltree:",
    "<!--",
    "-->",
    "---\n",
    "name: x",
    "list: [",
    "  - é",
    "key:",
    "```",
    "`",
    "> ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "]",
    "|",
    "<div>",
    "😀",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keeps_places_inside_any_file(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        let text = format!("---\n{}", pieces.concat());
        for comment in found(&text) {
            let places = [comment.place, comment.brackets, comment.removal].into_iter().chain(comment.covers);
            for place in places.chain(comment.rules.iter().map(|rule| rule.place)) {
                prop_assert!(text.get(place.range()).is_some(), "{text:?}: {place:?}");
            }
            let (place, removal) = (comment.place, comment.removal);
            prop_assert!(removal.start <= place.start && place.end <= removal.end, "{text:?}");
            prop_assert!(text[place.range()].contains("skilltree:"), "{text:?}");
        }
    }
}
