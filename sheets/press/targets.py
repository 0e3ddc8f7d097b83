"""Targets of rolls and acts: the figures that rolls use, and the pending effects that result."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from rulesets import systems
from rulesets.kit import FORGO, KEY, NAME, Act, Offer, Refused, Response, Roll, Ruleset, target_figures_of
from rulesets.names import isolated
from sheets.access import at_table, sees_at_table
from sheets.character import Character
from sheets.models import Event, Member, PendingEffect, Sheet
from sheets.models.events import APPLIED, OPEN
from sheets.press.spread_dice import area_key, is_over, meets_all, targets_reached
from sheets.rolls.further_targets import FURTHER_TARGET_PREFIX
from sheets.rolls.open_results import EFFECT_MARK, is_followup, open_roll, own_rolls, own_rolls_after
from sheets.rolls.repeats import last_roll
from sheets.rolls.stored import roll_of_event, turn_moved_on
from sheets.rolls.widgets import Widget
from sheets.status.reviews import shown_names

MOST = 24
"""The number of events searched for the roll that an area belongs to, or that is still open."""


def own_events(sheet: Sheet) -> QuerySet[Event]:
    """Return the events of a sheet that are not undone, without applied effects."""
    return Event.objects.filter(~Q(widget__contains=EFFECT_MARK), sheet=sheet.pk, undone=False)


@dataclass(frozen=True)
class Target:
    """The target of a press, as the character is now."""

    character: Character
    chosen: bool = False
    """True if the actor may choose this target for effects that hit somebody of the actor's choice."""

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """{name of a figure: value} for rolls aimed at the target, with its name and key."""
        crossing = self.character.ruleset.crossing
        figures = {**crossing.figures(self.character.written, self.character.play), NAME: self.character.name,
                   KEY: str(self.character.sheet.pk)}
        return {**figures, **self._open_figures} if crossing.open_figures else figures

    @property
    def _open_figures(self) -> Mapping[str, Any]:
        """{name of a figure: value} from the dice of the target's last roll, if others may still use them."""
        found = self.character.ruleset.crossing.open_figures
        roll = roll_of_event(self.character.ruleset, self._open[0]) if found and self._open else None
        answer = found.get(type(roll)) if roll else None
        return answer(roll, self._open[0].fell) if roll and answer else {}

    @cached_property
    def _open(self) -> list[Event]:
        """The chain of rolls that ends in the target's open roll, newest first; [] if none is open."""
        ruleset, sheet = self.character.ruleset, self.character.sheet
        if sheet.played is None:
            return []
        log = list(Event.objects.filter(sheet=sheet.pk, undone=False).order_by("-pk").only(
            "act", "roll", "widget", "undone", "step_of", "given", "veiled", "outcome", "figures")[:MOST])
        newest = open_roll(ruleset, log)
        if newest is None or own_rolls_after(ruleset, newest, log):
            return []
        chain = [newest]
        for one in own_rolls(ruleset, log):
            if one.pk < newest.pk and not is_followup(chain[-1], one):
                break
            if one.pk < newest.pk:
                chain.append(one)
        return chain

    def hit_by(self, made: Roll | Act) -> bool:
        """Return True if the effects of a roll or an act go to the target."""
        hits = self.character.ruleset.crossing.hits(made)
        return hits == "target" or (hits == "chosen" and self.chosen)

    def meet_dice(self, made: Any, by: Sheet) -> None:
        """Raise `Refused` if the target has no open dice for the roll `made`, or the roll has used them before."""
        if (sheet := self.character.sheet).pk == by.pk:
            raise Refused(_("That is for somebody else; choose who."))
        name = isolated(self.character.name.strip()) or _("Unnamed")
        if not self._open_figures:
            raise Refused(_("{name} has no open roll for this; it comes after their roll.").format(name=name))
        done = Event.objects.filter(sheet=by.pk, party=sheet.party_id, roll=made.slug, pk__gt=self._open[-1].pk,
                                    pending_effects__sheet=sheet.pk, pending_effects__state__in=(OPEN, APPLIED))
        if done.exists():
            raise Refused(_("That has already been done for this roll of {name}'s; only once per roll.").format(
                name=name))

    def late(self, event: Event) -> bool:
        """Return True if an event's roll used dice of the target that are no longer its open roll."""
        roll = self.character.ruleset.rolls.get(event.roll)
        if roll not in self.character.ruleset.crossing.rolls_on_open_dice or event.sheet_id == self.character.sheet.pk:
            return False
        return not self._open_figures or event.pk < self._open[-1].pk

    def at_another(self, character: Character) -> bool:
        """Return True if the target is somebody other than the actor."""
        return self.character.sheet != character.sheet

    def responses(self, roll: Any) -> list[Response]:
        """Return the target's responses before a roll is made; [] if the roll is made without asking."""
        character, party = self.character, self.character.sheet.party
        crossing = character.ruleset.crossing
        if party is None or type(roll) not in crossing.answered or character.barred:
            return []
        scene = party.scene_of(character.sheet)
        turns = bool(scene and scene.round)
        found = list(crossing.responses(character.written, character.play, roll, turns=turns))
        return [*found, self.forgoing(roll)] if found else []

    def forgoing(self, roll: Any) -> Response:
        """Return the response of not responding."""
        return Response(FORGO, _("Do not respond"), replacement=self.character.ruleset.crossing.unanswered(roll))

    def unanswered(self, roll: Any) -> Offer | None:
        """Return the offer made instead of a roll to which the target has no response, if any."""
        crossing = self.character.ruleset.crossing
        return crossing.unanswered(roll) if type(roll) in crossing.answered and not self.character.barred else None

    def aimed(self, offer: Offer, *, veiled: bool = False, read: bool = True) -> Offer:
        """Return an offer with the target's figures filled in.

        If the choices come from the target's sheet, readers who do not `read` the sheet get them `veiled`, because the
        choices would show more than the table does.
        """
        fill_in = self.character.ruleset.crossing.with_target_figures
        found = fill_in(offer, self.figures, veiled=veiled)
        if found.worded and not read:
            found = fill_in(offer, self.figures, veiled=True)
        return replace(found, fill_from_target=partial(self.aimed, veiled=veiled, read=read))


def whom_hit(me: Member, widget: Widget, at: Sheet | None) -> Sheet | None:
    """Return the sheet that a press hits, which need not be `at`, the chosen target; None if it hits nobody.

    A follow-up hits the target of its roll: damage hits whom the attack hit. An offer or an act may also name its
    target. If that sheet has left the table nobody is hit; raise `Refused` if the press only makes sense with a target.
    """
    root, made, crossing = widget.root, widget.complete, systems()[me.party.ruleset].crossing
    own = made.about() if isinstance(made, Act) else ""
    follows = root and crossing.reaches(widget.offer.cls) and crossing.hits(made) == "target"
    keys = [*(root.aimed_at if root and follows else ())] or [*filter(None, [widget.offer.about or own])]
    if not keys or (at and str(at.pk) in keys):
        return at
    there = at_table(me, Sheet.objects.filter(pk=keys[-1])).first()
    if there and sees_at_table(me, there):
        there.party = me.party
        return there
    if keys != [own] and widget.offer.cls in crossing.effects_on_target:
        raise Refused(_("Its target is no longer at this table, and it hits nobody else instead."))
    return None


def may_be_chosen(widget: Widget | None, by: Sheet, at: Sheet | None) -> bool:
    """Return True if `at` is another sheet on the side of `by` that the preceding roll was not aimed at."""
    hit = widget.root.aimed_at if widget and widget.root else ()
    return bool(at and at.pk != by.pk and at.opponent == by.opponent and str(at.pk) not in hit)


def note_target(event: Event, widget: Widget, target: Target) -> None:
    """Write the target into an unsaved event, if its kind of roll or act has targets."""
    ruleset = target.character.ruleset
    if not ruleset.crossing.reaches(widget.offer.cls):
        return
    event.aimed_at = {str(target.character.sheet.pk): target.character.name}
    _veil(ruleset, event, widget.offer.from_target)
    if not target.hit_by(widget.complete) and not widget.offer.from_target:
        # Targets whose figures were used stay noted, because only their readers may see those figures.
        event.aimed_at = {}


def _veil(ruleset: Ruleset, event: Event, from_target: Iterable[str]) -> None:
    """Move the target's figures and dice in an event into `veiled`, including the fields named in `from_target`.

    Who may read them is decided when the event is shown, because that may change.
    """
    if [*event.aimed_at] == [str(event.sheet_id)]:
        return
    # The roll was made just now, so the system has its class.
    roll = ruleset.rolls[event.roll].model_validate(event.given) if event.roll else None
    every = event.faces
    own = roll.own_dice(len(every)) if roll else range(len(every))
    if (shown := [face for place, face in enumerate(every) if place in own]) != every:
        event.faces, event.veiled["faces"] = shown, every
    for name, cls in (("given", ruleset.rolls.get(event.roll)), ("done", ruleset.acts.get(event.act))):
        stored = getattr(event, name) or {}
        hidden = {key: stored[key] for key in {*target_figures_of(cls), *from_target} if key in stored} if cls else {}
        if hidden:
            setattr(event, name, {key: value for key, value in stored.items() if key not in hidden})
            event.veiled[name] = hidden
    if event.veiled and event.tries:
        event.tries, event.veiled["tries"] = [], event.tries


def add_effects(event: Event, made: Roll | Act, by: Sheet, target: Target) -> None:
    """Create the pending effects of an event on the target (or whoever it hits), and those on the actor."""
    crossing = target.character.ruleset.crossing
    outcome = event.fell if event.roll else None
    hit = target.character.sheet if target.hit_by(made) else by if crossing.hits(made) == "actor" else None
    there = [(hit, offer) for offer in crossing.target_offers(made, outcome, target.figures)] if hit else []
    back = [(by, offer) for offer in crossing.actor_offers(made, outcome, target.figures)]
    # Both databases return the keys of rows created in bulk.
    event.new_effects = PendingEffect.objects.bulk_create(
        PendingEffect(event=event, sheet=sheet, act=offer.cls.slug, filled=dict(offer.filled) | _whence(offer, by))
        for sheet, offer in (*there, *back))


def _whence(offer: Offer, by: Sheet) -> dict[str, str]:
    """Return the fields `by` (name as others see it) and `source` for an act that stores its source; else {}."""
    names = issubclass(offer.cls, Act) and offer.cls.names_source
    return {"by": shown_names([by])[by.pk].strip() or _("Unnamed"), "source": str(by.pk)} if names else {}


def may_reach_further(ruleset: Ruleset, event: Event, sheet: Sheet) -> bool:
    """Return True if `sheet` may be added as one more target of an event's dice, which must all be the actor's own."""
    if (roll := roll_of_event(ruleset, event)) is None or type(roll) in ruleset.crossing.rolls_on_open_dice:
        return False
    # The dice of an act upon oneself may reach others as well.
    beside = event.act and not event.again_id and sheet.pk != event.sheet_id
    if ruleset.crossing.hits(roll) != ("target" if event.aimed_at or beside else "chosen"):
        return False
    if type(roll) in ruleset.crossing.answered and sheet.party and sheet.party.waits:
        # The new target would be hit without having been asked.
        return False
    itself = sheet.pk == event.sheet_id and ruleset.crossing.only_others(roll)
    if event.undone or itself or str(sheet.pk) in event.aimed_at or not ruleset.crossing.allows_more_targets(roll):
        return False
    most = ruleset.crossing.most_targets(roll)
    return all(place in roll.own_dice(len(event.thrown)) for place in range(len(event.thrown))) and (
        most is None or len(targets_reached(event)) < most)


def meets_more(ruleset: Ruleset, newest: Event, sheet: Sheet) -> Event | None:
    """Return the event whose dice may be applied to `sheet` too: the newest or the area roll before it; else None."""
    act = ruleset.acts.get(newest.act)
    if act and act.leaves_dice and newest.sheet and (before := last_roll(newest.sheet)) and not turn_moved_on(before):
        newest = before
    found = newest if may_reach_further(ruleset, newest, sheet) else _area_of(ruleset, newest, sheet)
    return None if found is None or is_over(found, sheet) else found


def _area_of(ruleset: Ruleset, newest: Event, sheet: Sheet) -> Event | None:
    slugs = [one.slug for one in ruleset.crossing.areas]
    begins = tuple(f"roll-{slug}" for slug in slugs)
    again = tuple(f"{one}-{FURTHER_TARGET_PREFIX}" for one in begins)
    chain = [newest.widget[at:] for at in range(len(newest.widget))
             if newest.widget.startswith(begins, at) and not newest.widget.startswith(again, at)]
    if not chain:
        return None
    found = list(Event.objects.filter(sheet=newest.sheet_id, party=newest.party_id, widget__in=chain, roll__in=slugs,
                                      pk__lte=newest.pk).order_by("-pk")[:MOST])
    same = [one for one in found if one.widget == found[0].widget]
    if not same:
        return None
    # Older versions stored the event of a further target under the widget name of the roll itself.
    last = same[0]
    first = next((one for one in same if last.key in {area_key(one, at) for at in last.aimed_at}), last)
    if first.undone or last.undone or not _may_meet(ruleset, first):
        return None
    already = str(sheet.pk) in {*first.aimed_at, str(first.sheet_id)}
    once = Event.objects.filter(sheet=first.sheet_id, key=area_key(first, str(sheet.pk)))
    return None if already or once.exists() or meets_all(ruleset, first) else first


def _may_meet(ruleset: Ruleset, event: Event) -> bool:
    roll = roll_of_event(ruleset, event)
    own = roll and all(place in roll.own_dice(len(event.thrown)) for place in range(len(event.thrown)))
    return bool(roll and own and event.aimed_at and not event.again_id
                and ruleset.crossing.allows_more_area_targets(roll, event.fell))


def note_again(event: Event, before: Event) -> None:
    """Copy the targets of a roll into its repeat."""
    event.aimed_at = before.aimed_at
    if before.aimed_at and event.sheet:
        _veil(event.sheet.system, event, before.veiled.get("given", ()))


def repeat_effects(sheet: Sheet, event: Event) -> None:
    """Create the effects of a repeat on the targets of its roll that are still at the table."""
    roll = roll_of_event(sheet.system, event) if event.aimed_at else None
    if roll is None or sheet.party is None:
        return
    for target in Sheet.objects.not_deleted().filter(pk__in=event.aimed_at, party=sheet.party):
        target.party = sheet.party
        add_effects(event, roll, sheet, Target(Character(target)))
