//! A fragment depends only on its skill: each one in a block of many equals the block of that skill.

use skilltree_dispatch::prompt::Recipe;
use skilltree_dispatch::select::Selection;

use crate::seeds::library::{RENDERINGS, Sample, artifact, block, fragments};

fn samples() -> Vec<Sample> {
    let skill = |name: &str, more: &str, body: &str| {
        (name.to_owned(), format!("---\nname: {name}\ndescription: Does {name} <& more>.\n{more}---\n{body}"))
    };
    vec![
        skill("one", "", "# One\n\nDo it.\n"),
        skill("two", "when_to_use: Two is meant.\n", "\n\n---\n\n### Two\r\n\r\nDo it twice.\r\n\r\n"),
        skill("three", "tags: [a, b]\n", "```sh\n# three\n```\n"),
        skill("four", "", "Fœr 😀 five"),
    ]
}

#[test]
fn subsets_are_concatenated_fragments() {
    let samples = samples();
    let named = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        move |recipe| Recipe { selection: Selection::Named(names.clone()), ..recipe }
    };
    for (word, rendering) in RENDERINGS {
        let alone: Vec<(String, String, String)> = samples
            .iter()
            .map(|(name, _)| {
                let artifact = artifact(&samples, rendering, named(&[name]));
                let (listed, fragment) = fragments(&artifact).remove(0);
                (listed, fragment, block(&artifact).to_owned())
            })
            .collect();
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            for subset in 1..16_u32 {
                let chosen: Vec<usize> = order.into_iter().filter(|bit| subset >> bit & 1 == 1).collect();
                let names: Vec<&str> = chosen.iter().map(|&number| samples[number].0.as_str()).collect();
                let artifact = artifact(&samples, rendering, named(&names));
                let expected: Vec<(String, String)> =
                    chosen.iter().map(|&number| (alone[number].0.clone(), alone[number].1.clone())).collect();
                assert_eq!(fragments(&artifact), expected, "{word}: {names:?}");
                let complete = block(&artifact);
                let (_, first, of_one) = &alone[chosen[0]];
                let (head, tail) = of_one.split_once(first.as_str()).unwrap();
                assert!(complete.starts_with(head) && complete.ends_with(tail), "{word}: {names:?}: {complete}");
            }
        }
    }
}
