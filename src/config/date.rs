//! Days of the civil calendar, counted from 1970-01-01. No clock is read: a date is a number to compare.

/// The days from 1970-01-01 to a date of the proleptic Gregorian calendar; `None` when there is no such date.
///
/// The year begins in March here, so that a leap day is the last day of a year and needs no case of its own.
pub(super) fn days(year: u16, month: u8, day: u8) -> Option<i64> {
    if !(1..=12).contains(&month) || day == 0 || day > days_in_month(year, month) {
        return None;
    }
    let (year, month, day) = (i64::from(year), i64::from(month), i64::from(day));
    let years = if month > 2 { year } else { year - 1 };
    let months_since_march = (month + 9) % 12;
    let days_before_month = (153 * months_since_march + 2) / 5;
    let leap_days = years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    Some(years * 365 + leap_days + days_before_month + day - DAYS_BEFORE_1970)
}

/// The days of a text `YYYY-MM-DD`.
pub(super) fn parse(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let mut part = |digits: usize| {
        let part = parts.next()?;
        (part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())).then_some(part)
    };
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    if parts.next().is_some() {
        return None;
    }
    days(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

/// The days from 0000-03-01, less one, to 1970-01-01.
const DAYS_BEFORE_1970: i64 = 719_469;

fn days_in_month(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
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
        }
    }

    #[test]
    fn each_day_follows_the_one_before() {
        let mut last = days(1599, 12, 31).expect("a date");
        for year in 1600..=2400 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    let next = days(year, month, day).expect("a date");
                    assert_eq!(next, last + 1, "{year}-{month}-{day}");
                    last = next;
                }
            }
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "2027-02-29",
            "2027-13-01",
            "2027-00-10",
            "2027-01-00",
            "27-01-01",
            "2027-1-1",
            "2027-01-01-",
            "soon",
            "+027-01-01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
