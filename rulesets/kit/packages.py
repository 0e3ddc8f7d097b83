"""The shapes of a system, found in its own modules without registration."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar

from rulesets.kit.fields import Part

_Shape = TypeVar("_Shape", bound=Part)


def package_of(shape: type[Part]) -> str:
    """Return the package of the system that a shape belongs to, "rulesets.name"."""
    return ".".join(shape.__module__.split(".")[:2])


def has_module(package: str, module: str) -> bool:
    """Return whether a system has a module."""
    return find_spec(f"{package}.{module}") is not None


@cache
def shapes_in(package: str, module: str, shape: type[_Shape]) -> tuple[type[_Shape], ...]:
    """Return the subclasses of a shape that a module of a system defines, in their order there."""
    return tuple(
        value for value in vars(import_module(f"{package}.{module}")).values()
        if isinstance(value, type) and issubclass(value, shape) and value is not shape
        and value.__module__.startswith(package) and not value.__name__.startswith("_")
    )
