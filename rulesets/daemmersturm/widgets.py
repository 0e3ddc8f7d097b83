"""The rolls of a profile, each filled in with the profile's figures."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import board, headings, rolls
from rulesets.daemmersturm.catalogue import HEAVY, PAIR_LABELS, PAIRED
from rulesets.daemmersturm.leads import combined, offer_own_damage, offer_own_healing, offer_shadow_payment
from rulesets.daemmersturm.play.counter import EndCounter, one_per_attacker
from rulesets.daemmersturm.play.magic import EndChannelling
from rulesets.daemmersturm.play.things import NotReady, RollPoison
from rulesets.daemmersturm.rolls.attack import BEHIND, SHOT
from rulesets.daemmersturm.texts import bounded
from rulesets.kit import Offer, Wording, join, signed

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay, Spell
    from rulesets.daemmersturm.sheet import Daemmersturm, DaemmersturmHouse

SPELL = {"defence": "magic"}
"""The target's figure against which a spell is rolled."""
NO_ESCALATION: dict[str, None] = {"escalation": None}
"""Leaves out the escalation roll: only a spell's fumble escalates (DS-22)."""
MAGIC_SOURCE = {"damage": {"source": "magic"}}
"""Sets the source of a spell's damage (DS-43)."""
NO_ESCALATION_OR_COVER = NO_ESCALATION | {"cover": None}
"""Leaves out the cover roll as well: cover does not help in melee (DS-43)."""
NO_SHIELD: dict[str, None] = {"shield": None}
"""Leaves out the shield roll: a shield does not help against an attack from behind (DS-24, DS-41)."""
ATTACKS = (rolls.Attack, rolls.FriendlyFire, rolls.WRoll, rolls.CounterAttack)
"""The rolls that end channelling (DS-54)."""
TURNING = (rolls.Attack, rolls.FriendlyFire, rolls.WRoll, rolls.Escalation, rolls.Targets)
"""Rolls after which the damage may hit the roller (DS-22)."""
BACK = _("Bonus +3, a reroll, two damage rolls")
"""The note of an attack from behind (DS-24)."""


def for_sheet(sheet: "Daemmersturm", play: "DaemmersturmPlay", house: "DaemmersturmHouse") -> Iterator[Offer]:
    """Yield the offers of rolls, with the acts that follow from damage to oneself or others (DS-22, DS-57, DS-59)."""
    shadow_leads = (offer_shadow_payment,) if play.shadow_owed else ()
    for offer in (_ending(play, _of_skill(one)) for one in _every(sheet, play, house) if not _waits(play, one)):
        if offer.cls is rolls.Damage:
            yield replace(offer, leads=offer_shadow_payment) if shadow_leads else offer
            continue
        found: dict[str, Any] = {"strike-back": offer_own_damage} if issubclass(offer.cls, rolls.Attack) else {}
        own = [offer.onward["damage"]] if "damage" in offer.onward else []
        poison = RollPoison.offers_after(sheet, play, _weapons(offer))
        turning = (offer_own_damage,) if issubclass(offer.cls, TURNING) else ()
        if leads := (*own, *turning, *((poison,) if poison else ()), *shadow_leads):
            found["damage"] = combined(*leads)
        yield replace(offer, onward={**offer.onward, **found}) if found else offer


def _of_skill(offer: Offer) -> Offer:
    """Return an attack without what only a spell (targets, DS-33) or only melee has (Volle Kraft, DS-05a)."""
    if not issubclass(offer.cls, rolls.Attack):
        return offer
    skill = offer.filled["skill"]
    known: dict[str, Any] = {} if skill == "melee" else {"full_force": False}
    known |= {} if skill == "magic" else {"targets": ""}
    return replace(offer, filled={**known, **offer.filled})


def _weapons(offer: Offer) -> tuple[int, ...]:
    """Return the indices of the weapons with which a roll attacks, from the key of its offer."""
    kind, _dot, rest = offer.key.partition(".")
    return tuple(int(one) for one in rest.split(".") if one.isdecimal()) if kind == "weapons" else ()


def _waits(play: "DaemmersturmPlay", offer: Offer) -> bool:
    """Return True for a channelled spell while a roll for whether it holds is due (DS-54).

    Every attack and healing waits for an exhaustion roll that is due (DS-50); a counter-attack is no part of the turn.
    """
    if play.exhaustion_due and issubclass(offer.cls, (rolls.Attack, rolls.FriendlyFire, rolls.WRoll, rolls.Healing)):
        return True
    return play.disturbed and play.channelling == 0 and offer.key.partition(".")[0] in ("magic", "spells") and (
        issubclass(offer.cls, ATTACKS) or offer.key.endswith(".healing"))


def _ending(play: "DaemmersturmPlay", offer: Offer) -> Offer:
    """DS-54: add the act that ends channelling: a spell completes it, any other attack breaks it off."""
    if play.channelling is None or not (issubclass(offer.cls, ATTACKS) or offer.key.endswith(".healing")):
        return offer
    return replace(offer, leads=combined(*filter(None, (offer.leads, EndChannelling.offers_after(play)))))


def _every(sheet: "Daemmersturm", play: "DaemmersturmPlay", house: "DaemmersturmHouse") -> Iterator[Offer]:
    """Yield counter-attacks and weapons first, then skills, protection, body and senses, magic, and rare rolls."""
    yield from _counters(sheet, play)
    for index in range(len(sheet.weapons)):
        yield from _of_weapon(sheet, play, index, join("weapons", index))
    yield from _pairs(sheet, play)
    yield from _skills(sheet, play)
    if sheet.shield and sheet.shield.target:
        bonus = bounded(sheet.melee.attack)
        what = _("{number}, with {bonus}").format(number=sheet.shield.what(), bonus=signed(bonus))
        yield rolls.Shield.offer(note=what, bonus=bonus, target=sheet.shield.target)
    if sheet.armour and 1 <= sheet.armour.target <= 6:
        yield rolls.Armour.offer(note=sheet.armour.what(), target=sheet.armour.target,
                                 max_damage=sheet.armour.max_damage)
    yield rolls.Cover.offer()
    yield rolls.Perception.offer(note=_("The better of the ranged and magic bonus: "
                                        "{n}").format(n=signed(sheet.senses)),
                                 bonus=sheet.senses)
    yield rolls.Stealth.offer(note=_("Modifiers and bonus are the searcher's."))
    agreed = {"modifier": house.climbing_modifier, "repeats": house.climbing_repeats}
    climbing: dict[str, Any] = {key: n for key, n in agreed.items() if n}
    yield rolls.Climbing.offer(rare=True, **climbing)
    yield from _magic(sheet, play)
    yield rolls.Damage.offer(rare=True, victim="target")
    for one in (rolls.Escalation, rolls.Exhaustion, rolls.Targets, rolls.Potion, rolls.Poison):
        # An exhaustion roll that is due is made by its act, which also applies the outcome (DS-50).
        if not (one is rolls.Exhaustion and (play.exhaustion_due or play.down)):
            yield one.offer(rare=True)
    yield rolls.Critical.offer(rare=True, area=False)
    yield rolls.CriticalHeal.offer(rare=True, onward={"healing": offer_own_healing})
    yield rolls.Healing.offer(rare=True, leads=offer_own_healing)


def _of_weapon(sheet: "Daemmersturm", play: "DaemmersturmPlay", index: int, path: str) -> Iterator[Offer]:
    """Yield a weapon's attacks by its kind; shots say if it is not ready, and lead to reloading it (DS-22, DS-26)."""
    weapon, label = sheet.weapons[index], sheet.weapon_label(index)
    if weapon.kind is None:
        return
    unready = play.row_for_weapon("unready", sheet, index)
    what = _note(play, sheet, index, weapon.what())
    after = None if weapon.melee else NotReady.offers_after(sheet, play, index)
    harm = {"range": weapon.damage} if weapon.damage else {}
    shot = {"damage": harm | {"source": "ranged"}, **NO_ESCALATION}
    blow = {"damage": harm | {"source": "melee"}, **NO_ESCALATION_OR_COVER}
    melee, ranged = bounded(sheet.melee.attack), bounded(sheet.ranged.attack)
    if weapon.area and weapon.w is not None:
        kind = "explosive" if weapon.kind == "explosive" else "artillery"
        then: dict[str, Any] = {
            "damage": harm | {"source": kind, "critical": 0},
            "targets": {"critical": 0} | ({"range": weapon.targets} if weapon.targets else {})}
        yield rolls.WRoll.offer(label, path, what, then=then, leads=after, bonus=ranged, target=weapon.w, kind=kind)
        return
    if weapon.melee:
        yield rolls.Attack.offer(label, path, what, then=blow, bonus=melee, skill="melee")
        yield _from_behind(label, path, blow, melee)
    if not weapon.melee or weapon.kind == "spear":
        title = _("{weapon}, thrown").format(weapon=label) if weapon.melee else label
        yield rolls.Attack.offer(title, f"{path}.shot", what, then=shot, leads=after, aims=SHOT, bonus=ranged,
                                   skill="ranged")
        note = _("An ally in reach of the target or in the line of fire")
        yield rolls.FriendlyFire.offer(_("{weapon} past an ally").format(weapon=label), path,
                                       f"{what}. {note}" if unready else note, then=shot, leads=after, aims=SHOT,
                                       group=headings.SPECIAL, bonus=ranged, skill="ranged")
    if not weapon.melee and weapon.reload_actions:
        note = _("Counts as melee in every respect")
        close = _("{weapon} within melee reach").format(weapon=label)
        fired = NotReady.offers_after(sheet, play, index, close=True)
        yield rolls.Attack.offer(close, f"{path}.close", f"{what}. {note}" if unready else note, then=blow,
                                 leads=fired, group=headings.SPECIAL, bonus=melee, skill="melee")
        yield _from_behind(close, f"{path}.close", blow, melee, _note(play, sheet, index, BACK) if unready else BACK,
                           rare=True, leads=fired)


def _counters(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
    """Yield counter-attacks on each attacker that fumbled, with each weapon ready in melee, else unarmed (DS-22).

    A counter-attack already made stays, with a note, until its damage is rolled.
    """
    for one in one_per_attacker(() if play.faint else play.counters):
        bare, made = True, EndCounter.offers_after("made", one)
        struck = any(other.made for other in play.counters if other.source == one.source)
        back = _("Strike back at {name}").format(name=one.by) if one.by else _("Strike back")
        known: dict[str, Any] = {
            "note": _("Already made; damage not rolled "
                      "yet") if one.made else _("It hits automatically"), "rare": one.made,
            "onward": {"damage": EndCounter.offers_after("over", one)}, "about": one.source}
        for index, weapon in enumerate(sheet.weapons):
            fires = None if weapon.melee else NotReady.offers_after(sheet, play, index, close=True)
            ready = weapon.melee or (
                weapon.reload_actions and (struck or not play.row_for_weapon("unready", sheet, index)))
            if weapon.kind and not weapon.area and ready:
                bare = False
                yield rolls.CounterAttack.offer(
                    f"{back}: {sheet.weapon_label(index)}", join("weapons", index, "counter", one.source),
                    then={"damage": {"range": weapon.damage} if weapon.damage else {}, "cover": None},
                    leads=combined(made, fires) if fires else made, **known)
        if bare:
            yield rolls.CounterAttack.offer(back, join("counter", one.source), leads=made, **known)


def _note(play: "DaemmersturmPlay", sheet: "Daemmersturm", index: int, what: Wording) -> Wording:
    """Return a weapon's note, preceded by the reason if it is not ready (DS-22, DS-26)."""
    unready = play.row_for_weapon("unready", sheet, index)
    if not unready:
        return what
    if unready.gone:
        return _("Destroyed. {what}").format(what=what)
    return _("Not ready, actions left: {n}. {what}").format(n=unready.steps, what=what)


def _from_behind(label: str, path: str, then: dict, bonus: int, note: Wording = BACK, **given: Any) -> Offer:
    """Return the same attack from behind: a bonus, a repeat, a second damage roll (DS-24)."""
    return rolls.Attack.offer(
        _("{weapon} from behind").format(weapon=label), f"{path}.behind", note,
        group=headings.SPECIAL, then=then | NO_SHIELD | {"damage": {**then["damage"], "rolls": 2, "source": "behind"}},
        bonus=bounded(bonus + BEHIND),
        repeat=True, skill="melee", **given)


def _pairs(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
    """Yield the attacks with two weapons, beginning with each weapon that makes a pair with another (DS-29)."""
    held = [(index, weapon, weapon.kind) for index, weapon in enumerate(sheet.weapons)
            if weapon.kind and weapon.hands == 1]
    for index, first, kind in held:
        found = {}
        for other, second, its in held:
            pair = PAIRED.get((min(kind, its), max(kind, its)))
            if pair and other != index:
                found.setdefault(pair, (other, second))
        for pair, (other, second) in found.items():
            guns = pair == "handguns"
            title = _("{first} and {second}").format(first=sheet.weapon_label(index), second=sheet.weapon_label(other))
            note = PAIR_LABELS[pair]
            for one in (other, index):
                if play.row_for_weapon("unready", sheet, one):
                    note = f"{sheet.weapon_label(one)}: {_note(play, sheet, one, note)}"
            harm: dict[str, Any] = {"source": "ranged" if guns else "melee"} | (
                {"range": first.damage} if first.damage else {})
            known: dict[str, Any] = {} if pair in HEAVY else {"heavy_opponent": False}
            known |= {"pair": pair, "bonus": bounded((sheet.ranged if guns else sheet.melee).attack),
                      "second_damage": second.damage, "skill": "ranged" if guns else "melee"}
            leads, second_leads = (
                None if sheet.weapons[one].melee else NotReady.offers_after(sheet, play, one, close=not guns)
                for one in (index, other))
            onward = {"attack": second_leads} if second_leads else {}
            if poison := RollPoison.offers_after(sheet, play, (other,)):
                onward["damage"] = poison
            yield rolls.PairedAttack.offer(
                title, f"weapons.{index}.{pair}", note, aims=SHOT if guns else {}, leads=leads, onward=onward,
                behind=False,
                then={"damage": harm, **(NO_ESCALATION if guns else NO_ESCALATION_OR_COVER)}, **known)
            if not guns:
                yield rolls.PairedAttack.offer(
                    _("{weapon} from behind").format(weapon=title), f"weapons.{index}.{pair}.behind", note,
                    rare=True, group=headings.SPECIAL, leads=leads, onward=onward, behind=True, repeat=True,
                    then={"damage": {**harm, "rolls": 2, "source": "behind"}, **NO_ESCALATION_OR_COVER, **NO_SHIELD},
                    **known)


def _skills(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
    """Yield attacks with the bare skills: melee and ranged if no weapon uses them, magic, and the noted spells."""
    if not any(weapon.melee for weapon in sheet.weapons):
        yield rolls.Attack.offer(_("Melee attack"), "melee", board.attack_for_display(sheet.melee),
                                 then={"damage": {"source": "melee"}, **NO_ESCALATION_OR_COVER},
                                 bonus=bounded(sheet.melee.attack), skill="melee")
    if all(weapon.melee or weapon.area for weapon in sheet.weapons):
        yield rolls.Attack.offer(_("Ranged attack"), "ranged", board.attack_for_display(sheet.ranged), aims=SHOT,
                                 then={"damage": {"source": "ranged"}, **NO_ESCALATION},
                                 bonus=bounded(sheet.ranged.attack), skill="ranged")
    magic = bounded(sheet.magic.attack)
    yield rolls.Attack.offer(_("Magic attack"), "magic", board.attack_for_display(sheet.magic), aims=SPELL,
                             then=MAGIC_SOURCE, bonus=magic, skill="magic")
    yield rolls.FriendlyFire.offer(_("Magic attack past an ally"), "magic", rare=True, group=headings.SPECIAL,
                                   aims=SPELL, then=MAGIC_SOURCE, bonus=magic, skill="magic")
    for index, one in enumerate(play.spells):
        yield from _spell(one, join("spells", index), magic)


def _spell(one: "Spell", path: str, magic: int) -> Iterator[Offer]:
    """Yield the rolls of a spell that was noted at the table (DS-03, DS-20, DS-27)."""
    then: dict[str, dict | None] = {"damage": {"source": "magic"} | ({"range": one.damage} if one.damage else {})}
    if one.targets or one.w is not None:
        then["targets"] = {"range": one.targets} if one.targets else None
    if one.healing and not one.damage:
        then["damage"] = None
    if one.healing:
        then["healing"] = {"range": one.healing}
    if one.w is not None:
        given: dict[str, Any] = {"fumbles": ""} if one.healing and not one.damage else {}
        yield rolls.WRoll.offer(one.label, path, one.what(), then=then, onward={"healing": offer_own_healing},
                                bonus=magic, target=one.w, kind="spell", **given)
    elif one.damage:
        yield rolls.Attack.offer(one.label, path, one.what(), aims=SPELL, then=then, bonus=magic, skill="magic",
                                 targets=one.targets)
    if one.healing:
        title = _("{spell}: healing").format(spell=one.label)
        yield rolls.Healing.offer(title, f"{path}.healing", one.what(), group=headings.ATTACK, leads=offer_own_healing,
                                  range=one.healing)


def _magic(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
    """Yield the rolls of magic; light and elements are acts, because they spend or set points."""
    magic = bounded(sheet.magic.attack)
    yield rolls.WRoll.offer(_("Spell with a W roll"), "magic", rare=True, group=headings.SPECIAL, then=MAGIC_SOURCE,
                            bonus=magic, kind="spell")
    # A channelling roll that is due is made by its act, which also applies the outcome (DS-54).
    if not play.owed:
        yield rolls.Channelling.offer(rare=True)
