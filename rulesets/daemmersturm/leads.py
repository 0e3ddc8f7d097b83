"""The acts to which rolls of damage and healing lead for whoever made them (DS-10, DS-22, DS-57)."""

from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import rolls
from rulesets.daemmersturm.play.fight import Damage, Heal
from rulesets.daemmersturm.play.magic import DealDamage
from rulesets.daemmersturm.rolls.damage import DAMAGE
from rulesets.dice import Outcome
from rulesets.kit import HIGHEST, Offer


def paying(roll: Any, outcome: Outcome) -> Iterator[Offer]:
    """DS-57: damage that was dealt pays its part, but none to oneself."""
    if outcome.value and roll.victim != "own":
        yield DealDamage.offer(_("Pay the shadow with {damage}").format(
            damage=DAMAGE.format(n=outcome.value)), points=min(HIGHEST, outcome.value))


def taking(roll: Any, outcome: Outcome) -> Iterator[Offer]:
    """DS-22: where there is no table to bring it, whoever fumbled takes what comes back."""
    if outcome.value and roll.victim == "own":
        yield Damage.offer(_("Take {damage}").format(damage=DAMAGE.format(n=outcome.value)), without_target=True,
                            points=min(HIGHEST, outcome.value), source=roll.source)


def healing(_roll: rolls.Healing, outcome: Outcome) -> Iterator[Offer]:
    """DS-10: whoever aimed at nobody heals themselves."""
    if outcome.value:
        yield Heal.offer(without_target=True, points=min(HIGHEST, outcome.value))


def both(*leads: Any) -> Callable[[Any, Any], Iterator[Offer]]:
    """Return what leads to what each of these does."""
    return lambda roll, outcome: (offer for lead in leads for offer in lead(roll, outcome))
