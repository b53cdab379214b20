//! JSON Lines, one message per skill: what CAMEL puts before a turn for the skills that the turn mentions.
//!
//! `meta_dict.skill` marks the message, so that the consumer keeps it out of its memory. The wrapper inside the text is
//! Codex's.

use serde::Serialize;

use super::agentskills::escape;
use super::block::{BlockEntry, Shape};
use super::line;
use crate::characters;
use crate::select;

pub(super) static SHAPE: Shape =
    Shape { head: "", tail: "", separator: "", sections: None, inlines: true, unfit, fragment };

const END: &str = "</skill>";

/// A body that closes the element would put its rest outside the element.
fn unfit(entry: &BlockEntry<'_>) -> Option<String> {
    ends(&entry.body).then(|| format!("its body contains `{END}`"))
}

/// Returns whether a text contains the closing tag, ignoring case, whitespace and invisible characters.
fn ends(text: &str) -> bool {
    text.match_indices('<').any(|(start, _)| {
        let shown = text[start..].chars().filter(|&c| !c.is_whitespace() && !characters::is_ignorable(c));
        let mut tag = shown.take(END.len()).map(|c| c.to_ascii_lowercase());
        END.chars().all(|wanted| tag.next() == Some(wanted))
    })
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

fn fragment(entry: &BlockEntry<'_>) -> String {
    let name = escape(&line::one_line(&select::name(entry.skill)));
    let path = escape(&line::path(entry.path));
    let content = format!("<skill>\n<name>{name}</name>\n<path>{path}</path>\n{}\n{END}\n", entry.body);
    let message = Message { role: "user", content, meta_dict: Meta { skill: true } };
    let mut line = serde_json::to_string(&message).expect("texts and a truth value are JSON");
    line.push('\n');
    line
}
