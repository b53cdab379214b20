//! `completions`, `man` and `schema`.

mod completions;
mod man;

use super::Status;
use super::args::{self, Common};
use super::files::Files;
use super::output::{self, Stderr};
use crate::failure::{Failure, did_you_mean};
use crate::file;

/// The published schemas, by name.
const SCHEMAS: &[(&str, &str)] = &[
    ("catalog", include_str!("../../schema/catalog.json")),
    ("cost", include_str!("../../schema/cost.json")),
    ("diff", include_str!("../../schema/diff.json")),
    ("fleet", include_str!("../../schema/fleet.json")),
    ("forecast", include_str!("../../schema/forecast.json")),
    ("graph", include_str!("../../schema/graph.json")),
    ("knowledge", include_str!("../../schema/knowledge.json")),
    ("knowledge-query", include_str!("../../schema/knowledge-query.json")),
    ("list", include_str!("../../schema/list.json")),
    ("profiles", include_str!("../../schema/profiles.json")),
    ("prompt-index", include_str!("../../schema/prompt-index.json")),
    ("prompt-statement", include_str!("../../schema/prompt-statement.json")),
    ("report", include_str!("../../schema/report.json")),
    ("rules", include_str!("../../schema/rules.json")),
    ("show", include_str!("../../schema/show.json")),
    ("skill", include_str!("../../schema/skill.json")),
    ("skilltree", include_str!("../../schema/skilltree.json")),
    ("statistics", include_str!("../../schema/statistics.json")),
    ("thread-list", include_str!("../../schema/thread-list.json")),
    ("threads", include_str!("../../schema/threads.json")),
];

pub(super) fn completions(common: &Common, shell: clap_complete::Shell) -> Result<Status, Failure> {
    let script = completions::script(shell);
    output::stdout(common, |out| out.write_all(script.as_bytes()))?;
    Ok(Status::Clean)
}

/// Prints the page of a command, or writes all pages to a directory.
pub(super) fn man(common: &Common, asked: &args::Man) -> Result<Status, Failure> {
    let pages = man::pages();
    let Some(directory) = &asked.out else {
        let file =
            ["skilltree"].into_iter().chain(asked.command.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
        let Some(page) = pages.iter().find(|page| page.file.strip_suffix(".1") == Some(&file)) else {
            let named = asked.command.join(" ");
            let commands = args::words().filter(|word| *word != "help");
            let message = format!("there is no command `{named}`{}", did_you_mean(&named, commands));
            return Err(Failure::new(message).help("run `skilltree help` to list the commands"));
        };
        output::stdout(common, |out| page.write(out))?;
        return Ok(Status::Clean);
    };
    std::fs::create_dir_all(directory).map_err(|error| {
        Failure::new(format!("`{}` cannot be created: {}", directory.display(), file::reason(&error)))
            .help("choose a writable directory")
    })?;
    let mut files = Files::new(&common.watch);
    for page in &pages {
        files.add(&directory.join(&page.file), |out| page.write(out))?;
    }
    files.persist()?;
    Stderr::new(common).info(&format!("wrote {} pages to {}", pages.len(), directory.display()));
    Ok(Status::Clean)
}

/// Returns the names of the schemas.
fn schemas() -> impl Iterator<Item = &'static str> {
    SCHEMAS.iter().map(|&(name, _)| name)
}

pub(super) fn schema(common: &Common, name: Option<&str>) -> Result<Status, Failure> {
    let Some(name) = name else {
        output::stdout(common, |out| schemas().try_for_each(|name| writeln!(out, "{name}")))?;
        return Ok(Status::Clean);
    };
    let Some((_, schema)) = SCHEMAS.iter().find(|(known, _)| *known == name) else {
        let message = format!("there is no schema `{name}`{}", did_you_mean(name, schemas()));
        return Err(Failure::new(message).help(format!("the schemas are {}", schemas().collect::<Vec<_>>().join(", "))));
    };
    output::stdout(common, |out| out.write_all(schema.as_bytes()))?;
    Ok(Status::Clean)
}
