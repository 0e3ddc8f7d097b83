"""The profile line: written exactly, read leniently (DS-07)."""

from rulesets.daemmersturm.line.reading import read
from rulesets.daemmersturm.line.writing import fitting, parting, skill, written

__all__ = ["fitting", "parting", "read", "skill", "written"]
