//! Completion scripts: the options of every command, and the values that they take.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use skilltree_lint::rule::Level;
use skilltree_lint::rules;
use skilltree_report::render::Format;
use skilltree_runtimes::profile::Profiles;

use crate::cli::args;

/// Stands for the skills of the current directory, until the script asks for them.
const SKILLS: &str = "SKILLTREE_SKILLS";

/// Placeholder for the ids of the rules, including those of the repository.
const RULES: &str = "SKILLTREE_RULES";

/// Placeholder for the rules with their severities, as `--rule` takes them.
const LEVELS: &str = "SKILLTREE_LEVELS";

/// What the first three scripts ask for: the words that stand for it, the name of a function, and its commands.
const ASKED: [(&str, &str, &str); 3] =
    [(SKILLS, "_skilltree_skills", LIST), (RULES, "_skilltree_rules", EXPLAIN), (LEVELS, "_skilltree_levels", SET)];

/// Prints the ids of rules. No id has a space.
const EXPLAIN: &str = "skilltree explain 2>/dev/null | LC_ALL=C sed -n 's/^  \\([a-z0-9][a-z0-9/-]*\\) .*/\\1/p'";

/// Prints the ids of rules with each severity.
const SET: &str = "skilltree explain 2>/dev/null | LC_ALL=C sed -n 's/^  \\([a-z0-9][a-z0-9/-]*\\) .*/\\1/; t found; d; :found; h; s/$/=error/p; g; s/$/=warning/p; g; s/$/=note/p; g; s/$/=off/p'";

/// Prints the names of skills, in the shells of the first three scripts. Other names could be commands: a shell expands
/// the words that it completes.
const LIST: &str = "skilltree list 2>/dev/null | LC_ALL=C sed -n 's/^\\([a-z0-9][a-z0-9-]*\\) .*/\\1/p; s/^\\([a-z0-9][a-z0-9-]*\\)$/\\1/p'";

/// Returns the completion script for a shell.
pub(super) fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    let is_asked = matches!(shell, Shell::Bash | Shell::Zsh | Shell::Fish);
    clap_complete::generate(shell, &mut with_values(args::command(|_| true), is_asked), "skilltree", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if shell == Shell::Bash {
        script = script.lines().map(|line| commands_first(line) + "\n").collect();
    }
    if !is_asked {
        return script.replace(SKILLS, "");
    }
    let mut functions = String::new();
    let script = ASKED.iter().fold(script, |script, (word, function, commands)| match shell {
        Shell::Bash => {
            functions.push_str(&format!("{function}() {{\n    {commands}\n}}\n\n"));
            script.replace(word, &format!("$({function})"))
        }
        Shell::Zsh => {
            functions.push_str(&format!("\n{function}() {{\n    compadd -- $({commands})\n}}\n"));
            script.replace(&format!("({word})"), function)
        }
        _ => {
            functions.push_str(&format!("function _{function}\n    {commands}\nend\n\n"));
            script.replace(&format!("{word}\\t''"), &format!("(_{function})"))
        }
    });
    // The first line of the script tells zsh what it completes.
    if shell == Shell::Zsh { script.replacen('\n', &functions, 1) } else { functions + &script }
}

/// Puts the commands and values of a line of the bash script before the options: bash offers them in this order.
fn commands_first(line: &str) -> String {
    let words = line.trim_start().strip_prefix("opts=\"").and_then(|rest| rest.strip_suffix('"'));
    let Some(words) = words.filter(|words| !words.is_empty()) else { return line.to_owned() };
    let (options, others): (Vec<&str>, Vec<&str>) = words.split(' ').partition(|word| word.starts_with('-'));
    line.replacen(words, &[others, options].concat().join(" "), 1)
}

/// Adds the values of arguments that are parsed by their own code. Parsing does not use them: it accepts what it always did.
fn with_values(command: Command, is_asked: bool) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|arg| match values(&name, &arg, is_asked) {
        // clap keeps values as static text.
        Some(values) => arg
            .value_parser(PossibleValuesParser::new(values.into_iter().map(|value| -> &'static str { value.leak() }))),
        None => arg,
    });
    command.mut_subcommands(|command| with_values(command, is_asked))
}

fn values(command: &str, arg: &Arg, is_asked: bool) -> Option<Vec<String>> {
    let severities =
        |more: &[&str]| ["note", "warning", "error"].iter().chain(more).map(|word| (*word).into()).collect();
    let is_format = arg.get_long() == Some("format") && arg.get_possible_values().is_empty();
    let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    Some(match (command, arg.get_id().as_str(), value) {
        (_, _, "FORMAT") if is_format => Format::NAMES.map(|(name, _)| name.to_owned()).to_vec(),
        (_, "fail_on", _) => severities(&["never"]),
        (_, "min_severity", _) => severities(&[]),
        (_, _, "PROFILE") | ("profiles", "name", _) => Profiles::default().ids().map(str::to_owned).collect(),
        (_, "rules", _) if is_asked => vec![LEVELS.to_owned()],
        ("explain", "rule", _) if is_asked => vec![RULES.to_owned()],
        (_, "rules", _) => {
            let levels = |rule: &str| Level::NAMES.map(|(level, _)| format!("{rule}={level}"));
            rules::ALL.iter().flat_map(|rule| levels(rule.id())).collect()
        }
        ("explain", "rule", _) => rules::ALL.iter().map(|rule| rule.id().to_owned()).collect(),
        ("schema", "name", _) => super::schemas().map(str::to_owned).collect(),
        ("show", "name", _) | ("prompt", "names", _) => vec![SKILLS.to_owned()],
        _ => return None,
    })
}
