//! The patch: `git apply` must give the same files as `fix`.

use std::fs;

use bstr::ByteSlice;

use crate::common::{Repository, git};

/// Skills whose paths, line ends and last lines are odd.
fn odd() -> Repository {
    let repository = Repository::new();
    let bad = |name: &str| format!("---\nname: {name}\ndescription: use when: wanted\n---\nDo it.\n");
    let root = ".agent/skills";
    repository.write(&format!("{root}/plain/SKILL.md"), bad("plain"));
    repository.write(&format!("{root}/with space/SKILL.md"), bad("with-space"));
    repository.write(&format!("{root}/naïve/SKILL.md"), bad("naive"));
    repository.write(&format!("{root}/quo\"te/SKILL.md"), bad("quote"));
    repository.write(&format!("{root}/crlf/SKILL.md"), bad("crlf").replace('\n', "\r\n"));
    repository.write(&format!("{root}/cr/SKILL.md"), bad("cr").replace('\n', "\r"));
    repository.write(&format!("{root}/mixed/SKILL.md"), bad("mixed").replace("Do it.\n", "Do it.\r\nAnd that.\rAnd"));
    repository.write(&format!("{root}/short/SKILL.md"), "---\nname: short\ndescription: a: b\n---\nx");
    repository.write(&format!("{root}/far/SKILL.md"), format!("\u{feff}{}{}end", bad("far"), "line\n".repeat(30)));
    repository.write(&format!("{root}/hidden/SKILL.md"), format!("{}\u{200b}", bad("hidden")));
    repository.commit();
    repository
}

#[test]
fn git_applies_patch_with_same_result() {
    for arguments in [&["fix", "--diff"][..], &["fix", "--diff", "--unsafe"]] {
        let (patched, fixed) = (odd(), odd());
        // A patch shows hidden characters and lone carriage returns escaped, and Git rejects it.
        for hidden in ["cr", "hidden", "mixed"] {
            for tree in [&patched, &fixed] {
                fs::remove_dir_all(tree.path().join(".agent/skills").join(hidden)).unwrap();
            }
        }
        let before = patched.git(&["status", "--porcelain"]);
        let run = patched.skilltree(arguments);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert_eq!(patched.git(&["status", "--porcelain"]), before, "nothing is written");
        let patch = patched.path().join(".git/the.patch");
        fs::write(&patch, &run.stdout).unwrap();
        patched.git(&["apply", patch.to_str().unwrap()]);
        let plain: Vec<&str> = arguments.iter().copied().filter(|word| *word != "--diff").collect();
        assert_eq!(fixed.skilltree(&plain).status, 0);
        for repository in [&patched, &fixed] {
            repository.git(&["add", "--all"]);
        }
        assert_eq!(patched.git(&["write-tree"]), fixed.git(&["write-tree"]));
        let run = fixed.skilltree(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    }
}

#[test]
fn staged_files_get_patch_only() {
    let repository = odd();
    let run = repository.skilltree(&["fix", "--staged"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`--diff`"), "{}", run.stderr);
    let run = repository.skilltree(&["fix", "--staged", "--diff", ".agent/skills/plain"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let patch = repository.path().join(".git/the.patch");
    fs::write(&patch, &run.stdout).unwrap();
    let applied = git(repository.path(), &["apply", "--cached", patch.to_str().unwrap()], &[]);
    assert!(applied.status.success(), "{}", applied.stderr.as_bstr());
    assert_eq!(repository.git(&["status", "--porcelain"]).lines().count(), 1);
}
