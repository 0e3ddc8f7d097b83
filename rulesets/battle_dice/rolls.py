"""The rolls of Battle Dice (BD-06, BD-14, BD-15, BD-18, BD-19)."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Annotated, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy
from pydantic import Field, ValidationInfo, field_validator

from rulesets.battle_dice import battles, headings, odds_table
from rulesets.dice import Outcome, Tray
from rulesets.kit import Count, Roll, Wording, field

DECK_SIZE, HAND_SIZE = 8, 2
"""The cards in a deck, and the cards drawn at the beginning (BD-01, BD-10)."""
MAX_DICE, MAX_FLINK = odds_table.MAX_DICE, odds_table.MAX_FLINK
"""The most dice of a side that are rolled here, and the most useful Flink."""
BASE_DICE = 1
"""The attack dice and the defence dice without any cards (BD-14)."""
Dice = Annotated[int, Field(ge=0, le=MAX_DICE)]
Copies = Annotated[int, Field(ge=0, le=DECK_SIZE)]
Cards = Annotated[int, Field(ge=1, le=999)]
MINIONS = {"fokus": "Dice Minion Fokus", "verteidigung": "Dice Minion Verteidigung", "boost": "Dice Minion Boost"}
DAMAGE_LABEL = ngettext_lazy("{n} damage", "{n} damage", "n")
TOO_MANY_DICE = _(
    "Up to 40 dice a side are rolled here, and Flink up to 10, or more where a side has one or two dice; beyond "
    "that roll at the table and enter the damage.")


def exceeds_limits(*pools: int, flink: int) -> bool:
    """Return True if these are more dice, or more useful Flink, than the stored odds cover."""
    return max(pools) > MAX_DICE or battles.useful_flink(min(pools), min(pools), flink) > MAX_FLINK


class Battle(Roll):
    """BD-14, BD-15: compare attack dice with defence dice, after the best use of Flink."""

    attack_dice: Dice = field(_("Attack dice (AD)"), least=1, start=BASE_DICE)
    defence_dice: Dice = field(_("Defence dice (DD)"), least=1, start=BASE_DICE)
    flink: Count = field("Flink", 0, help=_("The defender's; assumed to be used in the best way."))
    title, rules, unit, group = _("Battle dice"), ("BD-14", "BD-15"), DAMAGE_LABEL, headings.DICE
    chance_label, pools_called = pgettext_lazy("battle-dice chance", "hit"), ("AD", "DD")

    def pool(self) -> int:
        """Return the number of attack dice."""
        return self.attack_dice

    def pool_sizes(self) -> tuple[int, ...]:
        """Return the numbers of dice, the attacker's first."""
        return self.attack_dice, self.defence_dice

    @field_validator("flink")
    @classmethod
    def check_limits(cls, flink: int, info: ValidationInfo) -> int:
        """Raise ValueError if the odds are not stored; numbers of dice that are invalid themselves count as 0."""
        pools = [info.data.get(key, 0) for key in ("attack_dice", "defence_dice")]
        if exceeds_limits(*pools, flink=flink):
            raise ValueError(TOO_MANY_DICE)
        return flink

    def throw(self, tray: Tray) -> Outcome:
        """Roll both sides' dice and use Flink as well as possible."""
        attack, defence = tray.pool(self.attack_dice, 6), tray.pool(self.defence_dice, 6)
        raised = battles.raise_defence(attack, defence, self.flink)
        return Outcome(battles.damage(attack, raised), attack=list(attack), defence=list(defence), raised=list(raised))

    def afterwards(self, outcome: Outcome) -> Wording:
        """Return the hint that damage may be blocked (BD-16)."""
        return _("The one it hits may block.") if outcome.value else ""

    def count(self) -> Mapping[Any, int | Fraction]:
        """Return the stored counts, because the combinations of many dice are too many to try."""
        return battles.damage_counts(self.attack_dice, self.defence_dice, self.flink)

    def tell(self, outcome: Outcome) -> str:
        """Return both sides' dice, the dice raised by Flink, and the damage."""
        figures = outcome.figures
        used = [f"{a} → {b}" for a, b in zip(figures["defence"], figures["raised"], strict=True) if a != b]
        text = _("AD {attack} against DD {defence}, Flink {used}: {damage}") if used else \
            _("AD {attack} against DD {defence}: {damage}")
        return text.format(attack=_format_faces(figures["attack"]), defence=_format_faces(figures["defence"]),
                           used=", ".join(used), damage=self.label(outcome.value))


class Heal(Roll):
    """BD-18: each even die removes a damage mark."""

    dice: Count = field(_("Heilung"))
    title, rules, group = _("Heilung"), ("BD-18",), headings.DICE
    chance_label = pgettext_lazy("battle-dice chance", "heal")
    unit = ngettext_lazy("{n} mark removed", "{n} marks removed", "n")

    def throw(self, tray: Tray) -> Outcome:
        """Count the even dice."""
        return Outcome(tray.total(self.dice, (0, 1, 0, 1, 0, 1)))


class Minion(Roll):
    """BD-19: choose a Dice Minion at random."""

    title, rules, outcomes, group = _("Dice Minion"), ("BD-19",), MINIONS, headings.DICE

    def throw(self, tray: Tray) -> Outcome:
        """Return the Dice Minion for a die; two faces lead to each."""
        face = tray.die(6)
        return Outcome(("fokus", "verteidigung", "boost")[(face - 1) // 2], roll=face)


class _FromDeck(Roll):
    """Cards drawn from a full deck. Any order is equally likely, so the copies are taken to be the first cards."""

    copies: Copies = field(_("Copies in the deck"))
    sides, draws_cards, group = DECK_SIZE, True, headings.CARDS


class OpeningHand(_FromDeck):
    """BD-06: draw two of eight cards."""

    title, rules = _("A card in the opening hand"), ("BD-06", "BD-10")
    unit = ngettext_lazy("{n} copy in hand", "{n} copies in hand", "n")
    chance_label = pgettext_lazy("chance", "in hand")

    def throw(self, tray: Tray) -> Outcome:
        """Count the copies among the two cards."""
        in_hand = 0
        for cards_left in range(DECK_SIZE, DECK_SIZE - HAND_SIZE, -1):
            in_hand += tray.die(cards_left) <= self.copies - in_hand
        return Outcome(in_hand)


class Seen(_FromDeck):
    """BD-06: draw the opening hand and one card for each turn."""

    turn: Count = field(_("Your turns"), help=_("How many Zeitchaosphasen have passed."))
    title, rules = _("A card drawn by a turn"), ("BD-06", "BD-11")
    outcomes = {"seen": _("drawn"), "unseen": _("not drawn yet")}

    @property
    def cards_drawn(self) -> int:
        """The number of cards drawn by that turn, at most the whole deck."""
        return min(DECK_SIZE, HAND_SIZE + self.turn)

    def throw(self, tray: Tray) -> Outcome:
        """Return "seen" if a copy is among the cards drawn."""
        places = [tray.die(DECK_SIZE - number) for number in range(self.cards_drawn)]
        return Outcome("seen" if any(place <= self.copies for place in places) else "unseen")

    def count(self) -> Mapping[Any, int | Fraction]:
        """Count the draws with and without a copy."""
        draws = comb(DECK_SIZE, self.cards_drawn)
        draws_without = comb(DECK_SIZE - self.copies, self.cards_drawn)
        return Counter({"seen": draws - draws_without, "unseen": draws_without})


class Draw(Roll):
    """BD-11: draw cards from a shuffled deck, and from the shuffled discard pile once the deck is empty."""

    cards: Cards = field(_("Cards in the deck"))
    draws: Cards = field(_("Cards drawn"), 1)
    spare: Count = field(_("Cards in the discard pile"), 0)
    title, rules, unit = _("Draw cards"), ("BD-11",), _("card {n}")
    sides, draws_cards, secret, group, luckiest = DECK_SIZE, True, True, headings.CARDS, "none"

    def throw(self, tray: Tray) -> Outcome:
        """Return the position of the first card; `places` has those of all cards, each among the cards left by then."""
        left, spare, places = self.cards, self.spare, [tray.die(self.cards)]
        left -= 1
        for _card in range(self.draws - 1):
            if not left:
                left, spare = spare, 0
            if left:
                places.append(tray.die(left))
                left -= 1
        return Outcome(places[0], places=places[:self.draws])

    def count(self) -> Mapping[Any, int | Fraction]:
        """Return the positions of the first card, all equally likely."""
        return Counter(dict.fromkeys(range(1, self.cards + 1), 1))

    def tell(self, outcome: Outcome) -> str:
        """Return the number of cards; only the player knows which ones."""
        return ngettext_lazy("{n} card drawn", "{n} cards drawn", "n").format(n=len(outcome.figures["places"]))


def _format_faces(faces: list[int]) -> str:
    return " ".join(map(str, faces)) or "–"
