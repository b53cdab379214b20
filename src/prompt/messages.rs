//! A message a skill, one JSON object a line: what CAMEL puts before a turn for the skills that the turn mentions.
//!
//! `meta.skill` tells the consumer to keep the message out of its memory. The wrapper inside the text is Codex's.

use serde::Serialize;

use super::agentskills::escape;
use super::block::{Entry, Shape};
use super::line;
use crate::characters;
use crate::select;

pub(super) static SHAPE: Shape =
    Shape { head: "", tail: "", separator: "", sections: None, inlines: true, unfit, fragment };

const END: &str = "</skill>";

/// A body that ends the element would let the rest of it stand outside.
fn unfit(entry: &Entry<'_>) -> Option<String> {
    ends(&entry.body).then(|| format!("its body holds `{END}`"))
}

/// Whether a text holds the tag that ends the element, whatever the letter case, the blanks and what does not show.
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
    meta: Meta,
}

#[derive(Serialize)]
struct Meta {
    skill: bool,
}

fn fragment(entry: &Entry<'_>) -> String {
    let name = escape(&line::one_line(&select::name(entry.skill)));
    let path = escape(&line::path(entry.path));
    let content = format!("<skill>\n<name>{name}</name>\n<path>{path}</path>\n{}\n{END}\n", entry.body);
    let message = Message { role: "user", content, meta: Meta { skill: true } };
    let mut line = serde_json::to_string(&message).expect("texts and a truth value are JSON");
    line.push('\n');
    line
}
