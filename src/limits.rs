//! Every number that a repository may set, in one table: the name, the unit last, the default and its source.

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $field:ident, $name:literal, $default:expr;)+) => {
        /// The limits in force. A value of `None` means that nothing is limited.
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
            /// Sets the limit of that name; `false` when there is none of that name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $($name => self.$field = Some(value),)+
                    _ => return false,
                }
                true
            }

            /// The limits by name, in the order of [`TABLE`].
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<u64>)> {
                [$(($name, self.$field),)+].into_iter()
            }
        }
    };
}

limits! {
    /// Code points of a name (agentskills.io specification: 64).
    name_chars, "name-chars", Some(64);
    /// Code points of a description (agentskills.io specification: 1,024).
    description_chars, "description-chars", Some(1_024);
    /// Code points of `compatibility` (agentskills.io specification: 500).
    compatibility_chars, "compatibility-chars", Some(500);
    /// Code points of `metadata.short-description` (Codex core-skills loader: 1,024).
    short_description_chars, "short-description-chars", Some(1_024);
    /// Code points of description and when_to_use together (Claude Code 2.1.105: 1,536).
    listing_entry_chars, "listing-entry-chars", Some(1_536);
    /// Bytes of a SKILL.md (OpenClaw workspace.ts: 256,000).
    skill_file_bytes, "skill-file-bytes", Some(256_000);
    /// Bytes of a front matter (ours: 65,536; the longest of 7,158 public ones has 75 lines).
    front_matter_bytes, "front-matter-bytes", Some(65_536);
    /// Nodes of a front matter (ours: 1,000).
    front_matter_nodes, "front-matter-nodes", Some(1_000);
    /// Depth of nesting in a front matter (ours: 16; public skills reach 6).
    front_matter_depth, "front-matter-depth", Some(16);
    /// Lines of a body (agentskills.io advice: 500).
    body_lines, "body-lines", Some(500);
    /// Estimated tokens of a body (agentskills.io advice: 5,000).
    body_tokens, "body-tokens", Some(5_000);
    /// Skills in a prompt block (Symphony's `max_skills_in_prompt`: 50).
    prompt_skills, "prompt-skills", None;
    /// Bytes of a prompt block.
    prompt_bytes, "prompt-bytes", None;
    /// Code points of a prompt block.
    prompt_chars, "prompt-chars", None;
    /// Estimated tokens of a prompt block.
    prompt_tokens, "prompt-tokens", None;
    /// Files below one root (ours: 200,000).
    root_files, "root-files", Some(200_000);
    /// Depth of directories below one root (ours: 16).
    root_depth, "root-depth", Some(16);
    /// Bytes of all SKILL.md files of one root.
    root_bytes, "root-bytes", None;
    /// Findings shown as text (ours: 1,000).
    shown_findings, "shown-findings", Some(1_000);
}

/// The cap of a prompt block when nothing sets one (Symphony issue 87: `max_skills_in_prompt: 50`).
pub const DEFAULT_PROMPT_SKILLS: u64 = 50;

/// Whether a count is over a limit; nothing is over a limit that is not set.
pub fn over(limit: Option<u64>, count: usize) -> bool {
    limit.is_some_and(|limit| count as u64 > limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_table_can_be_set() {
        for (name, ..) in TABLE {
            let mut limits = Limits::default();
            assert!(limits.set(name, 7), "{name}");
            assert!(limits.iter().any(|(other, value)| other == *name && value == Some(7)), "{name}");
        }
        assert!(!Limits::default().set("nonsense", 7));
    }
}
