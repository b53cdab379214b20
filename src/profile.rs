//! A runtime as data: what the shipped program does with a skill (`[loads]`), and what our artifact for it looks like
//! (`[prompt]`). There is no code per runtime.

/// A runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The word for it in configuration and output.
    pub id: String,
    /// What the shipped program does.
    pub loads: Loads,
}

/// What the shipped program does with the skills of a root.
#[derive(Clone, Debug, PartialEq)]
pub struct Loads {
    /// How deep below a root a skill's directory may be; `None` when at any depth.
    pub depth: Option<u32>,
}

/// The profiles that come with the program, in alphabetical order.
pub fn builtin() -> Vec<Profile> {
    vec![
        Profile { id: "agentskills".into(), loads: Loads { depth: None } },
        Profile { id: "symphony".into(), loads: Loads { depth: Some(1) } },
    ]
}

/// The profile of that id.
pub fn find<'a>(profiles: &'a [Profile], id: &str) -> Option<&'a Profile> {
    profiles.iter().find(|profile| profile.id == id)
}
