//! Manual pages: one per command, with examples, exit statuses, files and environment variables.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::args;

/// The program and its version, at the foot of each page.
const PROGRAM: &str = concat!("skilltree ", env!("CARGO_PKG_VERSION"));

/// What the commands do with each exit status.
const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "Nothing failed: no finding at or above --fail-on, or the command did what it was asked to."),
    (
        "1",
        "There is such a finding; for fix --diff a patch, for prompt --verify a difference, for cost a number over a limit.",
    ),
    ("2", "skilltree failed to run, or exceeded --max-time. Skills that cannot be checked never give 0."),
    ("130", "The run was interrupted."),
];

const FILES: &[(&str, &str)] = &[
    ("skilltree.toml", "The configuration, at the top of the repository. It is read from the checked revision."),
    ("WORKFLOW.md", "Symphony's configuration, whose block agent.skills sets a skills directory and a cap."),
    ("SKILL.md", "A skill, in a subdirectory of a skills directory."),
    (".git/hooks/pre-commit", "The hook that skilltree hook install writes, and others next to it."),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "If set, output has no colors."),
    ("FORCE_COLOR, CLICOLOR_FORCE", "If set and not 0, output has colors even without a terminal."),
    ("TMPDIR", "Where a pre-receive hook creates a temporary directory."),
    ("HOME", "Where --user looks for skills."),
    ("GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE", "As for git. With GIT_INDEX_FILE, check reads the index."),
    ("PRE_COMMIT_FROM_REF, PRE_COMMIT_TO_REF", "Set by pre-commit: the commits to compare."),
];

/// An example: a command line, and what it does.
type Example = (&'static str, &'static str);

/// Examples of each command; the top-level one has no name.
pub(super) const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "",
        &[
            ("skilltree", "Check the working tree."),
            ("skilltree init", "Write skilltree.toml, and print the next steps."),
            ("skilltree hook install", "Check every commit from now on."),
        ],
    ),
    (
        "check",
        &[
            ("skilltree check --staged", "Check what the next commit will contain."),
            ("skilltree check --base main --min-severity warning", "Show the new errors and warnings of a branch."),
            ("skilltree check --format github --output sarif=skills.sarif", "Annotate a workflow, and write SARIF."),
        ],
    ),
    (
        "fix",
        &[
            ("skilltree fix", "Apply the safe fixes to the working tree."),
            ("skilltree fix --diff --unsafe", "Print every fix as a patch."),
        ],
    ),
    (
        "prompt",
        &[
            ("skilltree prompt --rev HEAD --out prompt", "Write the prompt artifact of a commit."),
            (
                "skilltree prompt --task - --top 3",
                "Print a block of the three skills that fit the task on standard input.",
            ),
        ],
    ),
    ("list", &[("skilltree list --format json", "List the skills that can enter a prompt, for programs.")]),
    (
        "show",
        &[
            ("skilltree show pdf-forms", "Print the body of a skill."),
            ("skilltree show pdf-forms --graph", "Print what its files refer to."),
        ],
    ),
    ("new", &[("skilltree new pdf-forms", "Create a skill next to the existing ones.")]),
    ("init", &[("skilltree init --hook --workflow", "Also install the hooks and write a workflow.")]),
    (
        "hook",
        &[
            ("skilltree hook install", "Check every commit and merge from now on."),
            ("skilltree hook install pre-commit -- --fail-on warning", "Install one hook, with options of check."),
            ("skilltree hook run pre-commit -- --all", "Report everything that is staged, as the hook would."),
        ],
    ),
    (
        "explain",
        &[
            ("skilltree explain invalid-yaml", "Explain a rule."),
            ("skilltree explain --all --format json", "Print every rule, for programs."),
        ],
    ),
    (
        "diff",
        &[
            ("skilltree diff", "Print what the next commit does for the model."),
            ("skilltree diff main...topic --format markdown", "Write the comment for a pull request."),
        ],
    ),
    (
        "fleet",
        &[("skilltree fleet --repos mirrors/ --out tables/", "Write tables about all repositories in a directory.")],
    ),
    ("forecast", &[("skilltree forecast --target codex", "Print what one runtime loads, changes and drops.")]),
    ("cost", &[("skilltree cost claude-code", "Print how many tokens the skills take in the list of a runtime.")]),
    ("profiles", &[("skilltree profiles codex", "Print what is known about a runtime.")]),
    (
        "agent",
        &[
            ("skilltree agent thread list", "List the skills that are bound to threads."),
            ("skilltree agent knowledge check --base main", "Check the entries that a branch adds."),
        ],
    ),
    ("lsp", &[("skilltree lsp", "Serve an editor, which starts it.")]),
    (
        "completions",
        &[(
            "skilltree completions bash > ~/.local/share/bash-completion/completions/skilltree",
            "Install the completions for bash.",
        )],
    ),
    (
        "man",
        &[
            ("skilltree man check | man -l -", "Read the page of a command."),
            ("skilltree man --out /usr/local/share/man/man1", "Write all pages."),
        ],
    ),
    ("schema", &[("skilltree schema report", "Print the schema of --format json.")]),
];

/// A page, by the name of its file.
pub(super) struct Page {
    pub(super) file: String,
    pub(super) command: Command,
    examples: &'static [Example],
}

/// Returns the pages: the one of the program first, then one per command and per subcommand of any depth.
pub(super) fn pages() -> Vec<Page> {
    let mut program = args::command(|_| true).disable_help_subcommand(true);
    program.build();
    let mut pages = vec![page(&program, "")];
    for command in program.get_subcommands() {
        add(&mut pages, command, command.get_name());
    }
    pages
}

/// Adds the pages of a command and of its subcommands, which share its examples.
fn add(pages: &mut Vec<Page>, command: &Command, examples: &str) {
    pages.push(page(command, examples));
    command.get_subcommands().for_each(|below| add(pages, below, examples));
}

fn page(command: &Command, examples: &str) -> Page {
    let examples = EXAMPLES.iter().find(|(name, _)| *name == examples).map_or(&[][..], |(_, examples)| examples);
    let file = format!("{}.1", command.get_display_name().unwrap_or_else(|| command.get_name()));
    Page { file, command: command.clone(), examples }
}

impl Page {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let page = clap_mangen::Man::new(self.command.clone()).source(PROGRAM);
        page.render_title(out)?;
        page.render_name_section(out)?;
        self.synopsis().to_writer(out)?;
        page.render_description_section(out)?;
        page.render_options_section(out)?;
        if self.command.has_subcommands() {
            page.render_subcommands_section(out)?;
        }
        let mut roff = Roff::new();
        section(&mut roff, "EXIT STATUS", EXIT_STATUS);
        section(&mut roff, "FILES", FILES);
        section(&mut roff, "ENVIRONMENT", ENVIRONMENT);
        section(&mut roff, "EXAMPLES", self.examples);
        roff.to_writer(out)?;
        writeln!(out)
    }
}

impl Page {
    /// Returns the synopsis as `--help` has it: the one of `clap_mangen` lists every option, without its value.
    fn synopsis(&self) -> Roff {
        let usage = self.command.clone().render_usage().to_string();
        let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
        let mut roff = Roff::new();
        roff.control("SH", ["SYNOPSIS"]);
        for line in usage.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words = line.find([' ', '[', '<']).and_then(|_| line.find(" [").or_else(|| line.find(" <")));
            let (name, rest) = line.split_at(words.unwrap_or(line.len()));
            roff.text([bold(name), roman(rest)]);
            roff.control("br", []);
        }
        roff
    }
}

/// Adds a section of terms and their descriptions.
fn section(roff: &mut Roff, title: &str, entries: &[(&str, &str)]) {
    roff.control("SH", [title]);
    for (term, words) in entries {
        roff.control("TP", []);
        roff.text([bold(*term)]);
        roff.text([roman(*words)]);
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::EXAMPLES;
    use crate::cli::parse;

    #[test]
    fn examples_are_valid_command_lines() {
        for (line, _) in EXAMPLES.iter().flat_map(|(_, examples)| *examples) {
            let words: Vec<&str> = line.split([' ']).take_while(|word| !["<", ">", "|"].contains(word)).collect();
            let parsed = parse(words.iter().map(OsString::from).collect());
            assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
        }
    }
}
