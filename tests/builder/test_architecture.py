"""docs/architecture.md says of each room and of each word what it is, and of none that there is not."""

import ast
import re
import tomllib

import pytest
from django.conf import settings

from rulesets import kit

ROOT = settings.BASE_DIR
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PLUMBING = {"SheetsConfig", "BuilderConfig", "Command", "Fragment", "JsonLine", "Queue", "Stack", "Theirs", "Told"}
"""Classes that Django, a template or a log asks for, and nobody else."""


def table(head):
    """The first cells of the rows of a table, as they stand."""
    rows = TEXT[TEXT.index(head):].split("\n\n")[0].splitlines()[2:]
    return [row.split(" | ")[0].removeprefix("| ") for row in rows]


def order(package):
    """The rooms of a package from above to below, as `make lint` holds them: those of one line together."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in project["tool"]["importlinter"]["contracts"] if one.get("containers") == [package])
    return [line.split(" | ") for line in contract["layers"]]


@pytest.mark.parametrize("package", ["sheets", "builder"])
def test_each_room_that_there_is_is_described_in_the_order_that_lint_holds(package):
    described = [re.findall(r"`(\w+)`", cell) for cell in table(f"| Room of `{package}`")]
    assert described == order(package)
    there = {path.stem for path in (ROOT / package).iterdir()
             if path.suffix == ".py" or (path / "__init__.py").is_file()} - {"__init__", "migrations"}
    assert there == {room for line in described for room in line}


def classes():
    """(class, module) of every class of sheets and builder that others use."""
    for package in ("sheets", "builder"):
        for path in (ROOT / package).rglob("*.py"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if "migrations" in path.parts or module == "sheets.api.shapes":
                continue
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in PLUMBING:
                    yield node.name, module


def test_each_word_is_told_where_it_is_and_nothing_else_and_means_one_thing():
    told = re.findall(r"^\| \*\*(\w+)\*\* \| `([\w.]+)` \|", TEXT, re.M)
    assert sorted(told) == sorted(classes())
    names = [name for name, _module in told]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_the_words_of_the_kit_are_there():
    told = [word for row in table("| Word | What it is |") for word in re.findall(r"\*\*(\w+)\*\*", row)]
    assert told
    assert all(isinstance(getattr(kit, word), type) for word in told)


def test_no_folder_of_templates_is_a_heap():
    folders = {path.parent for path in (ROOT / "templates").rglob("*.html")}
    assert all(sum(one.is_file() for one in folder.iterdir()) <= 30 for folder in folders)
