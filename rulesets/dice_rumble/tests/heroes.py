"""An example with one thing changed, as a sheet."""

from rulesets.dice_rumble import RULESET
from rulesets.kit import patched


def hero(patch=None, which="baker"):
    """An example's sheet, changed by a patch {path in its data: value}."""
    return RULESET.sheet.model_validate(patched(RULESET.examples[which]["data"], patch or {}))
