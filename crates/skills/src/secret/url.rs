//! Passwords in the URLs of databases.

use std::ops::Range;

use super::placeholder::is_placeholder;

/// The word in such a URL.
pub(super) const MARK: &str = "://";
pub(super) const TITLE: &str = "a database URL with a password";

const SCHEMES: [&str; 10] =
    ["amqp", "amqps", "mariadb", "mongodb", "mongodb+srv", "mysql", "postgres", "postgresql", "redis", "rediss"];
/// Maximum bytes of a user name, of a password and of a host.
const PART_BYTES: usize = 128;
/// Minimum bytes of a password.
const PASSWORD_BYTES: usize = 8;

/// A URL with a password.
pub(super) struct Url {
    /// From its scheme to the `@`.
    pub(super) range: Range<usize>,
    pub(super) password: Range<usize>,
    /// Whether its host is an example or this machine.
    pub(super) is_example: bool,
}

/// Returns the database URL whose mark is at an offset, if its password is not a placeholder.
pub(super) fn at(text: &[u8], at: usize) -> Option<Url> {
    let scheme =
        SCHEMES.iter().filter(|scheme| text[..at].ends_with(scheme.as_bytes())).max_by_key(|scheme| scheme.len())?;
    let user = at + MARK.len();
    let part = |from: usize| {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b":@/\"'`<>{}$()[]*".contains(byte);
        let rest = &text[from..text.len().min(from + PART_BYTES)];
        from + rest.iter().position(ends).unwrap_or(rest.len())
    };
    let colon = part(user);
    let password = colon + 1..part(colon + 1).max(colon + 1);
    if text.get(colon) != Some(&b':') || text.get(password.end) != Some(&b'@') || password.len() < PASSWORD_BYTES {
        return None;
    }
    let written = text[password.clone()].to_ascii_lowercase();
    let is_word = ["pass", "pwd", "changeme", "admin"].iter().any(|word| super::find(&written, word).is_some());
    if is_word || is_placeholder(&text[password.clone()], false) {
        return None;
    }
    let host = &text[password.end + 1..part(password.end + 1)];
    let is_example = !host.contains(&b'.') || super::find(host, "example").is_some() || host.starts_with(b"127.");
    Some(Url { range: at - scheme.len()..password.end + 1, password, is_example })
}
