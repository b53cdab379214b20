//! Whatever a skill holds, it stays in its place: `attacks.toml` against every rendering. Each block is taken apart by
//! somebody else's parser, or by a splitter that knows only what a reader of the block knows, and must give back exactly
//! the skills that were not dropped, with exactly their texts.
//!
//! No rule has a say here: every skill is accepted, as if somebody had left every finding out.

use bstr::ByteSlice;
use serde::Deserialize;
use skilltree::prompt::Artifact;
use skilltree::select::Reason;

use crate::library::{RENDERINGS, ROOT, Sample, artifact, block, catalog, quoted};

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

/// A skill as its author meant it.
#[derive(Clone)]
struct Meant {
    directory: String,
    name: String,
    description: String,
    when_to_use: Option<String>,
    tags: String,
    body: String,
}

impl Meant {
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
        let mut meant = Self::plain("middle");
        let text = attack.text.clone();
        match attack.place.as_str() {
            "name" => meant.name = text,
            "description" => meant.description = text,
            "when_to_use" => meant.when_to_use = Some(text),
            "tags" => meant.tags = text,
            "directory" => meant.directory = text,
            "body" => meant.body = text,
            other => panic!("there is no place `{other}`"),
        }
        meant
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

    /// The trigger, where there is one that says something.
    fn trigger(&self) -> String {
        let trigger = self.when_to_use.as_deref().map(collapsed).filter(|text| !text.is_empty());
        trigger.unwrap_or_else(|| collapsed(&self.description))
    }

    /// The lines of the body: whatever ends them, without blank ones around them.
    fn lines(&self) -> Vec<String> {
        let text = self.body.replace("\r\n", "\n").replace('\r', "\n");
        let mut lines: Vec<&str> = text.trim_end().split('\n').collect();
        while lines.first().is_some_and(|line| line.trim().is_empty()) {
            lines.remove(0);
        }
        lines.into_iter().map(str::to_owned).collect()
    }
}

#[test]
fn whatever_a_skill_holds_it_stays_in_its_place() {
    let table: Table = toml::from_str(include_str!("attacks.toml")).unwrap();
    assert!(table.attack.len() > 50);
    for attack in &table.attack {
        let meant = [Meant::plain("alpha"), Meant::attacked(attack), Meant::plain("omega")];
        let samples: Vec<Sample> = meant.iter().map(Meant::sample).collect();
        for (word, rendering) in RENDERINGS {
            let what = format!("{word}: {} {:?}", attack.place, attack.text);
            let artifact = artifact(&samples, rendering, |recipe| recipe);
            let is_dropped = attack.dropped.iter().any(|dropped| dropped == word);
            let reasons: Vec<Reason> = artifact.selected.dropped.iter().map(|dropped| dropped.reason).collect();
            let expected: &[Reason] = if is_dropped { &[Reason::Wrapper] } else { &[] };
            assert_eq!(reasons, expected, "{what}: {}", block(&artifact));
            let shown = shown(&samples, &meant, &artifact);
            let hides = |c: char| {
                (c.is_control() && !matches!(c, '\n' | '\t'))
                    || matches!(c, '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
            };
            assert_eq!(block(&artifact).find(hides), None, "{what}");
            match word {
                "symphony" => readers::symphony(&what, block(&artifact), &shown),
                "agentskills" => readers::agentskills(&what, block(&artifact), &shown),
                "messages" => readers::messages(&what, block(&artifact), &shown),
                "swarm" => readers::swarm(&what, block(&artifact), &shown),
                "amacs" => readers::amacs(&what, block(&artifact), &shown),
                _ => readers::majordomo(&what, &artifact, &shown),
            }
            readers::indexed(&what, &artifact, &shown);
        }
    }
}

/// The skills that came into the block, in its order, as their authors meant them. Of two of one name the first by path
/// is there.
fn shown<'a>(samples: &[Sample], meant: &'a [Meant], artifact: &Artifact) -> Vec<&'a Meant> {
    let catalog = catalog(samples);
    let meant_by = |id: skilltree::skill::SkillId| {
        let path = catalog.path(id).to_str().unwrap();
        meant.iter().find(|meant| path == format!("{ROOT}/{}/SKILL.md", meant.directory)).unwrap()
    };
    let shown: Vec<&Meant> = artifact.selected.skills.iter().map(|&id| meant_by(id)).collect();
    let lost = artifact.selected.dropped.len() + artifact.selected.shadowed.len();
    assert_eq!(shown.len() + lost, meant.len(), "every skill is accounted for");
    shown
}

/// What a value is on one line.
fn collapsed(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in which every escape is the character again.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut whole = parts.next().unwrap().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once('}').unwrap();
        whole.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap());
        whole.push_str(rest);
    }
    whole
}

/// A path as it is shown, again as it is.
fn path_of(shown: &str) -> String {
    unescaped(shown).replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")
}

fn path(meant: &Meant) -> String {
    format!("{ROOT}/{}/SKILL.md", meant.directory)
}
