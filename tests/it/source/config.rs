//! Git configuration of an untrusted repository: no setting of it runs a program or opens a file.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;

use skilltree_git::Revision;
use skilltree_skills::source::{Damage, Error};

use crate::common::write_script;
use crate::source::repository::{Repository, pipe};
use crate::source::shown::{BOUNDS, default_roots, shown};

/// Settings that name files. Opening `TRAP` would block forever.
const FILES: &str = "[core]
\tattributesFile = TRAP
\texcludesFile = TRAP
\thooksPath = TRAP
[gitoxide \"core\"]
\tindexFile = TRAP
\tshallowFile = TRAP
[include]
\tpath = TRAP
[includeIf \"gitdir:/\"]
\tpath = TRAP
[includeIf \"onbranch:main\"]
\tpath = TRAP
[mailmap]
\tfile = TRAP
[commit]
\ttemplate = TRAP
[init]
\ttemplateDir = TRAP
[gpg \"ssh\"]
\tallowedSignersFile = TRAP
[http]
\tsslCert = TRAP
";

/// Settings that name programs.
const PROGRAMS: &[&str] = &[
    "alias.status",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "diff.external",
    "diff.x.textconv",
    "filter.x.clean",
    "filter.x.process",
    "filter.x.smudge",
    "gpg.program",
    "hook.x.command",
    "merge.x.driver",
    "uploadpack.packObjectsHook",
    "url.ext::sh -c false.insteadOf",
];

/// Everything that is known of a skill in each state of a repository.
fn seen(repository: &Repository) -> Vec<String> {
    [Revision::Tree("HEAD".into()), Revision::Index, Revision::WorkTree]
        .iter()
        .map(|revision| {
            let source = repository.open(revision);
            let parsed = source.read(&default_roots(), BOUNDS).expect("it can be read");
            let trees = source.trees(&parsed).expect("the ids can be computed");
            format!("{}{trees:?} {:?}", shown(&parsed), source.time())
        })
        .collect()
}

fn plain() -> Repository {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.write(".gitattributes", "* filter=x diff=x merge=x\n");
    repository.commit();
    repository.write(".agent/skills/new/SKILL.md", "new");
    repository
}

#[test]
fn opens_no_file_named_by_git_configuration() {
    let repository = plain();
    let before = seen(&repository);
    let trap = repository.path().join(".git/trap");
    pipe(&trap);
    repository.git(&["config", "core.repositoryFormatVersion", "1"]);
    repository.git(&["config", "extensions.worktreeConfig", "true"]);
    let files = FILES.replace("TRAP", &trap.display().to_string());
    for name in ["config", "config.worktree"] {
        let path = repository.path().join(".git").join(name);
        let text = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, text + &files).expect("it can be written");
        assert_eq!(seen(&repository), before, "{name}");
    }
}

#[test]
fn ignores_included_git_configuration() {
    let repository = plain();
    repository.git(&["config", "core.repositoryFormatVersion", "1"]);
    let before = seen(&repository);
    let elsewhere = tempfile::tempdir().expect("a directory can be made");
    let included = elsewhere.path().join("included");
    fs::write(&included, "[extensions]\n\ttomorrow = true\n[core]\n\tbare = true\n").expect("it can be written");
    for name in ["include.path", "includeIf.onbranch:main.path"] {
        repository.git(&["config", name, &included.display().to_string()]);
        assert_eq!(seen(&repository), before, "{name}");
    }
}

#[test]
fn starts_no_program_named_by_git_configuration() {
    let repository = plain();
    let before = seen(&repository);
    let trap = repository.path().join(".git/trap");
    let fired = repository.path().join(".git/fired");
    let script = format!("#!/bin/sh\ntouch '{}'\ncat\n", fired.display());
    write_script(&trap, &script);
    for name in PROGRAMS {
        repository.git(&["config", name, &trap.display().to_string()]);
    }
    for hook in ["pre-commit", "post-index-change", "post-checkout", "fsmonitor-watchman", "reference-transaction"] {
        write_script(&repository.path().join(".git/hooks").join(hook), &script);
    }
    assert_eq!(seen(&repository), before);
    assert!(!fired.exists(), "nothing was started");
    // Git itself starts it, so that the trap is one.
    repository.git(&["-c", "core.pager=cat", "status"]);
    assert!(fired.exists());
}

#[test]
fn git_settings_weaken_no_check() {
    let repository = plain();
    let blob = repository.git(&["rev-parse", "HEAD:.agent/skills/a/SKILL.md"]);
    let file = repository.write(".git/other", "other");
    let other = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    repository.git(&["replace", &blob, &other]);
    repository.git(&["update-ref", &format!("refs/heads/{blob}"), "HEAD"]);
    let large = repository.path().join(".git/large");
    fs::File::create(&large).and_then(|file| file.set_len(20 << 20)).expect("a file can have holes");
    let large = repository.git(&["hash-object", "-w", "-t", "blob", &large.display().to_string()]);
    let bomb = repository.tree(&[("40000", ".agent", &large)]);
    let before = seen(&repository);
    for (name, value) in [
        ("gitoxide.core.refsNamespace", "elsewhere"),
        ("gitoxide.objects.allocLimit", "0"),
        ("gitoxide.objects.cacheLimit", "1000000000000"),
        ("gitoxide.objects.noReplace", "false"),
        ("gitoxide.objects.replaceRefBase", "refs/heads/"),
        ("gitoxide.pathspec.icase", "true"),
        ("gitoxide.allow.protocolFromUser", "true"),
        ("core.useReplaceRefs", "true"),
        ("core.deltaBaseCacheLimit", "1000000000000"),
        ("core.multiPackIndex", "false"),
        ("core.commitGraph", "true"),
        ("core.untrackedCache", "true"),
        ("core.sparseCheckout", "true"),
        ("core.protectHFS", "false"),
        ("core.protectNTFS", "false"),
        ("core.abbrev", "4"),
        ("core.disambiguate", "blob"),
        ("core.checkStat", "minimal"),
        ("core.trustCtime", "false"),
        ("core.autocrlf", "true"),
        ("core.eol", "crlf"),
        ("index.skipHash", "true"),
        ("safe.directory", "*"),
        ("transfer.fsckObjects", "false"),
    ] {
        repository.git(&["config", name, value]);
        assert_eq!(seen(&repository), before, "{name}");
        let read = repository.open(&Revision::Tree(bomb.clone())).read(&default_roots(), BOUNDS);
        let Err(Error::Objects(bad)) = read else { panic!("{name}: {read:?}") };
        assert_eq!(bad[0].damage, Damage::Oversized, "{name}");
        repository.git(&["config", "--unset", name]);
    }
}

#[test]
fn rejects_damaged_git_configuration() {
    for text in ["[core", "[core]\n\tbare = maybe\n[", "\0\0\0\0", "[core]\n\trepositoryFormatVersion = many\n"] {
        let repository = plain();
        fs::write(repository.path().join(".git/config"), text).expect("it can be written");
        let error = repository.try_open(&Revision::Tree("HEAD".into())).err();
        assert!(matches!(error, Some(Error::Repository { .. } | Error::Format { .. })), "{text:?}: {error:?}");
    }
}

#[test]
fn limits_size_of_ignore_files() {
    let repository = plain();
    let path = repository.path().join(".agent/.gitignore");
    fs::File::create(&path).and_then(|file| file.set_len(8 << 30)).expect("a file can have holes");
    let read = repository.open(&Revision::WorkTree).read(&default_roots(), BOUNDS);
    let Err(Error::Unreadable { path, .. }) = read else { panic!("{read:?}") };
    assert_eq!(path, ".agent/.gitignore");
}
