//! Names that people type for runtimes, and the profiles that they mean.

/// Names, folded as in [`meant`], each with the profiles, the most used first.
const TYPED: &[(&str, &[&str])] = &[
    ("agent-skills", &["agentskills"]),
    ("anthropic", &["claude-code", "claude-api"]),
    ("claude", &["claude-code", "claude-api"]),
    ("claude-cli", &["claude-code"]),
    ("claude-desktop", &["claude-api"]),
    ("claudecode", &["claude-code"]),
    ("codex-cli", &["codex"]),
    ("copilot", &["vscode-copilot", "copilot-cli"]),
    ("cursor-agent", &["cursor"]),
    ("deep-agents", &["deepagents"]),
    ("factory", &["droid"]),
    ("factory-droid", &["droid"]),
    ("gemini", &["gemini-cli"]),
    ("gh-copilot", &["copilot-cli", "vscode-copilot"]),
    ("github", &["copilot-cli", "vscode-copilot"]),
    ("github-copilot", &["vscode-copilot", "copilot-cli"]),
    ("google", &["gemini-cli", "antigravity"]),
    ("hermes-agent", &["hermes"]),
    ("kilo-code", &["kilo"]),
    ("kilocode", &["kilo"]),
    ("kimi-cli", &["kimi"]),
    ("letta-code", &["letta"]),
    ("mistral", &["vibe"]),
    ("mistral-vibe", &["vibe"]),
    ("open-claw", &["openclaw"]),
    ("open-code", &["opencode"]),
    ("openai", &["codex"]),
    ("openai-codex", &["codex"]),
    ("qwen", &["qwen-code"]),
    ("roo-code", &["roo"]),
    ("roocode", &["roo"]),
    ("rovo", &["rovo-dev"]),
    ("spec", &["agentskills"]),
    ("specification", &["agentskills"]),
    ("vs-code", &["vscode-copilot"]),
    ("vscode", &["vscode-copilot"]),
    ("xai", &["grok"]),
];

/// Returns the profiles that a name means, the most used first; empty if it is not a usual name. Case, spaces and underscores do not
/// count.
pub fn meant(word: &str) -> &'static [&'static str] {
    let folded = word.trim().to_lowercase().replace(['_', ' '], "-");
    TYPED.iter().find(|(typed, _)| *typed == folded).map_or(&[], |(_, meant)| meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn names_mean_profiles_and_are_none() {
        let profiles = Profiles::default();
        assert!(TYPED.is_sorted_by_key(|(typed, _)| *typed));
        for (typed, meant) in TYPED {
            assert!(!profiles.contains(typed), "{typed} is a profile");
            assert!(!meant.is_empty() && meant.iter().all(|id| profiles.contains(id)), "{typed}");
        }
        assert_eq!(meant("Claude"), ["claude-code", "claude-api"]);
        assert_eq!(meant("codex"), [""; 0]);
    }
}
