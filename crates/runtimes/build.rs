//! Merges what the runtime profiles extend into them, and writes them as JSON: every run reads many of them, and TOML takes several
//! times as long to parse. Also as TOML, for WebAssembly: it is read by the code that reads the profiles of a repository.
#![allow(clippy::disallowed_methods, reason = "a build script reads its package and writes to its output directory")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "src/profile/extend.rs"]
#[allow(unreachable_pub, reason = "the crate uses it, too")]
mod extend;

const PROFILES: &str = "src/profiles";

const FORMATS: &str = "src/formats";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={PROFILES}");
    println!("cargo::rerun-if-changed=src/profile/extend.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={FORMATS}");
    let mut formats = Vec::new();
    for id in stems(FORMATS)? {
        let text = fs::read_to_string(Path::new(FORMATS).join(&id).with_extension("toml"))?;
        formats.push(toml::from_str::<toml::Table>(&text).map_err(|error| format!("{id}.toml: {error}"))?);
    }
    fs::write(out.join("formats.json"), serde_json::to_string(&formats)?)?;
    let ids = stems(PROFILES)?;
    let text = |id: &str| fs::read_to_string(Path::new(PROFILES).join(id).with_extension("toml"));
    for id in &ids {
        let table = extend::whole(&text(id)?, &|id| text(id).ok()).map_err(|error| format!("{id}.toml: {error}"))?;
        fs::write(out.join(id).with_extension("json"), serde_json::to_string(&table)?)?;
        fs::write(out.join(id).with_extension("toml"), toml::to_string(&table)?)?;
    }
    fs::write(out.join("profiles.rs"), format!("builtin! {ids:?};\n"))?;
    Ok(())
}

/// Returns the names of the TOML files of a directory, sorted.
fn stems(directory: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut stems = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            stems.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    stems.sort();
    Ok(stems)
}
