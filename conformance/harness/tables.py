"""Writes conformance/TABLES.md: depth, layout and precedence of every observed program, from the observations alone."""

from pathlib import Path

from . import cases, record

TABLES = Path(__file__).resolve().parent.parent / "TABLES.md"
HEAD = """# What programs do with layouts

Generated from `observed/` by `conformance/run --tables`. `conformance/run --selftest` checks that it is current.

Every cell was observed, with the trees of `cases/trees.toml` and the roots of `cases/roots.toml`. A dash means that the question
does not apply: a program that reads one level has no nested skills, and one that reads one directory has no nested roots.
"""
WINS = {"first": ">", "second": "<", "both": "=", "neither": "!", "varies": "?"}


def current():
    """Returns whether TABLES.md is what the observations say."""
    return TABLES.exists() and TABLES.read_text(encoding="utf-8") == render()


def write():
    TABLES.write_text(render(), encoding="utf-8")


def render():
    """Returns the text of TABLES.md."""
    found = [record.committed(path.stem.partition("@")[0]) for path in sorted(record.OBSERVED.glob("*.json"))]
    laid_out = [one for one in found if one.get("trees")]
    trees = {tree.id: tree for tree in cases.trees()}
    parts = [HEAD]
    for title, about, columns in SECTIONS:
        rows = [[program(one), *(column(one["trees"], trees) for column in columns.values())] for one in laid_out]
        parts += [f"## {title}\n", f"{about}\n", table(["program", *columns], rows)]
    parts += ["## Roots and precedence\n", f"{PRECEDENCE}\n"]
    rows = [[program(one), *roots(one)] for one in laid_out]
    parts.append(table(["program", "precedence", "in a subdirectory it reads the roots", "of two nested roots"], rows))
    without = ", ".join(program(one) for one in found if not one.get("trees"))
    parts.append(f"These read single skills and have no layout: {without or 'none'}.\n")
    return "\n".join(parts)


def program(one):
    return f"{one['runtime']} {one['version']}"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


# -- cells


def listed(found, tree):
    return found[tree].get("listed", [])


def which(tree, labels, none="none", every="all"):
    """Returns a cell that names the listed skills of a tree among those of `labels`: {number: label}."""

    def cell(found, trees):
        if found[tree].get("fails"):
            return "fails"
        there = [label for number, label in labels.items() if number in listed(found, tree)]
        if not there or len(there) == len(labels):
            return every if there else none
        return ", ".join(there)

    return cell


def names(tree, numbers, short=1):
    """Returns a cell that names the directories of a tree that are read, from the paths of the tree."""

    def cell(found, trees):
        paths = {number: trees[tree].paths[number - 1].split("/") for number in numbers}
        labels = {number: f"`{path[short]}`" for number, path in paths.items()}
        return which(tree, labels)(found, trees)

    return cell


def deep(cell):
    """Returns a cell that is a dash for a program that reads one level."""
    return lambda found, trees: cell(found, trees) if 2 in listed(found, "depth") else "-"


def depth(found, trees):
    levels = len(listed(found, "depth"))
    return f"{levels} or more" if levels == len(trees["depth"].paths) else str(levels)


def in_root(found, trees):
    if 1 not in listed(found, "only-in-the-root"):
        return "skipped"
    return "read, with others" if len(listed(found, "skill-in-the-root")) > 1 else "read alone"


def sizes(found, trees):
    largest = max(listed(found, "sizes"), default=0)
    return ["none", "100 kB", "250 kB", "260 kB", "1.1 MB", "2.2 MB"][largest]


def same_name(tree, labels):
    def cell(found, trees):
        if found[tree].get("varies") == "skills":
            return "varies"
        return which(tree, labels, none="neither", every="both")(found, trees)

    return cell


def order(found, trees):
    """Returns the sort key that explains the order of the list."""
    if found["order"].get("varies"):
        return "varies"
    tree, seen = trees["order"], listed(found, "order")
    path = {number: place for number, place in enumerate(tree.paths, 1)}
    name = {number: tree.names.get(place) or place.split("/")[-2] for number, place in path.items()}
    keys = {
        "name": name.get,
        "name, ignoring case": lambda number: name[number].lower(),
        "path": path.get,
    }
    for label, key in keys.items():
        if sorted(seen, key=key) == seen:
            return label
        if sorted(seen, key=key, reverse=True) == seen:
            return f"{label}, reversed"
    return " ".join(name[number] for number in seen)


# -- precedence


def roots(one):
    found = one["roots"]
    nested = [row for row in one["precedence"] if row[0].startswith("packages/")]
    plain = [row for row in one["precedence"] if row not in nested]
    levels = [level for level, read in found["from-a-subdirectory"].items() if read]
    below = ["below it"] if found["below-the-working-directory"] else []
    results = sorted({result for *_, result in nested})
    nearest = {"first": "the nearest", "second": "the top", "both": "both", "neither": "neither", "varies": "varies"}
    return [
        ranking([*found["repository"], *found["user"]], plain),
        ", ".join([{"top": "top of the repository"}.get(level, level.replace("-", " ")) for level in levels] + below) or "none",
        ", ".join(nearest[result] for result in results) or "-",
    ]


def ranking(places, pairs):
    """Returns the roots in order of precedence; if the pairs are in no order, the pairs."""
    wins = dict.fromkeys(places, 0)
    for first, second, result in pairs:
        wins[first if result == "first" else second] += result in ("first", "second")
    ranked = sorted(places, key=lambda place: -wins[place])
    result_of = {(first, second): result for first, second, result in pairs}
    groups = [[ranked[0]]] if ranked else []
    for place in ranked[1:]:
        last = groups[-1][-1]
        result = result_of.get((last, place)) or result_of.get((place, last))
        (groups[-1].append(place) if result in ("both", "varies") else groups.append([place]))
    flat = [(place, at) for at, group in enumerate(groups) for place in group]
    for at, (place, group) in enumerate(flat):
        for other, below in flat[at + 1 :]:
            result = result_of.get((place, other))
            is_first = result == "first" or (result is None and result_of.get((other, place)) == "second")
            if (below > group) != is_first:
                return unordered(pairs)
    signs = {result_of.get((group[0], place)) or result_of.get((place, group[0])) for group in groups for place in group[1:]}
    same = " = " if signs <= {"both"} else " ? "
    return " > ".join(same.join(f"`{place}`" for place in group) for group in groups)


def unordered(pairs):
    """Returns the pairs that are in no order; most of them vary."""
    known = [f"`{first}` {WINS[result]} `{second}`" for first, second, result in pairs if result != "varies"]
    return f"varies, except {', '.join(known)}" if len(known) < len(pairs) else ", ".join(known)


PRECEDENCE = """`a > b`: of two skills with the same name, the one in `a` is listed. `a = b`: both are. `a ? b`: that varies.
`~` is the home directory."""

SECTIONS = [
    (
        "Depth",
        "How many levels below a root, and what is read inside a skill or a hidden directory.",
        {
            "levels": depth,
            "inside a skill": deep(which("inside-a-skill", {2: "read", 3: "deeper"}, none="skipped", every="read")),
            "support directories": deep(names("support-directories", range(2, 7), 2)),
            "hidden directories": which("hidden", {1: "`.one`", 2: "`.group/two`", 3: "`group/.three`", 4: "`.git/four`"}),
            "skipped by name": deep(
                lambda found, trees: ", ".join(
                    f"`{path.split('/')[1]}`"
                    for number, path in enumerate(trees["skipped-groups"].paths, 1)
                    if number not in listed(found, "skipped-groups")
                )
                or "none"
            ),
            "SKILL.md in the root": in_root,
        },
    ),
    (
        "Files and links",
        "Which files are skills, which links are followed, and how large a file may be.",
        {
            "file names": names("file-names", range(1, 6), -1),
            "linked directory": which("linked-directories", {2: "in the repository", 3: "outside"}, every="followed"),
            "linked SKILL.md": which("linked-files", {2: "in the repository", 3: "outside"}, every="followed"),
            "linked root": which("linked-root", {1: "followed"}, every="followed", none="not followed"),
            "ignored by git": which("git-ignored", {1: "`.gitignore`", 2: "`.ignore`", 3: "`.gitignore` below"}, every="read"),
            "largest file": sizes,
        },
    ),
    (
        "Names and order",
        "Which of several skills is listed, and in what order. `alpha` and `zulu` are two directories with one name.",
        {
            "same name in a root": same_name("same-name", {1: "`zulu`", 2: "`alpha`"}),
            "`casey` and `CASEY`": same_name("letter-case", {1: "`casey`", 2: "`CASEY`"}),
            "order": order,
        },
    ),
]
