"""docs/architecture.md says of each room what it is, and of a few words of the house; of none that there is not."""

import ast
import re
import tomllib

import pytest
from django.conf import settings

from rulesets import kit

ROOT = settings.BASE_DIR
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


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


def classes(module):
    """The classes of a module, which may be a package."""
    path = ROOT.joinpath(*module.split("."))
    found = path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
    return {node.name for node in ast.parse(found.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)}


def test_at_most_forty_words_of_the_house_are_told_each_in_one_line_and_where_it_is():
    told = re.findall(r"^\| \*\*([\w ]+)\*\* \| `([\w.]+)` \| .+ \|$", TEXT[TEXT.index("\n## Words"):], re.M)
    assert 0 < len(told) == len({word for word, _module in told}) <= 40
    assert [word for word, module in told if word[0].isupper() and word not in classes(module)] == []
    assert all(classes(module) is not None for word, module in told)


def test_the_words_of_the_kit_are_there():
    told = [word for row in table("| Word | What it is |") for word in re.findall(r"\*\*(\w+)\*\*", row)]
    assert told
    assert all(isinstance(getattr(kit, word), type) for word in told)


def test_no_folder_of_templates_is_a_heap():
    folders = {path.parent for path in (ROOT / "templates").rglob("*.html")}
    assert all(sum(one.is_file() for one in folder.iterdir()) <= 30 for folder in folders)
