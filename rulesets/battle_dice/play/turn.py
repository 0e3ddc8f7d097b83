"""One's own turn in its four phases, and the beginning and the end of a game (BD-10 to BD-14, BD-28)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field

from rulesets.battle_dice import flink as flinks
from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.state import BOOST, MANA, BattleDicePlay, shuffled
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, Roll, Thrown, field

if TYPE_CHECKING:
    from rulesets.battle_dice.sheet import BattleDice

Change = Annotated[int, Field(ge=-HIGHEST, le=HIGHEST)]
Paid = Annotated[int, Field(ge=0, le=MANA)]


def held(play: BattleDicePlay, name: str) -> None:
    """`Refused` where the card is no longer in hand."""
    if name not in play.hand:
        raise Refused(_("{card} is not in your hand.").format(card=name))


def in_phase(play: BattleDicePlay, *phases: str) -> None:
    """`Refused` where the round stands elsewhere."""
    if play.phase not in phases:
        raise Refused(_("That is not to be done now; the round has gone on."))


def attacking(sheet: "BattleDice", play: BattleDicePlay) -> str:
    """Return the dice of one's own attack, and how much of it may be aimed if any may."""
    dice, aimed = play.attack(sheet), play.aimed(sheet)
    return _("AD {n}, Zielsuchend {aimed}").format(n=dice, aimed=aimed) if aimed else _("AD {n}").format(n=dice)


def battle(attack: int, defence: int, flink: int) -> rolls.Battle:
    """Return the roll of both sides' dice, neither below 0 (`Refused` where they are more than are rolled here)."""
    pools = max(0, attack), max(0, defence)
    if rolls.too_many(*pools, flink=flink):
        raise Refused(rolls.BEYOND)
    return rolls.Battle(attack_dice=pools[0], defence_dice=pools[1], flink=flinks.helping(*pools, flink))


class StartGame(Act):
    """BD-10, BD-28: decks are shuffled, two cards are drawn; the second player has 1 time mana."""

    order: Literal["first", "second"] = field(_("Who hugged Ole last?"), help=_("Whoever did begins."), choices={
        "first": _("I did"), "second": _("The other one did")})
    title, rules, group = _("Begin a game"), ("BD-10", "BD-28"), headings.GAME
    versus: ClassVar[bool] = False
    """True if it is of a game of two at a table."""

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it while there is no game, with a deck to play."""
        if play.phase == "none" and sheet.size():
            yield cls.asking()

    def fresh(self, sheet: "BattleDice") -> BattleDicePlay:
        """Return the table before the first cards."""
        return BattleDicePlay(deck=shuffled(sheet)[:HIGHEST], mana=int(self.order == "second"),
                              versus=self.versus)

    def roll(self, sheet: "BattleDice", play: BattleDicePlay) -> Roll | None:
        """Two cards."""
        return self.fresh(sheet).drawing()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """The first player's turn begins, or the enemy's."""
        if play.playing:
            raise Refused(_("A game is under way; end it first."))
        return self.fresh(sheet).drawn(outcome.figures["places"]).with_(
            phase="chaos" if self.order == "first" else self.fresh(sheet).rest)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Say who begins."""
        return str(_("The game begins with your turn") if self.order == "first" else
                   _("The game begins with the enemy's turn; you hold 1 time mana"))


class PutAway(Act):
    """BD-11: a hand card goes face down on the discard pile, then the hand is filled up to two."""

    card: Name = field(_("Card"), secret=True)
    title, rules, group = _("Put away and draw"), ("BD-11",), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer one for each card in hand; without a hand one only draws."""
        if play.phase == "chaos":
            for name in dict.fromkeys(play.hand) or [""]:
                title = _("Put {card} away and draw").format(card=name) if name else _("Draw")
                yield cls.asking(title, f"hand.{play.hand.index(name)}" if name else "none", card=name)

    def put(self, play: BattleDicePlay) -> BattleDicePlay:
        """Return the state before the draw."""
        in_phase(play, "chaos")
        if not self.card and not play.hand:
            return play
        held(play, self.card)
        return play.thrown_off(self.card)

    def roll(self, sheet: "BattleDice", play: BattleDicePlay) -> Roll | None:
        """The cards drawn."""
        return self.put(play).drawing()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Frost that was thrown in earlier turns ends with this phase (BD-25)."""
        drawn = self.put(play).drawn(outcome.figures["places"] if outcome else [])
        return drawn.with_(phase="focus", frost=min(drawn.frost, drawn.fresh), fresh=0)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Say what went, and what is in hand."""
        if not self.card:
            return _("In hand: {hand}").format(hand=", ".join(play.hand))
        return _("{card} put away; in hand: {hand}").format(card=self.card, hand=", ".join(play.hand))

    def tell_others(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Say how many cards are held; only their owner knows which ones."""
        return ngettext_lazy("{n} card in hand", "{n} cards in hand", "n").format(n=len(play.hand))


class Focus(Act):
    """BD-12: 1 time mana and what Fokus adds, at least 1, at most 10 held; a Minion Boost is sacrificed before."""

    change: Change = field(_("By how much do effects change what you gather?"), 0)
    title, rules, group = _("Gather time mana"), ("BD-12", "BD-26"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it in the Fokusphase; it says so where a Boost goes."""
        if play.phase == "focus":
            boosts = any(one.card == BOOST for one in play.avatars)
            title = _("Sacrifice {card} and gather time mana").format(card=BOOST) if boosts else ""
            yield cls.asking(title, note=_("1 + Fokus {n}").format(n=sacrificed(sheet, play).sum(sheet, "fokus")))

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Gather time mana; what goes beyond 10 is lost."""
        in_phase(play, "focus")
        play = sacrificed(sheet, play)
        return play.richer(max(1, 1 + play.sum(sheet, "fokus") + self.change)).with_(phase="summon")

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Say how much time mana is held now."""
        return _("Time mana gathered, {n} held").format(n=play.mana)


def sacrificed(sheet: "BattleDice", play: BattleDicePlay) -> BattleDicePlay:
    """The state once every Minion Boost is sacrificed; each pays its Seelenernte (BD-26)."""
    for index in reversed(range(len(play.avatars))):
        if play.avatars[index].card == BOOST:
            play = play.gone(sheet, index, dying=True)
    return play


class ToBattle(Act):
    """The Beschwörungsphase ends."""

    title, rules, group = _("On to the Battle Dice Phase"), ("BD-13", "BD-14"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it once no more than four avatars are in play."""
        if play.phase == "summon" and not play.crowded:
            yield cls.asking()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """The fourth phase."""
        in_phase(play, "summon")
        return play.with_(phase="battle")


class Attack(Act):
    """BD-14, BD-17: both sides roll; the outcome is for the enemy to enter and to block."""

    defence_dice: rolls.Dice = field(_("How many DD has the enemy?"), least=1, target="defence_dice",
                                     start=rolls.STANDARD)
    flink: Count = field(_("How much Flink has the enemy?"), 0, target="flink")
    change: Change = field(_("By how much do cards change your AD?"), 0)
    title, rules, group = _("Attack"), ("BD-14", "BD-15", "BD-17"), headings.TURN
    fallen_while = ("phase",)
    says_who = True

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it in the Battle Dice Phase; of two at a table the other one rolls for both."""
        if play.phase == "battle" and not play.versus and play.attack(sheet) <= rolls.MOST:
            yield cls.asking(note=attacking(sheet, play))

    def roll(self, sheet: "BattleDice", play: BattleDicePlay) -> Roll:
        """All dice at once."""
        in_phase(play, "battle")
        return battle(play.attack(sheet) + self.change, self.defence_dice, self.flink)

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """The turn is over; what was done may still be aimed."""
        return play.ended(inflicted=outcome.value)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Say who hit whom, and how much of it may be aimed."""
        if not play.inflicted:
            return str(_("You do not hit the enemy"))
        if aimed := min(play.inflicted, play.aimed(sheet)):
            return _("Your attack hits, up to {n} of it aimed").format(n=aimed)
        return str(_("Your attack hits"))


class SkipBattle(Act):
    """BD-14: one's own Battle Dice Phase may be skipped."""

    title, rules, group = _("Skip the Battle Dice Phase"), ("BD-14",), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it in the Battle Dice Phase."""
        if play.phase == "battle":
            yield cls.asking()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """The turn is over."""
        in_phase(play, "battle")
        return play.ended()
