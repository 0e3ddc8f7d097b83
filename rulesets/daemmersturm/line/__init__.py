"""The profile line: written exactly, read leniently (DS-07)."""

from rulesets.daemmersturm.line.reading import read
from rulesets.daemmersturm.line.writing import (
    profile_text,
    skill_text,
    splitting_characters,
    without_splitting_characters,
)

__all__ = ["profile_text", "read", "skill_text", "splitting_characters", "without_splitting_characters"]
