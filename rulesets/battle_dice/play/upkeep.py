"""Acts that no phase asks for: tokens of the enemy, what cards change, the end of a game (BD-16, BD-25, BD-27)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.fight import named
from rulesets.battle_dice.play.guarding import guarded, guardians
from rulesets.battle_dice.play.phases import OWN
from rulesets.battle_dice.play.state import BattleDicePlay
from rulesets.battle_dice.play.turn import Change
from rulesets.kit import Act, Count, Offer, Play, Refused, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.sheet import BattleDice


class Strike(Act):
    """An effect damages an avatar outside of the battle dice (BD-24, BD-26); it dies at once where its life is 0."""

    target: Count = field(_("Which avatar?"))
    points: Count = field(_("How much damage?"), 1)
    guardian: Count | None = field(_("Steel Guardian"), None)
    title, rules, group = _("An effect damages an avatar"), ("BD-24", "BD-26"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it while there are avatars and no other damage is being dealt."""
        if play.avatars and play.playing and play.phase not in ("block", "heal"):
            among = {"target": dict(enumerate(named(play)))}
            yield cls.asking(among=among, guardian=None)
            yield from (cls.asking(title, f"avatars.{index}.guardian", among=among, rare=True, guardian=index)
                        for index, title in guardians(sheet, play, cls.title))

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Marks, and what follows from them."""
        row(play.avatars, self.target)
        play, points = guarded(sheet, play, self.guardian, self.points)
        return play.struck(self.target, points).suffering(points).settled(sheet)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Say how much damage it is."""
        return rolls.DAMAGE.format(n=max(0, self.points - (self.guardian is not None)))


class Frost(Act):
    """BD-25: the enemy's frost token on an avatar comes or goes."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Frost token"), ("BD-25",), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer one for each avatar in the enemy's turn; what is frosted can be thawed at any time."""
        for index, one in enumerate(play.avatars if play.playing and not play.versus else ()):
            if one.frosted or play.phase not in OWN:
                title = _("Thaw {card}") if one.frosted else _("{card} gets a frost token")
                # By its key a page that is older thaws nothing that was frosted meanwhile, and the other way round.
                key = f"avatars.{index}.thaw" if one.frosted else f"avatars.{index}"
                yield cls.asking(title.format(card=named(play)[index]), key, index=index)

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Turned over."""
        return play.with_avatar(self.index, frost=int(not row(play.avatars, self.index).frost))

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Its title has said it all."""
        return ""


class Melt(Act):
    """BD-25: a frost token that one threw is gone, with its avatar or by a card."""

    tokens: Count = field(_("How many?"), 1)
    title, rules, group = _("A frost token of yours is gone"), ("BD-25",), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it while there are some."""
        if play.playing and play.frost and not play.versus:
            yield cls.asking(tokens=1, note=_("{n} on enemy avatars").format(n=play.frost))

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """So many fewer."""
        if not play.frost and not play.versus:
            raise Refused(_("No frost token of yours is on an enemy avatar."))
        return play.with_(frost=max(0, play.frost - self.tokens))

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Say how many are left."""
        return _("{n} on enemy avatars").format(n=play.frost)


class ChangeMana(Act):
    """BD-27: a card gives or takes time mana; where it disagrees with the rules, the card wins."""

    by: Change = field(_("By how much?"), help=_("Below 0 to lose some."))
    title, rules, group = _("A card changes your time mana"), ("BD-27", "BD-12"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it while one plays."""
        if play.playing:
            yield cls.asking()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Not above 10 and not below 0."""
        return play.richer(self.by)

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """Say how much time mana is held now."""
        return _("{by}, {n} time mana held").format(by=f"{self.by:+d}".replace("-", "−"), n=play.mana)


class Win(Act):
    """BD-16: the enemy is at 0 life, or a card says so."""

    title, rules, group = _("Report the win"), ("BD-16", "BD-26"), headings.GAME

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it while one plays."""
        if play.playing and not play.versus:
            yield cls.asking(note=_("once the enemy is at 0 life, or a card of yours says so"))

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Won."""
        return play.with_(phase="won")

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """The end."""
        return _("Won with {n} life left").format(n=play.life)


class Lose(Act):
    """BD-16, BD-26: a card of the enemy says that they win, as three cake tokens do."""

    title, rules, group = _("A card of the enemy wins the game"), ("BD-16", "BD-26"), headings.GAME

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it while one plays."""
        if play.playing:
            title = _("Give up, or a card of the other one wins") if play.versus else ""
            yield cls.asking(title, rare=not play.versus)

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Lost."""
        return play.with_(phase="lost")

    def tell(self, sheet: "BattleDice", play: BattleDicePlay) -> str:
        """The end."""
        return _("Lost with {n} life left").format(n=play.life)


class EndGame(Act):
    """The table is cleared; the deck is whole again."""

    title, rules, group = _("End the game and clear the table"), ("BD-10",), headings.GAME

    @classmethod
    def offered(cls, sheet: "BattleDice", play: BattleDicePlay) -> Iterator[Offer]:
        """Offer it once there is something to clear."""
        if play != BattleDicePlay() and not (play.versus and play.playing):
            yield cls.asking()

    def apply(self, sheet: "BattleDice", play: BattleDicePlay, outcome: Thrown = None) -> Play:
        """Set back."""
        return BattleDicePlay()
