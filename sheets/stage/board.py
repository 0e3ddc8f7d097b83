"""The parts of a sheet's page that a system may draw itself."""

from rulesets.kit import Ruleset

DRAWN = ("board", "rolls", "rolls_beside", "acts")
"""Each by a template of that name in the system's folder."""


def templates_of(ruleset: Ruleset) -> dict[str, str]:
    """{part: template}: the system's own, else that of all."""
    return {part: f"{ruleset.slug}/{part}.html" if part in ruleset.templates else f"play/_{part}.html"
            for part in DRAWN}
