//! The command line: exit statuses, streams, files and error messages.

mod arguments;
mod help;
mod listed;
mod settings;
mod severity;
mod sources;

use crate::common::Repository;

const BROKEN: &str = "---\nname: pdf\ndescription: Build for AWS: ECS\n---\n\nDo it.\n";

/// A repository with one good skill and one without a name.
fn mixed() -> Repository {
    let repository = Repository::new();
    repository.skill(".agent/skills", "good-one");
    repository
        .write(".agent/skills/nameless/SKILL.md", "---\ndescription: Has no name. Use when asked.\n---\n\nDo it.\n")
        .commit();
    repository
}
