//! skilltree.toml and WORKFLOW.md: faults have places in the file, and the same file gives the same configuration.

use skilltree_front_matter::text::{FileId, Place};
use skilltree_lint::config::{self, Config, Error, Inputs};
use skilltree_skills::snapshot::{Body, File, Role};

use super::files::{Linted, check_place, entry};

const SKILL: &[u8] = b"---\nname: pdf\ndescription: Fills in forms. Use when a form is due.\n---\nRead it.\n";

/// Reads bytes as skilltree.toml, and checks a skill with it.
pub fn configuration(data: &[u8]) {
    let read = || {
        let settings = File::new(config::SETTINGS, Role::Config, None, Body::Text(data.to_vec()));
        config::read(Inputs { settings: Some(settings), ..Inputs::default() })
    };
    check(&read(), &read(), data);
    if let Ok(config) = &read() {
        let files = [entry(config::SETTINGS, data), entry(".agent/skills/pdf/SKILL.md", SKILL)];
        // A source reads at most so much of it.
        let linted = Linted::new(&files).expect("the configuration is valid");
        assert_eq!(
            format!("{:?}", linted.config.roots),
            format!("{:?}", config.roots),
            "the skills directories differ"
        );
    }
}

/// Reads bytes as WORKFLOW.md, and checks a skill with it.
pub fn workflow(data: &[u8]) {
    let read = || {
        let workflow = File::new(config::WORKFLOW, Role::Config, None, Body::Text(data.to_vec()));
        config::read(Inputs { workflow: Some(workflow), ..Inputs::default() })
    };
    let config = read();
    assert!(config.is_ok(), "WORKFLOW.md never fails a run");
    check(&config, &read(), data);
    let files = [entry(config::WORKFLOW, data), entry(".agent/skills/pdf/SKILL.md", SKILL)];
    Linted::new(&files).expect("the configuration is valid");
}

fn check(one: &Result<Config, Error>, other: &Result<Config, Error>, data: &[u8]) {
    match (one, other) {
        (Ok(one), Ok(other)) => {
            for fault in &one.faults {
                check_place(Place::new(FileId(0), fault.range.clone()), data, fault.rule.id());
                assert!(!fault.message.is_empty() && !fault.message.contains('\n'), "{fault:?}");
            }
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "the second reading differs");
        }
        (Err(one), Err(other)) => {
            assert_eq!(one, other, "the second reading differs");
            let (_, range) = one.place.as_deref().expect("the command line is empty");
            check_place(Place::new(FileId(0), range.clone()), data, "error");
            assert!(!one.message.is_empty() && !one.message.contains('\n'), "{one:?}");
        }
        _ => panic!("the second reading differs"),
    }
}
