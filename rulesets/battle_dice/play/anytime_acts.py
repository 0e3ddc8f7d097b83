"""Acts outside the phases: effects, frost tokens, time mana, the end of a game (BD-16, BD-25, BD-27)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.enemy_turn import avatar_names
from rulesets.battle_dice.play.guardians import apply_guardian, guardian_titles
from rulesets.battle_dice.play.own_turn import Change
from rulesets.battle_dice.play.phases import OWN_PHASES
from rulesets.battle_dice.play.state import BattleDicePlay
from rulesets.kit import Act, Count, Offer, Play, Refused, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.sheet import BattleDice


class Strike(Act):
    """BD-24, BD-26: an effect damages an avatar outside the battle dice; without life left it dies at once."""

    target: Count = field(_("Which avatar?"))
    points: Count = field(_("How much damage?"), 1)
    guardian: Count | None = field(_("Steel Guardian"), None)
    title, rules, group = _("An effect damages an avatar"), ("BD-24", "BD-26"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it while there are avatars and no other damage is being dealt."""
        if play.avatars and play.is_playing and play.phase not in ("block", "heal"):
            among = {"target": dict(enumerate(avatar_names(play)))}
            yield cls.offer(among=among, guardian=None)
            yield from (cls.offer(title, f"avatars.{index}.guardian", among=among, rare=True, guardian=index)
                        for index, title in guardian_titles(sheet, play, cls.title))

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Mark the damage, and remove dead avatars."""
        row(play.avatars, self.target)
        play, points = apply_guardian(sheet, play, self.guardian, self.points)
        return play.damage_avatar(self.target, points).count_suffered(points).remove_dead_avatars(sheet)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return the damage."""
        return rolls.DAMAGE_LABEL.format(n=max(0, self.points - (self.guardian is not None)))


class Frost(Act):
    """BD-25: put the opponent's frost token on an avatar, or take it off."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Frost token"), ("BD-25",), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it for each avatar: a token in the opponent's turn, thawing at any time."""
        for index, avatar in enumerate(play.avatars if play.is_playing and not play.versus else ()):
            if avatar.is_frosted or play.phase not in OWN_PHASES:
                title = _("Thaw {card}") if avatar.is_frosted else _("{card} gets a frost token")
                # Different keys, so that a press on an outdated page does not undo what was done meanwhile.
                key = f"avatars.{index}.thaw" if avatar.is_frosted else f"avatars.{index}"
                yield cls.offer(title.format(card=avatar_names(play)[index]), key, index=index)

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Toggle the token."""
        return play.with_avatar(self.index, frost=int(not row(play.avatars, self.index).frost))

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return nothing, because the title says it all."""
        return ""


class Melt(Act):
    """BD-25: a frost token on an opposing avatar is gone, with the avatar or by a card."""

    tokens: Count = field(_("How many?"), 1)
    title, rules, group = _("One of your frost tokens is gone"), ("BD-25",), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it while there are some."""
        if play.is_playing and play.frost and not play.versus:
            yield cls.offer(tokens=1, note=_("{n} on opposing avatars").format(n=play.frost))

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Count the tokens down."""
        if not play.frost and not play.versus:
            raise Refused(_("None of your frost tokens is on an opposing avatar."))
        return play.evolve(frost=max(0, play.frost - self.tokens))

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return the number of tokens left."""
        return _("{n} on opposing avatars").format(n=play.frost)


class ChangeMana(Act):
    """BD-27: a card gives or takes time mana."""

    by: Change = field(_("By how much?"), help=_("A negative number takes some away."))
    title, rules, group = _("A card changes your time mana"), ("BD-27", "BD-12"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it during a game."""
        if play.is_playing:
            yield cls.offer()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Change the time mana, within 0 and 10."""
        return play.add_mana(self.by)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return the change and the time mana."""
        return _("{by}, now {n} time mana").format(by=f"{self.by:+d}".replace("-", "−"), n=play.mana)


class Win(Act):
    """BD-16: win the game, because the opponent has no life left or a card says so."""

    title, rules, group = _("Report the win"), ("BD-16", "BD-26"), headings.GAME

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it during a game alone."""
        if play.is_playing and not play.versus:
            yield cls.offer(note=_("when the opponent is at 0 life, or one of your cards says so"))

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """End the game as won."""
        return play.evolve(phase="won")

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return the result."""
        return _("Won with {n} life left").format(n=play.life)


class Lose(Act):
    """BD-16, BD-26: lose the game, because the player gives up or a card of the opponent wins."""

    title, rules, group = _("The opponent wins by a card"), ("BD-16", "BD-26"), headings.GAME

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it during a game."""
        if play.is_playing:
            title = _("Give up, or the opponent wins by a card") if play.versus else ""
            yield cls.offer(title, rare=not play.versus)

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """End the game as lost."""
        return play.evolve(phase="lost")

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Return the result."""
        return _("Lost with {n} life left").format(n=play.life)


class EndGame(Act):
    """BD-10: end the game and clear the table."""

    title, rules, group = _("End the game and clear the table"), ("BD-10",), headings.GAME

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it if there is anything to clear, but not during a game of two."""
        if play != BattleDicePlay() and not (play.versus and play.is_playing):
            yield cls.offer()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Return the state without a game."""
        return BattleDicePlay()
