//! `--base auto`: the base that the CI system names.
//!
//! Sources: GitHub's documentation of events and default variables, GitLab's of predefined variables.

use serde::Deserialize;
use skilltree_git::Revision;

use super::args::Common;
use super::environment::{self, CiRun};
use super::output::Stderr;
use crate::failure::Failure;
use crate::place::Place;

/// The revision that means: what the CI system names.
pub(super) const AUTO: &str = "auto";

/// Maximum size of a GitHub event in bytes; GitHub sends at most 25 MB.
const EVENT_BYTES: u64 = 32 << 20;

/// The members of an event that name a base.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Payload {
    before: Option<String>,
    r#ref: Option<String>,
    pull_request: Option<PullRequest>,
    merge_group: Option<MergeGroup>,
    repository: Repository,
}

#[derive(Debug, Deserialize)]
struct PullRequest {
    base: Commit,
}

#[derive(Debug, Deserialize)]
struct Commit {
    sha: String,
}

#[derive(Debug, Deserialize)]
struct MergeGroup {
    base_sha: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Repository {
    default_branch: Option<String>,
}

/// The base that a CI system names.
pub(super) enum Base {
    /// A revision; in a shallow clone it may be missing, and the comparison then says what to fetch.
    Revision(String),
    /// A revision that the clone lacks although it is complete, as after a forced push: every finding counts.
    Gone(String),
    /// None, as for a schedule or the first push: every finding counts.
    Unnamed,
}

/// Returns the base that the CI system names for the checked revision.
///
/// # Errors
/// When no CI system is known, or its event cannot be read.
pub(super) fn base(place: &Place, checked: Option<&str>, common: &Common) -> Result<Base, Failure> {
    let Some(run) = environment::ci(EVENT_BYTES) else {
        return Err(Failure::new("`--base auto` works only in GitHub Actions and GitLab CI/CD")
            .help("pass a revision: `--base origin/main`; for a branch named auto: `--base refs/heads/auto`"));
    };
    let merge =
        |sha: &str| Ok(commit(place, checked).is_some_and(|commit| commit == sha) && place.has(&format!("{sha}^2"))?);
    let bases = bases(&run, merge)?;
    let Some(first) = bases.first() else {
        Stderr::new(common).info("this CI run has no base, so every finding counts");
        return Ok(Base::Unnamed);
    };
    for base in &bases {
        if place.has(base)? {
            return Ok(Base::Revision(base.clone()));
        }
    }
    match skilltree_git::is_shallow(place, &place.environment)? {
        true => Ok(Base::Revision(first.clone())),
        false => Ok(Base::Gone(first.clone())),
    }
}

/// Returns the bases that a run names, the best first. `is_merge` returns whether an id is the checked commit, and a merge.
fn bases(run: &CiRun, is_merge: impl FnOnce(&str) -> Result<bool, Failure>) -> Result<Vec<String>, Failure> {
    match run {
        CiRun::Github { event, sha, payload } => {
            let payload: Payload = serde_json::from_slice(payload).map_err(|error| {
                let reason = match payload.len() as u64 {
                    0 => "it names no file with content".to_owned(),
                    EVENT_BYTES.. => "the file is larger than 32 MiB".to_owned(),
                    _ => error.to_string(),
                };
                Failure::new(format!("the event in GITHUB_EVENT_PATH cannot be read: {reason}"))
                    .help("pass a revision instead of `auto`: `--base origin/main`")
            })?;
            github(event, sha, payload, is_merge)
        }
        CiRun::Gitlab { diff_base: Some(base), .. } => Ok(vec![base.clone()]),
        CiRun::Gitlab { before, branch, default_branch, .. } => {
            Ok(pushed(before.as_deref(), branch.as_deref(), default_branch.as_deref()))
        }
    }
}

fn github(
    event: &str,
    sha: &str,
    payload: Payload,
    is_merge: impl FnOnce(&str) -> Result<bool, Failure>,
) -> Result<Vec<String>, Failure> {
    Ok(match event {
        "pull_request" | "pull_request_target" => {
            let base = payload.pull_request.map(|pull_request| pull_request.base.sha);
            // GITHUB_SHA merges the pull request into its base, which may be newer than the base that the event names.
            let merged = event == "pull_request" && is_merge(sha)?;
            merged.then(|| format!("{sha}^1")).into_iter().chain(base).collect()
        }
        "merge_group" => payload.merge_group.map(|group| group.base_sha).into_iter().collect(),
        "push" => {
            let branch = payload.r#ref.as_deref().and_then(|name| name.strip_prefix("refs/heads/"));
            pushed(payload.before.as_deref(), branch, payload.repository.default_branch.as_deref())
        }
        _ => Vec::new(),
    })
}

/// Returns the bases of a push: what the branch was before, or the default branch for a new one.
fn pushed(before: Option<&str>, branch: Option<&str>, default_branch: Option<&str>) -> Vec<String> {
    let before = before.filter(|id| id.bytes().any(|byte| byte != b'0')).map(str::to_owned);
    // A push may replace commits; then the old one is in no clone.
    let default = default_branch.filter(|&name| branch != Some(name));
    before.into_iter().chain(default.map(|name| format!("refs/remotes/origin/{name}"))).collect()
}

/// Returns the id of the checked commit; `None` if it cannot be read, which the check reports.
fn commit(place: &Place, checked: Option<&str>) -> Option<String> {
    let revision = Revision::Tree(checked.unwrap_or("HEAD").to_owned());
    let source = skilltree_git::open(place, &revision, &place.environment).ok()?;
    source.origin().commit().map(|commit| commit.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bases_of(event: &str, payload: &str, checked: &str) -> Vec<String> {
        let run = CiRun::Github { event: event.into(), sha: "aaa".into(), payload: payload.into() };
        bases(&run, |sha| Ok(checked == sha)).unwrap()
    }

    #[test]
    fn a_pull_request_is_compared_with_the_first_parent_of_its_merge_commit() {
        let payload = r#"{"pull_request": {"base": {"sha": "bbb", "ref": "main"}}}"#;
        assert_eq!(bases_of("pull_request", payload, "aaa"), ["aaa^1", "bbb"]);
        assert_eq!(bases_of("pull_request", payload, "ccc"), ["bbb"], "another commit was checked out");
        assert_eq!(bases_of("pull_request_target", payload, "aaa"), ["bbb"]);
    }

    #[test]
    fn a_push_is_compared_with_the_old_commit_or_the_default_branch() {
        let push = |before: &str, branch: &str| {
            let payload = serde_json::json!({
                "before": before, "ref": format!("refs/heads/{branch}"), "repository": {"default_branch": "main"},
            });
            bases_of("push", &payload.to_string(), "aaa")
        };
        assert_eq!(push("bbb", "main"), ["bbb"]);
        assert_eq!(push("bbb", "topic"), ["bbb", "refs/remotes/origin/main"]);
        assert_eq!(push(&"0".repeat(40), "topic"), ["refs/remotes/origin/main"]);
        assert_eq!(push(&"0".repeat(40), "main"), [""; 0], "the first push has no base");
    }

    #[test]
    fn a_merge_queue_names_its_base_and_a_schedule_none() {
        assert_eq!(bases_of("merge_group", r#"{"merge_group": {"base_sha": "bbb"}}"#, "aaa"), ["bbb"]);
        assert_eq!(bases_of("schedule", r#"{"schedule": "0 0 * * 0"}"#, "aaa"), [""; 0]);
    }

    #[test]
    fn a_merge_request_is_compared_with_the_base_of_its_diff() {
        let (before, default_branch) = (Some("0".repeat(40)), Some("main".to_owned()));
        let run = |diff_base: Option<&str>| CiRun::Gitlab {
            diff_base: diff_base.map(str::to_owned),
            before: before.clone(),
            branch: Some("topic".into()),
            default_branch: default_branch.clone(),
        };
        assert_eq!(bases(&run(Some("bbb")), |_| Ok(false)).unwrap(), ["bbb"]);
        assert_eq!(bases(&run(None), |_| Ok(false)).unwrap(), ["refs/remotes/origin/main"]);
    }

    #[test]
    fn an_event_that_is_not_json_is_an_error() {
        let run = CiRun::Github { event: "push".into(), sha: String::new(), payload: b"{".to_vec() };
        assert!(bases(&run, |_| Ok(false)).is_err());
    }
}
