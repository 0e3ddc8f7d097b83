"""What a toy may look like, and what it may not."""

from rulesets.toy import RULESET


def _toy(name="Bärchen", **data):
    return RULESET.document(name, {"calling": "bear", "strength": 2, "luck": 3, **data})


EXAMPLES = {
    "bear": _toy(),
    "juggler": _toy("Kasper", luck=1, tricks=[{"name": "Kuckuck", "level": 2}]),
}
OFFENDERS = {
    "TY-00": _toy(""),
    "TY-01": _toy(strength=3),
    "TY-02": _toy(calling=None),
    "TY-03": _toy(luck=1, tricks=[{"name": "", "level": 2}]),
}
