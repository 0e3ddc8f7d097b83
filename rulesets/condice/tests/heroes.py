"""What the tests of play share: a character of thirty points, acts done one after the other with written faces."""

import pytest

from rulesets.condice.play import ConDicePlay
from rulesets.condice.sheet import ConDice
from tests.support.rulesets.table import after

__all__ = ["after"]
BOW, FIST = {"name": "Langbogen", "dice": 4, "range": 2}, {"name": "Faustschlag", "dice": 2}
MINDCONTROL, HEALING, EXPLOSION = (
    {"ability": "mindcontrol", "dice": 3, "range": 1}, {"ability": "heilung"}, {"ability": "explosion"}
)
FULL = ConDicePlay()
AT_NIL = ConDicePlay(life=0, losses_due=1)


def hero(**changes):
    """Thirty points: 8 in attacks, 2 + 5 + 2 + 3 in values (10 life points), 10 in abilities."""
    data = {"attacks": [BOW, FIST], "defence": 2, "life": 5, "mental_resistance": 2, "movement": 3,
            "abilities": [MINDCONTROL, HEALING, EXPLOSION]}
    return ConDice.model_validate(data | changes)


def offers(act, sheet, play):
    """What of an act is on offer."""
    return list(act.offered(sheet, play))


def ability_row(id_, slug, *values, **parameters):
    """Test values that begin with an ability, marked with the rule that they prove."""
    values = ({"ability": slug} | parameters, *values)
    return pytest.param(*values, marks=pytest.mark.rule(id_), id="-".join(map(str, [slug, *parameters.values()])))
