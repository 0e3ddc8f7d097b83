"""The cards: the book's own with what they do, the tokens, and those that a collector adds (BD-04, BD-20 to BD-26)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, Union

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.battle_dice.card import Card, effect, keywords
from rulesets.battle_dice.keywords import KEYWORDS, PLAIN, Carried, Cost, Effect, X, amount
from rulesets.kit import DROP, Face, Finding, Mend, Name, Wording, field, rows, rule, slots, warning

if TYPE_CHECKING:
    from rulesets.battle_dice.house import BattleDiceHouse


class TheCoronaLook(Card):
    card: Literal["the-corona-look"]
    title, id, mana = "The Corona Look", "BD-23", 1
    words = keywords(lebenskraft=2, fokus=1, verteidigung=1, seelenernte=1)
    does = (
        effect("reaction", "Lockdown", _("Once in the enemy's Battle Dice Phase: 1 more DD.")),
        effect("passive", "Bitcoin Trading", _(
            "While all your cards in play are The Corona Look, each of them has Fokus 2 instead of Fokus 1.")),
    )


class PinaRohkinar(Card):
    card: Literal["pina-rohkinar"]
    title, id, mana = "Piña ≠ Rohkinar", "BD-24", 2
    words = keywords(tag_team=None, lebenskraft=2, angriff="2/1", zielsuchend="1/0", fokus=1)
    does = (
        effect("reaction", "Attack of Opportunity", _(
            "At the end of the enemy's Battle Dice Phase, if you or your avatars took at least 1 damage in it: 1 "
            "damage to any enemy avatar.")),
        effect("active", "Steel Guardian", _(
            "When you or one of your avatars takes damage: 1 less of it, then 1 damage to this avatar."), 1),
    )


class Snowbuddies(Card):
    card: Literal["snowbuddies"]
    title, id, mana = "Snowbuddies", "BD-25", 4
    words = keywords(lebenskraft=2, tag_team=None, verteidigung="1/2", fokus="1/2")
    does = (
        effect("reaction", "Dann bau ich mir einfach meinen Freund", _(
            "At the end of the enemy's turn: discard this card to gain 2 time mana.")),
        effect("passive", "Unter dem Gefrierpunkt", _(
            "Active effects of enemy avatars that bear a frost token cost 2 time mana more.")),
        effect("active", "Schneeballschlacht", _(
            "In your turn: a frost token on an enemy avatar, until the end of your next Zeitchaosphase."), 1),
        effect("passive", "Schneefestung", _(
            "From the start of the enemy's Battle Dice Phase: Verteidigung 1 for each frost token on enemy avatars.")),
    )


class TheBiggestFan(Card):
    card: Literal["the-biggest-fan"]
    title, id, mana = "The Biggest Fan", "BD-26", 5
    words = keywords(lebenskraft=2, fokus=2)
    does = (
        effect("reaction", "Schlechter Witz", _(
            "In the enemy's Battle Dice Phase, once damage is dealt: tell a bad joke and discard this card; the enemy "
            "or enemy avatars take half the damage you suffered, rounded up.")),
        effect("passive", "Kaffee & Kuchen", _("With 3 cake tokens on this card you win.")),
        effect("active", "Kuchenbäcker", _(
            "In your turn: skip your Battle Dice Phase and put a cake token on this card."), 4),
        effect("active", "Allein im Norden", _("In the enemy's Battle Dice Phase: Flink X."), X),
    )


class _Token(Card):
    """A Dice Minion (BD-03)."""

    id, mana, token = "BD-26", 1, True


class DiceMinionFokus(_Token):
    card: Literal["dice-minion-fokus"]
    title, words = "Dice Minion Fokus", keywords(tokenavatar=None, dice_minion=None, verteidigung=1, fokus=1)


class DiceMinionBoost(_Token):
    card: Literal["dice-minion-boost"]
    title, words = "Dice Minion Boost", keywords(tokenavatar=None, dice_minion=None, seelenernte=3)
    does = (effect("passive", "Kurzlebig", _("Sacrifice this avatar at the start of your Fokusphase.")),)


class DiceMinionVerteidigung(_Token):
    card: Literal["dice-minion-verteidigung"]
    title, words = "Dice Minion Verteidigung", keywords(tokenavatar=None, dice_minion=None, verteidigung=2)


class Custom(Card):
    """A card that a collector owns and the list lacks; the GM has to agree (BD-04)."""

    card: Literal["custom"]
    name: Name = field(_("Name"), samples=("The Weeb", _("Night shift"), _("Moving house")))
    cost: Cost = field(_("Time mana"), help=_("A number, or X."))
    keywords: list[Carried] = rows(_("Keywords"), [], one=_("Keyword"))
    effects: list[Effect] = rows(_("Effects"), [], one=_("Effect"))
    title, id, mana, words, own = _("Own card"), "BD-04", 0, (), True

    told = frozenset({"copies", "name", "cost"})

    @property
    def name_on_it(self) -> str:
        """Its name, told apart from the list's own cards."""
        name = self.name.strip() or str(self.title)
        return f"{name} *" if name.casefold() in {str(card.title).casefold() for card in LISTED} else name

    @property
    def key(self) -> tuple[str, str]:
        """Letter case and outer spaces make no difference."""
        return self.card, self.name.strip().casefold()

    @property
    def label(self) -> Wording:
        """Its own name, once it has one."""
        return self.name.strip() or self.title

    @property
    def price_in_mana(self) -> int | str:
        """As written."""
        return self.cost

    @property
    def carried(self) -> tuple[Carried, ...]:
        """As written."""
        return tuple(self.keywords)

    @property
    def effects_on_it(self) -> tuple[Effect, ...]:
        """As written."""
        return tuple(self.effects)

    def at(self, paid: int) -> "Custom":
        """Its keywords with the X that was paid, 0 where its cost is a number."""
        words = [one.model_copy(update={"value": paid}) if one.value == X else one for one in self.keywords]
        return self.model_copy(update={"keywords": words})

    def face(self) -> Face:
        """As written; what has nothing on it yet says what it is for."""
        face = super().face()
        return face if self.name.strip() or self.carried else replace(
            face, corner="?", line=str(_("A card that the list lacks: name, cost, keywords and effects.")), marks={})

    @rule("BD-04")
    def named(self, house: "BattleDiceHouse") -> Iterator[Finding]:
        """Cards are told apart by their names."""
        if not self.name.strip():
            yield warning(_("The custom card has no name yet."), "name")

    @rule("BD-20")
    def coherent(self, house: "BattleDiceHouse") -> Iterator[Finding]:
        """Each keyword once; pairs go with Tag Team (BD-20)."""
        seen: set[str] = set()
        for index, one in enumerate(self.keywords):
            drop = Mend(_("Drop {keyword}"), {f"keywords.{index}": DROP}, keyword=one.label)
            if one.keyword in seen:
                yield warning(_("{card} carries {keyword} twice; a keyword stands on a card once."),
                              f"keywords.{index}", [drop], card=self.label, keyword=KEYWORDS[one.keyword])
            elif one.paired and one.keyword not in PLAIN and not self.has("tag-team"):
                team = [*(word.model_dump() for word in self.keywords), {"keyword": "tag-team", "value": None}]
                yield warning(_("The value of {keyword} depends on the life left, which only a Tag Team’s may."),
                              f"keywords.{index}.value",
                              [Mend(_("Make {card} a Tag Team"), {"keywords": team}, card=self.label),
                               Mend(_("Make it {keyword} {n}"), {f"keywords.{index}.value": amount(one.value)},
                                    keyword=KEYWORDS[one.keyword], n=amount(one.value)), drop], keyword=one.label)
            seen.add(one.keyword)
            if one.keyword == "lebenskraft" and (one.value == 0 or (one.value == X and self.cost != X)):
                yield warning(_("With {keyword} the avatar has no life: it dies as soon as it is summoned."),
                              f"keywords.{index}.value",
                              [Mend(_("Make it {keyword} {n}"), {f"keywords.{index}.value": 1},
                                    keyword=KEYWORDS[one.keyword], n=1), drop], keyword=one.label)


CATALOGUE: dict[str, type[Card]] = {
    slots(entry)["card"].choices[0]: entry
    for entry in vars().copy().values()
    if isinstance(entry, type) and issubclass(entry, Card) and slots(entry)["card"].choices
}
"""Every entry by its slug, in the order of the source."""
OWN = [slug for slug, entry in CATALOGUE.items() if not entry.token and entry is not Custom]
"""The list's own cards that a deck may hold."""

if TYPE_CHECKING:
    AnyCard = Card
else:
    AnyCard = Annotated[Union[tuple(CATALOGUE.values())], Field(discriminator="card")]  # noqa: UP007


def listed(slug: str, copies: int = 1) -> Card:
    """A card of the list."""
    return CATALOGUE[slug](card=slug, copies=copies)


LISTED = tuple(listed(slug) for slug in CATALOGUE if slug != "custom")
"""Every card of the list."""


def together(cards: list[Card]) -> Iterator[tuple[int, Card]]:
    """Yield (row of its first, card with the copies of all its rows) of each card, in the order of the deck (BD-02)."""
    copies: dict[tuple[str, str], int] = {}
    for card in cards:
        copies[card.key] = copies.get(card.key, 0) + card.copies
    for index, card in enumerate(cards):
        if (found := copies.pop(card.key, None)) is not None:
            yield index, card if found == card.copies else card.model_copy(update={"copies": found})
