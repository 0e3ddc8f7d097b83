"""The equipment of a character: weapons, shield, armour (DS-08, DS-09, DS-29)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.daemmersturm.catalogue import AREA, KINDS, MELEE, UNPOISONED, Kind
from rulesets.daemmersturm.texts import OpenRange, span
from rulesets.kit import CheckedPart, Count, Finding, Mend, Name, Wording, error, field, rule, warning

if TYPE_CHECKING:
    from rulesets.daemmersturm.sheet import DaemmersturmHouse

_HANDS = ngettext_lazy("{n} hand", "{n} hands", "n")
_AREA_ONLY = (("w", _("W number")), ("targets", _("Targets")))
_RELOAD = ngettext_lazy("reloading takes {n} action", "reloading takes {n} actions", "n")


class Weapon(CheckedPart):
    """A weapon with the table's own figures (DS-09)."""

    name: Name = field(_("Name"), samples=(
        _("Longsword"), _("Dagger"), _("Hunting bow"), _("Mace"), _("Hand grenade")))
    kind: Kind | None = field(_("Kind"), choices=KINDS, help=_("This decides which rules apply to the weapon."))
    hands: Count = field(_("Hands"), 1, help=_("How many it takes, 1 or 2."))
    damage: OpenRange = field(_("Damage"), samples=("1-10", "1-6"),
                              help=_("A range, such as 1-10; 1d10 is read as that."))
    reload_actions: Count = field(_("Actions to reload"), 0, help=_("1 if a weapon has to be reloaded but no number "
                                                                    "is given."))
    w: Count | None = field(_("W number"), None, help=_("Explosives and artillery."))
    targets: OpenRange | None = field(_("Targets"), None, help=_("Explosives and artillery: a range, such as 1-4."))

    fields_in_text = frozenset({"kind", "hands", "damage", "reload_actions", "w", "targets"})

    @property
    def label(self) -> Wording:
        """The name, or a placeholder."""
        return self.name.strip() or _("Unnamed weapon")

    @property
    def melee(self) -> bool:
        """True if it is used with the melee values."""
        return self.kind in MELEE

    @property
    def area(self) -> bool:
        """True if it is fired by the W roll (DS-27)."""
        return self.kind in AREA or bool(self.kind and self.w is not None and self.targets)

    @property
    def explodes_on_fumble(self) -> bool:
        """True for artillery, which explodes on a fumble and is destroyed (DS-22)."""
        return self.area and self.kind != "explosive"

    @property
    def poisonable(self) -> bool:
        """True if poison can be put on it (DS-59)."""
        return self.kind is not None and self.kind not in UNPOISONED

    def what(self) -> Wording:
        """Return the kind, hands and damage, and reloading, W number and targets if there are any."""
        words = [KINDS.get(self.kind or "", "?"), _HANDS.format(n=self.hands),
                 _("damage {range}").format(range=self.damage or "?")]
        if self.reload_actions:
            words.append(_RELOAD.format(n=self.reload_actions))
        if self.w is not None:
            words.append(_("W {n}+").format(n=self.w))
        if self.targets:
            words.append(_("targets {range}").format(range=self.targets))
        return ", ".join(map(str, words))

    def limits(self, house: "DaemmersturmHouse") -> Mapping[str, tuple[int | None, int | None]]:
        """Return the limits of `hands`: 1 to the number that the house rules allow (DS-09)."""
        return {"hands": (1, house.hands)}

    def helps(self, house: "DaemmersturmHouse") -> Mapping[str, Wording]:
        """Return these limits as help text (DS-09)."""
        return {"hands": _("How many it takes, 1 to {most}.").format(most=house.hands)}

    def hidden_fields(self) -> frozenset[str]:
        """Return the empty fields that this kind does not need: W number and targets, and reloading in melee.

        Before the kind is chosen, all three are hidden.
        """
        keys = () if self.kind in (*AREA, "tactical-artillery") else \
            ("w", "targets", "reload_actions") if self.melee or self.kind is None else ("w", "targets")
        return frozenset(key for key in keys if not getattr(self, key))

    @rule("DS-09")
    def complete(self, house: "DaemmersturmHouse") -> Iterator[Finding]:
        """Yield a finding for each figure that is missing or outside its limits, and for a missing name."""
        if not self.name.strip():
            yield warning(_("The weapon has no name yet."), "name")
        if self.kind is None:
            yield error(_("{weapon} has no kind yet; its rolls depend on it."), "kind",
                        [Mend(KINDS[kind], {"kind": kind}) for kind in ("one-handed", "two-handed", "dagger", "bow")],
                        weapon=self.label)
        if not self.damage:
            yield error(_("{weapon} has no damage; enter a range such as 1-10."), "damage",
                        [Mend(_("Set damage to {range}"), {"damage": "1-10"}, range="1-10")], weapon=self.label)
        elif house.most_damage and span(self.damage)[-1] > house.most_damage:
            fitting = f"{min(span(self.damage)[0], house.most_damage)}-{house.most_damage}"
            yield error(_("{weapon} does up to {n} damage; at this table it is at most {most}."), "damage",
                        [Mend(_("Set damage to {range}"), {"damage": fitting}, range=fitting)],
                        weapon=self.label, n=span(self.damage)[-1], most=house.most_damage)
        if not 1 <= self.hands <= house.hands:
            yield error(_("{weapon} takes {n} hands; it can take 1 to {most}."), "hands",
                        [Mend(_HANDS, {"hands": 1}, n=1)], weapon=self.label, n=self.hands, most=house.hands)

    @rule("DS-09")
    def area_figures(self, house: "DaemmersturmHouse") -> Iterator[Finding]:
        """Yield findings unless explosives and artillery, and only they, have a W number and targets (DS-27)."""
        if self.kind in AREA:
            if self.w is None:
                yield error(_("{weapon} has no W number; explosives and artillery need one."), "w",
                            [Mend(_("Set the W number to {n}"), {"w": 10}, n=10)], weapon=self.label)
            if not self.targets:
                yield error(_("{weapon} has no range of targets; explosives and artillery need one."), "targets",
                            [Mend(_("Set targets to {range}"), {"targets": "1-4"}, range="1-4")],
                            weapon=self.label)
        elif self.kind not in (None, "tactical-artillery"):
            for key, what in _AREA_ONLY:
                if getattr(self, key):
                    yield warning(
                        _("{weapon} is neither explosive nor artillery, so “{what}” does nothing."), key,
                        [Mend(_("Remove “{what}”"), {key: None}, what=what)], weapon=self.label, what=what)


class Shield(CheckedPart):
    """A shield with the number that its roll must reach (DS-09, DS-41)."""

    target: Count = field(_("Number to reach"), help=_("On a d20 plus the melee bonus."))

    def what(self) -> Wording:
        """Return the number."""
        return f"{self.target}+"

    @rule("DS-09")
    def wrong_number(self, house: "DaemmersturmHouse") -> Iterator[Finding]:
        """Yield an error if the shield has no number, because it could not be rolled."""
        if not self.target:
            yield error(_("The shield has no number; a d20 plus the melee bonus must reach it."), "target",
                        [Mend(_("Set it to {n}"), {"target": 15}, n=15)])


class Armour(CheckedPart):
    """Armour that has a roll, and the damage up to which it may be rolled (DS-09, DS-42)."""

    target: Count = field(_("Number to reach on a d6"), help=_("If you reach it, there is no damage."))
    max_damage: Count = field(_("Works up to … damage"), help=_("0: no limit."))

    def limits(self, house: "DaemmersturmHouse") -> Mapping[str, tuple[int | None, int | None]]:
        """Return the limits of the number: the faces of the die (DS-09)."""
        return {"target": (1, 6)}

    def what(self) -> Wording:
        """Return the number and the limit."""
        if not self.max_damage:
            return f"{self.target}+"
        return _("{n}+, up to {most} damage").format(n=self.target, most=self.max_damage)

    @rule("DS-09")
    def wrong_number(self, house: "DaemmersturmHouse") -> Iterator[Finding]:
        """Yield an error if the number is not a face of the die."""
        if not 1 <= self.target <= 6:
            yield error(_("The armour number is {n}; on a d6 it can be 1 to 6."), "target",
                        [Mend(_("Set it to {n}"), {"target": 5}, n=5)], n=self.target)
