"""The base class of all cards: copies, keywords, effects, and the card's face (BD-02, BD-03, BD-16, BD-20)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice.keywords import KEYWORDS, CardKeyword, Effect, value_points
from rulesets.kit import DROP, Count, Entry, Face, Finding, Mend, Wording, error, field, rule

if TYPE_CHECKING:
    from rulesets.battle_dice.house import BattleDiceHouse

MANA_LABEL = _("mana")


def keywords(**given: Any) -> tuple[CardKeyword, ...]:
    """Return keywords in the order in which they are given; a value is a number, a pair such as "1/2", or None."""
    return tuple(CardKeyword.model_validate({"keyword": key.replace("_", "-"), "value": value})
                 for key, value in given.items())


def effect(kind: str, name: str, text: Any, cost: int | str | None = None) -> dict[str, Any]:
    """Return the data of an effect; its text is a lazy translation."""
    return {"kind": kind, "name": name, "text": text, "cost": cost}


class _SearchText:
    """The searchable text of a listed card: its keywords and effects, in the current language."""

    def __init__(self, card: "type[Card]") -> None:
        self.card = card

    def __str__(self) -> str:
        labels = (keyword.label for keyword in self.card.printed_keywords)
        return " ".join([*labels, *(f"{one['name']} {one['text']}" for one in self.card.printed_effects)])


class Card(Entry):
    """A card of the deck and its number of copies (BD-02)."""

    card: str
    copies: Count = field(_("Copies"), price=1, least=1, help=_("How many are in the deck."))

    fields_in_text = frozenset({"copies"})
    mana: ClassVar[int]
    printed_keywords: ClassVar[tuple[CardKeyword, ...]]
    printed_effects: ClassVar[tuple[dict[str, Any], ...]] = ()
    token: ClassVar[bool] = False
    text: ClassVar[Any]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls.text = _SearchText(cls)

    @property
    def name_in_play(self) -> str:
        """The name of the card at the table, which no other card of the deck has."""
        return str(self.title)

    @property
    def key(self) -> tuple[str, str]:
        """A key that is equal for rows of the same card."""
        return self.card, ""

    @property
    def mana_cost(self) -> int | str:
        """The time mana it costs to summon the card, or "X"."""
        return self.mana

    @property
    def card_keywords(self) -> tuple[CardKeyword, ...]:
        """The keywords on the card."""
        return self.printed_keywords

    @property
    def card_effects(self) -> tuple[Effect, ...]:
        """The effects on the card, in the current language."""
        return tuple(Effect(**data | {"text": str(data["text"])}) for data in self.printed_effects)

    def with_x_paid(self, paid: int) -> "Card":
        """Return the card with the time mana that was paid for X in place of each X."""
        return self

    def has_keyword(self, keyword: str) -> bool:
        """Return True if the card has the keyword."""
        return any(one.keyword == keyword for one in self.card_keywords)

    def keyword_sum(self, keyword: str, *, at_half_life: bool = False) -> int:
        """Return the sum of a keyword's values on the card; those of a Tag Team depend on its life (BD-20)."""
        return sum(value_points(one.value, at_half_life=at_half_life)
                   for one in self.card_keywords if one.keyword == keyword)

    @property
    def life(self) -> int:
        """The life points of the card as an avatar (BD-16)."""
        return self.keyword_sum("lebenskraft") if self.has_keyword("lebenskraft") else 1

    def limits(self, house: "BattleDiceHouse") -> Mapping[str, tuple[int | None, int | None]]:
        """Return the fewest and the most copies of a card (BD-02)."""
        return {"copies": (0, house.same_card)}

    def what(self) -> Wording:
        """Return the cost and keywords."""
        cost = _("{cost} mana").format(cost=self.mana_cost)
        return ", ".join([str(cost), *(one.label for one in self.card_keywords)])

    def face(self) -> Face:
        """Return the card as it is shown on the board and on paper."""
        keywords_without_value = [KEYWORDS[one.keyword] for one in self.card_keywords]
        return Face(
            title=str(self.label), corner=str(self.mana_cost), line=" · ".join(one.label for one in self.card_keywords),
            texts=tuple((one.heading, one.text) for one in self.card_effects), copies=self.copies,
            offered=not self.token, foot=str(_("Summoned in play, not part of a deck")) if self.token else "",
            marks={_("Time mana"): (f"{self.mana_cost} {MANA_LABEL}",),
                   _("Keyword"): tuple(dict.fromkeys(keywords_without_value))},
        )

    @rule("BD-03")
    def check_deck(self, house: "BattleDiceHouse") -> Iterator[Finding]:
        """Yield an error if the deck contains a token (BD-03)."""
        if self.token and self.copies:
            yield error(_("{card} is a token that is summoned in play; it is not part of a deck."), "",
                        [Mend(_("Take {card} out"), {"": DROP}, card=self.label)], card=self.label)
