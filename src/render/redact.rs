//! What looks like a secret is shown as `[redacted]`. A linter's output ends up in logs and review tools that more
//! people read than the repository; whether there is a secret is for a secret scanner to say.

use std::borrow::Cow;

pub use crate::secret::secrets;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// A text without what looks like a secret.
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
    fn tokens_are_redacted_and_words_are_not() {
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
    fn a_private_key_is_redacted_to_its_end() {
        let key = "a -----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY----- b";
        assert_eq!(text(key), "a [redacted] b");
        assert_eq!(text("-----BEGIN PRIVATE KEY-----MIIE"), "[redacted]");
        assert_eq!(text("  MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"), "[redacted]");
    }
}
