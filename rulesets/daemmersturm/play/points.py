"""Points at the table (DS-05a, DS-10)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.catalogue import ACTION_LABELS, ACTIONS, Action
from rulesets.daemmersturm.play.state import POOLS, Pool
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm


def after_paying(sheet: "Daemmersturm", play: "DaemmersturmPlay", pool: str, points: int) -> "DaemmersturmPlay":
    """Return the state after paying from a pool; raise `Refused` if too few points are left."""
    left = play.points_left(sheet, pool)
    if points > left:
        message = _("{pool}: {n} needed, but only {left} left in this Kampfabschnitt.")
        raise Refused(message.format(pool=POOLS[pool], n=points, left=left))
    return play.evolve(**{pool: getattr(play, pool) + points})


class UseAction(Act):
    """DS-05a: use an action ability, at its usual cost or at a modified one."""

    ability: Action = field(_("Which ability?"), choices=ACTION_LABELS)
    cost: Count | None = field(_("At what cost?"), None, help=_("Leave empty to pay the usual cost."))
    title, rules = _("Use an action ability"), ("DS-05a", "DS-10")
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while action points are left; each ability paid with focus points, while those are left."""
        if play.down:
            return
        if play.points_left(sheet, "action_points"):
            yield cls.offer(note=_("{n} left").format(n=play.points_left(sheet, "action_points")))
        for key, (_usual, pool, _told) in ACTIONS.items():
            if pool == "focus_points" and play.points_left(sheet, pool):
                yield cls.offer("", key, ACTION_LABELS[key], ability=key)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Deduct the points."""
        cost, pool, _told = ACTIONS[self.ability]
        return after_paying(sheet, play, pool, cost if self.cost is None else self.cost)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the ability, what it does, and the points left."""
        _usual, pool, text = ACTIONS[self.ability]
        return _("{name}: {text} {pool} left: {left}").format(
            name=ACTION_LABELS[self.ability], text=text, pool=POOLS[pool], left=play.points_left(sheet, pool))


class Spend(Act):
    """DS-10: spend points of any pool on any ability."""

    pool: Pool = field(_("Paid with"), choices=POOLS)
    points: Count = field(_("How many points?"), 1)
    what: Name = field(_("What for?"), "")
    title, rules = _("Spend points"), ("DS-10", "DS-05a")
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it for each pool with points left; shadow, light and elements have acts of their own."""
        for pool in POOLS:
            own = pool == "magic_points" and play.resource_in_use(sheet) in ("shadow", "light", "elements")
            if not own and not play.down and (left := play.points_left(sheet, pool)):
                yield cls.offer(_("Spend: {pool}").format(pool=POOLS[pool]), pool,
                                _("{n} left").format(n=left), pool=pool)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Deduct the points."""
        return after_paying(sheet, play, self.pool, self.points)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say what they are spent on, and how many are left."""
        text = _("{n} spent on {what}, {left} left") if self.what.strip() else _("{n} spent, {left} left")
        return text.format(n=self.points, what=self.what.strip(), left=play.points_left(sheet, self.pool))


class GetBack(Act):
    """DS-10: regain points by an ability."""

    pool: Pool = field(_("Points"), choices=POOLS)
    points: Count = field(_("How many points?"), 1)
    title, rules = _("Get points back"), ("DS-10",)
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it for each pool from which points were spent."""
        for pool in POOLS:
            if getattr(play, pool) and not play.down:
                yield cls.offer(_("Get back: {pool}").format(pool=POOLS[pool]), pool, pool=pool)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Add the points, up to the pool's maximum."""
        return play.evolve(**{self.pool: max(0, getattr(play, self.pool) - self.points)})

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say how many there are now."""
        return _("{n} left").format(n=play.points_left(sheet, self.pool))
