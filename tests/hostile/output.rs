//! Checks that apply to all output of the program.

use crate::workshop::CANARY;

/// Problems of printed text; `format` defines which lines may be workflow commands.
pub(crate) fn faults(format: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        // A joiner between two emoji is visible.
        let line = &line.replace("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", "family");
        if let Some(raw) = line.chars().find(|c| is_raw(*c)) {
            faults.push(format!("{format}:{number}: raw {raw:?} in `{}`", line.escape_debug()));
        }
        if is_command(line) && !(format == "github" && is_ours(line.trim_start())) {
            faults.push(format!("{format}:{number}: a command: `{line}`"));
        }
        if ["##[", "##vso[", "##teamcity["].iter().any(|command| line.contains(command)) {
            faults.push(format!("{format}:{number}: a command in a line: `{line}`"));
        }
    }
    if text.contains(CANARY) {
        faults.push(format!("{format}: the secret is printed"));
    }
    if text.contains("panicked at") || text.contains("RUST_BACKTRACE") {
        faults.push(format!("{format}: a panic: `{text}`"));
    }
    faults
}

/// Returns whether a character is a control, bidirectional mark, tag or zero-width space.
fn is_raw(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns whether a runner executes a line: `::`, a command with arguments, and `::`, after any whitespace.
fn is_command(line: &str) -> bool {
    line.trim_start().strip_prefix("::").is_some_and(|command| command.contains("::"))
}

/// Returns whether the program itself writes this workflow command.
fn is_ours(line: &str) -> bool {
    let command = line[2..].split([' ', ':']).next().unwrap_or_default();
    let is_token = command.len() == 64 && command.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_token || ["error", "warning", "notice", "stop-commands"].contains(&command)
}
