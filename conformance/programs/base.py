"""What all programs have in common."""

import sys
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Npm:
    """An npm package. `{platform}` in a name becomes linux-x64, linux-arm64 or darwin-arm64.

    With `needs`, only these of its dependencies are installed: a package whose skill loader is used alone needs few.
    """

    name: str
    needs: tuple | None = None


@dataclass(frozen=True)
class Pypi:
    """A PyPI package, installed without its dependencies but with programs/requirements/ID.txt."""

    name: str
    python: tuple = (3, 11)  # the oldest version that runs it


@dataclass
class Skill:
    """A skill that the program loads."""

    name: str | None  # as the program shows it; None if it cannot be seen
    description: str | None
    path: str | None = None  # of the SKILL.md, in the scene; None if the program does not say
    hidden: bool = False  # loaded, but not listed for the model
    label: str | None = None  # a second name that the list shows


@dataclass
class Seen:
    """What one start of a program showed: its skills in the order of its list, and its reports."""

    skills: list = field(default_factory=list)
    reports: dict = field(default_factory=dict)  # path of the SKILL.md: "log", "warning" or "error"


@dataclass
class Listing:
    """The list of skills that the model gets: (name, description) in order; a description of None is not shown."""

    entries: list
    text: str  # the whole list with its introduction


class Program:
    """One real program. A subclass says what to install and how to ask it."""

    id = ""
    package = None
    version = ""  # set from pins.json
    chosen = False  # whether the version was given on the command line
    node = ""  # set from pins.json if the program runs on Node.js or is installed with npm
    script = ""  # the name of its script in programs/scripts/, if that is not the id
    variables = {}  # of the environment
    roots = (".agents/skills",)  # where it looks in a repository; test skills are put in the first
    models = {}  # {label: model}; the budget is observed for each
    repeat = 2  # how often a tree about order is run, every second time with its files written backwards
    repeat_pairs = 2  # the same for pairs of roots
    repeat_chance = 0  # how often more for pairs that did not vary yet, if it reads files concurrently
    order_decides = False  # True if a skill can make it fail only where it is listed after another
    sees = ("fate", "hidden", "name", "description", "reported")  # what can be observed of a skill
    layout = True  # False for a program that reads single skills and has no roots
    asks_model = False  # True if `skills` returns what the model gets; if not, the two are compared
    budget = False  # True if the list that the model gets depends on its length
    knows_paths = True  # False if the program lists names and descriptions only

    def home(self, bench):
        """Returns the directory of the installed package."""
        if isinstance(self.package, Pypi):
            return bench.directory(self) / "site"
        return bench.directory(self) / "node_modules" / self.package.name.format(platform=platform())

    def product(self, bench):
        """Returns the version of the program, if it is not that of the package."""
        return self.version

    def python(self):
        from harness.bench import python_of

        return python_of(self.package.python)

    def skills(self, bench):
        """Starts the program in the scene and returns what was `Seen`."""
        raise NotImplementedError

    def listing(self, bench, model):
        """Returns the `Listing` that the program sends to its model; None if that cannot be seen."""
        return None

    def list(self, bench):
        """Returns the text of the list that the model gets; None if that cannot be seen."""
        return self.listing(bench, next(iter(self.models.values()))).text if self.models else None


def platform():
    """Returns the platform as npm packages name it."""
    import platform as machine

    arch = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(machine.machine().lower(), machine.machine())
    return f"{sys.platform}-{arch}"
