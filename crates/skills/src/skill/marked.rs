//! Marked characters by location: a field that enters a prompt, or the rest of the file.

use super::{Mark, Marks, RENDERED, Rest, Skill};
use skilltree_front_matter::text::Place;

/// Marked characters of a field, or of the rest of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The key of the field; `None` for the rest of the file.
    pub field: Option<&'static str>,
    /// The first one, or the field's value if they are all written as escapes.
    pub place: Place,
    /// The known characters.
    pub characters: Vec<char>,
    /// The number of characters.
    pub count: usize,
    /// The known characters that are not escapes.
    pub known: Vec<Mark<char>>,
    /// The characters without places.
    pub rest: Option<Rest>,
    /// The value of the field; `None` for the rest of the file.
    pub inside: Option<Place>,
    /// The values of the fields, for the rest of the file.
    pub outside: Vec<Place>,
}

impl Skill {
    /// Groups the marked characters of the file by location. `find` marks a text for a key, so that escapes in a value
    /// count too.
    pub fn marked(&self, marks: &Marks, find: impl Fn(&str, &str) -> Vec<(usize, char)>) -> Vec<Marked> {
        let mut found: Vec<Marked> = Vec::new();
        let mut fields: Vec<Place> = Vec::new();
        let mut told = 0;
        for key in RENDERED {
            let Some((value, place)) =
                self.field(key).and_then(|field| Some((field.value.scalar()?, field.value.place)))
            else {
                continue;
            };
            let characters: Vec<char> = find(key, value).into_iter().map(|(_, character)| character).collect();
            if characters.is_empty() {
                continue;
            }
            let known: Vec<Mark<char>> =
                marks.first.iter().filter(|mark| place.contains(mark.place)).cloned().collect();
            told += self.source(place).utf8_chunks().map(|chunk| find(key, chunk.valid()).len()).sum::<usize>();
            found.push(Marked {
                field: Some(key),
                place: known.first().map_or(place, |mark| mark.place),
                count: characters.len(),
                characters,
                known,
                rest: None,
                inside: Some(place),
                outside: Vec::new(),
            });
            fields.push(place);
        }
        found.extend(self.rest(marks, &fields, told));
        found
    }

    /// Returns the marks of the file without those in some fields; `fields` has their number.
    fn rest(&self, marks: &Marks, fields: &[Place], told: usize) -> Option<Marked> {
        let in_field = |place: Place| fields.iter().any(|&field| field.contains(place));
        let known: Vec<Mark<char>> = marks.first.iter().filter(|mark| !in_field(mark.place)).cloned().collect();
        let count = (marks.count as usize).saturating_sub(told).max(known.len());
        let unknown = marks.rest.map_or(Place::whole(self.file), |rest| rest.place);
        (count > 0).then(|| Marked {
            field: None,
            place: known.first().map_or(unknown, |mark| mark.place),
            characters: known.iter().map(|mark| mark.value).collect(),
            rest: marks.rest.filter(|_| count > known.len()),
            count,
            known,
            inside: None,
            outside: fields.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;
    use crate::roots::{Owner, Root, RootId};
    use crate::skill::parse;
    use crate::snapshot::{Body, File, Role};
    use skilltree_front_matter::Bounds;
    use skilltree_front_matter::text::FileId;

    #[test]
    fn groups_marks_by_field_even_if_escaped() {
        let hidden = "\u{200b}";
        let body = hidden.repeat(Marks::SHOWN + 4);
        let text = format!("---\nname: \"a\\u200b\"\ndescription: b{hidden}c\nother: {hidden}\n---\n{body}\n");
        let root = Root {
            path: "r".into(),
            owner: Owner::Repository,
            profile: "agentskills".into(),
            depth: None,
            pattern: 0,
            configured: false,
            matched: false,
            package: None,
            ..Root::default()
        };
        let file = File::new("r/a/SKILL.md", Role::Skill, Some(RootId(0)), Body::Text(text.clone().into_bytes()));
        let skill =
            parse(FileId(0), &file, &root, None, Bounds { bytes: 1_000, nodes: 100, depth: 10, ..Bounds::NONE });
        let marks = &skill.body.as_ref().expect("the file has a body").hidden;
        let found = skill.marked(marks, |_, text| text.char_indices().filter(|(_, c)| *c == '\u{200b}').collect());

        let summary: Vec<_> = found.iter().map(|marked| (marked.field, marked.count, marked.known.len())).collect();
        assert_eq!(
            summary,
            [(Some("name"), 1, 0), (Some("description"), 1, 1), (None, Marks::SHOWN + 5, Marks::SHOWN - 1)]
        );
        assert_eq!(text.as_bytes()[found[0].place.range()].as_bstr(), "\"a\\u200b\"");
        assert_eq!(text.as_bytes()[found[1].place.range()].as_bstr(), hidden);
    }
}
