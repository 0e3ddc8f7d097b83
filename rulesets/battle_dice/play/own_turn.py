"""The four phases of the player's own turn, and the beginning of a game (BD-10 to BD-14, BD-28)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field

from rulesets.battle_dice import battles, headings, rolls
from rulesets.battle_dice.play.state import DICE_MINION_BOOST, MAX_MANA, BattleDicePlay, card_names
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, Roll, Thrown, field

if TYPE_CHECKING:
    from rulesets.battle_dice.sheet import BattleDice

Change = Annotated[int, Field(ge=-HIGHEST, le=HIGHEST)]
ManaPaid = Annotated[int, Field(ge=0, le=MAX_MANA)]


def require_in_hand(play: BattleDicePlay, name: str) -> None:
    """Raise Refused unless a card of that name is in hand."""
    if name not in play.hand:
        raise Refused(_("{card} is not in your hand.").format(card=name))


def require_phase(play: BattleDicePlay, *phases: str) -> None:
    """Raise Refused unless the game is in one of these phases."""
    if play.phase not in phases:
        raise Refused(_("That cannot be done now; the round has moved on."))


def attack_note(sheet: "BattleDice", play: BattleDicePlay) -> str:
    """Return the attack dice, and the damage that may be aimed, as a text."""
    dice, aimed = play.attack_dice(sheet), play.zielsuchend(sheet)
    return _("AD {n}, Zielsuchend {aimed}").format(n=dice, aimed=aimed) if aimed else _("AD {n}").format(n=dice)


def battle_roll(attack: int, defence: int, flink: int) -> rolls.Battle:
    """Return the roll of both sides' dice; negative numbers count as 0. Raise Refused if there are too many dice."""
    attack, defence = max(0, attack), max(0, defence)
    if rolls.exceeds_limits(attack, defence, flink=flink):
        raise Refused(rolls.TOO_MANY_DICE)
    useful = battles.useful_flink(attack, defence, flink)
    return rolls.Battle(attack_dice=attack, defence_dice=defence, flink=useful)


class StartGame(Act):
    """BD-10, BD-28: begin a game: draw two cards; the second player gets 1 time mana."""

    order: Literal["first", "second"] = field(_("Who hugged Ole last?"), help=_("Whoever did goes first."), choices={
        "first": _("I did"), "second": _("My opponent did")})
    title, rules, group = _("Start a game"), ("BD-10", "BD-28"), headings.GAME
    versus: ClassVar[bool] = False
    """True for a game of two at one table."""

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it without a game, if the deck has cards."""
        if play.phase == "none" and sheet.size():
            yield cls.offer()

    def new_game(self, sheet: "BattleDice") -> BattleDicePlay:
        """Return the state before the first cards are drawn."""
        return BattleDicePlay(deck=card_names(sheet)[:HIGHEST], mana=int(self.order == "second"),
                              versus=self.versus)

    def roll(self, sheet: "BattleDice", play: BattleDicePlay) -> Roll | None:
        """Return the roll that draws two cards."""
        return self.new_game(sheet).draw_roll()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Draw the cards, and begin with the player's turn or the opponent's."""
        if play.is_playing:
            raise Refused(_("A game is under way; end it first."))
        return self.new_game(sheet).draw_cards(outcome.figures["places"]).evolve(
            phase="chaos" if self.order == "first" else self.new_game(sheet).waiting_phase)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return who begins."""
        return str(_("The game starts, and the opponent goes second") if self.order == "first" else
                   _("The game starts, and the opponent goes first; 1 time mana"))


class PutAway(Act):
    """BD-11: discard a card from the hand, then draw up to two in hand."""

    card: Name = field(_("Card"), secret=True)
    title, rules, group = _("Put away and draw"), ("BD-11",), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it for each card in hand; with an empty hand, the player only draws."""
        if play.phase == "chaos":
            for name in dict.fromkeys(play.hand) or [""]:
                title = _("Put away {card} and draw").format(card=name) if name else _("Draw")
                yield cls.offer(title, f"hand.{play.hand.index(name)}" if name else "none", card=name)

    def state_before_draw(self, play: BattleDicePlay) -> BattleDicePlay:
        """Return the state after discarding, before drawing."""
        require_phase(play, "chaos")
        if not self.card and not play.hand:
            return play
        require_in_hand(play, self.card)
        return play.discard_card(self.card)

    def roll(self, sheet: "BattleDice", play: BattleDicePlay) -> Roll | None:
        """Return the roll that draws the cards."""
        return self.state_before_draw(play).draw_roll()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Draw the cards, and remove the frost of earlier turns, which ends with this phase (BD-25)."""
        play = self.state_before_draw(play).draw_cards(outcome.figures["places"] if outcome else [])
        return play.evolve(phase="focus", frost=min(play.frost, play.fresh), fresh=0)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return the card put away, and the hand."""
        if not self.card:
            return _("In hand: {hand}").format(hand=", ".join(play.hand))
        return _("{card} put away; in hand: {hand}").format(card=self.card, hand=", ".join(play.hand))

    def tell_others(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return the number of cards in hand; only the player knows which ones."""
        return ngettext_lazy("{n} card in hand", "{n} cards in hand", "n").format(n=len(play.hand))


class Focus(Act):
    """BD-12: gain 1 time mana plus Fokus, at least 1 in all; before that, each Minion Boost is sacrificed."""

    change: Change = field(_("By how much do effects change what you gather?"), 0)
    title, rules, group = _("Gather time mana"), ("BD-12", "BD-26"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it in the Fokusphase; the title says if a Boost is sacrificed."""
        if play.phase == "focus":
            has_boost = any(avatar.card == DICE_MINION_BOOST for avatar in play.avatars)
            title = _("Sacrifice {card} and gather time mana").format(card=DICE_MINION_BOOST) if has_boost else ""
            fokus = sacrifice_boosts(sheet, play).keyword_sum(sheet, "fokus")
            yield cls.offer(title, note=_("1 + Fokus {n}").format(n=fokus))

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Add the time mana; any above 10 is lost."""
        require_phase(play, "focus")
        play = sacrifice_boosts(sheet, play)
        return play.add_mana(max(1, 1 + play.keyword_sum(sheet, "fokus") + self.change)).evolve(phase="summon")

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return the time mana."""
        return _("Time mana gathered, now {n}").format(n=play.mana)


def sacrifice_boosts(sheet: "BattleDice", play: BattleDicePlay) -> BattleDicePlay:
    """Return the state after every Minion Boost is sacrificed; each pays its Seelenernte (BD-26)."""
    for index in reversed(range(len(play.avatars))):
        if play.avatars[index].card == DICE_MINION_BOOST:
            play = play.remove_avatar(sheet, index, dying=True)
    return play


class ToBattle(Act):
    """BD-13: end the Beschwörungsphase."""

    title, rules, group = _("On to the Battle Dice Phase"), ("BD-13", "BD-14"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it unless there are too many avatars."""
        if play.phase == "summon" and not play.is_crowded:
            yield cls.offer()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Begin the Battle Dice Phase."""
        require_phase(play, "summon")
        return play.evolve(phase="battle")


class Attack(Act):
    """BD-14, BD-17: roll both sides' dice; the opponent enters the damage and blocks it."""

    defence_dice: rolls.Dice = field(_("How many DD does the opponent have?"), least=1, target_figure="defence_dice",
                                     start=rolls.BASE_DICE)
    flink: Count = field(_("How much Flink does the opponent have?"), 0, target_figure="flink")
    change: Change = field(_("By how much do cards change your AD?"), 0)
    title, rules, group = _("Attack"), ("BD-14", "BD-15", "BD-17"), headings.TURN
    same_throw_while = ("phase",)
    names_both_sides = True

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it in a game alone; in a game of two, the defender rolls for both."""
        if play.phase == "battle" and not play.versus and play.attack_dice(sheet) <= rolls.MAX_DICE:
            yield cls.offer(note=attack_note(sheet, play))

    def roll(self, sheet: "BattleDice", play: BattleDicePlay) -> Roll:
        """Return the roll of all dice."""
        require_phase(play, "battle")
        return battle_roll(play.attack_dice(sheet) + self.change, self.defence_dice, self.flink)

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """End the turn; the damage may still be aimed."""
        return play.end_turn(inflicted=outcome.value)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return whether the attack hits, and how much of the damage may be aimed."""
        if not play.inflicted:
            return str(_("The opponent is not hit"))
        if aimed := min(play.inflicted, play.zielsuchend(sheet)):
            return _("Your attack hits, up to {n} of it aimed").format(n=aimed)
        return str(_("Your attack hits"))


class SkipBattle(Act):
    """BD-14: skip the Battle Dice Phase."""

    title, rules, group = _("Skip the Battle Dice Phase"), ("BD-14",), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it in the Battle Dice Phase."""
        if play.phase == "battle":
            yield cls.offer()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """End the turn."""
        require_phase(play, "battle")
        return play.end_turn()
