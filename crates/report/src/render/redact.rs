//! Redaction of secrets: a text that looks like a secret becomes `[redacted]`. More people read logs and review tools
//! than the repository. Reporting secrets is left to secret scanners.

use std::borrow::Cow;

pub use skilltree_skills::secret::secrets;

/// Replacement of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// Redacts the secrets in a text.
pub fn text(text: &str) -> Cow<'_, str> {
    let secrets = secrets(text.as_bytes());
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut redacted = String::with_capacity(text.len());
    let mut copied = 0;
    for secret in secrets {
        redacted.push_str(&text[copied..secret.start]);
        redacted.push_str(REDACTED);
        copied = secret.end;
    }
    redacted.push_str(&text[copied..]);
    Cow::Owned(redacted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redacts_tokens_and_keeps_words() {
        let alphanumeric = "0123456789abcdefABCDEF0123456789abcdefAB";
        for prefix in
            ["ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "AKIA", "xoxb-", "xoxp-", "AIza", "sk-", "sk-proj-"]
        {
            let line = format!("key: \"{prefix}{alphanumeric}\" # é");
            assert_eq!(text(&line), "key: \"[redacted]\" # é", "{prefix}");
        }
        for quiet in [
            "ghp_short",
            "desk-with-a-very-long-name-and-9-more-words",
            "sk-with-a-very-long-name-and-more-words",
            "3f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab93f2c1ab9",
            "-----BEGIN PUBLIC KEY-----",
            "-----BEGIN CERTIFICATE-----",
        ] {
            assert_eq!(text(quiet), quiet);
        }
    }

    #[test]
    fn redacts_private_keys_to_their_end() {
        let key = "a -----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY----- b";
        assert_eq!(text(key), "a [redacted] b");
        assert_eq!(text("-----BEGIN PRIVATE KEY-----MIIE"), "[redacted]");
        assert_eq!(text("  MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"), "[redacted]");
    }
}
