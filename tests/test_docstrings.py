"""Docstrings say what a thing is, does or returns."""

import ast
from pathlib import Path

import pytest

ROOMS = ("builder", "sheets", "rulesets")
OPENERS = {"What", "Whether", "Who", "Whom", "Whose", "How", "Where", "Which", "Why"}
"""First words of a docstring that asks instead of saying."""
NAMED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings(source):
    """Yield (line, docstring) of a module, its classes and functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, NAMED) and (said := ast.get_docstring(node)):
            yield getattr(node, "lineno", 1), said


@pytest.mark.parametrize("room", ROOMS)
def test_no_docstring_begins_as_a_question_does(room):
    files = [path for path in Path(room).rglob("*.py") if not {"migrations", "tests"} & {*path.parts}]
    assert files
    found = [f"{path}:{line}: {said.splitlines()[0]}" for path in files for line, said in docstrings(path.read_text())
             if said.split()[0].strip(".,:;") in OPENERS]
    assert found == []


def test_a_docstring_that_asks_is_found():
    assert [*docstrings('def f():\n    """What it does."""\n')] == [(1, "What it does.")]
