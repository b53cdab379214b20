//! Placeholders and documented examples, which are not secrets.

use std::collections::BTreeSet;

use super::find;

/// Bytes after a prefix that decide whether it starts a secret.
pub(super) const HEAD_BYTES: usize = 64;

/// Examples in the documentation of issuers that look like real tokens.
const DOCUMENTED: &[&str] = &[
    // GitHub, "Authenticating to the REST API" and "Token expiration".
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "gho_16C7e42F292c6912E7710c838347Ae178B4a",
    "ghu_16C7e42F292c6912E7710c838347Ae178B4a",
    "ghr_1B4a2e77838347a7E420ce178F2E7c6912E169246c34E1ccbF66C46812d16D5B1A9Dc86A1498",
    // Telegram, Bot API.
    "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
    // Stripe, API reference.
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
    // jwt.io.
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWUsImlhdCI6MTUxNjIzOTAyMn0.KMUFsIDTnFmyG3nMiGM6H9FNFUROf3wh7SmqJp-QV30",
    // Azurite, the storage emulator of Azure: one key for everyone.
    "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
];

/// Returns whether an issuer documents a token as an example.
pub(super) fn is_documented(token: &[u8]) -> bool {
    DOCUMENTED.iter().any(|example| example.as_bytes() == token)
}

/// Returns whether the text after a prefix is a placeholder: it contains a typical word, counts, repeats a character, or
/// has too few kinds of characters. In an exact format, two of digits, lowercase and uppercase letters are enough.
pub(super) fn is_placeholder(after: &[u8], in_format: bool) -> bool {
    const WORDS: [&str; 12] = [
        "example",
        "your",
        "token",
        "secret",
        "placeholder",
        "dummy",
        "fake",
        "sample",
        "test",
        "xxxx",
        "redacted",
        "here",
    ];
    let written = &after[..after.len().min(HEAD_BYTES)];
    let head = written.to_ascii_lowercase();
    let longest_run = |step: i16| {
        let runs = head.chunk_by(|&one, &next| i16::from(next) - i16::from(one) == step);
        runs.map(<[u8]>::len).max().unwrap_or_default()
    };
    let kinds = head.iter().collect::<BTreeSet<_>>().len();
    let has = |class: fn(&u8) -> bool| written.iter().any(class);
    let digit = has(u8::is_ascii_digit);
    let is_mixed = match in_format {
        true => {
            [digit, has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase)].into_iter().filter(|&one| one).count() > 1
        }
        false => digit && has(u8::is_ascii_alphabetic),
    };
    WORDS.iter().any(|word| find(&head, word).is_some())
        || longest_run(1) >= 6
        || longest_run(0) >= 5
        || kinds < 9
        || !is_mixed
}
