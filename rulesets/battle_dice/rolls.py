"""The rolls of Battle Dice (BD-06, BD-14, BD-15, BD-18, BD-19)."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Annotated, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy
from pydantic import Field, ValidationInfo, field_validator

from rulesets.battle_dice import flink as flinks
from rulesets.battle_dice import headings, table
from rulesets.dice import Outcome, Tray
from rulesets.kit import Count, Roll, Wording, field

DECK, HAND = 8, 2
"""Cards in a deck, and cards that one draws at the beginning (BD-01, BD-10)."""
MOST, SWIFT = table.MOST, table.SWIFT
"""The largest pools and the most Flink that helps of those that are rolled."""
STANDARD = 1
"""Attack dice, and defence dice, before anything adds to them (BD-14)."""
Dice = Annotated[int, Field(ge=0, le=MOST)]
Copies = Annotated[int, Field(ge=0, le=DECK)]
Cards = Annotated[int, Field(ge=1, le=999)]
MINIONS = {"fokus": "Dice Minion Fokus", "verteidigung": "Dice Minion Verteidigung", "boost": "Dice Minion Boost"}
DAMAGE = ngettext_lazy("{n} damage", "{n} damage", "n")


BEYOND = _("Up to 40 dice a side are rolled here, and Flink up to 10, or more where a side has one or two dice; beyond "
           "that roll at the table and enter the damage.")


def too_many(*pools: int, flink: int) -> bool:
    """Return True if a pool, or what helps of Flink, is larger than is rolled here."""
    return max(pools) > MOST or flinks.helping(min(pools), min(pools), flink) > SWIFT


class Battle(Roll):
    """BD-14, BD-15: attack dice against defence dice, and what Flink makes of it."""

    attack_dice: Dice = field(_("Attack dice (AD)"), least=1, start=STANDARD)
    defence_dice: Dice = field(_("Defence dice (DD)"), least=1, start=STANDARD)
    flink: Count = field("Flink", 0, help=_("The defender's; its best use is reckoned with."))
    title, rules, unit, group = _("Battle dice"), ("BD-14", "BD-15"), DAMAGE, headings.DICE
    promise, pools_called = pgettext_lazy("battle-dice chance", "hit"), ("AD", "DD")

    def pool(self) -> int:
        """Return the attacker's dice."""
        return self.attack_dice

    def heaps(self) -> tuple[int, ...]:
        """Those of the attacker fall first."""
        return self.attack_dice, self.defence_dice

    @field_validator("flink")
    @classmethod
    def within_the_table(cls, flink: int, info: ValidationInfo) -> int:
        """More is not reckoned; a pool that is no pool is refused by itself."""
        pools = [info.data.get(key, 0) for key in ("attack_dice", "defence_dice")]
        if too_many(*pools, flink=flink):
            raise ValueError(BEYOND)
        return flink

    def throw(self, tray: Tray) -> Outcome:
        """Both pools, and the best use of Flink once both are seen."""
        attack, defence = tray.pool(self.attack_dice, 6), tray.pool(self.defence_dice, 6)
        raised = flinks.best(attack, defence, self.flink)
        return Outcome(flinks.damage(attack, raised), attack=list(attack), defence=list(defence), raised=list(raised))

    def afterwards(self, outcome: Outcome) -> Wording:
        """BD-16: damage is told, and may be blocked."""
        return _("Whom it hits may block.") if outcome.value else ""

    def count(self) -> Mapping[Any, int | Fraction]:
        """Pools of many dice have too many faces to be tried one by one."""
        return flinks.count(self.attack_dice, self.defence_dice, self.flink)

    def tell(self, outcome: Outcome) -> str:
        """Return both pools, what Flink raised, the damage."""
        figures = outcome.figures
        used = [f"{a} → {b}" for a, b in zip(figures["defence"], figures["raised"], strict=True) if a != b]
        text = _("AD {attack} against DD {defence}, Flink {used}: {damage}") if used else \
            _("AD {attack} against DD {defence}: {damage}")
        return text.format(attack=_faces(figures["attack"]), defence=_faces(figures["defence"]),
                           used=", ".join(used), damage=self.label(outcome.value))


class Heal(Roll):
    """BD-18: each even die removes a damage mark."""

    dice: Count = field(_("Heilung"))
    title, rules, group, promise = _("Heilung"), ("BD-18",), headings.DICE, pgettext_lazy("battle-dice chance", "heal")
    unit = ngettext_lazy("{n} mark removed", "{n} marks removed", "n")

    def throw(self, tray: Tray) -> Outcome:
        """Count the dice that are even."""
        return Outcome(tray.total(self.dice, (0, 1, 0, 1, 0, 1)))


class Minion(Roll):
    """BD-19: which Dice Minion comes."""

    title, rules, outcomes, group = _("Dice Minion"), ("BD-19",), MINIONS, headings.DICE

    def throw(self, tray: Tray) -> Outcome:
        """Two faces each."""
        face = tray.die(6)
        return Outcome(("fokus", "verteidigung", "boost")[(face - 1) // 2], roll=face)


class _FromDeck(Roll):
    """Cards drawn from a full deck; those of one kind lie at its first places, for any order is as likely."""

    copies: Copies = field(_("Copies in the deck"))
    sides, cards_fall, group = DECK, True, headings.CARDS


class OpeningHand(_FromDeck):
    """BD-06: two cards from eight without replacement."""

    title, rules = _("A card in the opening hand"), ("BD-06", "BD-10")
    unit, promise = ngettext_lazy("{n} copy in hand", "{n} copies in hand", "n"), pgettext_lazy("chance", "in hand")

    def throw(self, tray: Tray) -> Outcome:
        """Count how many of the two are of the kind."""
        held = 0
        for left in range(DECK, DECK - HAND, -1):
            held += tray.die(left) <= self.copies - held
        return Outcome(held)


class Seen(_FromDeck):
    """BD-06: the hand at the beginning, and one new card a turn."""

    turn: Count = field(_("Own turns"), help=_("How many Zeitchaosphasen have passed."))
    title, rules = _("A card seen by a turn"), ("BD-06", "BD-11")
    outcomes = {"seen": _("seen"), "unseen": _("not seen")}

    @property
    def drawn(self) -> int:
        """Different cards that came to hand; after the sixth turn it was every one."""
        return min(DECK, HAND + self.turn)

    def throw(self, tray: Tray) -> Outcome:
        """Throw for whether a card of the kind is among them."""
        places = [tray.die(DECK - number) for number in range(self.drawn)]
        return Outcome("seen" if any(place <= self.copies for place in places) else "unseen")

    def count(self) -> Mapping[Any, int | Fraction]:
        """All cards drawn are others."""
        among, others = comb(DECK, self.drawn), comb(DECK - self.copies, self.drawn)
        return Counter({"seen": among - others, "unseen": others})


class Draw(Roll):
    """BD-11: cards from a shuffled deck, each place as likely; the discard pile follows once it is empty."""

    cards: Cards = field(_("Cards in the deck"))
    draws: Cards = field(_("Cards drawn"), 1)
    spare: Count = field(_("Cards in the discard pile"), 0)
    title, rules, unit = _("Draw cards"), ("BD-11",), _("card {n}")
    sides, cards_fall, secret, group = DECK, True, True, headings.CARDS

    def throw(self, tray: Tray) -> Outcome:
        """The place of the first card; `places` are those of all, each among the cards that are left then."""
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
        """Each card is as likely the first."""
        return Counter(dict.fromkeys(range(1, self.cards + 1), 1))

    def tell(self, outcome: Outcome) -> str:
        """Say how many; only the one who holds them knows which."""
        return ngettext_lazy("{n} card drawn", "{n} cards drawn", "n").format(n=len(outcome.figures["places"]))


def _faces(faces: list[int]) -> str:
    return " ".join(map(str, faces)) or "–"
