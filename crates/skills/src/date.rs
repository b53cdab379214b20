//! Civil dates as days since 1970-01-01. No clock is read.

use jiff::civil::Date;
use jiff::{Span, Unit};

const EPOCH: Date = Date::constant(1970, 1, 1);

/// Returns the days from 1970-01-01 to a date; `None` when the date does not exist.
pub fn days(year: u16, month: u8, day: u8) -> Option<i64> {
    let part = |value: u8| i8::try_from(value).ok();
    since_epoch(Date::new(i16::try_from(year).ok()?, part(month)?, part(day)?).ok()?)
}

/// Returns the days from 1970-01-01 to a date written `YYYY-MM-DD`; `None` for any other form.
pub fn parse(text: &str) -> Option<i64> {
    let is_plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    since_epoch(text.parse().ok().filter(|_| is_plain)?)
}

/// Returns the date `days` after 1970-01-01 as `YYYY-MM-DD`.
pub fn written(days: i64) -> String {
    Span::new().try_days(days).and_then(|days| EPOCH.checked_add(days)).unwrap_or(Date::MAX).to_string()
}

fn since_epoch(date: Date) -> Option<i64> {
    Some(i64::from(EPOCH.until((Unit::Day, date)).ok()?.get_days()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_days_from_1970() {
        let known = [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("1970-03-01", 59),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("2027-01-01", 20_819),
            ("0000-03-01", -719_468),
            ("9999-12-31", 2_932_896),
        ];
        for (text, days) in known {
            assert_eq!(parse(text), Some(days), "{text}");
            assert_eq!(written(days), text);
        }
        assert_eq!(days(2027, 1, 1), Some(20_819));
        assert_eq!(days(2027, 2, 29), None);
    }

    #[test]
    fn rejects_other_forms_and_dates_that_do_not_exist() {
        for text in [
            "2027-02-29",
            "2027-13-01",
            "2027-00-10",
            "2027-01-00",
            "27-01-01",
            "2027-1-1",
            "2027-01-01-",
            "-027-01-01",
            "2027-W01-1",
            "20270101",
            "2027-01-0a",
            "soon",
            "+027-01-01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
