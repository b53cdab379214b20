//! Days of the civil calendar, counted from 1970-01-01. No clock is read: a date is a number to compare.

/// The days from 1970-01-01 to a date of the proleptic Gregorian calendar; `None` when there is no such date.
///
/// The year begins in March here, so that a leap day is the last day of a year and needs no case of its own.
pub fn days(year: u16, month: u8, day: u8) -> Option<i64> {
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

/// The days from 1970-01-01 to the date of a text `YYYY-MM-DD`; `None` when there is no such date.
pub fn parse(text: &str) -> Option<i64> {
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

/// The date that lies so many days after 1970-01-01, as `YYYY-MM-DD`. The calendar repeats itself every 400 years.
pub fn written(days: i64) -> String {
    const DAYS_IN_400_YEARS: i64 = 146_097;
    let since_march = days + DAYS_BEFORE_1970 - 1;
    let day = since_march.rem_euclid(DAYS_IN_400_YEARS);
    let year = (day - day / 1_460 + day / 36_524 - day / (DAYS_IN_400_YEARS - 1)) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let year = year + since_march.div_euclid(DAYS_IN_400_YEARS) * 400;
    let months_since_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * months_since_march + 2) / 5 + 1;
    let month = (months_since_march + 2) % 12 + 1;
    format!("{:04}-{month:02}-{day_of_month:02}", if month > 2 { year } else { year + 1 })
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
            assert_eq!(written(days), text);
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
                    assert_eq!(written(next), format!("{year:04}-{month:02}-{day:02}"));
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
