//! Hostile skill content stays inside its part of the block: `attacks.toml` in every rendering.
//!
//! Each block is read by a third-party parser, or by a splitter that knows only the format of the block. The result must be
//! the accepted skills with their exact texts. The rules are off: every skill is accepted.

use bstr::ByteSlice;
use serde::Deserialize;
use skilltree_dispatch::prompt::Artifact;
use skilltree_dispatch::select::Reason;

use crate::common::inner;
use crate::seeds::library::{RENDERINGS, ROOT, Sample, artifact, block, catalog, quoted};

mod readers;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    attack: Vec<Attack>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attack {
    place: String,
    text: String,
    #[serde(default)]
    dropped: Vec<String>,
}

/// The original skill.
#[derive(Clone)]
struct Original {
    directory: String,
    name: String,
    description: String,
    when_to_use: Option<String>,
    tags: String,
    body: String,
}

impl Original {
    fn plain(name: &str) -> Self {
        Self {
            directory: name.to_owned(),
            name: name.to_owned(),
            description: format!("Does {name}."),
            when_to_use: None,
            tags: "a".to_owned(),
            body: format!("Do {name}.\n\nAnd *again*."),
        }
    }

    fn attacked(attack: &Attack) -> Self {
        let mut original = Self::plain("middle");
        let text = attack.text.clone();
        match attack.place.as_str() {
            "name" => original.name = text,
            "description" => original.description = text,
            "when_to_use" => original.when_to_use = Some(text),
            "tags" => original.tags = text,
            "directory" => original.directory = text,
            "body" => original.body = text,
            other => panic!("there is no place `{other}`"),
        }
        original
    }

    fn sample(&self) -> Sample {
        let when = self.when_to_use.as_ref().map(|text| format!("when_to_use: {}\n", quoted(text)));
        let (name, description, tags) = (quoted(&self.name), quoted(&self.description), quoted(&self.tags));
        let text = format!(
            "---\nname: {name}\ndescription: {description}\n{}tags: {tags}\n---\n{}",
            when.unwrap_or_default(),
            self.body
        );
        (self.directory.clone(), text)
    }

    /// The trigger, if it is not empty.
    fn trigger(&self) -> String {
        let trigger = self.when_to_use.as_deref().map(collapsed).filter(|text| !text.is_empty());
        trigger.unwrap_or_else(|| collapsed(&self.description))
    }

    /// The body as a block contains it.
    fn text(&self) -> String {
        inner(&self.body)
    }
}

#[test]
fn skill_content_stays_inside_its_part_of_block() {
    let table: Table = toml::from_str(include_str!("attacks.toml")).unwrap();
    assert!(table.attack.len() >= 52 + 50);
    for attack in &table.attack {
        let original = [Original::plain("alpha"), Original::attacked(attack), Original::plain("omega")];
        let samples: Vec<Sample> = original.iter().map(Original::sample).collect();
        for (word, rendering) in RENDERINGS {
            let what = format!("{word}: {} {:?}", attack.place, attack.text);
            let artifact = artifact(&samples, rendering, |recipe| recipe);
            let is_dropped = attack.dropped.iter().any(|dropped| dropped == word);
            let reasons: Vec<Reason> = artifact.selected.dropped.iter().map(|dropped| dropped.reason).collect();
            let expected: &[Reason] = if is_dropped { &[Reason::Wrapper] } else { &[] };
            assert_eq!(reasons, expected, "{what}: {}", block(&artifact));
            let shown = shown(&samples, &original, &artifact);
            let hides = |c: char| {
                (c.is_control() && !matches!(c, '\n' | '\t'))
                    || matches!(c, '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
            };
            assert_eq!(block(&artifact).find(hides), None, "{what}");
            match word {
                "symphony" => readers::symphony(&what, block(&artifact), &shown),
                "agentskills" => readers::agentskills(&what, block(&artifact), &shown),
                "messages" => readers::messages(&what, block(&artifact), &shown),
                "swarm" => readers::swarm(&what, &artifact, &shown),
                "amacs" => readers::amacs(&what, &artifact, &shown),
                _ => readers::majordomo(&what, &artifact, &shown),
            }
            readers::indexed(&what, &artifact, &shown);
        }
    }
}

/// The original skills of the block, in its order. Of two skills with one name, it contains the first by path.
fn shown<'a>(samples: &[Sample], original: &'a [Original], artifact: &Artifact) -> Vec<&'a Original> {
    let catalog = catalog(samples);
    let original_of = |id: skilltree_skills::skill::SkillId| {
        let path = catalog.path(id).to_str().unwrap();
        original.iter().find(|original| path == format!("{ROOT}/{}/SKILL.md", original.directory)).unwrap()
    };
    let shown: Vec<&Original> = artifact.selected.skills.iter().map(|&id| original_of(id)).collect();
    let lost = artifact.selected.dropped.len() + artifact.selected.shadowed.len();
    assert_eq!(shown.len() + lost, original.len(), "every skill is accounted for");
    shown
}

/// A value, joined to one line.
fn collapsed(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in which every escape is the character again.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut decoded = parts.next().unwrap().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once('}').unwrap();
        decoded.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap());
        decoded.push_str(rest);
    }
    decoded
}

/// A path as it is shown, again as it is.
fn path_of(shown: &str) -> String {
    unescaped(shown).replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")
}

fn path(original: &Original) -> String {
    format!("{ROOT}/{}/SKILL.md", original.directory)
}
