//! The upstream branch in the repository's configuration.
//!
//! gix refuses to read this from an untrusted configuration, but no path or program is read here.

use bstr::{BStr, BString, ByteSlice};

use super::references;

/// Returns the reference of `NAME@{upstream}`; `None` for another syntax, or without an upstream.
pub(super) fn name(repository: &gix::Repository, revision: &str) -> Option<String> {
    let (branch, what) = revision.strip_suffix('}')?.split_once("@{")?;
    if !what.eq_ignore_ascii_case("u") && !what.eq_ignore_ascii_case("upstream") {
        return None;
    }
    let branch = match branch {
        "" | "HEAD" => references::head_name(repository)?.strip_prefix("refs/heads/")?.to_owned(),
        branch => branch.strip_prefix("refs/heads/").unwrap_or(branch).to_owned(),
    };
    let config = repository.config_snapshot();
    let remote = config.string(format!("branch.{branch}.remote").as_str())?;
    let merge = config.string(format!("branch.{branch}.merge").as_str())?;
    if remote == "." {
        return merge.to_str().ok().map(str::to_owned);
    }
    let fetch = config.plumbing().strings(format!("remote.{remote}.fetch").as_str())?;
    let tracked = fetch.iter().find_map(|fetch| tracked(fetch.as_bstr(), merge.as_bstr()))?;
    tracked.to_str().ok().map(str::to_owned)
}

/// Maps a reference of the remote by a refspec: `+refs/heads/*:refs/remotes/origin/*`.
fn tracked(fetch: &BStr, name: &BStr) -> Option<BString> {
    let fetch = fetch.strip_prefix(b"+").unwrap_or(fetch);
    let (from, to) = fetch.split_once_str(":")?;
    let Some((before, after)) = from.split_once_str("*") else { return (from == name).then(|| to.into()) };
    let middle = name.strip_prefix(before)?.strip_suffix(after)?;
    let (before, after) = to.split_once_str("*")?;
    Some([before, middle, after].concat().into())
}
