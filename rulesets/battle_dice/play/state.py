"""The state of a game from one player's side (BD-10 to BD-18)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.board import board_context
from rulesets.battle_dice.card import Card
from rulesets.battle_dice.cards import CATALOGUE
from rulesets.battle_dice.play.avatars import Avatar, PendingDamage
from rulesets.battle_dice.play.phases import ATTACK_ANNOUNCED, GUIDE, PHASES, Phase, next_turn_title, turn_steps
from rulesets.battle_dice.rolls import HAND_SIZE, MINIONS, Draw
from rulesets.kit import HIGHEST, Count, Face, Finding, Gauge, Name, Play, Wording, decimal, field, rows, warning

if TYPE_CHECKING:
    from rulesets.battle_dice.sheet import BattleDice

STARTING_LIFE, MAX_MANA, MAX_AVATARS = 15, 10, 4
"""The mage's life at the start, the most time mana, the most avatars (BD-10, BD-12, BD-13)."""
CAKES_TO_WIN = 3
"""The cake tokens on a card that win the game (BD-26)."""
CORONA_LOOK, SNOWBUDDIES, DICE_MINION_BOOST = (
    str(CATALOGUE[slug].title) for slug in ("the-corona-look", "snowbuddies", "dice-minion-boost"))
IN_PLAY = ngettext_lazy("{n} avatar in play, {mana} time mana", "{n} avatars in play, {mana} time mana", "n")
"""The text for the avatars and time mana that are left after an act."""
TELL_DAMAGE = _("Announce your damage; it may be blocked.")
MAGE_TARGET = "@"
"""The mage as a target, beside the names of avatars."""


class BattleDicePlay(Play):
    """The state of a game; a method that changes it returns the new state."""

    on_board = frozenset({"average_cost"})
    folded = headings.DICE, headings.CARDS

    phase: Phase = field(_("Phase"), "none", choices=PHASES)
    life: Count = field(_("Life"), STARTING_LIFE)
    mana: Annotated[int, Field(ge=0, le=MAX_MANA)] = field(_("Time mana"), 0)
    avatars: list[Avatar] = rows(_("Avatars"), [])
    hand: list[Name] = field(_("Hand"), [], secret=True)
    deck: list[Name] = field(_("Deck"), [], secret=True)
    discard: list[Name] = field(_("Discard pile"), [], secret=True)
    minion: bool = field(_("Dice Minion summoned this turn"), default=False)
    frost: Count = field(_("Frost tokens on opposing avatars"), 0)
    fresh: Count = field(_("Frost tokens thrown in this Zeitchaosphase"), 0)
    homing: Count = field(_("More Zielsuchend this turn"), 0)
    guard: Count = field(_("More DD this turn"), 0)
    nimble: Count = field(_("More Flink this turn"), 0)
    healing: Count = field(_("More Heilung this turn"), 0)
    coming: Count = field(_("Damage to block"), 0)
    suffered: Count = field(_("Damage taken this turn"), 0)
    marks: Count | None = field(_("Marks to remove"), None)
    reacted: list[Name] = field(_("Reactions used this turn"), [])
    inflicted: Count = field(_("Damage of your last attack"), 0)
    attackers: list[Count] = field(_("Attack dice against you"), [])
    defenders: list[Count] = field(_("Your defence dice"), [])
    versus: bool = field(_("Against somebody at the table"), default=False)
    threat: Count | None = field(_("Incoming attack dice"), None)
    aimable: bool = field(_("Some of it may be aimed"), default=False)
    aims: Count = field(_("Damage aimed this turn"), 0)
    blows: list[PendingDamage] = rows(_("Damage waiting"), [])
    jabs: Count = field(_("Damage to deal to opposing avatars"), 0)
    dealing: Count = field(_("Damage to deal"), 0)

    def evolve(self, **changes: Any) -> "BattleDicePlay":
        """Return the state with some fields changed."""
        return self.model_copy(update=changes)

    @property
    def is_playing(self) -> bool:
        """True if a game is under way."""
        return self.phase not in ("none", "won", "lost")

    @property
    def holds_receipts(self) -> bool:
        """True during a game, because nobody may read the receipts of its draws before it ends."""
        return self.is_playing

    def avatar_card(self, sheet: "BattleDice", avatar: Avatar) -> Card:
        """Return the card of an avatar, with the mana paid for X (BD-04)."""
        return sheet.card_named(avatar.card).with_x_paid(avatar.paid)

    def life_left(self, sheet: "BattleDice", avatar: Avatar) -> int:
        """Return the life points that an avatar has left."""
        return max(0, self.avatar_card(sheet, avatar).life - avatar.damage)

    def keyword_sum(self, sheet: "BattleDice", keyword: str, *, living: bool = False) -> int:
        """Return the sum of a keyword over all avatars (BD-20), or over those with life left."""
        only_corona = all(avatar.card == CORONA_LOOK for avatar in self.avatars)
        return sum(2 if keyword == "fokus" and only_corona else self.avatar_sum(sheet, avatar, keyword)
                   for avatar in self.avatars if self.life_left(sheet, avatar) or not living)

    def avatar_sum(self, sheet: "BattleDice", avatar: Avatar, keyword: str) -> int:
        """Return the sum of a keyword on one avatar; that of a Tag Team depends on its life (BD-20)."""
        card = self.avatar_card(sheet, avatar)
        return card.keyword_sum(keyword, at_half_life=2 * self.life_left(sheet, avatar) <= card.life)

    def attack_dice(self, sheet: "BattleDice") -> int:
        """Return the number of attack dice (BD-14)."""
        return 1 + self.keyword_sum(sheet, "angriff")

    def defence_dice(self, sheet: "BattleDice") -> int:
        """Return the number of defence dice, including those for frost and effects (BD-14, BD-22, BD-25)."""
        fortresses = sum(one.card == SNOWBUDDIES for one in self.avatars)
        return 1 + self.keyword_sum(sheet, "verteidigung") + fortresses * self.frost + self.guard

    def flink(self, sheet: "BattleDice") -> int:
        """Return the points of Flink, including those of effects (BD-15)."""
        return self.keyword_sum(sheet, "flink") + self.nimble

    def zielsuchend(self, sheet: "BattleDice") -> int:
        """Return the damage that may be aimed, including that of effects (BD-17)."""
        return self.keyword_sum(sheet, "zielsuchend") + self.homing

    def heilung_dice(self, sheet: "BattleDice") -> int:
        """Return the dice of Heilung; an avatar without life left adds none (BD-18)."""
        return self.keyword_sum(sheet, "heilung", living=True) + self.healing

    def gauges(self, sheet: "BattleDice") -> Iterator[Gauge]:
        """Yield life and time mana, and during a game the deck."""
        yield Gauge("life", _("Life"), self.life, STARTING_LIFE,
                    self.nudge(sheet, "damage", "effect", points=1), self.nudge(sheet, "cure", points=1))
        yield Gauge("mana", _("Time mana"), self.mana, MAX_MANA,
                    self.nudge(sheet, "change-mana", by=-1) if self.mana else None,
                    self.nudge(sheet, "change-mana", by=1) if self.mana < MAX_MANA else None)
        if self.is_playing:
            yield Gauge("deck", _("Deck"), len(self.deck), sheet.size())

    def spread(self, sheet: "BattleDice") -> Iterator[tuple[Wording, list[Face]]]:
        """Yield the hand and the avatars during a game."""
        if not self.is_playing:
            return
        yield _("Hand"), [replace(self.face_in_play(sheet.card_named(name)), secret=True) for name in self.hand]
        yield _("Avatars"), [self.face_in_play(self.avatar_card(sheet, avatar), avatar, self.life_left(sheet, avatar))
                             for avatar in self.avatars]

    def board(self, sheet: "BattleDice") -> Any:
        """Return the values of the board's templates: the phase, its instructions, and the cards with their buttons."""
        rule, text = GUIDE.get(self.phase, ("", ""))
        phase = str(PHASES[self.phase])
        guide = text.format(n=self.damage_at_stake).removeprefix(f"{phase}: ")
        if self.phase == "enemy" and self.inflicted:
            guide = f"{TELL_DAMAGE} {guide[:1].upper()}{guide[1:]}"
        return {"phase": phase, "steps": turn_steps(self.phase), "next": next_turn_title(self.phase), "rule": rule,
                "guide": guide, "size": sheet.size(), "average": sheet.average and decimal(sheet.average, 1),
                **board_context(sheet, self)}

    @property
    def damage_at_stake(self) -> int:
        """The damage that the phase is about: the player's own while aiming it, else the opponent's (BD-16, BD-17)."""
        return self.inflicted if self.phase == "aim" else self.coming

    def face_in_play(self, card: Card, avatar: Avatar | None = None, left: int = 0) -> Face:
        """Return a card as it is shown in play; of an avatar with its life and tokens."""
        foot = [_("Life {left} of {life}").format(left=left, life=card.life), *avatar.tokens()] if avatar else []
        face = card.face()
        return Face(title=card.name_in_play, corner=face.corner, line=face.line, texts=face.texts,
                    foot=" · ".join(foot))

    def notices(self, sheet: "BattleDice") -> Iterator[Finding]:
        """Yield what has to be done now."""
        if self.phase in GUIDE:
            yield from self.phase_notices(*GUIDE[self.phase])
        if self.is_crowded:
            yield warning(_("{n} avatars are in play, but only {most} are allowed: destroy one."), rule="BD-13",
                          n=len(self.avatars), most=MAX_AVATARS)
        if (self.phase == "enemy" and rolls.exceeds_limits(self.defence_dice(sheet), flink=self.flink(sheet))) or (
                self.phase == "battle" and self.attack_dice(sheet) > rolls.MAX_DICE):
            yield warning(rolls.TOO_MANY_DICE, rule="BD-14")
        if self.marks:
            yield warning(_("{n} damage marks may be removed."), rule="BD-18", n=self.marks)

    def phase_notices(self, rule: str, text: Wording) -> Iterator[Finding]:
        """Yield the instructions of the phase, and the damage that the opponent's effects bring."""
        if self.threat is not None and self.phase == "enemy":
            yield warning(ATTACK_ANNOUNCED, rule=rule, n=self.threat)
        else:
            yield warning(text, rule=rule, n=self.damage_at_stake)
        for blow in self.blows:
            yield warning(_("{n} damage hits {target}: take it, or use a Steel Guardian."), rule="BD-24",
                          n=blow.points, target=self.target_label(blow.target))

    @staticmethod
    def target_label(target: str) -> str:
        """Return the label of a target of damage."""
        return str(_("the mage")) if target == MAGE_TARGET else target

    @property
    def is_crowded(self) -> bool:
        """True if there are too many avatars, so that one has to be destroyed first (BD-13)."""
        return len(self.avatars) > MAX_AVATARS

    def draw_roll(self, cards: int | None = None) -> Draw | None:
        """Return the roll that draws `cards` cards, by default up to a full hand (BD-11); None if nothing is drawn."""
        deck, spare = (self.deck, self.discard) if self.deck else (self.discard, [])
        draws = min(HAND_SIZE - len(self.hand) if cards is None else cards, len(deck) + len(spare))
        return Draw(cards=len(deck), draws=draws, spare=len(spare)) if draws > 0 else None

    def draw_cards(self, places: list[int]) -> "BattleDicePlay":
        """Return the state with the cards at these positions drawn; the discard pile refills an empty deck (BD-11)."""
        deck, hand, discard = list(self.deck), list(self.hand), list(self.discard)
        for place in places:
            if not deck:
                deck, discard = discard, []
            hand.append(deck.pop(place - 1))
        if not deck:
            deck, discard = discard, []
        return self.evolve(deck=deck, hand=hand, discard=discard)

    def without_card(self, name: str) -> "BattleDicePlay":
        """Return the state without one card of that name in hand."""
        hand = list(self.hand)
        hand.remove(name)
        return self.evolve(hand=hand)

    def discard_card(self, name: str) -> "BattleDicePlay":
        """Return the state with a card from the hand on the discard pile."""
        play = self.without_card(name)
        return play.evolve(discard=[*play.discard, name])

    def end_turn(self, **changes: Any) -> "BattleDicePlay":
        """Return the state at the end of the player's turn; in a game alone, frost on the avatars melts (BD-25)."""
        avatars = self.avatars if self.versus else [avatar.melt_frost() for avatar in self.avatars]
        return self.evolve(phase=self.waiting_phase, avatars=avatars, **changes)

    @property
    def waiting_phase(self) -> Phase:
        """The phase during the opponent's turn, in which the player waits."""
        return "wait" if self.versus else "enemy"

    def add_mana(self, more: int) -> "BattleDicePlay":
        """Return the state with time mana gained, up to 10 (BD-12), or paid if `more` is negative."""
        return self.evolve(mana=min(MAX_MANA, max(0, self.mana + more)))

    def count_suffered(self, points: int) -> "BattleDicePlay":
        """Return the state with damage added to what was suffered in the opponent's turn (BD-24, BD-26)."""
        if self.phase not in ("enemy", "quick", "aimed", "block", "heal", "end"):
            return self
        return self.evolve(suffered=min(HIGHEST, self.suffered + points))

    def damage_mage(self, points: int) -> "BattleDicePlay":
        """Return the state with life of the mage lost; without any left the game is lost (BD-16)."""
        life = max(0, self.life - points)
        return self.evolve(life=life, phase="lost" if self.is_playing and not life else self.phase)

    def with_avatar(self, index: int, **changes: Any) -> "BattleDicePlay":
        """Return the state with some fields of an avatar changed."""
        avatars = list(self.avatars)
        avatars[index] = avatars[index].model_copy(update=changes)
        return self.evolve(avatars=avatars)

    def damage_avatar(self, index: int, points: int) -> "BattleDicePlay":
        """Return the state with damage marks on an avatar."""
        return self.with_avatar(index, damage=min(HIGHEST, self.avatars[index].damage + points))

    def remove_avatar(self, sheet: "BattleDice", index: int, *, dying: bool) -> "BattleDicePlay":
        """Return the state without an avatar; its card is discarded, a token is not, and dying pays Seelenernte."""
        removed, avatars = self.avatars[index], self.avatars[:index] + self.avatars[index + 1:]
        is_token = self.avatar_card(sheet, removed).has_keyword("tokenavatar")
        play = self.evolve(avatars=avatars, discard=self.discard if is_token else [*self.discard, removed.card])
        if self.versus and not any(avatar.card == SNOWBUDDIES for avatar in avatars):
            # Without Snowbuddies, frost tokens have no effect; Crossing removes those of the opponent's avatars.
            play = play.evolve(frost=0, fresh=0)
        return play.add_mana(self.avatar_sum(sheet, removed, "seelenernte")) if dying else play

    def remove_dead_avatars(self, sheet: "BattleDice") -> "BattleDicePlay":
        """Return the state without the avatars that have no life left; each pays Seelenernte (BD-16)."""
        play = self
        for index in reversed(range(len(self.avatars))):
            if not self.life_left(sheet, self.avatars[index]):
                play = play.remove_avatar(sheet, index, dying=True)
        return play

    def add_minion(self, minion: str) -> "BattleDicePlay":
        """Return the state with a new Dice Minion among the avatars (BD-19)."""
        return self.evolve(avatars=[*self.avatars, Avatar(card=str(MINIONS[minion]))], minion=True)

    def assign_damage(self, points: int) -> "BattleDicePlay":
        """Return the state with some of the coming damage assigned; once none is left, Heilung follows (BD-18)."""
        left = max(0, self.coming - points)
        play = self.evolve(coming=left, suffered=min(HIGHEST, self.suffered + points))
        return play if left or play.phase != "block" else play.evolve(phase="heal")

    def begin_turn(self) -> "BattleDicePlay":
        """Return the state at the start of the player's turn, with the counts of the last round cleared."""
        cleared = {"minion": False, "homing": 0, "guard": 0, "nimble": 0, "healing": 0, "suffered": 0, "coming": 0,
                   "marks": None, "reacted": [], "inflicted": 0, "attackers": [], "defenders": [], "threat": None,
                   "aimable": False, "aims": 0, "jabs": 0, "dealing": 0}
        return self.evolve(phase="chaos", **cleared)


def card_names(sheet: "BattleDice") -> list[str]:
    """Return the names of all cards in a deck; their order does not matter, as drawing picks a random position."""
    return [card.name_in_play for _row, card in sheet.distinct_cards for _copy in range(card.copies)]
