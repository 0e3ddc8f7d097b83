"""A game from one player's side: life, mana, cards, avatars, and where in the round it stands (BD-10 to BD-18)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field

from rulesets.battle_dice import board, headings, rolls
from rulesets.battle_dice.card import Card
from rulesets.battle_dice.cards import CATALOGUE
from rulesets.battle_dice.play.avatars import Avatar, Blow
from rulesets.battle_dice.play.phases import COMING, GUIDE, PHASES, Phase, following, steps
from rulesets.battle_dice.rolls import HAND, MINIONS, Draw
from rulesets.kit import HIGHEST, Count, Face, Finding, Gauge, Name, Play, Wording, decimal, field, rows, warning

if TYPE_CHECKING:
    from rulesets.battle_dice.sheet import BattleDice

LIFE, MANA, FIELD = 15, 10, 4
"""Life at the start, the most time mana one holds, the most avatars (BD-10, BD-12, BD-13)."""
CAKES = 3
"""Cake tokens that win (BD-26)."""
CORONA, BUDDIES, BOOST = (
    str(CATALOGUE[slug].title) for slug in ("the-corona-look", "snowbuddies", "dice-minion-boost"))
THERE = ngettext_lazy("{n} avatar in play, {mana} time mana", "{n} avatars in play, {mana} time mana", "n")
"""The text for what is left once avatars have left the table."""
TELL_DAMAGE = _("Tell your damage, it may be blocked.")
MAGE = "@"
"""The mage among what can be aimed at, beside the names of avatars."""


class BattleDicePlay(Play):
    """The state of a game."""

    on_board = frozenset({"average_cost"})
    folded = headings.DICE, headings.CARDS

    phase: Phase = field(_("Phase"), "none", choices=PHASES)
    life: Count = field(_("Life"), LIFE)
    mana: Annotated[int, Field(ge=0, le=MANA)] = field(_("Time mana"), 0)
    avatars: list[Avatar] = rows(_("Avatars"), [])
    hand: list[Name] = field(_("Hand"), [], secret=True)
    deck: list[Name] = field(_("Deck"), [], secret=True)
    discard: list[Name] = field(_("Discard pile"), [], secret=True)
    minion: bool = field(_("Dice Minion summoned this turn"), default=False)
    frost: Count = field(_("Frost tokens on enemy avatars"), 0)
    fresh: Count = field(_("Frost tokens thrown in this Zeitchaosphase"), 0)
    homing: Count = field(_("More Zielsuchend this turn"), 0)
    guard: Count = field(_("More DD this turn"), 0)
    nimble: Count = field(_("More Flink this turn"), 0)
    healing: Count = field(_("More Heilung this turn"), 0)
    coming: Count = field(_("Damage to be blocked"), 0)
    suffered: Count = field(_("Damage suffered this turn"), 0)
    marks: Count | None = field(_("Marks to be removed"), None)
    reacted: list[Name] = field(_("Reactions used this turn"), [])
    inflicted: Count = field(_("Damage of your last attack"), 0)
    attackers: list[Count] = field(_("Attack dice against you"), [])
    defenders: list[Count] = field(_("Your defence dice"), [])
    versus: bool = field(_("Against somebody at the table"), default=False)
    threat: Count | None = field(_("Attack dice that are coming"), None)
    aimable: bool = field(_("Some of it may be aimed"), default=False)
    aims: Count = field(_("Damage aimed this turn"), 0)
    blows: list[Blow] = rows(_("Damage that waits"), [])
    jabs: Count = field(_("Damage to deal to enemy avatars"), 0)
    dealing: Count = field(_("Damage to deal"), 0)

    def with_(self, **changes: Any) -> "BattleDicePlay":
        """Return the state with some figures changed."""
        return self.model_copy(update=changes)

    @property
    def playing(self) -> bool:
        """True if a game is under way."""
        return self.phase not in ("none", "won", "lost")

    def face_of(self, sheet: "BattleDice", avatar: Avatar) -> Card:
        """Return the card of an avatar; X on it is what was paid for it (BD-04)."""
        return sheet.card(avatar.card).at(avatar.paid)

    def left(self, sheet: "BattleDice", avatar: Avatar) -> int:
        """Return the life points that an avatar has left."""
        return max(0, self.face_of(sheet, avatar).life - avatar.damage)

    def sum(self, sheet: "BattleDice", keyword: str, *, living: bool = False) -> int:
        """Return the sum of a keyword over the avatars in play (BD-20); `living` leaves out those at 0 life."""
        corona = all(one.card == CORONA for one in self.avatars)
        found = 0
        for one in self.avatars:
            card, left = self.face_of(sheet, one), self.left(sheet, one)
            if living and not left:
                continue
            found += 2 if keyword == "fokus" and corona else card.sum(keyword, hurt=2 * left <= card.life)
        return found

    def attack(self, sheet: "BattleDice") -> int:
        """Return the attack dice (BD-14)."""
        return 1 + self.sum(sheet, "angriff")

    def defence(self, sheet: "BattleDice") -> int:
        """Return the defence dice, with those of frost and of effects (BD-14, BD-22, BD-25)."""
        fortresses = sum(one.card == BUDDIES for one in self.avatars)
        return 1 + self.sum(sheet, "verteidigung") + fortresses * self.frost + self.guard

    def flink_of(self, sheet: "BattleDice") -> int:
        """Return the Flink, with that of effects (BD-15)."""
        return self.sum(sheet, "flink") + self.nimble

    def aimed(self, sheet: "BattleDice") -> int:
        """Return the damage that may be aimed (BD-17)."""
        return self.sum(sheet, "zielsuchend") + self.homing

    def heals(self, sheet: "BattleDice") -> int:
        """Return the dice of Heilung; that of an avatar at 0 life is lost (BD-18)."""
        return self.sum(sheet, "heilung", living=True) + self.healing

    def gauges(self, sheet: "BattleDice") -> Iterator[Gauge]:
        """Yield the life and time mana, and the deck while one plays."""
        yield Gauge("life", _("Life"), self.life, LIFE,
                    self.nudge(sheet, "damage", "effect", points=1), self.nudge(sheet, "cure", points=1))
        yield Gauge("mana", _("Time mana"), self.mana, MANA,
                    self.nudge(sheet, "change-mana", by=-1) if self.mana else None,
                    self.nudge(sheet, "change-mana", by=1) if self.mana < MANA else None)
        if self.playing:
            yield Gauge("deck", _("Deck"), len(self.deck), sheet.size())

    def spread(self, sheet: "BattleDice") -> Iterator[tuple[Wording, list[Face]]]:
        """Yield the hand, the avatars, the discard pile."""
        if not self.playing:
            return
        yield _("Hand"), [replace(self.laid(sheet.card(name)), secret=True) for name in self.hand]
        yield _("Avatars"), [self.laid(self.face_of(sheet, one), one, self.left(sheet, one)) for one in self.avatars]

    def board(self, sheet: "BattleDice") -> Any:
        """Return the felt: hand and avatars, each card with its presses, and what leads on through the turn."""
        rule, text = GUIDE.get(self.phase, ("", ""))
        phase = str(PHASES[self.phase])
        guide = text.format(n=self.at_stake).removeprefix(f"{phase}: ")
        if self.phase == "enemy" and self.inflicted:
            guide = f"{TELL_DAMAGE} {guide[:1].upper()}{guide[1:]}"
        return {"phase": phase, "steps": steps(self.phase), "next": following(self.phase), "rule": rule, "guide": guide,
                "size": sheet.size(), "average": sheet.average and decimal(sheet.average, 1), **board.of(sheet, self)}

    @property
    def at_stake(self) -> int:
        """The damage that the phase is about: what one rolled while aiming it, else what is coming (BD-16, BD-17)."""
        return self.inflicted if self.phase == "aim" else self.coming

    def laid(self, card: Card, avatar: Avatar | None = None, left: int = 0) -> Face:
        """Return a card with what lies on it."""
        foot = [_("Life {left} of {life}").format(left=left, life=card.life), *avatar.tokens()] if avatar else []
        face = card.face()
        return Face(title=card.name_on_it, corner=face.corner, line=face.line, texts=face.texts, foot=" · ".join(foot))

    def notices(self, sheet: "BattleDice") -> Iterator[Finding]:
        """Yield what is to be done now."""
        if self.phase in GUIDE:
            yield from self.called_for(*GUIDE[self.phase])
        if self.crowded:
            yield warning(_("{n} avatars are in play, {most} are allowed: destroy one."), rule="BD-13",
                          n=len(self.avatars), most=FIELD)
        if (self.phase == "enemy" and rolls.too_many(self.defence(sheet), flink=self.flink_of(sheet))) or (
                self.phase == "battle" and self.attack(sheet) > rolls.MOST):
            yield warning(rolls.BEYOND, rule="BD-14")
        if self.marks:
            yield warning(_("{n} damage marks may be removed."), rule="BD-18", n=self.marks)

    def called_for(self, rule: str, text: Wording) -> Iterator[Finding]:
        """Yield what the phase asks for, and what the other one has brought."""
        if self.threat is not None and self.phase == "enemy":
            yield warning(COMING, rule=rule, n=self.threat)
        else:
            yield warning(text, rule=rule, n=self.at_stake)
        for one in self.blows:
            yield warning(_("{n} damage hits {target}: take it, or use a Steel Guardian."), rule="BD-24",
                          n=one.points, target=self.in_words(one.target))

    @staticmethod
    def in_words(target: str) -> str:
        """Return in words whom damage is aimed at."""
        return str(_("the mage")) if target == MAGE else target

    @property
    def crowded(self) -> bool:
        """True if an avatar has to be destroyed first (BD-13)."""
        return len(self.avatars) > FIELD

    # Cards

    def drawing(self, wanted: int | None = None) -> Draw | None:
        """The roll that draws so many cards, or fills the hand up to two (BD-11); None where nothing is to be drawn."""
        deck, spare = (self.deck, self.discard) if self.deck else (self.discard, [])
        draws = min(HAND - len(self.hand) if wanted is None else wanted, len(deck) + len(spare))
        return Draw(cards=len(deck), draws=draws, spare=len(spare)) if draws > 0 else None

    def drawn(self, places: list[int]) -> "BattleDicePlay":
        """Return the state with the cards of those places in hand; the discard pile refills an empty deck (BD-11)."""
        deck, hand, discard = list(self.deck), list(self.hand), list(self.discard)
        for place in places:
            if not deck:
                deck, discard = discard, []
            hand.append(deck.pop(place - 1))
        if not deck:
            deck, discard = discard, []
        return self.with_(deck=deck, hand=hand, discard=discard)

    def without_card(self, name: str) -> "BattleDicePlay":
        """Return the state with one card of that name less in hand."""
        hand = list(self.hand)
        hand.remove(name)
        return self.with_(hand=hand)

    def thrown_off(self, name: str) -> "BattleDicePlay":
        """Return the state with a hand card put face down on the discard pile."""
        play = self.without_card(name)
        return play.with_(discard=[*play.discard, name])

    def ended(self, **changes: Any) -> "BattleDicePlay":
        """One's own turn is over: the enemy's begins, and whoever plays alone then has what they threw melt (BD-25)."""
        thawed = self.avatars if self.versus else [one.melted() for one in self.avatars]
        return self.with_(phase=self.rest, avatars=thawed, **changes)

    @property
    def rest(self) -> Phase:
        """The phase in which one is while the other one is at it."""
        return "wait" if self.versus else "enemy"

    # Mana and life

    def richer(self, more: int) -> "BattleDicePlay":
        """Return the state with time mana gained, as far as 10 hold it (BD-12), or paid."""
        return self.with_(mana=min(MANA, max(0, self.mana + more)))

    def suffering(self, points: int) -> "BattleDicePlay":
        """So much more damage that the mage or an avatar took in the enemy's turn (BD-24, BD-26)."""
        if self.phase not in ("enemy", "quick", "aimed", "block", "heal", "end"):
            return self
        return self.with_(suffered=min(HIGHEST, self.suffered + points))

    def hurt(self, points: int) -> "BattleDicePlay":
        """The mage loses life (BD-16)."""
        life = max(0, self.life - points)
        return self.with_(life=life, phase="lost" if self.playing and not life else self.phase)

    # Avatars

    def with_avatar(self, index: int, **changes: Any) -> "BattleDicePlay":
        """Return the state with one avatar changed."""
        avatars = list(self.avatars)
        avatars[index] = avatars[index].model_copy(update=changes)
        return self.with_(avatars=avatars)

    def struck(self, index: int, points: int) -> "BattleDicePlay":
        """Return the state with damage marks on an avatar."""
        return self.with_avatar(index, damage=min(HIGHEST, self.avatars[index].damage + points))

    def gone(self, sheet: "BattleDice", index: int, *, dying: bool) -> "BattleDicePlay":
        """An avatar off the table: a card to the discard pile, a token out of the game; dying pays Seelenernte."""
        card, left = self.face_of(sheet, self.avatars[index]), self.left(sheet, self.avatars[index])
        avatars = self.avatars[:index] + self.avatars[index + 1:]
        kept = self.discard if card.has("tokenavatar") else [*self.discard, self.avatars[index].card]
        play = self.with_(avatars=avatars, discard=kept)
        if self.versus and not any(one.card == BUDDIES for one in avatars):
            # Without Snowbuddies the tokens mean nothing any more: they are taken off.
            play = play.with_(frost=0, fresh=0)
        return play.richer(card.sum("seelenernte", hurt=2 * left <= card.life)) if dying else play

    def settled(self, sheet: "BattleDice") -> "BattleDicePlay":
        """Avatars without life die, one after another (BD-16)."""
        play = self
        for index in reversed(range(len(self.avatars))):
            if not self.left(sheet, self.avatars[index]):
                play = play.gone(sheet, index, dying=True)
        return play

    def with_token(self, minion: str) -> "BattleDicePlay":
        """Return the state with a Dice Minion on the table (BD-19)."""
        return self.with_(avatars=[*self.avatars, Avatar(card=str(MINIONS[minion]))], minion=True)

    def dealt(self, points: int) -> "BattleDicePlay":
        """So much of the damage that was coming has found its aim; once none is left, healing comes (BD-18)."""
        left = max(0, self.coming - points)
        play = self.with_(coming=left, suffered=min(HIGHEST, self.suffered + points))
        return play if left or play.phase != "block" else play.with_(phase="heal")

    def begin_turn(self) -> "BattleDicePlay":
        """Return the state at the start of one's own turn, without the counts of the last round."""
        fresh = {"minion": False, "homing": 0, "guard": 0, "nimble": 0, "healing": 0, "suffered": 0, "coming": 0,
                 "marks": None, "reacted": [], "inflicted": 0, "attackers": [], "defenders": [], "threat": None,
                 "aimable": False, "aims": 0, "jabs": 0, "dealing": 0}
        return self.with_(phase="chaos", **fresh)


def shuffled(sheet: "BattleDice") -> list[str]:
    """The names of all cards of a deck; in what order does not matter, for each place is drawn alike."""
    return [card.name_on_it for _row, card in sheet.kinds for _copy in range(card.copies)]


