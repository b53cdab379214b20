//! About how many bytes of memory a parsed skill takes. The limits of a file and of its links bound each text, not their sum.

use bstr::BString;

use super::facts::{Found, Mark, Marks, Placeholder};
use super::links::{End, Input, Link, Links, Qualified, To, Way};
use super::{AgentFile, Answer, BodyFacts, FoundList, IgnoreComment, Reference, Script, Skill};
use skilltree_front_matter::text::{Place, Spanned};
use skilltree_front_matter::{Fault, Field, Node, NodeKind, What};

/// What an allocator adds to a text, on average.
const ALLOCATION: usize = 16;

impl Skill {
    /// Returns about how many bytes it takes, with its reference files.
    pub(crate) fn kept_bytes(&self) -> usize {
        let front_matter = self.front_matter.as_ref();
        let fields = front_matter.and_then(|found| found.fields.as_ref());
        size_of::<Self>()
            + text(self.directory.len())
            + text(self.header.len())
            + self.agreement.after_header.as_ref().map_or(0, |after| text(after.len()))
            + fields.map_or(0, |fields| fields.iter().map(field).sum())
            + front_matter.map_or(0, |found| found.comments.len() * size_of::<Place>())
            + self.faults.iter().map(fault).sum::<usize>()
            + self.body.as_ref().map_or(0, body)
            + self.ignores.iter().map(ignore).sum::<usize>()
            + self.answers.iter().map(answer).sum::<usize>()
            + self.references.read.iter().map(Reference::kept_bytes).sum::<usize>()
            + self.references.scripts.iter().map(Script::kept_bytes).sum::<usize>()
            + self.references.agent_file.as_ref().map_or(0, AgentFile::kept_bytes)
    }
}

impl AgentFile {
    /// Returns about how many bytes it takes.
    pub(crate) fn kept_bytes(&self) -> usize {
        size_of::<Self>() + self.root.as_ref().map_or(0, inside) + self.faults.iter().map(fault).sum::<usize>()
    }
}

impl Reference {
    /// Returns about how many bytes it takes.
    pub(crate) fn kept_bytes(&self) -> usize {
        size_of::<Self>()
            + links(&self.links)
            + marks(&self.conflicts, |()| 0)
            + self.ignores.iter().map(ignore).sum::<usize>()
            + self.answers.iter().map(answer).sum::<usize>()
    }
}

impl Script {
    /// Returns about how many bytes it takes.
    pub(crate) fn kept_bytes(&self) -> usize {
        size_of::<Self>() + marks(&self.conflicts, |()| 0)
    }
}

impl FoundList {
    /// Returns about how many bytes it takes.
    pub(crate) fn kept_bytes(&self) -> usize {
        let entry = |entry: &Spanned<String>| size_of::<Spanned<String>>() + text(entry.value.len());
        size_of::<Self>() + self.entries.iter().map(entry).sum::<usize>()
    }
}

fn text(length: usize) -> usize {
    length + ALLOCATION
}

fn field(field: &Field) -> usize {
    size_of::<Field>() + text(field.key.value.len()) + inside(&field.value)
}

/// Returns the bytes of a value without the node itself.
fn inside(node: &Node) -> usize {
    match &node.kind {
        NodeKind::Scalar { text: value, .. } => text(value.len()),
        NodeKind::List(items) => items.iter().map(|item| size_of::<Node>() + inside(item)).sum(),
        NodeKind::Map(fields) => fields.iter().map(field).sum(),
    }
}

fn fault(fault: &Fault) -> usize {
    let written = match &fault.what {
        What::DuplicateKey { key, .. } => text(key.len()),
        What::CutByComment { left, .. } => text(left.len()),
        _ => 0,
    };
    size_of::<Fault>() + written
}

fn ignore(comment: &IgnoreComment) -> usize {
    let rule = |rule: &Spanned<String>| size_of::<Spanned<String>>() + text(rule.value.len());
    size_of::<IgnoreComment>() + text(comment.reason.len()) + comment.rules.iter().map(rule).sum::<usize>()
}

fn answer(answer: &Answer) -> usize {
    size_of::<Answer>()
        + marks(&answer.forbidden, |found| text(found.len()))
        + answer.lacks_headings.iter().map(|heading| size_of::<String>() + text(heading.len())).sum::<usize>()
}

fn body(body: &BodyFacts) -> usize {
    marks(&body.hidden, |_| 0)
        + marks(&body.bidi, |_| 0)
        + marks(&body.hidden_texts, |_| 0)
        + marks(&body.downloads, |_| 0)
        + marks(&body.commands, |command| text(command.text.len()))
        + marks(&body.replaced, |_| 0)
        + body.placeholders.iter().map(placeholder).sum::<usize>()
        + marks(&body.conflicts, |_| 0)
        + marks(&body.secrets, |_| 0)
        + marks(&body.controls, |_| 0)
        + links(&body.links)
}

fn placeholder(placeholder: &Placeholder) -> usize {
    size_of::<Placeholder>() + text(placeholder.text.len()) + marks(&placeholder.marks, |()| 0)
}

fn marks<T>(marks: &Marks<T>, inside: impl Fn(&T) -> usize) -> usize {
    let found = if marks.count == 0 { 0 } else { size_of::<Found<T>>() };
    found + marks.first.iter().map(|mark| size_of::<Mark<T>>() + inside(&mark.value)).sum::<usize>()
}

fn links(links: &Links) -> usize {
    let target = |path: &BString| size_of::<BString>() + text(path.len());
    let qualified = |name: &Qualified| {
        let names = text(name.plugin.len()) + text(name.name.len());
        size_of_val(name) + names + name.commands.iter().map(target).sum::<usize>()
    };
    let end = |end: &End| match end {
        End::Unknown { paths, .. } => paths.iter().map(target).sum(),
        End::Misspelled(path) => text(path.len()),
        End::Machine | End::Outside | End::Nothing => 0,
    };
    let link = |link: &Link| size_of::<Link>() + text(link.written.len()) + end(&link.end);
    let input = |input: &Input| {
        let own = input.own.as_ref().map_or(0, |path| text(path.len()));
        size_of::<Input>() + text(input.written.len()) + end(&input.end) + own
    };
    let way = |way: &Way| {
        let to = match &way.to {
            To::Outside => 0,
            To::FromPlugin(path) | To::Own(path) => text(path.len()),
            To::Path(path) | To::Above(path) => text(path.len()),
            To::Unknown(paths) | To::Around(paths) => paths.iter().map(target).sum(),
        };
        size_of_val(way) + text(way.written.len()) + to
    };
    links.unresolved.iter().chain(&links.mentions).map(link).sum::<usize>()
        + links
            .leaving
            .iter()
            .map(|link| size_of_val(link) + text(link.written.len()) + text(link.path.len()))
            .sum::<usize>()
        + links.ways.iter().map(way).sum::<usize>()
        + links.partners.iter().map(|partner| size_of_val(partner) + text(partner.name.len())).sum::<usize>()
        + links.qualified.iter().map(qualified).sum::<usize>()
        + links.calls.iter().map(|call| size_of_val(call) + text(call.path.len())).sum::<usize>()
        + links.inputs.iter().map(input).sum::<usize>()
        + links
            .sections
            .iter()
            .map(|section| {
                size_of_val(section)
                    + text(section.written.len())
                    + text(section.fragment.len())
                    + section.paths.iter().map(target).sum::<usize>()
            })
            .sum::<usize>()
}

#[cfg(test)]
mod tests {
    use crate::roots::RootPattern;
    use crate::skill;
    use crate::snapshot::{Body, File, Names, Role};
    use skilltree_front_matter::Bounds;
    use skilltree_front_matter::text::FileId;

    fn kept(front_matter: &str, body: &str) -> usize {
        let text = format!("---\nname: a\n{front_matter}---\n{body}\n");
        let files = [File::new("skills/a/SKILL.md", Role::Skill, None, Body::Text(text.into()))];
        let root = RootPattern::configured("skills", "agentskills").root(0, "skills".into());
        let names = Names::new(&files);
        skill::parse(FileId(0), &files[0], &root, Some(names), Bounds::NONE).kept_bytes()
    }

    #[test]
    fn counts_each_kind_of_text() {
        let small = kept("", "text");
        assert!(small < 2_048, "{small} bytes of a small skill");
        let long = "x".repeat(1_000);
        // The text of the file and the value of the field.
        assert!(kept(&format!("description: {long}\n"), "") >= small + 2_000);
        assert!(kept(&format!("{long}: 1\n{long}: 2\n"), "") >= small + 5_000, "with the key of the duplicate");
        assert!(kept(&format!("a: [{}]\n", "1,".repeat(1_000)), "") >= small + 50_000);
        assert!(kept("", &format!("[a]({long}.md)")) >= small + 2_000);
        assert!(kept("", &format!("[a](#{long})")) >= small + 2_000);
        assert!(kept("", &format!("<!-- skilltree: ignore[a] {long} -->")) >= small + 1_000);
        assert!(kept("", "a\u{200b}b\u{1}c") > small);
    }
}
