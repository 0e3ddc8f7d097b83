"""The notices about the state of a fight (SZ-06, SZ-24, SZ-31 to SZ-36)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts.catalogue import PLACES
from rulesets.kit import Finding, warning

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts

UNAPPLIED = _("The result of “Weaken the enemy” is not applied yet; it still counts.")
LAPSED = _("The result of “Weaken the enemy” was not applied, and its fight is over: it no longer counts.")


def for_sheet(sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Finding]:
    """Yield the notices about the current round, and about leaving a fight or joining it by “Take a risk”."""
    if play.weakening:
        yield warning(_("Anyone weakening the enemy adds no combat die this round."), rule="SZ-33")
    if play.unapplied:
        yield warning(UNAPPLIED, rule="SZ-24")
    if play.weakened_fight == play.fight_at_hand - 1 and not play.fighting:
        yield warning(LAPSED, rule="SZ-24")
    if play.danger_level is not None and play.danger_level > 2 * PLACES:
        yield warning(_("The danger level is {n}; above 12 it must be lowered before the fight can be won."),
                      rule="SZ-31", n=play.danger_level)
    if play.taken_over:
        yield warning(_("Weak points taken over: {faces}."), rule="SZ-36", faces=play.taken_over)
    if play.second_die and play.combat_die is None:
        yield warning(_("A second combat die next round; the better one counts."), rule="SZ-34")
    if play.fighting and play.risk_won and play.fighters != 1:
        yield warning(_("“Take a risk” succeeded: the character may leave the fight this round."), rule="SZ-36")
    if play.danger_level is not None and play.free and not (play.fighting or play.out_of_action or play.risk_won) and \
            not play.effective(sheet).may_fight(sheet.house):
        yield warning(_("Without a weapon or a word fit for combat, the character joins the fight only after a "
                        "successful “Take a risk”."), rule="SZ-06")
