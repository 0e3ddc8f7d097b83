"""Tabletop systems: each package in here that has a RULESET is one, and adding a folder adds a system."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesets.kit import Ruleset


@cache
def systems() -> dict[str, "Ruleset"]:
    """Every system by its slug, in the order of their names on disk."""
    packages = sorted(module.name for module in iter_modules(__path__, f"{__name__}.") if module.ispkg)
    found = (getattr(import_module(package), "RULESET", None) for package in packages)
    return {ruleset.slug: ruleset for ruleset in found if ruleset}
