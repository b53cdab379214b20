//! Formats numbers as JavaScript and Python do.

/// Greatest integer up to which every integer of JavaScript is exact.
const EXACT: i128 = 1 << 53;

/// Formats a number as a language does; `None` if the text is unchanged, or has a rare form that is not emulated.
pub(super) fn formatted(text: &str, in_python: bool) -> Option<String> {
    let digits = text.replace('_', "");
    let unsigned = digits.trim_start_matches(['+', '-']);
    let negative = digits.starts_with('-');
    let based = |prefix, base| i128::from_str_radix(unsigned.strip_prefix(prefix)?, base).ok();
    let octal = if in_python { based("0", 8).filter(|_| unsigned.len() > 1) } else { based("0o", 8) };
    let sixtieths = || {
        let parts = unsigned.contains(':').then(|| unsigned.split(':'))?;
        parts
            .map(|part| part.parse::<i128>().ok())
            .try_fold(0, |whole: i128, part| whole.checked_mul(60)?.checked_add(part?))
    };
    let whole =
        based("0x", 16).or_else(|| based("0b", 2)).or(octal).or_else(|| unsigned.parse().ok()).or_else(sixtieths);
    if let Some(whole) = whole.filter(|whole| in_python || *whole <= EXACT) {
        return Some(if negative { -whole } else { whole }.to_string());
    }
    let value: f64 = match unsigned.to_ascii_lowercase().as_str() {
        ".inf" if negative => f64::NEG_INFINITY,
        ".inf" => f64::INFINITY,
        ".nan" => f64::NAN,
        _ => digits.parse().ok()?,
    };
    Some(if in_python { python(value) } else { javascript(value) })
}

fn javascript(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else if value != 0.0 && !(1e-6..1e21).contains(&value.abs()) {
        exponential(value, 1)
    } else {
        value.to_string()
    }
}

fn python(value: f64) -> String {
    if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf" } else { "-inf" }.to_owned()
    } else if value != 0.0 && !(1e-4..1e16).contains(&value.abs()) {
        exponential(value, 2)
    } else if value.fract() == 0.0 {
        format!("{value}.0")
    } else {
        value.to_string()
    }
}

/// Formats a number with an exponent that has a sign and at least so many digits.
fn exponential(value: f64, digits: usize) -> String {
    let text = format!("{value:e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{mantissa}e{sign}{exponent:0>digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_numbers_per_language() {
        let cases = [
            ("0x1F", "31", "31"),
            ("-1_000", "-1000", "-1000"),
            ("1.0", "1", "1.0"),
            ("1e3", "1000", "1000.0"),
            ("123456789012345678901234567890", "1.2345678901234568e+29", "123456789012345678901234567890"),
            (".inf", "Infinity", "inf"),
            ("-.INF", "-Infinity", "-inf"),
            (".nan", "NaN", "nan"),
            ("1e-7", "1e-7", "1e-07"),
        ];
        for (text, javascript, python) in cases {
            assert_eq!(formatted(text, false).as_deref(), Some(javascript), "{text}");
            assert_eq!(formatted(text, true).as_deref(), Some(python), "{text}");
        }
        assert_eq!(formatted("017", true).as_deref(), Some("15"));
        assert_eq!(formatted("017", false).as_deref(), Some("17"));
        assert_eq!(formatted("12:30", true).as_deref(), Some("750"));
    }
}
