"""The profile: three skills, life, special abilities, equipment (DS-01 to DS-09)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rulesets.daemmersturm import hints, line, measures, widgets
from rulesets.daemmersturm.abilities import Ability
from rulesets.daemmersturm.catalogue import (
    ACTION_POINTS,
    ARMOUR_CLASSES,
    KNOWN,
    MAGIC_POINTS,
    PROHIBITIONS,
    RESOURCES,
    ArmourClass,
    Resource,
)
from rulesets.daemmersturm.equipment import Armour, Shield, Weapon
from rulesets.daemmersturm.texts import Bonus, Repeats, bounded
from rulesets.kit import (
    CheckedPart,
    Count,
    Finding,
    House,
    Measure,
    Mend,
    Offer,
    ParsedSheet,
    Sheet,
    Step,
    Wording,
    approval,
    derived,
    error,
    field,
    rows,
    rule,
    signed,
    slots,
    warning,
)

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay

SKILLS = Step("skills", _("Skills"), _("An attack bonus and a fixed defence each; the GM sets life."))
ABILITY = Step("abilities", _("Abilities"), _("From the community's lists, or your own."))
GEAR = Step("equipment", _("Equipment"), _("With the numbers from your table's weapon lists."))
UNDEFENDED = _("{skill}: the defence is still 0; it is usually 10 to 14.")
BEATEN = _("{skill}: with a defence of {n} only a natural 20 hits; it is usually 10 to 14.")
BEYOND = 24
"""The highest defence that an attack with the best bonus exceeds without a natural 20 (DS-01, DS-20)."""
_UNBOUND = _("0: no limit, as in the book.")


class DaemmersturmHouse(House):
    """The book's figures that a party may change."""

    lowest: Bonus = field(_("Lowest attack bonus"), -5)
    highest: Bonus = field(_("Highest attack bonus"), 5)
    hands: Count = field(_("Hands per character"), 2)
    most_life: Count = field(_("Maximum life points"), 0, help=_UNBOUND)
    most_defence: Count = field(_("Highest defence"), 0, help=_UNBOUND)
    most_damage: Count = field(_("Maximum weapon damage"), 0, help=_UNBOUND)
    climbing_modifier: Bonus = field(_("Modifier to each climbing stage"), 0)
    climbing_repeats: Repeats = field(_("More rerolls when climbing"), 0)


class Skill(CheckedPart):
    """A skill: the attack bonus and the fixed defence (DS-01)."""

    attack: Bonus = field(_("Attack bonus"), help=_("By the book −5 to +5; added to the roll."))
    defence: Count = field(_("Defence"), help=_("What an attacker has to beat, usually 10 to 14."))

    def limits(self, house: DaemmersturmHouse) -> Mapping[str, tuple[int | None, int | None]]:
        """Return the limits of the book or of the house rules (DS-01)."""
        return {"attack": (house.lowest, house.highest), "defence": (0, house.most_defence or None)}

    def helps(self, house: DaemmersturmHouse) -> Mapping[str, Wording]:
        """Return these limits as help text if they are not those of the book (DS-01)."""
        book = type(house)()
        if (house.lowest, house.highest) == (book.lowest, book.highest):
            return {}
        return {"attack": _("{low} to {high}; added to the roll.").format(
            low=signed(house.lowest), high=signed(house.highest))}

    @property
    def bonus(self) -> str:
        """The attack bonus with its sign."""
        return signed(self.attack)

    def what(self) -> Wording:
        """Return the skill as the profile writes it."""
        return line.skill_text(self)

    @rule("DS-01")
    def bounded(self, house: DaemmersturmHouse) -> Iterator[Finding]:
        """Yield an error if the bonus is not between -5 and +5, or the defence above the house rules' maximum."""
        if not house.lowest <= self.attack <= house.highest:
            nearest = min(max(self.attack, house.lowest), house.highest)
            yield error(_("The attack bonus is {n}; it can be {low} to {high}."), "attack",
                        [Mend(_("Set it to {n}"), {"attack": nearest}, n=signed(nearest))],
                        n=self.bonus, low=signed(house.lowest), high=signed(house.highest))
        if house.most_defence and self.defence > house.most_defence:
            yield error(_("The defence is {n}; at this table it is at most {most}."), "defence",
                        [Mend(_("Set it to {n}"), {"defence": house.most_defence}, n=house.most_defence)],
                        n=self.defence, most=house.most_defence)


class Claim(CheckedPart):
    """The numbers of points that an imported profile line states."""

    action_points: Count = field(_("AP in the line"))
    focus_points: Count = field(_("FP in the line"))
    magic_points: Count = field(_("MP in the line"))


class Daemmersturm(Sheet):
    """The profile."""

    melee: Skill = field(_("Melee (N)"), step=SKILLS)
    ranged: Skill = field(_("Ranged (F)"), step=SKILLS)
    magic: Skill = field(_("Magic (Z)"), step=SKILLS)
    life: Count = field(_("Life points"), step=SKILLS, help=_("Set by you and the GM: natural toughness and armour."))
    resource: Resource = field(_("Magic resource"), "none", choices=RESOURCES, step=SKILLS,
                               help=_("Never two at once; you may choose another before each fight."))
    claimed: Claim | None = field(_("What the imported line says"), None, step=SKILLS)
    abilities: list[Ability] = rows(
        pgettext_lazy("profile", "Special abilities"), [], step=ABILITY, row_name=_("Ability"), preset_groups=KNOWN,
        add_label=_("Custom ability"))
    armour_class: ArmourClass = field(_("Armour type"), "none", choices=ARMOUR_CLASSES, step=GEAR)
    weapons: list[Weapon] = rows(_("Weapons"), [], step=GEAR, row_name=_("Weapon"))
    shield: Shield | None = field(_("Shield"), None, step=GEAR)
    armour: Armour | None = field(
        _("Armour roll"), None, step=GEAR,
        help=_("For armour that may stop a hit on a d6 roll; its type alone does not."))

    @derived("action_points", _("Action points"), "DS-04", how=_("Melee bonus {0.melee.bonus}"))
    def action_points(self, house: DaemmersturmHouse | None = None) -> int:
        """Return the action points for the melee bonus; beyond the table, the nearest row counts."""
        return ACTION_POINTS[min(5, max(-5, self.melee.attack))]

    @derived("focus_points", _("Focus points"), "DS-05", how=_("The total from special abilities"))
    def focus_points(self, house: DaemmersturmHouse | None = None) -> int:
        """Return the focus points that the abilities give, added up."""
        return sum(ability.focus_points_given for ability in self.abilities)

    @derived("magic_points", _("Magic points"), "DS-06", how=_("Magic bonus {0.magic.bonus}, with a resource"))
    def magic_points(self, house: DaemmersturmHouse | None = None) -> int:
        """Return the magic points for the magic bonus, if there is a resource."""
        return 0 if self.resource == "none" else MAGIC_POINTS[min(5, max(-5, self.magic.attack))]

    @derived("profile_line", _("Profile line"), "DS-07", copy=True)
    def profile_line(self, house: DaemmersturmHouse, name: str = "") -> str:
        """Return the profile as the forum writes it."""
        return line.profile_text(self, name)

    def limits(self, house: DaemmersturmHouse) -> Mapping[str, tuple[int | None, int | None]]:
        """Return the limits of the house rules (DS-02)."""
        return {"life": (1, house.most_life or None)}

    def lacks(self, row: Any) -> Wording:
        """Return why a ready-made ability would be useless: too few action points (DS-04, DS-05a); else ""."""
        left = self.action_points()
        return "" if row.action_points <= left else _("a melee bonus of {bonus} gives {n} AP").format(
            bonus=self.melee.bonus, n=left)

    def hidden_fields(self) -> frozenset[str]:
        """Return the pools without points, and `claimed` unless an imported line states other points."""
        points = {key for key in ("action_points", "focus_points", "magic_points") if not getattr(self, key)()}
        return frozenset(points if self.claimed else points | {"claimed"})

    @rule("DS-01")
    def wrong_defence(self, house: DaemmersturmHouse) -> Iterator[Finding]:
        """Yield a warning for a defence that is missing or, without a house limit, too high for the best bonus."""
        for key in ("melee", "ranged", "magic"):
            defence = getattr(self, key).defence
            if not defence or (defence > BEYOND and not house.most_defence):
                skill = slots(type(self))[key].ask.title
                yield warning(BEATEN if defence else UNDEFENDED, f"{key}.defence", skill=skill, n=defence)

    @rule("DS-02")
    def wrong_life(self, house: DaemmersturmHouse) -> Iterator[Finding]:
        """Yield an error if life is not positive, or above the house rules' maximum."""
        usual = min(20, house.most_life or 20)
        if not self.life:
            yield error(_("Life is 0; it must be at least 1. You and the GM set it."), "life",
                        [Mend(_("Set life to {n}"), {"life": usual}, n=usual)])
        if house.most_life and self.life > house.most_life:
            yield error(_("Life is {n}; at this table it is at most {most}."), "life",
                        [Mend(_("Set life to {n}"), {"life": house.most_life}, n=house.most_life)],
                        n=self.life, most=house.most_life)

    @rule("DS-07", "DS-05")
    def claims(self, house: DaemmersturmHouse) -> Iterator[Finding]:
        """Yield a finding for each number of points in an imported line that its other figures contradict."""
        if self.claimed is None:
            return
        for key, short, says in (
            ("action_points", "AP", _("The line says {short} {claimed}; a melee bonus of {bonus} gives {right}.")),
            ("magic_points", "MP", _("The line says {short} {claimed}; a magic bonus of {bonus} gives {right}.")),
            ("focus_points", "FP", _("The line says {short} {claimed}; by the list its abilities give {right}. The "
                                     "GM has to agree.")),
        ):
            claimed, right = getattr(self.claimed, key), getattr(self, key)(house)
            if claimed != right:
                bonus = {"action_points": self.melee, "magic_points": self.magic}.get(key)
                finding = approval if key == "focus_points" else error
                yield finding(
                    says, f"claimed.{key}", self.corrections(key, right, short),
                    rule="DS-05" if key == "focus_points" else "DS-07", short=short, claimed=claimed, right=right,
                    bonus=bonus.bonus if bonus else "",
                )

    def corrections(self, key: str, right: int, short: str) -> list[Mend]:
        """Return the mend that sets the right figure; if the line states 0 MP, also one that removes the resource."""
        mends = [Mend(_("Write {short} {n}"), {f"claimed.{key}": right}, short=short, n=right)]
        if key == "magic_points" and self.claimed and not self.claimed.magic_points:
            mends.append(Mend(_("Without a magic resource"), {"resource": "none"}))
        return mends

    @rule("DS-29")
    def both_hands(self, house: DaemmersturmHouse) -> Iterator[Finding]:
        """Yield a request for approval of two two-handed weapons, one in each hand."""
        double = [i for i, weapon in enumerate(self.weapons) if weapon.kind == "two-handed" and weapon.hands == 1]
        if len(double) > 1:
            yield approval(
                _("Two two-handed weapons at once, one in each hand, are an exception; the GM has to "
                  "agree."), f"weapons.{double[1]}.hands",
                [Mend(_("{weapon} takes 2 hands"), {f"weapons.{i}.hands": 2}, weapon=self.weapons[i].label)
                 for i in double[1:]])

    def about(self, name: str, house: DaemmersturmHouse) -> Iterator[Finding]:
        """Yield an error on a name that would break the profile line."""
        if held := line.splitting_characters(name):
            yield error(_("The name contains {signs}, which would split the profile line; write it "
                          "without."), rule="DS-07",
                        signs=held)

    def weapon_label(self, index: int) -> str:
        """Return the name of one of the weapons; with its number if another has the same name."""
        labels = [str(one.label) for one in self.weapons]
        if not index < len(labels) or labels.count(labels[index]) == 1:
            return labels[index] if index < len(labels) else ""
        return f"{labels[index]} {labels[:index].count(labels[index]) + 1}"

    @property
    def senses(self) -> int:
        """The bonus for searching: the better of ranged and magic (DS-52)."""
        return bounded(max(self.ranged.attack, self.magic.attack))

    @property
    def armour_prohibition(self) -> Any:
        """The prohibition of the armour class when enemies leave, "" if there is none (DS-08)."""
        return PROHIBITIONS.get(self.armour_class, "")

    @classmethod
    def from_text(cls, text: str) -> list[ParsedSheet]:
        """Return the sheets in the profile lines of a text (DS-07)."""
        return line.read(text)

    def to_text(self, name: str, house: DaemmersturmHouse) -> str:
        """Return the profile line (DS-07)."""
        return line.profile_text(self, name)

    def hints(self, house: DaemmersturmHouse) -> Iterator[tuple[str, Wording]]:
        """Yield the chances against usual defences, now and with one point more."""
        yield from hints.for_sheet(self)

    def measures(self, house: DaemmersturmHouse) -> Iterator[Measure]:
        """Yield the measures that compare the profile with a party."""
        yield from measures.for_sheet(self)

    def roll_offers(self, play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Yield the rolls of weapons, skills and protection, then all others."""
        yield from widgets.for_sheet(self, play, self.house_or(DaemmersturmHouse))
