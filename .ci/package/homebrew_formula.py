#!/usr/bin/env python3
"""homebrew_formula.py [TABLE]: prints the Homebrew formula of the released programs. TABLE is the table of checksums, .ci/action/checksums.txt."""
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
# The blocks of the formula, and the targets of Intel and ARM in each.
SYSTEMS = [
    ("on_macos", "x86_64-apple-darwin", "aarch64-apple-darwin"),
    ("on_linux", "x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"),
]
FORMULA = """\
class Skilltree < Formula
  desc "Linter for agent skills that reads the Git index or tree"
  homepage "{repository}"
  license any_of: ["MIT", "Apache-2.0"]

{systems}
  def install
    bin.install "skilltree"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/skilltree.bash" => "skilltree"
    zsh_completion.install "completions/skilltree.zsh" => "_skilltree"
    fish_completion.install "completions/skilltree.fish"
    pwsh_completion.install "completions/skilltree.powershell" => "_skilltree.ps1"
  end

  test do
    (testpath/".agents/skills/pdf/SKILL.md").write "no front matter\\n"
    assert_match "missing-front-matter", shell_output("#{{bin}}/skilltree check 2>&1", 1)
  end
end
"""


def field(manifest, name):
    return re.search(rf'^\[workspace\.package\]\n(?:.+\n)*?{name} = "(.+)"$', manifest, re.M)[1]


def main():
    table = Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / ".ci" / "action" / "checksums.txt"
    lines = [line.split() for line in table.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    checksums = {name: checksum for checksum, name in lines}
    manifest = (TOP / "Cargo.toml").read_text(encoding="utf-8")
    version, repository = field(manifest, "version"), field(manifest, "repository")
    systems = ""
    for system, *targets in SYSTEMS:
        systems += f"  {system} do\n"
        for processor, target in zip(("on_intel", "on_arm"), targets):
            archive = f"skilltree-{version}-{target}.tar.gz"
            if archive not in checksums:
                sys.exit(f"{table}: {archive} is missing")
            systems += f'    {processor} do\n      url "{repository}/releases/download/v{version}/{archive}"\n      sha256 "{checksums[archive]}"\n    end\n'
        systems += "  end\n\n"
    print(FORMULA.format(version=version, repository=repository, systems=systems.rstrip("\n") + "\n"), end="")


if __name__ == "__main__":
    main()
