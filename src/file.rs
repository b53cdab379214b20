//! Files that the caller names.
#![allow(clippy::disallowed_methods, reason = "the caller names the file")]

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Reads the first bytes of a regular file, up to a limit. Nothing else is opened: reading a pipe or a device might never end.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the reason of an error as the end of a sentence.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    // Messages of Windows are sentences with a full stop.
    text.split(" (os error").next().unwrap_or(&text).trim_end_matches('.').to_lowercase()
}

/// Returns a path as people write it: a resolved path on Windows begins with `\\?\`.
pub(crate) fn shown(path: &Path) -> String {
    plain(&path.to_string_lossy()).into_owned()
}

fn plain(path: &str) -> Cow<'_, str> {
    match path.strip_prefix(r"\\?\") {
        Some(rest) if rest.starts_with(r"UNC\") => Cow::Owned(format!(r"\{}", &rest[3..])),
        Some(rest) if rest.as_bytes().get(1) == Some(&b':') => Cow::Borrowed(rest),
        _ => Cow::Borrowed(path),
    }
}

/// Attempts of [`retried`], with a growing pause before each next one: half a second in all.
#[cfg(any(not(unix), test))]
const ATTEMPTS: u32 = 10;

/// Repeats an operation that Windows denies while another program has the file open: indexers and virus scanners open new files for a
/// moment, and editors while they read. On Unix an open file does not stop a rename.
///
/// # Errors
/// The error of the last attempt.
#[cfg(any(not(unix), test))]
pub(crate) fn retried<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for attempt in 1..ATTEMPTS {
        match operation() {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied || is_in_use(&error) => {
                std::thread::sleep(std::time::Duration::from_millis(11) * attempt);
            }
            done => return done,
        }
    }
    operation()
}

/// `ERROR_SHARING_VIOLATION` and `ERROR_LOCK_VIOLATION`, which have no kind.
#[cfg(any(not(unix), test))]
const IN_USE: [i32; 2] = [32, 33];

/// Returns whether Windows refused to open a file because another program has it open.
#[cfg(any(not(unix), test))]
pub(crate) fn is_in_use(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| IN_USE.contains(&code))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn shows_resolved_paths_without_prefix() {
        for (path, expected) in [
            (r"\\?\C:\skills\.git", r"C:\skills\.git"),
            (r"\\?\UNC\server\share\skills", r"\\server\share\skills"),
            (r"\\?\Volume{b75e2c83}\skills", r"\\?\Volume{b75e2c83}\skills"),
            (r"C:\skills", r"C:\skills"),
            ("/home/skills", "/home/skills"),
        ] {
            assert_eq!(plain(path), expected);
        }
    }

    #[test]
    fn reasons_have_no_full_stop() {
        assert_eq!(reason(&io::Error::other("Access is denied. (os error 5)")), "access is denied");
    }

    #[test]
    fn repeats_denied_operation() {
        let run = |denials: u32, error: &dyn Fn() -> io::Error| {
            let mut attempts = 0;
            let done = retried(|| {
                attempts += 1;
                if attempts <= denials { Err(error()) } else { Ok(()) }
            });
            (attempts, done.is_ok())
        };
        let denied = || ErrorKind::PermissionDenied.into();
        assert_eq!(run(2, &denied), (3, true));
        assert_eq!(run(u32::MAX, &denied), (ATTEMPTS, false));
        assert_eq!(run(2, &|| io::Error::from_raw_os_error(IN_USE[0])), (3, true));
        assert_eq!(run(1, &|| ErrorKind::NotFound.into()), (1, false));
    }
}
