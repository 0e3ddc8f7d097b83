"""An exchange of blows between two characters (CD-41, CD-45)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.condice import rolls
from rulesets.fight import Blow
from rulesets.kit import Contest, ContestOdds, Count, Offer, PositiveLife, by_turns, field

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice


class Blows(Contest):
    """CD-41, CD-45: one side of a fight; both attack in turn until one has no life points left."""

    dice: Count = field(_("Attack dice"), 4)
    defence: Count = field(_("Defence"), rolls.TYPICAL_DEFENCE)
    life: PositiveLife = field(_("Life points now"), 10)
    title, rules = _("Exchange of blows"), ("CD-41", "CD-45", "CD-46")
    assumptions = (
        _("Both stay within range of each other, and each turn is one attack, always the same one."),
        _("Dice, defence and life are the current ones, boosts and losses included, and do not change during the "
          "fight."),
        _("No healing, no other abilities, no rerolls, no extra dice."),
        _("Whoever reaches 0 life points first loses. In play the fight would go on from there, with points lost."),
    )

    @classmethod
    def offers_for(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Yield an offer for each attack, as changed by boosts and losses."""
        now = play.effective(sheet)
        given: dict[str, Any] = {"defence": now.defence, "life": play.life_left(sheet)}
        for index, attack in enumerate(now.attacks):
            yield cls.offer(f"{attack.label}: {rolls.DICE.format(n=attack.dice)}", f"attacks.{index}",
                            dice=attack.dice, **given)
        if not now.attacks:
            yield cls.offer(_("Without an attack"), "none", dice=0, **given)

    def meet(self, other: Any) -> Iterator[ContestOdds]:
        """Yield the odds of the whole fight, then those of one attack of each side."""
        first = rolls.Attack(dice=self.dice, defence=other.defence)
        second = rolls.Attack(dice=other.dice, defence=self.defence)
        mine = Blow.from_weights({(0, damage): weight for damage, weight in first.odds().numbers.items()})
        theirs = Blow.from_weights({(damage, 0): weight for damage, weight in second.odds().numbers.items()})
        yield from by_turns((self.life, other.life), [lambda _first, _second: mine], [lambda _first, _second: theirs])
        yield ContestOdds.of(_("A blow by {first}"), first)
        yield ContestOdds.of(_("A blow by {second}"), second)
