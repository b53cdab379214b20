use super::*;
use crate::rules;
use skilltree_skills::snapshot::{Body, Role};

mod policy;
mod profiles;
mod settings;
mod workflow;

fn file(path: &str, text: &[u8]) -> File {
    File::new(path, Role::Config, None, Body::Text(text.to_owned()))
}

/// Formats each fault as one line: rule, text at its place, fact, help.
fn fault_lines(config: &Config) -> Vec<String> {
    let line = |fault: &ConfigFault| {
        let Body::Text(bytes) = &config.files[fault.file].body else { panic!("a configuration file has a text") };
        let text = bytes[fault.range.clone()].as_bstr();
        format!("{} {text} | {} | {}", fault.rule.id(), fault.message, fault.help.as_deref().unwrap_or_default())
    };
    config.faults.iter().map(line).collect()
}

fn roots_of(config: &Config) -> Vec<(&str, &str, Option<u32>, bool)> {
    let roots = &config.roots.patterns;
    roots.iter().map(|root| (root.glob.as_str(), root.profile.as_str(), root.depth, root.configured)).collect()
}
