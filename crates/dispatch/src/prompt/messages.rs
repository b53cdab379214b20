//! JSON Lines, one message per skill: what CAMEL puts before a turn for the skills that the turn mentions.
//!
//! `meta_dict.skill` marks the message, so that the consumer keeps it out of its memory. The wrapper inside the text is
//! Codex's.

use std::collections::BTreeSet;

use bstr::ByteSlice;
use serde::Serialize;

use super::block::{BlockEntry, Shape};
use super::body::Fragment;
use super::line;
use crate::select::Names;
use skilltree_skills::characters;
use skilltree_skills::json;
use skilltree_skills::markup::escape;

pub(super) static SHAPE: Shape = Shape {
    name: "messages",
    head: "",
    tail: "",
    separator: "",
    sections: None,
    inlines: true,
    unfit,
    claims: |_, _| BTreeSet::new(),
    fragment,
};

const END: &str = "</skill>";

/// A body that closes the element would put its rest outside the element.
fn unfit(entry: &BlockEntry<'_>, others: &Names) -> Option<String> {
    entry.body.unfit(None, others, "").or_else(|| {
        let at = end(&entry.body.text)?;
        Some(format!("line {} of its file contains `{END}`, which ends the message", entry.body.line_of(at)))
    })
}

/// Returns the place of the closing tag in a text, ignoring case, whitespace and invisible characters.
fn end(text: &str) -> Option<usize> {
    let is_end = |start: &usize| {
        let shown = text[*start..].chars().filter(|&c| !c.is_whitespace() && !characters::is_ignorable(c));
        let mut tag = shown.take(END.len()).map(|c| c.to_ascii_lowercase());
        END.chars().all(|wanted| tag.next() == Some(wanted))
    };
    text.match_indices('<').map(|(start, _)| start).find(is_end)
}

#[derive(Serialize)]
struct Message {
    role: &'static str,
    content: String,
    meta_dict: Meta,
}

#[derive(Serialize)]
struct Meta {
    skill: bool,
}

fn fragment(entry: &BlockEntry<'_>) -> Fragment {
    let name = escape(&line::one_line(&entry.skill.shown_name()));
    let path = line::open_path(entry.root, entry.path).map(|path| format!("<path>{}</path>\n", escape(&path)));
    let path = path.unwrap_or_default();
    let body = &entry.body.text;
    let ending = if body.ends_with('\n') { "" } else { "\n" };
    let content = format!("<skill>\n<name>{name}</name>\n{path}{body}{ending}{END}\n");
    let message = Message { role: "user", content, meta_dict: Meta { skill: true } };
    let mut line = Vec::new();
    json::write_value(&message, &mut line).expect("texts and a truth value are JSON");
    line.push(b'\n');
    Fragment::from(line.to_str_lossy().into_owned())
}
