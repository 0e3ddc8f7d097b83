"""Attacks: the hit roll, friends in the way, the second weapon (DS-20, DS-22, DS-28, DS-29)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.catalogue import PAIR_LABELS, PAIRS, Pair
from rulesets.daemmersturm.rolls.damage import Critical, Damage, Escalation, StrikeBack
from rulesets.daemmersturm.rolls.protection import Cover, Shield
from rulesets.daemmersturm.texts import Bonus, Faces, OpenRange, bounded, faces, summand
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
    title = _("Attack")
    rules: ClassVar[tuple[str, ...]] = ("DS-20", "DS-21", "DS-22", "DS-24", "DS-30")
    outcomes = HITS

    def repeats(self) -> bool:
        """Return True if a failed roll is thrown again."""
        return self.repeat

    def throw(self, tray: Tray) -> Outcome:
        """Throw the hit roll, and a second one if the first fails and may be repeated."""
        value, natural = self.hit(tray)
        if self.repeats() and value in ("miss", "fumble"):
            value, natural = self.hit(tray)
        return Outcome(value, natural=natural)

    def tell(self, outcome: Outcome) -> str:
        """Return the sum, and what a fumble means in each kind of attack."""
        told = self.sum_in_words(outcome.figures["natural"], self.label(outcome.value))
        if outcome.value != "fumble":
            return told
        if self.skill in FUMBLES_OF:
            return f"{told}. {FUMBLES_OF[self.skill]}"
        more = _("Melee: unless the target has fainted, it hits back automatically or moves away freely.")
        return f"{told}. {more} {FUMBLED}"

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield protection and damage after a hit, and the rolls after a fumble in melee or magic."""
        if outcome.value in ("hit", "critical"):
            yield from self.after_hit(outcome.value)
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


def penalty(pair: Pair, *, heavy_opponent: bool) -> int:
    """Return the modifier that a pair of weapons gives to the attack bonus, 0 or negative (DS-29)."""
    _number, always, heavy = PAIRS[pair]
    return always + (heavy if heavy_opponent else 0)


class PairedAttack(Attack):
    """DS-29: an attack with two weapons; if the total is high enough, a second attack follows."""

    pair: Pair = field(_("Weapons in both hands"), choices=PAIR_LABELS)
    heavy_opponent: bool = field(
        _("The opponent has a two-handed melee weapon or a lance"), default=False, momentary=True)
    second_damage: OpenRange = field(_("Damage of the second weapon"), "")
    behind: bool = field(_("From behind"), default=False, help=_("Bonus +3, a reroll and two damage rolls, for both."))
    slug = "paired-attack"
    title, rules = _("Attack with two weapons"), ("DS-29", "DS-20", "DS-21", "DS-22", "DS-24")

    @property
    def bonus_now(self) -> int:
        """The bonus with the modifiers of the pair, from behind (DS-24), and of this roll."""
        return self.bonus_of_both + self.modifier

    @property
    def bonus_of_both(self) -> int:
        """The bonus of both attacks, without the modifier that counts for this roll only."""
        return self.bonus + penalty(self.pair, heavy_opponent=self.heavy_opponent) + (BEHIND if self.behind else 0)

    @property
    def source(self) -> str:
        """The source of the damage, which decides on protection (DS-41 to DS-43)."""
        return "behind" if self.behind else "other" if self.skill == "any" else self.skill

    def repeats(self) -> bool:
        """Return True for an attack from behind as well (DS-24)."""
        return self.repeat or self.behind

    def allows_second_attack(self, outcome: Outcome) -> bool:
        """Return True if the total of the roll that counted, hit or not, is enough for the second weapon."""
        return outcome.figures["natural"] + self.bonus_now >= PAIRS[self.pair][0]

    def tell(self, outcome: Outcome) -> str:
        """Return the sum, and whether the second weapon follows."""
        words = _("{told}; {number}+ reached: a second attack") if self.allows_second_attack(outcome) else _(
            "{told}; {number}+ not reached: no second attack")
        return words.format(told=super().tell(outcome).rstrip("."), number=PAIRS[self.pair][0])

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield what follows from the first attack, then the second one with the same penalty."""
        yield from super().follow(outcome)
        if self.allows_second_attack(outcome):
            harm: dict[str, Any] = {"source": self.source} | (
                {"range": self.second_damage} if self.second_damage else {})
            more: dict[str, Any] = {"repeat": True} if self.behind else {}
            yield Attack.offer(_("Attack with the second weapon"), "second", own_target=True,
                               then={"damage": {**harm, "rolls": 2} if self.behind else harm},
                               aims=SHOT if self.pair == "handguns" else {}, bonus=bounded(self.bonus_of_both),
                               skill=self.skill, **more)


class TwoWeapons(Roll):
    """DS-29: whether a second attack follows, rolled on its own instead of with the first attack."""

    pair: Pair = field(_("Weapons in both hands"), choices=PAIR_LABELS)
    bonus: Bonus = field(_("Attack bonus"), help=_("As in the profile; the pair's penalty is added here."))
    heavy_opponent: bool = field(
        _("The opponent has a two-handed melee weapon or a lance"), default=False, momentary=True)
    title, rules, sides = _("Second weapon"), ("DS-29",), 20
    group = headings.ATTACK
    outcomes = {"second": _("a second attack"), "none": _("no second attack")}

    @property
    def bonus_now(self) -> int:
        """The bonus with the modifier of the pair."""
        return self.bonus + penalty(self.pair, heavy_opponent=self.heavy_opponent)

    def throw(self, tray: Tray) -> Outcome:
        """Throw a die with the bonus of the pair against the number of the pair."""
        total = tray.die(20) + self.bonus_now
        return Outcome("second" if total >= PAIRS[self.pair][0] else "none", total=total)

    def tell(self, outcome: Outcome) -> str:
        """Return the total and the number that it must reach, in words."""
        return _("{total} against {target}+: {outcome}").format(
            total=numeral(outcome.figures["total"]), target=PAIRS[self.pair][0], outcome=self.label(outcome.value))

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield the second attack, with the same penalty."""
        if outcome.value == "second":
            guns = self.pair == "handguns"
            yield Attack.offer(_("Attack with the second weapon"), own_target=True, aims=SHOT if guns else {},
                               bonus=bounded(self.bonus_now), skill="ranged" if guns else "melee")
