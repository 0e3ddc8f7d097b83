"""What a choice does: the odds of a pool with a white or a black die, with a fear, with an ability."""

from collections.abc import Iterator
from functools import cache

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import rolls
from rulesets.kit import join, percent

_ALONE = _("“Find something out” alone: 5–6 in {good}, no condition.")
_WITH = _("With a white word: 5–6 in {white}, no condition. With a black one: {black}, and a condition in {due}.")
_RISK = _("“Take a risk” alone always brings a condition; with a white word in {white}, with a black one always.")
_FEAR = _("A fear is one more black die: “Find something out” with it reaches 5–6 in {good} and brings a condition in "
          "{due}.")
_ABILITY = _("With a white die 5–6 in {white}, a condition in {due}; with a black one always a condition.")
_DEMON = _("The demon's ability can never be exchanged.")


def of(sheet) -> Iterator[tuple[str, str]]:
    """(path, text) for words, fears and abilities."""
    alone, white = _odds("investigate"), _odds("investigate", "white")
    black, risk = _odds("investigate", "black"), _odds("risk", "white")
    yield "fields", " ".join((
        str(_ALONE.format(good=percent(alone[0]))),
        str(_WITH.format(white=percent(white[0]), black=percent(black[0]), due=percent(black[1]))),
        str(_RISK.format(white=percent(risk[1])))))
    good, due = _odds("investigate", "none", fear=True)
    yield "fears", str(_FEAR.format(good=percent(good), due=percent(due)))
    good, due = _odds("ability", "white")
    for index, one in enumerate(sheet.abilities):
        text = str(_ABILITY.format(white=percent(good), due=percent(due)))
        yield join("abilities", index), f"{text} {_DEMON}" if one.demon else text


@cache
def _odds(move: str, attribute: str = "none", *, fear: bool = False):
    """(chance of 5-6 or better, chance of a condition) of a pool."""
    given = {"move": move, "attribute": attribute, "fear": fear}
    bands = rolls.Move(**given).odds().chances
    return bands.get("5-6", 0) + bands.get("6&6", 0), rolls.Condition(**given).odds().chances.get("condition", 0)
