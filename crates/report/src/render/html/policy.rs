//! Content Security Policy of the page.

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

/// Returns a policy that allows one style and one script, and nothing else.
pub(super) fn of(style: &str, script: &str) -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        BASE64.encode(&Sha256::digest(style)),
        BASE64.encode(&Sha256::digest(script))
    )
}
