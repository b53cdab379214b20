"""How a stranger installs a release, one function per way. Each starts with an empty home directory and empty caches.

A function installs the program into `self.home`, and returns the command that runs it.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / ".ci" / "action"))

from container import Container  # noqa: E402

BROKEN = "---\nname: pdf\ndescription: Use when: a form is to be filled in.\n---\nRead the form.\n"
GOOD = "---\nname: tax\ndescription: Fills in tax forms. Use when a tax form is due.\n---\nRead the form.\n"
# The commands of the README's tour that write JSON.
TOUR = [
    ["check", "--format", "json"],
    ["check", "--staged", "--format", "json"],
    ["check", "--rev", "HEAD", "--format", "json"],
    ["list", "--format", "json"],
    ["forecast", "--format", "json"],
]
# Set to 0, it makes a rehearsal quick: nothing is optimized, so seconds and megabytes are not those of a release.
QUICK = "CARGO_PROFILE_RELEASE_OPT_LEVEL"
# What a stranger has: the machine's tools, and its certificates.
KEPT = ("PATH", "LANG", "TERM", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "PIP_CERT", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", QUICK)
MODULE = "import json, sys, skilltree; print(json.dumps(sorted(finding.rule for finding in skilltree.check(sys.argv[1]).findings)))"


class Wrong(Exception):
    """An installed release is not the one that was published."""


def run(command, status=0, **options):
    """Returns the standard output of a command."""
    done = subprocess.run(list(map(str, command)), text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != status:
        raise Wrong(f"exit status {done.returncode}: {' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def project(directory):
    """Creates a repository with one skill that loads and one that does not."""
    for name, text in (("pdf", BROKEN), ("tax", GOOD)):
        skill = directory / ".agents" / "skills" / name / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(text)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    # The JSON contains the id of the commit.
    environment |= {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    git = ["git", "-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid", "-C", directory]
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "Skills"]):
        run([*git, *command], env=environment)


def tour(command, directory, environment=None, commands=TOUR):
    """Returns what the tour prints: the exit status and the JSON of each command."""
    answers = []
    for arguments in commands:
        done = subprocess.run([*map(str, command), *arguments], cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise Wrong(f"exit status {done.returncode}: {' '.join(arguments)}\n{done.stderr}")
        answers.append((arguments, done.returncode, json.loads(done.stdout)))
    return answers


class Stranger:
    def __init__(self, home, servers, release, version, target):
        shutil.rmtree(home, ignore_errors=True)
        self.home, self.servers, self.release, self.version, self.target = home, servers, release, version, target
        self.releases = f"{servers.files}/releases/download"
        # It outlives a rehearsal.
        self.base_image = home.parent.with_name("base-image")
        self.project = home / "project"
        project(self.project)
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        # The compiler is installed; what Cargo downloads is not.
        rustup = os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup"))
        kept["PATH"] = f"{servers.tools}:{kept['PATH']}"
        self.environment = kept | {"HOME": str(home), "CARGO_HOME": str(home / "cargo"), "RUSTUP_HOME": rustup, "GIT_CONFIG_NOSYSTEM": "1"}
        self.environment |= {"PIP_INDEX_URL": f"{servers.pypi}/simple/", "UV_DEFAULT_INDEX": f"{servers.pypi}/simple/", "UV_PYTHON_DOWNLOADS": "never"}
        self.environment |= {"npm_config_registry": f"{servers.npm}/", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def do(self, *command, status=0, **options):
        return run(command, status, cwd=self.project, env=self.environment, **options)

    def tool(self, name):
        return self.servers.tools / name

    def megabytes(self):
        """Returns the size of everything that the way wrote."""
        files = (file for file in self.home.rglob("*") if file.is_file() and not file.is_symlink())
        return sum(file.stat().st_size for file in files) / 1e6

    def must_have_licenses(self, way):
        """Every package but a crate contains the licenses of all crates."""
        found = [file for file in self.home.rglob("LICENSE-THIRD-PARTY") if file.stat().st_size > 100_000]
        if not found and way != "cargo install":
            raise Wrong(f"{way} installs no LICENSE-THIRD-PARTY")

    def cargo(self):
        (self.home / "cargo").mkdir()
        (self.home / "cargo" / "config.toml").write_text(f'[registries.rehearsal]\nindex = "sparse+{self.servers.crates.address}/index/"\n')
        target = self.home / "target"
        self.do("cargo", "install", "--locked", "--quiet", "--registry", "rehearsal", "--root", self.home, "--target-dir", target, "skilltree")
        shutil.rmtree(target)
        return [self.home / "bin" / "skilltree"]

    def pip(self):
        self.do(sys.executable, "-m", "venv", self.home / "venv")
        self.do(self.home / "venv" / "bin" / "pip", "install", "--quiet", "skilltree-lint")
        found = json.loads(self.do(self.home / "venv" / "bin" / "python", "-c", MODULE, self.project))
        if "invalid-yaml" not in found:
            raise Wrong(f"the module finds {found}")
        return [self.home / "venv" / "bin" / "skilltree"]

    def pipx(self):
        self.do(self.tool("pipx"), "install", "--quiet", "skilltree-lint")
        return [self.home / ".local" / "bin" / "skilltree"]

    def uvx(self):
        return [self.tool("uvx"), "--quiet", "--from", "skilltree-lint", "skilltree"]

    def npx(self):
        return ["npx", "--yes", "skilltree"]

    def npm(self):
        package = self.home / "package"
        package.mkdir()
        (package / "package.json").write_text('{"private": true}')
        self.do("npm", "install", "--prefix", package, "--save-dev", "--silent", "--no-audit", "--no-fund", "skilltree")
        return [package / "node_modules" / ".bin" / "skilltree"]

    def hook(self, manager):
        configuration = f"repos:\n  - repo: {self.release}\n    rev: v{self.version}\n    hooks:\n      - id: skilltree\n"
        # In another repository, so that the tour sees the same files.
        hooked = self.home / "hooked"
        project(hooked)
        (hooked / ".pre-commit-config.yaml").write_text(configuration)
        # The hook reports what the commit adds.
        added = hooked / ".agents" / "skills" / "form" / "SKILL.md"
        added.parent.mkdir()
        added.write_text(BROKEN.replace("name: pdf", "name: form"))
        self.do("git", "-C", hooked, "add", "--all")
        done = subprocess.run([self.tool(manager), "run", "--all-files"], cwd=hooked, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 1 or "invalid-yaml" not in done.stdout:
            raise Wrong(f"{manager} exits with {done.returncode}:\n{done.stdout}{done.stderr}")
        programs = [file for file in (self.home / ".cache").rglob("bin/skilltree") if os.access(file, os.X_OK)]
        if len(programs) != 1:
            raise Wrong(f"{manager} installed {programs}")
        return programs

    def pre_commit(self):
        return self.hook("pre-commit")

    def prek(self):
        return self.hook("prek")

    def action(self):
        """The steps of action.yml at the tag, in the harness of the step `action`."""
        import run_steps

        action, runner = self.home / "action", self.home / "runner"
        self.do("git", "clone", "--quiet", "--branch", f"v{self.version}", "--depth", "1", f"file://{self.release}", action)
        (runner / "user").mkdir(parents=True)
        done = run_steps.Run(runner, self.project, action=action, releases=self.releases, prompt="false", upload_sarif="false")
        program = runner / "skilltree" / "bin" / "skilltree"
        if done.outputs["exit-code"] != "1" or not done.says("invalid-yaml") or "Restore the program from the cache" in done.used:
            raise Wrong(f"the Action did not download and run the program: {done.printed}{done.errors}")
        return [program]

    def download(self, name):
        file = self.home / name
        with urllib.request.urlopen(f"{self.releases}/v{self.version}/{name}", timeout=60) as answer:
            file.write_bytes(answer.read())
        return file

    def archive(self):
        name = f"skilltree-{self.version}-{self.target}"
        self.download("SHA256SUMS")
        archive = self.download(f"{name}.tar.gz")
        run(["sha256sum", "--check", "--strict", "--ignore-missing", "SHA256SUMS"], cwd=self.home)
        run(["tar", "-xzf", archive], cwd=self.home)
        for file in ("LICENSE-MIT", "LICENSE-APACHE", "man/skilltree.1", "completions/skilltree.bash"):
            if not (self.home / name / file).is_file():
                raise Wrong(f"the archive lacks {file}")
        return [self.home / name / "skilltree"]

    def homebrew(self):
        formula = self.download("skilltree.rb")
        self.do("ruby", TOP / ".ci" / "rehearsal" / "formula.rb", formula, self.releases, self.home / "brew")
        return [self.home / "brew" / "bin" / "skilltree"]

    def nix(self):
        """The flake at the tag, in Nix, with a replacement of nixpkgs."""
        command = [TOP / ".ci" / "package" / "nix", self.home / "nix"]
        flake = f"git+file://{self.release}?ref=refs/tags/v{self.version}"
        self.do(*command, "build", "--no-link", flake)
        shared = self.home / "nix" / "store"
        for file in ("man/man1/skilltree.1", "completions/skilltree.fish"):
            if not list(shared.glob(f"*-skilltree-{self.version}/share/{file}")):
                raise Wrong(f"the flake installs no {file}")
        return [*command, "run", flake, "--"]

    def container(self):
        return Container(self).build()


WAYS = {
    "cargo install": Stranger.cargo, "pip install": Stranger.pip, "pipx install": Stranger.pipx, "uvx": Stranger.uvx, "npx": Stranger.npx,
    "npm install": Stranger.npm, "pre-commit": Stranger.pre_commit, "prek": Stranger.prek, "Action": Stranger.action,
    "archive": Stranger.archive, "Homebrew formula": Stranger.homebrew, "Nix flake": Stranger.nix,
    "container": Stranger.container,
}
