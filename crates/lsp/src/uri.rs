//! Addresses of files.

use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use skilltree_skills::source::os_path;

/// The bytes of a path that an address has as they are.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns whether a document has no file yet.
pub(crate) fn is_untitled(uri: &Uri) -> bool {
    uri.0.starts_with("untitled:")
}

/// Returns the path of a `file:` address on this machine.
pub(crate) fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let decoded = percent_decode_str(path).collect::<Vec<u8>>();
    if !decoded.starts_with(b"/") || decoded.contains(&0) {
        return None;
    }
    // `/c:/x` is a path of Windows.
    let is_drive = cfg!(windows) && decoded.get(2) == Some(&b':');
    let path = if is_drive { &decoded[1..] } else { &decoded[..] };
    Some(os_path(path.as_bstr()).into_owned())
}

/// Returns the address of a file.
pub(crate) fn of_path(path: &Path) -> Uri {
    let text = path.as_os_str().as_encoded_bytes();
    if cfg!(windows) {
        return of_windows(&text.replace(b"\\", b"/"));
    }
    let slash = if text.starts_with(b"/") { "" } else { "/" };
    Uri(format!("file://{slash}{}", percent_encode(text, PLAIN)))
}

/// Returns the address of a path of Windows with `/` in place of `\`. A resolved path begins with `//?/`, one of a share with `//?/UNC/`.
fn of_windows(text: &[u8]) -> Uri {
    let share =
        text.strip_prefix(b"//?/UNC/").or_else(|| text.strip_prefix(b"//").filter(|rest| !rest.starts_with(b"?/")));
    let drive = text.strip_prefix(b"//?/").unwrap_or(text);
    let (start, rest) = share.map_or(("file:///", drive), |share| ("file://", share));
    Uri(format!("{start}{}", percent_encode(rest, PLAIN)))
}

/// Returns the address of a file of a repository.
pub(crate) fn below(top: &Path, path: &BStr) -> Uri {
    of_path(&top.join(os_path(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn converts_both_ways() {
        for path in ["/a/b.md", "/a b/ü/#?%.md", "/c:/x"] {
            assert_eq!(to_path(&of_path(Path::new(path))).as_deref(), Some(Path::new(path)));
        }
        assert_eq!(of_path(Path::new("/a b")).0, "file:///a%20b");
        assert_eq!(to_path(&"file://localhost/a".into()).as_deref(), Some(Path::new("/a")));
    }

    #[test]
    #[cfg(windows)]
    fn converts_both_ways() {
        for path in [r"C:\a\b.md", r"c:\a b\ü\#%.md"] {
            assert_eq!(to_path(&of_path(Path::new(path))).as_deref(), Some(Path::new(path)));
        }
        // As editors write them.
        for uri in ["file:///c%3A/a%20b", "file:///c:/a%20b", "file://localhost/c:/a%20b"] {
            assert_eq!(to_path(&uri.into()).as_deref(), Some(Path::new(r"c:\a b")), "{uri}");
        }
    }

    #[test]
    fn resolved_paths_of_windows_have_usual_addresses() {
        for (path, address) in [
            ("C:/a b", "file:///C%3A/a%20b"),
            ("//?/C:/a", "file:///C%3A/a"),
            ("//server/share/a", "file://server/share/a"),
            ("//?/UNC/server/share/a", "file://server/share/a"),
        ] {
            assert_eq!(of_windows(path.as_bytes()).0, address);
        }
    }

    #[test]
    fn refuses_addresses_of_no_file() {
        for uri in ["untitled:Untitled-1", "http://a/b", "file://host/a", "file:///a%00b", "git:/a", "", "file://"] {
            assert_eq!(to_path(&uri.into()), None, "{uri}");
        }
        assert!(is_untitled(&"untitled:Untitled-1".into()));
    }
}
