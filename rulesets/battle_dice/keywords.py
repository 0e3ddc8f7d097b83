"""Keywords and effects, and the values that can replace a number (BD-20, BD-21)."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from django.utils.translation import gettext_lazy as _
from pydantic import Field, PlainValidator

from rulesets.kit import DROP, HIGHEST, CheckedPart, Finding, Mend, Name, Text, Wording, field, rule, warning

if TYPE_CHECKING:
    from rulesets.battle_dice.house import BattleDiceHouse

Keyword = Literal["angriff", "dice-minion", "flink", "fokus", "heilung", "lebenskraft", "seelenernte", "tag-team",
                  "tokenavatar", "verteidigung", "zielsuchend"]
KEYWORDS = {
    "angriff": "Angriff", "dice-minion": "Dice Minion", "flink": "Flink", "fokus": "Fokus", "heilung": "Heilung",
    "lebenskraft": "Lebenskraft", "seelenernte": "Seelenernte", "tag-team": "Tag Team", "tokenavatar": "Tokenavatar",
    "verteidigung": "Verteidigung", "zielsuchend": "Zielsuchend",
}
"""{slug: keyword as printed on the cards}."""
TERMS: dict[Wording, Wording] = {
    "AD, DD": _("Attack dice and defence dice, one each before cards add to them."),
    "Angriff": _("Each point is 1 more AD when you attack."),
    "Verteidigung": _("Each point is 1 more DD when you defend."),
    "Fokus": _("Each point is 1 more time mana in each of your focus phases."),
    "Lebenskraft": _("The avatar’s life; 1 without this keyword."),
    "Flink": _("In defence each point raises a die by 1 after the roll."),
    "Seelenernte": _("Each point is 1 time mana when the avatar dies or is sacrificed, not when it is destroyed."),
    "Zielsuchend": _("For each point you say who takes 1 damage, before anybody blocks."),
    "Heilung": _("Each point is a die after the opponent's attack; an even result removes a damage mark."),
    "Tag Team": _("Of (X/Y), X counts at half life or less, Y above that."),
    "Tokenavatar": _("Leaves the game instead of going to the discard pile."),
    "Dice Minion": _("A small avatar that cards summon; a die says which."),
}
"""{term on the cards: explanation} (BD-14, BD-15, BD-17 to BD-20)."""
WITHOUT_NUMBER = frozenset({"dice-minion", "tag-team", "tokenavatar"})
"""The keywords that have no number."""
KINDS = {"reaction": _("Reaction"), "passive": _("Passive"), "active": _("Active")}
X = "X"
_PAIR = re.compile(r"(0|[1-9]\d{0,2})/(0|[1-9]\d{0,2})", re.ASCII)


def _is_whole_number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= HIGHEST


def _validate_cost(value: Any) -> int | str:
    if _is_whole_number(value) or value == X:
        return value
    raise ValueError(_("A cost is a whole number from 0 to 999, or X."))


def _validate_value(value: Any) -> int | str | None:
    if value is None or _is_whole_number(value) or value == X or (isinstance(value, str) and _PAIR.fullmatch(value)):
        return value
    raise ValueError(_("A value is a whole number from 0 to 999, X, or a pair such as 1/2."))


Cost = Annotated[int | str, PlainValidator(
    _validate_cost, json_schema_input_type=Annotated[int, Field(ge=0, le=HIGHEST)] | Literal["X"])]
"""Time mana: a number, or "X" for as much as the player wants to pay (BD-04)."""
Value = Annotated[int | str | None, PlainValidator(_validate_value, json_schema_input_type=Annotated[
    int, Field(ge=0, le=HIGHEST)] | Annotated[str, Field(pattern=rf"^(X|{_PAIR.pattern})$")] | None)]
"""The value of a keyword: a number, "X", a pair such as "1/2" of a Tag Team, or None (BD-20)."""


def value_points(value: int | str | None, *, at_half_life: bool = False) -> int:
    """Return the points of a value: of a pair by the avatar's life (BD-20), 1 for None, 0 for "X"."""
    if isinstance(value, str):
        low, _slash, high = value.partition("/")
        return int(low if at_half_life else high) if high else 0
    return 1 if value is None else value


class CardKeyword(CheckedPart):
    """A keyword on a card with its value (BD-20)."""

    keyword: Keyword = field(_("Keyword"), choices=KEYWORDS, help=_("One of those that cards have."))
    value: Value = field(_("Value"), None, help=_("A number, X, or 1/2 for a Tag Team."))

    @property
    def label(self) -> str:
        """The keyword as printed on the card, such as "Angriff (2/1)"."""
        keyword = KEYWORDS[self.keyword]
        if self.value is None:
            return keyword
        return f"{keyword} ({self.value})" if self.is_pair else f"{keyword} {self.value}"

    def helps(self, house: "BattleDiceHouse") -> dict[str, Wording]:
        """Return the explanation of the keyword (BD-20)."""
        return {"keyword": TERMS[KEYWORDS[self.keyword]]}

    @property
    def is_pair(self) -> bool:
        """True if the value is a pair of a Tag Team."""
        return isinstance(self.value, str) and self.value != X

    @rule("BD-20")
    def check_value(self, house: "BattleDiceHouse") -> Iterator[Finding]:
        """Yield a warning if a number is missing, or if the keyword takes none (BD-20)."""
        if self.keyword in WITHOUT_NUMBER and self.value is not None:
            yield warning(_("{keyword} takes no number, but it says {value}."), "value",
                          [Mend(_("Leave the number out"), {"value": None})],
                          keyword=KEYWORDS[self.keyword], value=self.value)
        elif self.keyword not in WITHOUT_NUMBER and self.value is None:
            yield warning(_("{keyword} needs a number."), "value",
                          [Mend(_("Make it {keyword} 1"), {"value": 1}, keyword=KEYWORDS[self.keyword]),
                           Mend(_("Drop {keyword}"), {"": DROP}, keyword=KEYWORDS[self.keyword])],
                          keyword=KEYWORDS[self.keyword])


class Effect(CheckedPart):
    """A reaction, a passive or an active effect on a card (BD-21)."""

    kind: Literal["reaction", "passive", "active"] = field(_("Kind"), choices=KINDS)
    name: Name = field(_("Name"))
    cost: Cost | None = field(_("Time mana"), None, help=_("A number or X; leave empty if nothing is paid."))
    text: Text = field(_("What it does"), long=True)

    @property
    def label(self) -> Wording:
        """The name, or "Unnamed effect"."""
        return self.name.strip() or _("Unnamed effect")

    @property
    def heading(self) -> str:
        """The name, kind and cost, as printed on the card."""
        kind = KINDS[self.kind]
        if self.cost is not None:
            return _("{name} ({kind}, {cost} mana)").format(name=self.label, kind=kind, cost=self.cost)
        return f"{self.label} ({kind})"
