//! `completions`, `man` and `schema`.

use super::Status;
use super::args::{self, Common};
use super::output;
use crate::failure::{Failure, did_you_mean};
use crate::file;

/// The published schemas, by name.
const SCHEMAS: &[(&str, &str)] = &[
    ("forecast", include_str!("../../schema/forecast.json")),
    ("knowledge", include_str!("../../schema/knowledge.json")),
    ("prompt-index", include_str!("../../schema/prompt-index.json")),
    ("prompt-statement", include_str!("../../schema/prompt-statement.json")),
    ("report", include_str!("../../schema/report.json")),
    ("rules", include_str!("../../schema/rules.json")),
    ("skill", include_str!("../../schema/skill.json")),
    ("skilltree", include_str!("../../schema/skilltree.json")),
    ("statistics", include_str!("../../schema/statistics.json")),
    ("threads", include_str!("../../schema/threads.json")),
];

pub(super) fn completions(common: &Common, shell: clap_complete::Shell) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(|_| true), "skilltree", &mut script);
    output::stdout(common, |out| out.write_all(&script))?;
    Ok(Status::Clean)
}

pub(super) fn man(common: &Common) -> Result<Status, Failure> {
    let mut page = Vec::new();
    let command = args::command(|_| true);
    let rendered = clap_mangen::Man::new(command.clone()).render(&mut page).and_then(|()| {
        command.get_subcommands().try_for_each(|command| clap_mangen::Man::new(command.clone()).render(&mut page))
    });
    rendered.map_err(|error| Failure::new(format!("the manual page cannot be generated: {}", file::reason(&error))))?;
    output::stdout(common, |out| out.write_all(&page))?;
    Ok(Status::Clean)
}

pub(super) fn schema(common: &Common, name: Option<&str>) -> Result<Status, Failure> {
    let names = || SCHEMAS.iter().map(|&(name, _)| name);
    let Some(name) = name else {
        output::stdout(common, |out| names().try_for_each(|name| writeln!(out, "{name}")))?;
        return Ok(Status::Clean);
    };
    let Some((_, schema)) = SCHEMAS.iter().find(|(known, _)| *known == name) else {
        let message = format!("there is no schema `{name}`{}", did_you_mean(name, names()));
        return Err(Failure::new(message).help(format!("the schemas are {}", names().collect::<Vec<_>>().join(", "))));
    };
    output::stdout(common, |out| out.write_all(schema.as_bytes()))?;
    Ok(Status::Clean)
}
