//! Every number that a repository may set, in one table: name (unit last), default and source.

use skilltree_front_matter::Bounds;

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $field:ident, $name:literal, $default:expr;)+) => {
        /// The limits in force. `None` means no limit.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits {
            $($(#[doc = $doc])+ pub $field: Option<u64>,)+
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        /// The limits by their names in skilltree.toml: name, default, description.
        pub const TABLE: &[(&str, Option<u64>, &str)] = &[$(($name, $default, concat!($($doc),+)),)+];

        impl Limits {
            /// Sets a limit by name; returns `false` if the name is unknown.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $($name => self.$field = Some(value),)+
                    _ => return false,
                }
                true
            }

            /// Returns the limits by name, in the order of [`TABLE`].
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<u64>)> {
                [$(($name, self.$field),)+].into_iter()
            }
        }
    };
}

limits! {
    /// Unicode code points of a name (agentskills.io specification: 64).
    name_chars, "name-chars", Some(64);
    /// Unicode code points of a description (agentskills.io specification: 1,024).
    description_chars, "description-chars", Some(1_024);
    /// Unicode code points of `compatibility` (agentskills.io specification: 500).
    compatibility_chars, "compatibility-chars", Some(500);
    /// Unicode code points of `metadata.short-description` (Codex core-skills loader: 1,024).
    short_description_chars, "short-description-chars", Some(1_024);
    /// Unicode code points of description and when_to_use together (Claude Code 2.1.105: 1,536).
    listing_entry_chars, "listing-entry-chars", Some(1_536);
    /// Bytes of a SKILL.md (OpenClaw workspace.ts: 256,000).
    skill_file_bytes, "skill-file-bytes", Some(256_000);
    /// Bytes of a reference file (our choice: 1,000,000; none is read if it is larger).
    reference_file_bytes, "reference-file-bytes", Some(1_000_000);
    /// Reference files that are read per skill (our choice: 1,000).
    reference_files, "reference-files", Some(1_000);
    /// Bytes of the front matter (our choice: 65,536; the longest of 7,158 public skills has 75 lines).
    front_matter_bytes, "front-matter-bytes", Some(65_536);
    /// Nodes of the front matter (our choice: 1,000).
    front_matter_nodes, "front-matter-nodes", Some(1_000);
    /// Nesting depth of the front matter (our choice: 16; public skills reach 6).
    front_matter_depth, "front-matter-depth", Some(16);
    /// Lines of the body (agentskills.io recommends 500).
    body_lines, "body-lines", Some(500);
    /// Estimated tokens of the body (agentskills.io recommends 5,000).
    body_tokens, "body-tokens", Some(5_000);
    /// Estimated tokens of the entry of a skill in the list of a runtime; `skilltree cost` compares them.
    entry_tokens, "entry-tokens", None;
    /// Estimated tokens of all entries in a list of a runtime; `skilltree cost` compares them.
    list_tokens, "list-tokens", None;
    /// Estimated tokens of the body and the reference files of a skill; `skilltree cost` compares them.
    skill_tokens, "skill-tokens", None;
    /// Skills in a prompt block (Symphony's `max_skills_in_prompt`: 50).
    prompt_skills, "prompt-skills", None;
    /// Bytes of a prompt block.
    prompt_bytes, "prompt-bytes", None;
    /// Unicode code points of a prompt block.
    prompt_chars, "prompt-chars", None;
    /// Estimated tokens of a prompt block.
    prompt_tokens, "prompt-tokens", None;
    /// Files in one skills directory (our choice: 200,000).
    root_files, "root-files", Some(200_000);
    /// Depth of directories in one skills directory (our choice: 16).
    root_depth, "root-depth", Some(16);
    /// Bytes of all SKILL.md files in one skills directory.
    root_bytes, "root-bytes", None;
    /// Findings shown as text (our choice: 1,000).
    shown_findings, "shown-findings", Some(1_000);
}

/// The cap of a prompt block when nothing sets one (Symphony issue 87: `max_skills_in_prompt: 50`).
pub const DEFAULT_PROMPT_SKILLS: u64 = 50;

impl Limits {
    /// Returns the bounds of the parser.
    pub fn bounds(&self) -> Bounds {
        let number = |limit: Option<u64>| limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        Bounds {
            bytes: number(self.front_matter_bytes),
            nodes: number(self.front_matter_nodes),
            depth: number(self.front_matter_depth),
            body_lines: number(self.body_lines),
            body_tokens: number(self.body_tokens),
        }
    }
}

/// Returns whether a count is over a limit; `false` if the limit is not set.
pub fn over(limit: Option<u64>, count: usize) -> bool {
    limit.is_some_and(|limit| count as u64 > limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_every_limit_by_name() {
        for (name, ..) in TABLE {
            let mut limits = Limits::default();
            assert!(limits.set(name, 7), "{name}");
            assert!(limits.iter().any(|(other, value)| other == *name && value == Some(7)), "{name}");
        }
        assert!(!Limits::default().set("nonsense", 7));
    }
}
