"""The base of every card: its copies, keywords and effects, and its face (BD-02, BD-03, BD-16, BD-20)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice.keywords import KEYWORDS, Carried, Effect, amount
from rulesets.kit import DROP, Count, Entry, Face, Finding, Mend, Wording, error, field, rule

if TYPE_CHECKING:
    from rulesets.battle_dice.house import BattleDiceHouse

MANA = _("mana")


def keywords(**given: Any) -> tuple[Carried, ...]:
    """Return the keywords in the order of the card: a number, a pair, or None."""
    return tuple(Carried.model_validate({"keyword": key.replace("_", "-"), "value": value})
                 for key, value in given.items())


def effect(kind: str, name: str, text: Any, cost: int | str | None = None) -> dict[str, Any]:
    """An effect of a card; its text is a lazy one."""
    return {"kind": kind, "name": name, "text": text, "cost": cost}


class _Told:
    """The whole text of a card of the list, in the language of the moment, to be searched."""

    def __init__(self, card: "type[Card]") -> None:
        self.card = card

    def __str__(self) -> str:
        words = (one.label for one in self.card.words)
        return " ".join([*words, *(f"{one['name']} {one['text']}" for one in self.card.does)])


class Card(Entry):
    """A card and how many of it there are (BD-02)."""

    card: str
    copies: Count = field(_("Copies"), price=1, least=1, help=_("How often it is in the deck."))

    told = frozenset({"copies"})
    mana: ClassVar[int]
    words: ClassVar[tuple[Carried, ...]]
    does: ClassVar[tuple[dict[str, Any], ...]] = ()
    token: ClassVar[bool] = False
    text: ClassVar[Any]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls.text = _Told(cls)

    @property
    def name_on_it(self) -> str:
        """The name of the card at the table; no two cards of a deck have the same name."""
        return str(self.title)

    @property
    def key(self) -> tuple[str, str]:
        """The key that makes two rows the same card."""
        return self.card, ""

    @property
    def price_in_mana(self) -> int | str:
        """The cost of summoning it."""
        return self.mana

    @property
    def carried(self) -> tuple[Carried, ...]:
        """Its keywords."""
        return self.words

    @property
    def effects_on_it(self) -> tuple[Effect, ...]:
        """Its effects in the language of the moment."""
        return tuple(Effect(**one | {"text": str(one["text"])}) for one in self.does)

    def at(self, paid: int) -> "Card":
        """The card in play once so much was paid for an X on it."""
        return self

    def has(self, keyword: str) -> bool:
        """Return True if it carries the keyword."""
        return any(one.keyword == keyword for one in self.carried)

    def sum(self, keyword: str, *, hurt: bool = False) -> int:
        """Return the sum of a keyword on it, for a Tag Team by life left (BD-20)."""
        return sum(amount(one.value, hurt=hurt) for one in self.carried if one.keyword == keyword)

    @property
    def life(self) -> int:
        """Life points of its avatar (BD-16)."""
        return self.sum("lebenskraft") if self.has("lebenskraft") else 1

    def limits(self, house: "BattleDiceHouse") -> Mapping[str, tuple[int | None, int | None]]:
        """So many of a kind (BD-02)."""
        return {"copies": (0, house.same_card)}

    def what(self) -> Wording:
        """Return the cost and keywords."""
        cost = _("{cost} mana").format(cost=self.price_in_mana)
        return ", ".join([str(cost), *(one.label for one in self.carried)])

    def face(self) -> Face:
        """Return the card as it is set on the table and on paper."""
        words = [KEYWORDS[one.keyword] for one in self.carried]
        kinds = [f"{self.price_in_mana} {MANA}"]
        return Face(
            title=str(self.label), corner=str(self.price_in_mana), line=" · ".join(one.label for one in self.carried),
            texts=tuple((one.head, one.text) for one in self.effects_on_it), copies=self.copies,
            offered=not self.token, foot=str(_("Comes in play, not in a deck")) if self.token else "",
            marks={_("Time mana"): tuple(kinds), _("Keyword"): tuple(dict.fromkeys(words))},
        )

    @rule("BD-03")
    def kept_out(self, house: "BattleDiceHouse") -> Iterator[Finding]:
        """Tokens are summoned in play."""
        if self.token and self.copies:
            yield error(_("{card} is a token that is summoned in play; a deck holds none."), "",
                        [Mend(_("Take {card} out"), {"": DROP}, card=self.label)], card=self.label)
