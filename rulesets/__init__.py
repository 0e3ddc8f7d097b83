"""Tabletop systems: the packages in this folder that define RULESET."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesets.kit import Ruleset


@cache
def systems() -> dict[str, "Ruleset"]:
    """Return {slug: system}, in the order of the folders' names."""
    packages = sorted(module.name for module in iter_modules(__path__, f"{__name__}.") if module.ispkg)
    found = (getattr(import_module(package), "RULESET", None) for package in packages)
    return {ruleset.slug: ruleset for ruleset in found if ruleset}
