//! Completion scripts: the options of every command, and the values that they take.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use skilltree_core::profile::Profiles;
use skilltree_core::render::Format;
use skilltree_core::rule::Level;
use skilltree_core::rules;

use crate::cli::args;

/// Stands for the skills of the current directory, until the script asks for them.
const SKILLS: &str = "SKILLTREE_SKILLS";

/// Prints the names of skills, in the shells of the first three scripts. Other names could be commands: a shell expands
/// the words that it completes.
const LIST: &str = "skilltree list 2>/dev/null | LC_ALL=C sed -n 's/^\\([a-z0-9][a-z0-9-]*\\) .*/\\1/p; s/^\\([a-z0-9][a-z0-9-]*\\)$/\\1/p'";

/// Returns the completion script for a shell.
pub(super) fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_values(args::command(|_| true)), "skilltree", &mut script);
    let script = String::from_utf8_lossy(&script);
    match shell {
        Shell::Bash => {
            let function = format!("_skilltree_skills() {{\n    {LIST}\n}}\n\n");
            function + &script.replace(SKILLS, "$(_skilltree_skills)")
        }
        // The first line of the script tells zsh what it completes.
        Shell::Zsh => {
            let function = format!("\n_skilltree_skills() {{\n    compadd -- $({LIST})\n}}\n");
            let script = script.replace(&format!("({SKILLS})"), "_skilltree_skills");
            script.replacen('\n', &function, 1)
        }
        Shell::Fish => {
            let function = format!("function __skilltree_skills\n    {LIST}\nend\n\n");
            function + &script.replace(&format!("{SKILLS}\\t''"), "(__skilltree_skills)")
        }
        _ => script.replace(SKILLS, ""),
    }
}

/// Adds the values of arguments that are parsed by their own code. Parsing does not use them: it accepts what it always did.
fn with_values(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|arg| match values(&name, &arg) {
        // clap keeps values as static text.
        Some(values) => arg
            .value_parser(PossibleValuesParser::new(values.into_iter().map(|value| -> &'static str { value.leak() }))),
        None => arg,
    });
    command.mut_subcommands(with_values)
}

fn values(command: &str, arg: &Arg) -> Option<Vec<String>> {
    let severities =
        |more: &[&str]| ["note", "warning", "error"].iter().chain(more).map(|word| (*word).into()).collect();
    let is_format = arg.get_long() == Some("format") && arg.get_possible_values().is_empty();
    let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    Some(match (command, arg.get_id().as_str(), value) {
        (_, _, "FORMAT") if is_format => Format::NAMES.map(|(name, _)| name.to_owned()).to_vec(),
        (_, "fail_on", _) => severities(&["never"]),
        (_, "min_severity", _) => severities(&[]),
        (_, _, "PROFILE") | ("profiles", "name", _) => Profiles::default().ids().map(str::to_owned).collect(),
        (_, "rules", _) => {
            let levels = |rule: &str| Level::NAMES.map(|(level, _)| format!("{rule}={level}"));
            rules::ALL.iter().flat_map(|rule| levels(rule.id)).collect()
        }
        ("explain", "rule", _) => rules::ALL.iter().map(|rule| rule.id.to_owned()).collect(),
        ("schema", "name", _) => super::schemas().map(str::to_owned).collect(),
        ("show", "name", _) | ("prompt", "names", _) => vec![SKILLS.to_owned()],
        _ => return None,
    })
}
