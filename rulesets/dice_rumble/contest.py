"""A fight of duels between two characters (DR-12, DR-16)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.talents import BRAWL
from rulesets.fight import Blow
from rulesets.kit import ENDS, HIGHEST, Contest, ContestOdds, Count, Offer, PositiveLife, by_rounds, field

if TYPE_CHECKING:
    from rulesets.dice_rumble.play.state import DiceRumblePlay
    from rulesets.dice_rumble.sheet import DiceRumble


class Duels(Contest):
    """DR-12, DR-16: one duel after another until one side has no life left."""

    threshold: Count = field(rolls.THRESHOLD, 6)
    modifier: rolls.Modifier = field(rolls.MODIFIER, 0)
    weapon: Count = field(rolls.WEAPON, 0)
    life: PositiveLife = field(_("Life points now"), 10)
    title, rules = _("Duels"), ("DR-12", "DR-11", "DR-16")
    assumptions = (
        _("Whoever acts attacks and the other strikes back, so each round is one duel, and it does not matter who "
          "starts."),
        _("The difference of the rolls is the damage, and the weapon adds its own."),
        _("If both succeed with equal rolls, the higher threshold without the GM's modifier wins; if that is equal "
          "too, both reroll."),
        _("No fate points, no dodging, no waiting; the GM's modifiers stay."),
        _("Whoever reaches 0 life points or fewer first loses. The GM decides what becomes of that character."),
    )

    @classmethod
    def offers_for(cls, sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
        """Yield each weapon with the talent it is used with, then bare hands."""
        now = play.effective(sheet)
        life = play.life(sheet)
        given: dict[str, Any] = {} if life is None else {"life": life}
        arms = [(one.label, f"weapons.{index}", one.talent, one.damage) for index, one in enumerate(now.weapons)]
        for label, key, talent, damage in [*arms, (_("Unarmed"), "unarmed", BRAWL, 0)]:
            found = now.talent(talent)
            threshold = now.threshold(found) if found else None
            if found and threshold is not None:
                yield cls.offer(f"{label}: {found.label} {threshold}", key, threshold=min(HIGHEST, threshold),
                                weapon=damage, **given)

    def duel_fields(self, other: "Duels") -> dict[str, int]:
        """Return both sides' thresholds and modifiers as fields of a duel."""
        return {"threshold": self.threshold, "modifier": self.modifier,
                "opponent": other.threshold, "opponent_modifier": other.modifier}

    def meet(self, other: Any) -> Iterator[ContestOdds]:
        """Yield the whole fight, one duel, and the damage of either side in it."""
        mine = rolls.DuelDamage(**self.duel_fields(other), weapon=self.weapon)
        theirs = rolls.DuelDamage(**other.duel_fields(self), weapon=other.weapon)
        dealt, taken = mine.odds(), theirs.odds()
        chances = {(0, damage): dealt.chances[damage] for damage in dealt.numbers if damage}
        chances |= {(damage, 0): taken.chances[damage] for damage in taken.numbers if damage}
        duel = Blow.from_chances({**chances, (0, 0): 1 - sum(chances.values(), Fraction(0))})
        yield from by_rounds((self.life, other.life), lambda _first, _second: duel)
        yield ContestOdds.of(_("One duel"), rolls.Duel(**self.duel_fields(other)), {
            "win": ENDS["first"], "lose": ENDS["second"], "neither": rolls.Duel.outcomes["neither"]})
        yield ContestOdds.of(_("Damage by {first}"), mine)
        yield ContestOdds.of(_("Damage by {second}"), theirs)
