"""The acts that follow from rolls of damage and healing for the character that rolled (DS-10, DS-22, DS-57)."""

from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import rolls
from rulesets.daemmersturm.play.fight import Damage, Heal
from rulesets.daemmersturm.play.magic import DealDamage
from rulesets.daemmersturm.rolls.damage import DAMAGE
from rulesets.dice import Outcome
from rulesets.kit import HIGHEST, Offer


def offer_shadow_payment(roll: Any, outcome: Outcome) -> Iterator[Offer]:
    """DS-57: offer to pay the shadow with the damage dealt, unless it was dealt to oneself."""
    if outcome.value and roll.victim != "own":
        yield DealDamage.offer(_("Pay the shadow with {damage}").format(
            damage=DAMAGE.format(n=outcome.value)), points=min(HIGHEST, outcome.value))


def offer_own_damage(roll: Any, outcome: Outcome) -> Iterator[Offer]:
    """DS-22: without a table to bring it, offer the damage of a fumble to the character that made the fumble."""
    if outcome.value and roll.victim == "own":
        yield Damage.offer(_("Take {damage}").format(damage=DAMAGE.format(n=outcome.value)), without_target=True,
                            points=min(HIGHEST, outcome.value), source=roll.source)


def offer_own_healing(_roll: rolls.Healing, outcome: Outcome) -> Iterator[Offer]:
    """DS-10: offer the healing to the character that rolled, if there was no target."""
    if outcome.value:
        yield Heal.offer(without_target=True, points=min(HIGHEST, outcome.value))


def combined(*leads: Any) -> Callable[[Any, Any], Iterator[Offer]]:
    """Return a function that yields the offers of each of these functions in turn."""
    return lambda roll, outcome: (offer for lead in leads for offer in lead(roll, outcome))
