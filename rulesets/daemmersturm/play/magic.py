"""Magic at the table: the resource, light, elements, shadow, channelling (DS-06, DS-54 to DS-57)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings, rolls
from rulesets.daemmersturm.catalogue import RESOURCES, Resource
from rulesets.daemmersturm.play.points import after_paying
from rulesets.daemmersturm.play.state import ELEMENTS, Element
from rulesets.daemmersturm.texts import bounded
from rulesets.kit import HIGHEST, Act, Count, Offer, Play, Refused, Roll, Thrown, field

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm

DEMANDED = 3
"""Damage that each shadow point demands (DS-57)."""


class ChooseResource(Act):
    """DS-06: before each fight a caster decides which resource to use."""

    resource: Resource = field(_("Which resource?"), choices=RESOURCES)
    title, rules = _("Choose the magic resource"), ("DS-06",)
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it to characters with a resource, except in a round in which they have already used it."""
        if (play.resource_in_use(sheet) != "none" or sheet.resource != "none") and not cls.in_use(play):
            yield cls.offer(note=_("Before a fight; now: {what}").format(what=RESOURCES[play.resource_in_use(sheet)]))

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Set the resource; only one can be used at a time."""
        if self.in_use(play):
            raise Refused(_("This round already uses the other resource; choose before a fight."))
        return play.evolve(resource=None if self.resource == sheet.resource else self.resource)

    @staticmethod
    def in_use(play: "DaemmersturmPlay") -> bool:
        """Return True if this round has an element or used shadow; another resource would lift their limits."""
        return bool(play.element or play.shadow_used or play.shadow_owed)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the resource."""
        return _("Magic resource: {what}").format(what=RESOURCES[self.resource])


class CallLight(Act):
    """DS-55: the light test before a light ability; a failure costs no light points."""

    points: Count = field(_("How many light points does the ability cost?"), 1)
    action_points: Count = field(_("How many action points to cover a shortfall?"), 0)
    title, rules = _("Use light"), ("DS-55", "DS-10")
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it to those who use light and have some left."""
        if play.resource_in_use(sheet) == "light" and play.points_left(sheet, "magic_points") and not play.down:
            none: dict[str, Any] = {} if play.points_left(sheet, "action_points") else {"action_points": 0}
            yield cls.offer(note=_("{n} left").format(n=play.points_left(sheet, "magic_points")), **none)

    def roll(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Roll:
        """Return the light test with the current bonus."""
        after_paying(sheet, after_paying(sheet, play, "magic_points", self.points), "action_points", self.action_points)
        return rolls.Light(bonus=bounded(play.effective(sheet).magic.attack), armour_class=sheet.armour_class,
                           action_points=self.action_points)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """If the test succeeds, spend the light points, and action points for the shortfall."""
        if outcome.value == "fails":
            return play
        play = after_paying(sheet, play, "magic_points", self.points)
        return after_paying(sheet, play, "action_points", outcome.figures["short"])

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say how many points are left."""
        return _("Light points left: {n}").format(n=play.points_left(sheet, "magic_points"))


class ChooseElement(Act):
    """DS-56: choose one element for the round; a die limits the points that may be spent on it."""

    element: Element = field(_("Which element?"), choices=ELEMENTS)
    title, rules = _("Choose an element"), ("DS-56",)
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it once a round to those who use elements."""
        if play.resource_in_use(sheet) == "elements" and play.pool_size(sheet, "magic_points") and not (
                play.element or play.down):
            yield cls.offer()

    def roll(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Roll:
        """Return a roll from 0 to the maximum of points."""
        if play.element:
            raise Refused(_("The element of this round is {what}.").format(what=ELEMENTS[play.element]))
        return rolls.Elements(maximum=play.pool_size(sheet, "magic_points"))

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Store how many points may be spent on the element in this round."""
        return play.evolve(element=self.element, element_points=outcome.value)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the element; the roll already shows the number of points."""
        return str(ELEMENTS[self.element])


class UseElement(Act):
    """DS-56: spend points on the element of the round."""

    points: Count = field(_("How many points?"), 1)
    title, rules = _("Use the element"), ("DS-56", "DS-10")
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while points may be spent on the element in this round."""
        if play.element and play.element_points and play.points_left(sheet, "magic_points") and not play.down:
            yield cls.offer(note=_("{element}: up to {n} this round").format(
                element=ELEMENTS[play.element], n=play.element_points))

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Deduct the points from those of the round and of the Kampfabschnitt."""
        if self.points > play.element_points:
            message = _("{n} points are too many; the die allows only {most} more this round.")
            raise Refused(message.format(n=self.points, most=play.element_points))
        play = after_paying(sheet, play, "magic_points", self.points)
        return play.evolve(element_points=play.element_points - self.points)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say how many points are left."""
        return _("Element points left: {n}").format(n=play.points_left(sheet, "magic_points"))


class UseShadow(Act):
    """DS-57: shadow points are not spent; they limit a round and demand damage."""

    points: Count = field(_("How many shadow points does the ability cost?"), 1)
    title, rules = _("Use shadow"), ("DS-57",)
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while shadow points are left in this round."""
        if play.resource_in_use(sheet) == "shadow" and play.points_left(sheet, "magic_points") and not play.down:
            yield cls.offer(note=_("{n} more this round").format(n=play.points_left(sheet, "magic_points")))

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Add three points of demanded damage for each shadow point."""
        left = play.points_left(sheet, "magic_points")
        if self.points > left:
            message = _("{n} shadow points are too many; this round allows only {left} more.")
            raise Refused(message.format(n=self.points, left=left))
        owed = min(HIGHEST, play.shadow_owed + DEMANDED * self.points)
        return play.evolve(shadow_used=play.shadow_used + self.points, shadow_owed=owed)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say how much damage is demanded."""
        return _("The shadow demands {n} damage this turn").format(n=play.shadow_owed)


class DealDamage(Act):
    """DS-57: damage dealt in the turn pays what the shadow demands; a magic shield averts it."""

    points: Count = field(_("How much damage was dealt or averted?"))
    title, rules = _("Pay the shadow"), ("DS-57",)
    group, once_applied = headings.MAGIC, True

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while damage is demanded."""
        if play.shadow_owed:
            yield cls.offer(note=_("{n} demanded").format(n=play.shadow_owed))

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Lower the demanded damage by the damage dealt."""
        return play.evolve(shadow_owed=max(0, play.shadow_owed - self.points))

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say how much damage is still demanded."""
        return _("{n} demanded").format(n=play.shadow_owed)


class Channel(Act):
    """DS-54: begin a spell; K is the number of rounds that it is channelled."""

    rounds: Count = field(_("How many rounds of channelling (K)?"), 1)
    title, rules = _("Start channelling"), ("DS-54",)
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while nothing is channelled."""
        if play.channelling is None and not play.down:
            yield cls.offer(rare=play.resource_in_use(sheet) == "none")

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Store the spell, which is completed in the turn after K rounds; an instant one (0) needs no channelling."""
        return play.evolve(channelling=self.rounds or None)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the number of rounds as the rules write it: "K=2"."""
        return f"K={self.rounds}"


class HoldOn(Act):
    """DS-54: keep channelling after damage, if the roll allows it."""

    title, rules = _("Does the spell hold?"), ("DS-54",)
    group = headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it after damage to a channelling character."""
        if play.disturbed:
            yield cls.offer()

    def roll(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Roll:
        """Return the channelling roll, 1 to 4."""
        return rolls.Channelling()

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """End the channelling if the roll fails, else count one roll fewer that is due."""
        broken, owed = outcome.value == "breaks", play.owed - 1
        if broken or not owed:
            return play.evolve(disturbed=False, disturbances=0, channelling=None if broken else play.channelling)
        return play.evolve(disturbances=owed)


class EndChannelling(Act):
    """DS-54: complete a channelled spell, or give it up."""

    title, rules = _("End the channelling"), ("DS-54",)
    group = headings.MAGIC

    @classmethod
    def offers_after(cls, play: "DaemmersturmPlay") -> Callable[[Any, Thrown], Iterator[Offer]]:
        """Return the function that yields this act after an attack, which casts or breaks off the channelled spell."""
        def lead(roll: Any, _outcome: Thrown) -> Iterator[Offer]:
            kinds = {getattr(roll, key, "") for key in ("skill", "kind")}
            spell = isinstance(roll, rolls.Healing) or kinds & {"magic", "spell"}
            title = _("The spell is cast") if spell and not play.channelling else _("The channelling breaks off")
            yield cls.offer(title, automatic="always")
        return lead

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while something is channelled."""
        if play.channelling is not None:
            yield cls.offer()

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Remove the channelled spell."""
        return play.evolve(channelling=None, disturbed=False, disturbances=0)
