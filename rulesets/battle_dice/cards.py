"""All cards: those of the book, the tokens, and custom cards of collectors (BD-04, BD-20 to BD-26)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, Union

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.battle_dice.card import Card, effect, keywords
from rulesets.battle_dice.keywords import KEYWORDS, WITHOUT_NUMBER, CardKeyword, Cost, Effect, X, value_points
from rulesets.kit import DROP, EntryFields, Face, Finding, Mend, Name, Wording, field, rows, rule, slots, warning

if TYPE_CHECKING:
    from rulesets.battle_dice.house import BattleDiceHouse


class TheCoronaLook(Card):
    card: Literal["the-corona-look"]
    title, id, mana = "The Corona Look", "BD-23", 1
    printed_keywords = keywords(lebenskraft=2, fokus=1, verteidigung=1, seelenernte=1)
    printed_effects = (
        effect("reaction", "Lockdown", _("Once in the opponent's Battle Dice Phase: 1 more DD.")),
        effect("passive", "Bitcoin Trading", _(
            "While all your cards in play are The Corona Look, each of them has Fokus 2 instead of Fokus 1.")),
    )


class PinaRohkinar(Card):
    card: Literal["pina-rohkinar"]
    title, id, mana = "Piña ≠ Rohkinar", "BD-24", 2
    printed_keywords = keywords(tag_team=None, lebenskraft=2, angriff="2/1", zielsuchend="1/0", fokus=1)
    printed_effects = (
        effect("reaction", "Attack of Opportunity", _(
            "At the end of the opponent's Battle Dice Phase, if you or your avatars took at least 1 damage in it: 1 "
            "damage to any opposing avatar.")),
        effect("active", "Steel Guardian", _(
            "When you or one of your avatars takes damage: reduce it by 1, then this avatar takes 1 damage."), 1),
    )


class Snowbuddies(Card):
    card: Literal["snowbuddies"]
    title, id, mana = "Snowbuddies", "BD-25", 4
    printed_keywords = keywords(lebenskraft=2, tag_team=None, verteidigung="1/2", fokus="1/2")
    printed_effects = (
        effect("reaction", "Dann bau ich mir einfach meinen Freund", _(
            "At the end of the opponent's turn: discard this card to gain 2 time mana.")),
        effect("passive", "Unter dem Gefrierpunkt", _(
            "Active effects of opposing avatars with a frost token cost 2 more time mana.")),
        effect("active", "Schneeballschlacht", _(
            "On your turn: put a frost token on an opposing avatar, until the end of your next Zeitchaosphase."), 1),
        effect("passive", "Schneefestung", _(
            "From the start of the opponent's Battle Dice Phase: Verteidigung 1 for each frost token on "
            "opposing avatars.")),
    )


class TheBiggestFan(Card):
    card: Literal["the-biggest-fan"]
    title, id, mana = "The Biggest Fan", "BD-26", 5
    printed_keywords = keywords(lebenskraft=2, fokus=2)
    printed_effects = (
        effect("reaction", "Schlechter Witz", _(
            "In the opponent's Battle Dice Phase, once damage is dealt: tell a bad joke and discard this card; they or "
            "their avatars take half the damage you suffered, rounded up.")),
        effect("passive", "Kaffee & Kuchen", _("With 3 cake tokens on this card you win.")),
        effect("active", "Kuchenbäcker", _(
            "On your turn: skip your Battle Dice Phase and put a cake token on this card."), 4),
        effect("active", "Allein im Norden", _("In the opponent's Battle Dice Phase: Flink X."), X),
    )


class _Token(Card):
    """The base class of the Dice Minions, which never belong to a deck (BD-03)."""

    id, mana, token = "BD-26", 1, True


class DiceMinionFokus(_Token):
    card: Literal["dice-minion-fokus"]
    title, printed_keywords = "Dice Minion Fokus", keywords(tokenavatar=None, dice_minion=None, verteidigung=1, fokus=1)


class DiceMinionBoost(_Token):
    card: Literal["dice-minion-boost"]
    title, printed_keywords = "Dice Minion Boost", keywords(tokenavatar=None, dice_minion=None, seelenernte=3)
    printed_effects = (effect("passive", "Kurzlebig", _("Sacrifice this avatar at the start of your Fokusphase.")),)


class DiceMinionVerteidigung(_Token):
    card: Literal["dice-minion-verteidigung"]
    title = "Dice Minion Verteidigung"
    printed_keywords = keywords(tokenavatar=None, dice_minion=None, verteidigung=2)


class Custom(Card):
    """A card that is not in the list, for collectors who own it; the GM has to agree (BD-04)."""

    card: Literal["custom"]
    name: Name = field(_("Name"), samples=("The Weeb", _("Night shift"), _("Moving house")))
    cost: Cost = field(_("Time mana"), help=_("A number, or X."))
    keywords: list[CardKeyword] = rows(_("Keywords"), [], row_name=_("Keyword"))
    effects: list[Effect] = rows(_("Effects"), [], row_name=_("Effect"))
    title, id, mana, printed_keywords, own = _("Custom card"), "BD-04", 0, (), True
    party_entry = EntryFields(("name", "cost", "keywords", "effects"), "BD-04")

    fields_in_text = frozenset({"copies", "name", "cost"})

    @property
    def name_in_play(self) -> str:
        """The name that the player has entered, with an asterisk if a listed card has the same name."""
        name = self.name.strip() or str(self.title)
        return f"{name} *" if name.casefold() in {str(card.title).casefold() for card in LISTED_CARDS} else name

    @property
    def key(self) -> tuple[str, str]:
        """The name, without regard to letter case and outer spaces."""
        return self.card, self.name.strip().casefold()

    @property
    def label(self) -> Wording:
        """The card's own name, or "Custom card" as long as it has none."""
        return self.name.strip() or self.title

    @property
    def mana_cost(self) -> int | str:
        """The cost that the player has entered."""
        return self.cost

    @property
    def card_keywords(self) -> tuple[CardKeyword, ...]:
        """The keywords that the player has entered."""
        return tuple(self.keywords)

    @property
    def card_effects(self) -> tuple[Effect, ...]:
        """The effects that the player has entered."""
        return tuple(self.effects)

    def with_x_paid(self, paid: int) -> "Custom":
        """Return the card with the time mana that was paid for X in place of each X; 0 if its cost is a number."""
        replaced = [one.model_copy(update={"value": paid}) if one.value == X else one for one in self.keywords]
        return self.model_copy(update={"keywords": replaced})

    def face(self) -> Face:
        """Return the card as entered, or an explanation as long as it is empty."""
        face = super().face()
        return face if self.name.strip() or self.card_keywords else replace(
            face, corner="?", marks={},
            line=str(_("A card that is not on the list: name, cost, keywords and effects.")))

    @rule("BD-04")
    def check_name(self, house: "BattleDiceHouse") -> Iterator[Finding]:
        """Yield a warning if the card has no name."""
        if not self.name.strip():
            yield warning(_("The custom card has no name yet."), "name")

    @rule("BD-20")
    def check_keywords(self, house: "BattleDiceHouse") -> Iterator[Finding]:
        """Yield a warning for a repeated keyword, a pair without Tag Team, and Lebenskraft 0 (BD-20)."""
        seen: set[str] = set()
        for index, one in enumerate(self.keywords):
            drop = Mend(_("Drop {keyword}"), {f"keywords.{index}": DROP}, keyword=one.label)
            if one.keyword in seen:
                yield warning(_("{card} has {keyword} twice; a card may have each keyword only once."),
                              f"keywords.{index}", [drop], card=self.label, keyword=KEYWORDS[one.keyword])
            elif one.is_pair and one.keyword not in WITHOUT_NUMBER and not self.has_keyword("tag-team"):
                team = [*(other.model_dump() for other in self.keywords), {"keyword": "tag-team", "value": None}]
                yield warning(_("The value of {keyword} depends on the life left; that is only allowed on a Tag Team."),
                              f"keywords.{index}.value",
                              [Mend(_("Make {card} a Tag Team"), {"keywords": team}, card=self.label),
                               Mend(_("Make it {keyword} {n}"), {f"keywords.{index}.value": value_points(one.value)},
                                    keyword=KEYWORDS[one.keyword], n=value_points(one.value)), drop], keyword=one.label)
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
"""{slug: class} of all cards, in the order of the source."""
DECK_SLUGS = [slug for slug, entry in CATALOGUE.items() if not entry.token and entry is not Custom]
"""The slugs of the listed cards that a deck may contain."""

if TYPE_CHECKING:
    AnyCard = Card
else:
    AnyCard = Annotated[Union[tuple(CATALOGUE.values())], Field(discriminator="card")]  # noqa: UP007


def listed_card(slug: str, copies: int = 1) -> Card:
    """Return a listed card."""
    return CATALOGUE[slug](card=slug, copies=copies)


LISTED_CARDS = tuple(listed_card(slug) for slug in CATALOGUE if slug != "custom")
"""All listed cards."""


def merge_rows(cards: list[Card]) -> Iterator[tuple[int, Card]]:
    """Yield (index of its first row, card with the copies of all its rows) for each card of the deck (BD-02)."""
    copies: dict[tuple[str, str], int] = {}
    for card in cards:
        copies[card.key] = copies.get(card.key, 0) + card.copies
    for index, card in enumerate(cards):
        if (total := copies.pop(card.key, None)) is not None:
            yield index, card if total == card.copies else card.model_copy(update={"copies": total})
