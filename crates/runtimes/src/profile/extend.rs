//! Profiles that extend another: written by their differences from it.

use serde::de::Error as _;
use toml::{Table, Value};

/// Maximum number of profiles in a chain (ours: 4).
const CHAIN: usize = 4;

/// Members that describe the runtime itself and are not inherited.
const OWN: [&str; 10] =
    ["title", "actor", "about", "usage-rank", "notes", "observed", "read", "documented", "prompt", "cases"];

/// Returns the table of a profile, merged with the profiles that it extends. `source` returns the text of a profile.
///
/// # Errors
/// If a text is not TOML, or extends a profile that does not exist.
pub fn whole(text: &str, source: &dyn Fn(&str) -> Option<String>) -> Result<Table, toml::de::Error> {
    chained(text, source, CHAIN)
}

fn chained(text: &str, source: &dyn Fn(&str) -> Option<String>, left: usize) -> Result<Table, toml::de::Error> {
    let mut written: Table = toml::from_str(text)?;
    let Some(base) = written.remove("extends") else { return Ok(written) };
    let found = base.as_str().filter(|_| left > 0).and_then(source);
    let Some(found) = found else {
        return Err(toml::de::Error::custom(format_args!("`extends` names no profile: {base}")));
    };
    let mut table = chained(&found, source, left - 1)?;
    OWN.iter().for_each(|key| drop(table.remove(*key)));
    overlay(&mut table, written);
    Ok(table)
}

/// Merges a table into another: tables key by key, anything else as a whole.
pub fn overlay(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => overlay(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_tables_and_drops_what_is_not_inherited() {
        let source = |id: &str| match id {
            "a" => Some("title = 'A'\n[loads]\ndepth = 1\n[loads.links]\nfile = 'followed'".to_owned()),
            "loop" => Some("extends = 'loop'".to_owned()),
            _ => None,
        };
        let table = whole("extends = 'a'\nid = 'b'\n[loads.links]\nfile = 'ignored'", &source).unwrap();
        let expected = "id = 'b'\n[loads]\ndepth = 1\n[loads.links]\nfile = 'ignored'";
        assert_eq!(table, expected.parse::<Table>().unwrap());
        assert!(whole("extends = 'none'", &source).is_err());
        assert!(whole("extends = 'loop'", &source).is_err());
    }
}
