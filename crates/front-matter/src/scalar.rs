//! Types of plain scalars.
//!
//! Quoted and block scalars are strings. A plain one is tested against YAML 1.1 (yaml.org/type, as PyYAML and js-yaml 3
//! read it) and the core schema of YAML 1.2. A type other than string wins, because loaders of that version lose the
//! string. `y` and `n` are strings: YAML 1.1 defines them as booleans, but no loader of skills does.

use super::ScalarKind;

/// Returns the type of a plain scalar.
pub(super) fn kind(text: &str) -> ScalarKind {
    let bytes = text.as_bytes();
    match bytes.first() {
        None => ScalarKind::Null,
        Some(b'0'..=b'9') if is_timestamp(bytes) => ScalarKind::Timestamp,
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') if is_number(bytes) => ScalarKind::Number,
        Some(b'~' | b'n' | b'N') if matches!(text, "~" | "null" | "Null" | "NULL") => ScalarKind::Null,
        Some(b't' | b'T' | b'f' | b'F' | b'y' | b'Y' | b'n' | b'N' | b'o' | b'O') if is_boolean(text) => {
            ScalarKind::Boolean
        }
        _ => ScalarKind::Text,
    }
}

fn is_boolean(text: &str) -> bool {
    const WORDS: [&str; 6] = ["true", "false", "yes", "no", "on", "off"];
    let rest = &text.as_bytes()[1..];
    let one_case = rest.iter().all(u8::is_ascii_lowercase) || text.bytes().all(|byte| byte.is_ascii_uppercase());
    one_case && WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn is_number(bytes: &[u8]) -> bool {
    let unsigned = match bytes {
        [b'+' | b'-', rest @ ..] => rest,
        _ => bytes,
    };
    match unsigned {
        b".inf" | b".Inf" | b".INF" => true,
        b".nan" | b".NaN" | b".NAN" => unsigned.len() == bytes.len(),
        [b'0', b'x', digits @ ..] => is_run(digits, u8::is_ascii_hexdigit),
        [b'0', b'o', digits @ ..] => is_run(digits, |byte| matches!(byte, b'0'..=b'7')),
        [b'0', b'b', digits @ ..] => is_run(digits, |byte| matches!(byte, b'0' | b'1')),
        _ => is_decimal(unsigned) || is_sexagesimal(unsigned),
    }
}

/// Returns whether bytes are one or more digits; YAML 1.1 allows `_` after the first.
fn is_run(digits: &[u8], is_digit: impl Fn(&u8) -> bool) -> bool {
    digits.iter().any(&is_digit) && digits.iter().all(|byte| is_digit(byte) || *byte == b'_')
}

/// Matches `1`, `1_000`, `1.`, `.5`, `1.5e-3`, `1e3`: at least one digit before the exponent.
fn is_decimal(bytes: &[u8]) -> bool {
    let (number, exponent) = match bytes.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&bytes[..at], Some(&bytes[at + 1..])),
        None => (bytes, None),
    };
    let exponent = exponent.is_none_or(|digits| {
        let digits = digits.strip_prefix(b"+").or_else(|| digits.strip_prefix(b"-")).unwrap_or(digits);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    });
    let mut points = 0;
    let body = number.iter().all(|byte| {
        points += usize::from(*byte == b'.');
        byte.is_ascii_digit() || matches!(byte, b'.' | b'_')
    });
    let starts = match number {
        [b'.', digit, ..] => digit.is_ascii_digit(),
        [first, ..] => first.is_ascii_digit(),
        [] => false,
    };
    exponent && body && starts && points <= 1
}

/// Matches `12:30`, `1:02:03.5`: base 60 in YAML 1.1.
fn is_sexagesimal(bytes: &[u8]) -> bool {
    let whole = bytes.split(|byte| *byte == b'.').next().unwrap_or_default();
    let fraction = bytes.get(whole.len() + 1..).unwrap_or_default();
    let mut parts = whole.split(|byte| *byte == b':');
    let first = parts
        .next()
        .is_some_and(|part| part.first().is_some_and(u8::is_ascii_digit) && is_run(part, u8::is_ascii_digit));
    let mut more = 0;
    let rest = parts.all(|part| {
        more += 1;
        matches!(part, [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
    });
    first && rest && more > 0 && fraction.iter().all(|byte| byte.is_ascii_digit() || *byte == b'_')
}

/// Matches `2026-01-31`, or a date and a time with an optional fraction and zone (yaml.org/type/timestamp).
fn is_timestamp(bytes: &[u8]) -> bool {
    let mut rest = Scanner(bytes);
    if !(rest.digits(4, 4) && rest.one(b"-") && rest.digits(1, 2) && rest.one(b"-") && rest.digits(1, 2)) {
        return false;
    }
    if rest.0.is_empty() {
        return bytes.len() == 10;
    }
    if !rest.one(b"Tt") && !rest.blanks() {
        return false;
    }
    let time = rest.digits(1, 2) && rest.one(b":") && rest.digits(2, 2) && rest.one(b":") && rest.digits(2, 2);
    if !time {
        return false;
    }
    if rest.one(b".") {
        rest.digits(0, usize::MAX);
    }
    rest.blanks();
    if rest.one(b"Zz") || rest.0.is_empty() {
        return rest.0.is_empty();
    }
    rest.one(b"+-")
        && rest.digits(1, 2)
        && (rest.0.is_empty() || (rest.one(b":") && rest.digits(2, 2)))
        && rest.0.is_empty()
}

/// The rest of a scalar while its parts are consumed.
struct Scanner<'a>(&'a [u8]);

impl Scanner<'_> {
    fn digits(&mut self, least: usize, most: usize) -> bool {
        let count = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        self.0 = &self.0[count..];
        count >= least
    }

    fn one(&mut self, of: &[u8]) -> bool {
        let found = self.0.first().is_some_and(|byte| of.contains(byte));
        self.0 = &self.0[usize::from(found)..];
        found
    }

    fn blanks(&mut self) -> bool {
        let count = self.0.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        self.0 = &self.0[count..];
        count > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_plain_scalars() {
        let cases = [
            (ScalarKind::Null, "|~|null|Null|NULL"),
            (ScalarKind::Boolean, "true|True|TRUE|false|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF"),
            (ScalarKind::Number, "0|42|-7|+7|017|0o17|0x1F|0b11|1_000|12:30|1:02:03|1.5|1.|.5|-.5|1e3|1.5E-3|12e03"),
            (ScalarKind::Number, ".inf|-.Inf|.INF|.nan|.NaN|190:20:30.15|1:02.5_0|99999999999999999999"),
            (
                ScalarKind::Timestamp,
                "2026-01-31|2001-12-14t21:59:43.10-05:00|2001-12-14 21:59:43.10 -5|2026-1-1T1:02:03Z",
            ),
            (ScalarKind::Text, "y|n|Y|N|tRUE|nULL|oN|1.2.3|v1|1-2|-|+|.|..|0x|0o8|1e|e3|12:60|12:|:30|_1|+.nan|1,000"),
            (
                ScalarKind::Text,
                "1:02.5x|2026-1-1|2026-01|20260131T|2026-01-31x|none|nobody|yesterday|office|pdf|0b12|-0x|é|1 2",
            ),
        ];
        for (expected, texts) in cases {
            for text in texts.split('|') {
                assert_eq!(kind(text), expected, "{text:?}");
            }
        }
    }
}
