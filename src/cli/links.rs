//! Links to files of a commit, in the log of a runner.

use skilltree_skills::snapshot::ObjectId;

use super::environment::{self, Runner};

/// Returns the address that the files of a commit are below, if a runner of GitHub Actions or a compatible one names its server and
/// repository. Without a commit it is the one that the runner checks.
pub(super) fn below(commit: Option<ObjectId>) -> Option<String> {
    address(&environment::runner()?, commit)
}

/// Returns the address; `None` if a part of it could be anything else in a link.
fn address(runner: &Runner, commit: Option<ObjectId>) -> Option<String> {
    let Runner { server, repository, commit: checked } = runner;
    let commit = commit.map_or_else(|| checked.clone(), |commit| Some(commit.to_string()))?;
    let host = server.strip_prefix("https://").or_else(|| server.strip_prefix("http://"))?;
    let (owner, name) = repository.split_once('/')?;
    let is_word = |word: &str, more: &[char]| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c) || more.contains(&c))
    };
    let is_commit = matches!(commit.len(), 40 | 64) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_safe = is_word(host, &[':']) && is_word(owner, &[]) && is_word(name, &[]) && is_commit;
    is_safe.then(|| format!("{server}/{repository}/blob/{commit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(server: &str, repository: &str, commit: &str) -> Option<String> {
        let commit = Some(commit.to_owned()).filter(|commit| !commit.is_empty());
        address(&Runner { server: server.into(), repository: repository.into(), commit }, None)
    }

    #[test]
    fn links_only_well_formed_addresses() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let expected = format!("https://git.example:8443/o/r.x/blob/{id}");
        assert_eq!(of("https://git.example:8443", "o/r.x", id), Some(expected));
        for (server, repository, commit) in [
            ("javascript:x", "o/r", id),
            ("https://git.example/) [x](y", "o/r", id),
            ("https://git.example", "o", id),
            ("https://git.example", "o/r/../x", id),
            ("https://git.example", "o/r)", id),
            ("https://git.example", "o/r", "main"),
            ("https://git.example", "o/r", ""),
        ] {
            assert_eq!(of(server, repository, commit), None, "{server} {repository} {commit}");
        }
        let own = address(
            &Runner { server: "https://git.example".into(), repository: "o/r".into(), commit: Some(id.into()) },
            Some(ObjectId::new(&[0xab; 20])),
        );
        assert_eq!(own, Some(format!("https://git.example/o/r/blob/{}", "ab".repeat(20))));
    }
}
