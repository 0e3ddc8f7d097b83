"""Attacks: the hit roll, and friends in the way (DS-20, DS-22, DS-28)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.catalogue import FULL_FORCE
from rulesets.daemmersturm.rolls.damage import Critical, Damage, Escalation, StrikeBack
from rulesets.daemmersturm.rolls.protection import Cover, Shield
from rulesets.daemmersturm.texts import Bonus, Faces, OpenRange, faces, span, summand
from rulesets.dice import Outcome, Tray
from rulesets.kit import ATTACK_PHRASES, Count, Extreme, Offer, Roll, Wording, field, numeral

BEHIND = 3
"""The bonus of an attack from behind (DS-24)."""
FRIENDLY = range(2, 6)
"""Natural numbers of a miss that hit a friend (DS-28)."""
HITS = {"critical": _("critical hit"), "hit": _("hit"), "miss": _("miss"), "fumble": _("fumble")}
FUMBLED = _("Ranged: no shot; you must spend a round fixing the weapon, then reload. Magic: escalation; heals and "
            "strengthening spells cannot fumble.")
"""The meaning of a fumble outside melee (DS-22)."""
MOST_TARGETS = ngettext_lazy("At most {n} target", "At most {n} targets", "n")
HIT_BACK = _("Unless the target has fainted, it hits back automatically.")
"""The meaning of a miss with Volle Kraft (DS-05a)."""
FUMBLES_OF = {
    "melee": _("Unless the target has fainted, it hits back automatically or moves away freely."),
    "ranged": _("No shot; you must spend a round fixing the weapon, then reload."),
    "magic": _("Escalation; heals and strengthening spells cannot fumble."),
}
"""The consequences of a fumble, by the skill of the roll."""
ESCALATED = {
    ("magic", True): _("All the damage hits the caster."), ("magic", False): _("The caster is spared the damage."),
    ("any", True): _("Ranged: no shot; you must spend a round fixing the weapon, then reload. Magic: all the damage "
                     "hits the caster."),
    ("any", False): _("Ranged: no shot; you must spend a round fixing the weapon, then reload. Magic: the caster is "
                      "spared the damage."),
}
"""{(skill, whether the escalation roll was a 1): consequences of the fumble} (DS-22, DS-28)."""
SKILLS = {"any": _("Any"), "melee": _("Melee (N)"), "ranged": _("Ranged (F)"), "magic": _("Magic (Z)")}
SKILL = field(_("Skill"), "any", choices=SKILLS, help=_("It decides what a fumble means."))
Skill = Literal["any", "melee", "ranged", "magic"]
BONUS = field(_("Attack bonus"))
DEFENCE = field(_("Defence of the target"), target_figure="melee")
"""The defence against melee, unless the offer asks for another."""
MODIFIER = field(_("Modifier (this roll only)"), 0, momentary=True)
"""Added to this one roll by action points, abilities or the GM (DS-20)."""
SHOT = {"defence": "ranged"}
"""The target's figure against which a shot is rolled."""
CRITICALS, FUMBLES = field(_("Critical numbers"), "20"), field(_("Fumble numbers"), "1")


class _Hit(Roll):
    sides, group = 20, headings.ATTACK
    good, chance_label, log_phrases = ("critical", "hit"), pgettext_lazy("daemmersturm chance", "hit"), ATTACK_PHRASES
    chain = "attack"

    if TYPE_CHECKING:
        bonus: Bonus
        defence: Count
        criticals: Faces
        fumbles: Faces
        skill: Skill
        modifier: Bonus

    def hit(self, tray: Tray) -> tuple[str, int]:
        """Throw the hit roll and return (outcome, natural number) (DS-20 to DS-22)."""
        natural = tray.die(20)
        critical, fumble = natural in faces(self.criticals), natural in faces(self.fumbles)
        if critical != fumble:
            return ("critical" if critical else "fumble"), natural
        if fumble:
            return "miss", natural
        hits = natural == 20 or (natural != 1 and natural + self.bonus_now > self.defence)
        return ("hit" if hits else "miss"), natural

    @property
    def bonus_now(self) -> int:
        """The bonus including the modifier."""
        return self.bonus + self.modifier

    def aims(self) -> Mapping[str, str]:
        """DS-20: ask for the target's defence of the same skill."""
        return {"defence": self.skill} if self.skill in ("ranged", "magic") else {}

    def sum_in_words(self, natural: int, what: str) -> str:
        """Return the sum, the least total above the defence, and the outcome, in words."""
        return _("{natural} {bonus} = {total}, needed {least}: {what}").format(
            natural=natural, bonus=summand(self.bonus_now), total=numeral(natural + self.bonus_now),
            least=self.defence + 1, what=what)

    def extreme(self, outcome: Outcome) -> Extreme:
        """DS-21, DS-22, DS-28: mark a critical hit, and a fumble even if it hits a friend."""
        return headings.EXTREMES.get(outcome.value, "")

    def afterwards(self, outcome: Outcome) -> Wording:
        """DS-60: after a miss or a fumble, say that the one action of the turn is used."""
        return _("That was your action; go on to the next turn.") if outcome.value in ("miss", "fumble") else ""

    def after_hit(self, value: str) -> Iterator[Offer]:
        """Yield the protection rolls, then the damage or, after a critical hit, its die (DS-40)."""
        yield Shield.offer(note=_("The target's, if it has one."))
        yield Cover.offer(note=_("The target's, if it is in cover; not in melee."))
        # In an area, the same attack roll counts for all targets, but each has a critical die of its own (DS-33).
        yield Critical.offer(note=_("A die says what it does."), area=False) if value == "critical" else \
            Damage.offer(note=_("Otherwise roll it at once."), victim="target")


class Attack(_Hit):
    """DS-20: melee, ranged or magic against the defence of the same skill."""

    bonus: Bonus = BONUS
    defence: Count = DEFENCE
    criticals: Faces = CRITICALS
    fumbles: Faces = FUMBLES
    repeat: bool = field(
        _("Reroll a failed roll"), default=False, momentary=True,
        help=_("From behind (bonus +3), mercy stroke, Konzentration: a failed roll, even a fumble, is rerolled."))
    skill: Skill = SKILL
    modifier: Bonus = MODIFIER
    full_force: bool = field(
        _("With Volle Kraft"), default=False, momentary=True,
        help=_("Pay the action points first. A hit does 5-15 extra damage; after a miss, the target hits back."))
    targets: OpenRange = field(
        _("Targets"), "", help=_("For an area spell: a range, such as 1-4. Leave empty for a single target."))
    title = _("Attack")
    rules: ClassVar[tuple[str, ...]] = ("DS-20", "DS-21", "DS-22", "DS-24", "DS-30", "DS-33", "DS-05a")
    outcomes = HITS

    def repeats(self) -> bool:
        """Return True if a failed roll is thrown again."""
        return self.repeat

    def throw(self, tray: Tray) -> Outcome:
        """Throw for the number of targets, then the hit roll, and a second one if it fails and may be repeated."""
        numbers = span(self.targets) if self.targets else range(1, 2)
        # It comes first, so that the dice are read alike against each target.
        most = numbers.start if len(numbers) == 1 else tray.die(numbers)
        value, natural = self.hit(tray)
        if self.repeats() and value in ("miss", "fumble"):
            value, natural = self.hit(tray)
        return Outcome(value, natural=natural, **({"targets": most} if self.targets else {}))

    def tell(self, outcome: Outcome) -> str:
        """Return the sum, the number of targets in an area, and what a fumble means in each kind of attack."""
        told = self.sum_in_words(outcome.figures["natural"], self.label(outcome.value))
        if (most := outcome.figures.get("targets")) and outcome.value != "fumble":
            told = f"{told}. {MOST_TARGETS.format(n=most)}"
        if self.is_hit_back(outcome):
            return f"{told}. {HIT_BACK}"
        if outcome.value != "fumble":
            return told
        if self.skill in FUMBLES_OF:
            return f"{told}. {FUMBLES_OF[self.skill]}"
        more = _("Melee: unless the target has fainted, it hits back automatically or moves away freely.")
        return f"{told}. {more} {FUMBLED}"

    def is_hit_back(self, outcome: Outcome) -> bool:
        """DS-05a: return True for a miss with Volle Kraft, after which the target hits back."""
        return self.full_force and self.skill == "melee" and outcome.value == "miss"

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield protection and damage after a hit, and the rolls after a fumble or a missed Volle Kraft."""
        if outcome.value in ("hit", "critical"):
            yield from self.after_hit(outcome.value)
            if self.full_force and self.skill == "melee":
                yield Damage.offer(_("Volle Kraft: extra damage"), "full-force", range=FULL_FORCE, rolls=1, critical=0,
                                   victim="target")
        if self.is_hit_back(outcome):
            yield StrikeBack.offer(without_target=True, rolls=1, critical=0, source="melee", victim="own")
        if outcome.value == "fumble" and self.skill in ("any", "melee"):
            yield StrikeBack.offer(note=_("Melee only; or it moves away freely.") if self.skill == "any" else _(
                "Or it moves away freely."), without_target=True, branch="melee", rolls=1, critical=0, source="melee",
                victim="own")
        if outcome.value == "fumble" and self.skill in ("any", "magic"):
            yield Escalation.offer(note=_("Magic only.") if self.skill == "any" else "", branch="magic", area=False)


class FriendlyFire(_Hit):
    """DS-28: a ranged or magic attack with a friend in reach of the target or in the line of fire."""

    bonus: Bonus = BONUS
    defence: Count = DEFENCE
    criticals: Faces = CRITICALS
    fumbles: Faces = FUMBLES
    skill: Skill = SKILL
    modifier: Bonus = MODIFIER
    title, rules = _("Attack past an ally"), ("DS-28", "DS-20", "DS-22")
    outcomes = {
        "critical": HITS["critical"], "hit": HITS["hit"], "miss": HITS["miss"], "friend": _("an ally is hit"),
        "fumble": HITS["fumble"], "friend-and-fumble": _("an ally is hit, then the fumble"),
    }

    def throw(self, tray: Tray) -> Outcome:
        """Throw the hit roll; a natural 2 to 5 that misses hits a friend; a fumble, only if it escalates to 2 or 3."""
        value, natural = self.hit(tray)
        if natural not in FRIENDLY or value in ("hit", "critical"):
            return Outcome(value, natural=natural)
        if value == "miss":
            return Outcome("friend", natural=natural)
        escalation = tray.die(3)
        return Outcome("fumble" if escalation == 1 else "friend-and-fumble", natural=natural, escalation=escalation)

    def tell(self, outcome: Outcome) -> str:
        """Return the sum and the effect of a fumble; an escalation roll already made counts for a spell's fumble."""
        told = self.sum_in_words(outcome.figures["natural"], self.label(outcome.value))
        escalation = outcome.figures.get("escalation")
        told += " " + _("(escalation {n})").format(n=escalation) if escalation else ""
        if outcome.value not in ("fumble", "friend-and-fumble"):
            return told
        more = FUMBLES_OF.get(self.skill, FUMBLED)
        if escalation:
            more = ESCALATED.get((self.skill, escalation == 1), more)
        return f"{told}. {more}"

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield protection and damage for whoever is hit, friend or target, and what follows a spell's fumble."""
        if outcome.value in ("hit", "critical"):
            yield from self.after_hit(outcome.value)
        if outcome.value in ("friend", "friend-and-fumble"):
            yield Shield.offer(note=_("The ally's."))
            yield Cover.offer(note=_("The ally's."))
            yield Damage.offer(_("Damage to the ally"), note=_("Aim at the ally first."), victim="friend")
        if outcome.value == "fumble" and self.skill != "ranged":
            if outcome.figures.get("escalation") == 1:
                yield Shield.offer(note=_("The caster's."))
                yield Damage.offer(_("Damage to the caster"), note=_("Magic only."), victim="own")
            else:
                yield Escalation.offer(note=_("Magic only."), area=False)
