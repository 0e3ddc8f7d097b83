"""Functions say the types of what they take and return."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]
LEAST = 0.95
Function = ast.FunctionDef | ast.AsyncFunctionDef


def arguments(function: Function) -> list[ast.arg]:
    """Return what a function takes, without self and cls."""
    own = function.args
    taken = [*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg]
    return [one for one in taken if one and one.arg not in ("self", "cls")]


def functions(package: str) -> Iterator[Function]:
    """Yield every function of a package but those of migrations and tests."""
    for file in sorted((HOME / package).rglob("*.py")):
        if not {"migrations", "tests"} & {*file.relative_to(HOME).parts}:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            yield from (node for node in ast.walk(tree) if isinstance(node, Function))


@pytest.mark.parametrize("package", ["builder", "sheets", "rulesets"])
def test_nearly_all_functions_say_what_they_take_and_return(package):
    found = [*functions(package)]
    taken = [one.annotation is not None for function in found for one in arguments(function)]
    returned = [function.returns is not None for function in found]
    shares = {"arguments": sum(taken) / len(taken), "returns": sum(returned) / len(returned)}
    assert min(shares.values()) >= LEAST, shares
