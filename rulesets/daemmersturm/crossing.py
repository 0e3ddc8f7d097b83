"""Effects on others in Dämmersturm: weapons and spells, and the defence against them (DS-20, DS-23, DS-40)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import rolls
from rulesets.daemmersturm.contest import SKILLS, Attacks
from rulesets.daemmersturm.play import AnswerFumble, AnswerMiss, Damage, Heal, RollExhaustion, SeekProtection
from rulesets.daemmersturm.play.state import SOUGHT
from rulesets.daemmersturm.rolls.damage import UNSHIELDED
from rulesets.daemmersturm.sheet import Daemmersturm
from rulesets.daemmersturm.texts import bounded
from rulesets.dice import Outcome
from rulesets.kit import Crossing, Data, Offer, Response, blank, slots
from rulesets.kit.offers import Offered

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay

UNCOVERED = ("melee", "behind")
"""Sources of damage against which cover is no help (DS-43)."""
COLLAPSE = 6
"""The die of a critical hit after which a normal enemy rolls for exhaustion (DS-21)."""


def offer_damage(made: Any, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DS-23, DS-32: offer the target the damage, unless it is down.

    The target rolls shield, cover and armour, then applies or dismisses it.
    """
    if outcome.value and not figures.get("down"):
        yield Damage.offer(points=outcome.value, source=made.source)
        if made.critical == COLLAPSE:
            yield RollExhaustion.offer()


def offer_healing(_made: rolls.Healing, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DS-10, DS-32: offer the target the healing, unless it is down."""
    if outcome.value and not figures.get("down"):
        yield Heal.offer(points=outcome.value)


def offer_answer_to_fumble(made: rolls.Attack, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DS-22, DS-05a: offer the target of a melee fumble or a missed Volle Kraft to strike back, if it is able to."""
    if not figures.get("awake", True):
        return
    if made.skill == "melee" and outcome.value == "fumble":
        yield AnswerFumble.offer(answer="strike")
    if made.is_hit_back(outcome):
        yield AnswerMiss.offer(answer="strike")


def offer_nothing(_made: rolls.CounterAttack, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Any]:
    """DS-22: offer nothing: a counter-attack deals damage and has no other effect."""
    return iter(())


class Opponent(Attacks):
    """An opponent without a full sheet, with only the figures that a fight needs (DS-20, DS-40, DS-50)."""

    title = _("Opponent")

    @classmethod
    def offer(cls, *words: Any, **known: Any) -> Offer:
        """Offer the figures of a full sheet: attack, life and protection. All others have their usual values."""
        usual: dict[str, Any] = {"start": 0, "shield_bonus": 0, "criticals": "20", "fumbles": "1"}
        return super().offer(*words, **usual | known)


class DaemmersturmCrossing(Crossing):
    """DS-20: an attack is rolled against the defence of the same skill."""

    side = Opponent
    card_figures = {name: (short, slots(Attacks)[name].ask.title) for name, short in (
        ("melee", "NV"), ("ranged", "FV"), ("magic", "ZW"))}
    effects_on_target = {
        rolls.Attack: offer_answer_to_fumble, rolls.PairedAttack: offer_answer_to_fumble,
        rolls.CounterAttack: offer_nothing, rolls.Damage: offer_damage, rolls.StrikeBack: offer_damage,
        rolls.Healing: offer_healing}
    areas = frozenset({rolls.Attack})
    binding = frozenset({AnswerFumble, AnswerMiss})
    target_counts = frozenset({rolls.Targets})
    lapsing = {RollExhaustion: lambda play: play.down}
    stopping = ("blocked",)

    answered = frozenset({rolls.Damage})

    @classmethod
    def figures(cls, sheet: Daemmersturm, play: "DaemmersturmPlay") -> Mapping[str, Any]:
        """DS-20, DS-53, DS-22: return the defences, the senses, and the figures that say who can strike back."""
        return {**super().figures(sheet, play), "senses": play.effective(sheet).senses,
                "awake": not (play.down or play.faint), "down": play.down}

    @classmethod
    def hits(cls, made: Offered) -> Literal["target", "actor", "chosen"]:
        """DS-22, DS-28: return whom a roll hits: a fumble may hit the actor, a miss a friend."""
        victim = made.victim if isinstance(made, rolls.Damage) else "target"
        hit: dict[str, Literal["target", "actor", "chosen"]] = {"own": "actor", "friend": "chosen"}
        return hit.get(victim, "target")

    @classmethod
    def allows_more_targets(cls, roll: Any) -> bool:
        """DS-33: return True for damage to a friend hit by accident; all else is rolled for each target."""
        return isinstance(roll, rolls.Damage) and roll.victim == "friend"

    @classmethod
    def only_others(cls, made: Offered) -> bool:
        """DS-27, DS-28: return True for damage to friends; one's own has a roll of its own."""
        return super().only_others(made) or (isinstance(made, rolls.Damage) and made.victim == "friend")

    @classmethod
    def allows_more_area_targets(cls, roll: Any, outcome: Outcome) -> bool:
        """DS-33: return True for a spell that is not a fumble: its attack roll counts against all targets."""
        return roll.skill == "magic" and outcome.value != "fumble"

    @classmethod
    def most_in_area(cls, roll: Any, outcome: Outcome) -> int:
        """DS-33: return the number of targets of a spell: as thrown with the attack, or a single one."""
        return outcome.figures.get("targets", 1)

    @classmethod
    def responses(cls, sheet: Daemmersturm, play: "DaemmersturmPlay", roll: Any, *, turns: bool) -> Iterator[Response]:
        """DS-28, DS-40, DS-44: yield shield and cover rolls between hit and damage, and the act of seeking cover."""
        if roll.victim == "own":
            return
        for offer in cls.protection_rolls(play.effective(sheet), play, roll.source):
            yield Response(offer.cls.slug, offer.title, offer=offer)
        better = roll.source not in UNCOVERED and not 0 < play.cover_roll <= SOUGHT and not play.faint
        for offer in SeekProtection.offered(sheet, play) if better else ():
            yield Response(offer.cls.slug, offer.title, offer.note, offer, readies=rolls.Cover.slug)

    @staticmethod
    def protection_rolls(now: Daemmersturm, play: "DaemmersturmPlay", source: str) -> Iterator[Offer]:
        """DS-41, DS-43, DS-24, DS-32: offer the rolls that prevent all damage.

        A character out of the fight has none. A shield does not help an unconscious character, nor against attacks from
        behind or attacks that ignore shields.
        """
        if play.down:
            return
        if now.shield and now.shield.target and source not in UNSHIELDED and not play.faint:
            yield rolls.Shield.offer(bonus=bounded(now.melee.attack), target=now.shield.target)
        if play.cover_roll and source not in UNCOVERED:
            yield rolls.Cover.offer(target=play.cover_roll)

    @classmethod
    def guards(cls, sheet: Daemmersturm, play: "DaemmersturmPlay", act: Any, *, asked: bool = False) -> Iterator[Offer]:
        """DS-40, DS-42, DS-32: offer shield and cover unless the target was already asked, then armour."""
        if not isinstance(act, Damage) or not act.points or play.down:
            return
        now = play.effective(sheet)
        if not asked:
            yield from cls.protection_rolls(now, play, act.source)
        if now.armour and 1 <= now.armour.target <= 6 and act.source not in UNSHIELDED:
            known: dict[str, Any] = {
                "target": now.armour.target, "damage": act.points, "max_damage": now.armour.max_damage}
            if rolls.Armour(**known).allowed:
                yield rolls.Armour.offer(**known)

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """DS-01, DS-09, DS-20: return (sheet data, play data): a weapon or spell for its attack, and its protection."""
        skills = {key: {"attack": side.bonus if key == side.skill else 0, "defence": getattr(side, key)}
                  for key in SKILLS}
        name = str(SKILLS[side.skill])
        spells = [{"name": name, "damage": side.damage}] if side.skill == "magic" else []
        weapons = [] if spells else [{"name": name, "kind": "bow" if side.skill == "ranged" else "one-handed",
                                      "damage": side.damage, "reload_actions": side.reload}]
        data = blank(Daemmersturm, **skills, life=side.life, weapons=weapons,
                     shield={"target": side.shield} if side.shield else None,
                     armour={"target": side.armour, "max_damage": side.armour_most} if side.armour else None)
        return data, {"spells": spells} if spells else {}
