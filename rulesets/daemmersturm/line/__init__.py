"""The profile line: written to the letter, read with patience (DS-07)."""

from rulesets.daemmersturm.line.reading import read
from rulesets.daemmersturm.line.writing import fitting, parting, skill, written

__all__ = ["fitting", "parting", "read", "skill", "written"]
