"""At the table: one press makes one roll or one act; acts are logged and can be taken back in order."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import tee
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from rulesets.dice import RealTray, thrown
from rulesets.kit import Act, Data, Lasting, Play, Refused, Roll, Wording, opened
from sheets.access import hold_as_read
from sheets.audit_log import chain
from sheets.character import Character
from sheets.documents import overlong
from sheets.forms.inputs import Answers
from sheets.history import saves
from sheets.history.revisions import carried, keep
from sheets.models import Event, Sheet
from sheets.models.reviews import PLAYED
from sheets.news import fingerprint, own_word
from sheets.press.aiming import Aim, land, land_again, note_again, note_aim
from sheets.press.log import announce, last_events
from sheets.press.undo import call_off
from sheets.rolls.followups import roll_cards
from sheets.rolls.repeats import Rethrow, fallen_before, repeated, taken_back
from sheets.rolls.widgets import Widget, chosen, found_again, key_of
from sheets.secrets import OTHERS, hiding
from sheets.status.reviews import ReviewStatus, shown_names
from sheets.worded import write_where


@dataclass(frozen=True)
class Fallen:
    """Dice that were thrown before anything is held, and what they were thrown for."""

    roll: Roll
    outcome: Any
    tray: RealTray


@dataclass(frozen=True)
class PreparedPress:
    """A press that is got ready before its sheet is held: the widget, None where it is not offered, and its dice."""

    character: Character
    widget: Widget | None
    fallen: Fallen | None
    titles: dict[str, str]
    """{language: what is pressed is called in it}."""
    fingerprint: str
    """That of the page as the sheet is before the press."""
    word: str
    """The word that its owner's page has of it then."""

    def fits(self, sheet: Sheet, taken: ReviewStatus | None = None) -> bool:
        """Whether the sheet that is held now, of this status, is still the one that this was got ready for."""
        return self.character.still(sheet, taken)


def prepare_press(sheet: Sheet, answers: Answers, which: str, aim: Aim | None = None,
                  taken: ReviewStatus | None = None, row: str = "") -> PreparedPress:
    """What of a sheet is pressed, and the dice that fall for it; odds and dice may take a while."""
    character = Character(sheet, taken)
    widget = pressed_widget(character, answers, which, aim, row)
    fallen, called = (cast(character, widget), titles(character, widget)) if widget and widget.made else (None, {})
    return PreparedPress(character, widget, fallen, called, fingerprint(character), own_word(character))


def pressed_widget(character: Character, answers: Answers, which: str, aim: Aim | None = None,
                   row: str = "") -> Widget | None:
    """The widget of this name among what the sheet offers and what its last rolls lead on to.

    Where it is about a row of this mark, that row is looked for; it may stand elsewhere by now.
    """
    met = aim.met if aim else lambda offer: offer
    offers = character.offers(aimed=bool(aim and aim.at_another(character)))
    if row:
        offers, looked_through = tee(offers)
        which = found_again(looked_through, which, row)
    if widget := chosen((met(one) for one in offers if key_of(one) == which), answers, which):
        return widget
    rolls = roll_cards(character.ruleset, map(met, character.rolls()), last_events(character.sheet), answers, which)
    return next((card.widget for roll in rolls for card in roll.whole() if card.widget.key == which), None)


def to_play(sheet: Sheet) -> bool:
    """Holds a sheet as it was read, with its party, and notes that it is played now; False where either has changed."""
    return hold_as_read(sheet, played=timezone.now())


def hold_to_press(ready: PreparedPress) -> bool:
    """Holds the sheet of a press `to_play`; what makes no sense is not played, and nothing is held for it."""
    return not (ready.widget and ready.widget.made) or to_play(ready.character.sheet)


def fall(roll: Roll, tray: RealTray | None = None) -> Fallen:
    """Throws the dice of a roll."""
    return Fallen(roll, *thrown(roll.throw, tray))


def fall_for(character: Character, made: Roll | Act, roll: Roll, tray: RealTray | None = None) -> Fallen:
    """Throws the dice of a roll that is made, or of an act.

    The dice of an act that was taken back lie as they did, where the same is done before anything else was.
    """
    if isinstance(made, Roll):
        return fall(roll, tray)
    sheet = character.sheet
    like = Event(act=made.slug, roll=type(roll).slug, party_id=sheet.party_id)
    before = taken_back(sheet.pk, like, sheet.play)
    return fall(roll, Rethrow(dict(enumerate(before[0].thrown)), tray) if before else tray)


def cast(character: Character, widget: Widget) -> Fallen | None:
    """The dice that a press of this widget throws, None where it throws none (`Refused` as by the press)."""
    roll = None if character.barred else _thrown_by(character, widget.made)
    return fall_for(character, widget.made, roll) if roll else None


def press(character: Character, widget: Widget, key: UUID, tray: RealTray | None = None, *, who: User | None = None,
          fallen: Fallen | None = None, called: dict[str, str] | None = None, aim: Aim | None = None) -> Event:
    """Makes a roll or does an act of a sheet that is held `to_play` (`Refused` where play does not allow it).

    The key is a new one. The dice are those that have `fallen`, if it is for them that they fell; `called` are the
    `titles` where they are known. What comes of it is offered to whom it is aimed at; who that is, is held, too.
    """
    event = make_event(character, widget, key, tray, who=who, fallen=fallen, called=called)
    if event.again:
        _call_off(character.sheet, event.again, who)
        note_again(event, event.again)
    elif aim:
        note_aim(event, widget, aim)
    if event.act:
        write_where({"pk": character.sheet.pk}, {"play": character.sheet.play})
    event.save()
    if event.again:
        land_again(character.sheet, event)
    elif aim:
        land(event, widget.made, character.sheet, aim)
    if party := character.sheet.party:
        announce(party, table=bool(event.group))
    return event


def make_event(character: Character, widget: Widget, key: UUID, tray: RealTray | None = None, *,
               who: User | None = None, fallen: Fallen | None = None,
               called: dict[str, str] | None = None) -> Event:
    """The same without saving what then stands in the sheet, its party and the event."""
    if character.others:
        raise ValueError("what others see of a sheet is not played on")
    if character.barred:
        raise Refused(character.barred)
    made = widget.made
    event = Event(sheet=character.sheet, party_id=character.sheet.party_id, who=who, key=key, widget=widget.key,
                  row=widget.row, title=str(widget.offer.title)[:300],
                  titles=called or titles(character, widget))
    if isinstance(made, Act) and made.repeats:
        _repeat(character, event, made, tray)
    else:
        roll = _thrown_by(character, made)
        if roll and not (fallen and fallen.roll == roll):
            fallen = fall_for(character, made, roll, tray)
        outcome = throw_into(event, fallen) if roll and fallen else None
        if isinstance(made, Act):
            keep_act(character, event, made, made.apply(character.written, character.play, outcome))
    return event


def _call_off(sheet: Sheet, event: Event, who: User | None) -> None:
    """Takes back what came elsewhere of the roll that is repeated (`Refused` where something followed on that)."""
    if stuck := call_off(sheet, event, who):
        names = ", ".join(name.strip() or _("Without a name") for name in shown_names(stuck).values())
        raise Refused(_("What came of that roll was followed by something else: {names}; take that back before you "
                        "repeat the roll.").format(names=names))


def titles(character: Character, widget: Widget) -> dict[str, str]:
    """{language: what is pressed is called in it}; offers are worded as they are made, and so made anew in each."""
    offer, found = widget.offer, {translation.get_language(): str(widget.offer.title)[:300]}
    own = offer.title != offer.cls.title
    for language, _name in settings.LANGUAGES:
        if language not in found:
            with translation.override(language):
                found[language] = str((own and _title_here(character, widget)) or offer.cls.title)[:300]
    return found


def _title_here(character: Character, widget: Widget) -> Wording:
    """What a widget is called in the language that is spoken now, "" where it is no longer to be found."""
    offer = widget.offer
    for one in character.rolls() if issubclass(offer.cls, Roll) else character.acts(aimed=True):
        if one.cls is offer.cls and one.key == offer.key:
            return one.title
    return found.offer.title if (found := pressed_widget(character, {}, widget.key)) else ""


def _thrown_by(character: Character, act: Roll | Act) -> Roll | None:
    """A roll itself, or the one that an act asks for; what a repeat throws is known only while the sheet is held."""
    if isinstance(act, Roll):
        return act
    return None if act.repeats else act.roll(character.written, character.play)


def throw_into(event: Event, fallen: Fallen) -> Any:
    """Writes into the event what fell; answers the outcome."""
    event.roll, event.given = type(fallen.roll).slug, fallen.roll.model_dump()
    event.faces, event.tries = fallen.tray.fallen, fallen.tray.tries
    event.outcome, event.figures = fallen.outcome.value, dict(fallen.outcome.figures)
    return fallen.outcome


def _repeat(character: Character, event: Event, act: Act, tray: RealTray | None) -> None:
    """Takes back what came of the last roll, throws one's own dice again and applies the act of it anew.

    They lie as they did where the same was done before and taken back.
    """
    past = repeated(character)
    event.again, event.widget, event.row = past.event, past.event.widget, past.event.row
    outcome = throw_into(event, fall(past.roll, Rethrow(past.lying | fallen_before(past.event, own=True), tray)))
    changed = past.act.apply(past.written, past.play, outcome) if past.act else past.play
    kept, data = _parted(changed, past.written.model_dump())
    for _time in range(past.times):
        kept, data = _parted(act.apply(past.written, kept, outcome), data)
    keep_act(character, event, act, kept if data == character.written.model_dump() else Lasting(kept, data), past.act)


def _parted(changed: Play | Lasting, data: Data) -> tuple[Play, Data]:
    """The state of play and the data of the sheet after an act; `data` where it changed the state of play alone."""
    return (changed.play, changed.data) if isinstance(changed, Lasting) else (changed, data)


def keep_act(character: Character, event: Event, act: Act, changed: Play | Lasting, applied: Act | None = None) -> None:
    """Writes what an act changed; a repeat tells of the act that it `applied` anew, too."""
    event.act, event.done, event.before = act.slug, act.model_dump(mode="json"), character.sheet.play
    kept = changed.play if isinstance(changed, Lasting) else changed
    character.sheet.play = kept.model_dump(exclude_defaults=True)
    if (what := overlong(character.sheet)) and len(str(character.sheet.play)) > len(str(event.before)):
        character.sheet.play = event.before
        raise Refused(what)
    if isinstance(changed, Lasting):
        _for_good(character, event, changed.data)
    event.text = _told(character, kept, act, applied)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            event.said[language] = _told(character, kept, act, applied)
    if hiding(character.ruleset):
        _tell_others(character, event, opened(kept), *(opened(one) for one in (act, applied) if one))
    if common := character.common():
        _share(character, event, {key: (common[key], getattr(kept, key)) for key in common})


def _told(character: Character, kept: Play, *acts: Act | None) -> str:
    return _lines(acts, (one.tell(character.written, kept) if one else None for one in acts))


def _lines(acts: Iterable[Act | None], told: Iterable[str | None]) -> str:
    """What acts say of themselves; one that says no more than its title is told by the event's own."""
    lines = (str(line) for act, line in zip(acts, told, strict=True) if act and line != act.title)
    return ". ".join(filter(None, lines))[:500]


def _tell_others(character: Character, event: Event, kept: Play, *acts: Act) -> None:
    """What all but the owner read of an act, as far as that is something else."""
    others = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            others[language] = _lines(acts, (one.tell_others(character.written, kept) for one in acts))
    if others != event.said:
        event.said[OTHERS] = others


def _for_good(character: Character, event: Event, data: Data) -> None:
    """Writes what an act made of the sheet; a draft that differs from what is played keeps its own changes."""
    sheet, kept, before = character.sheet, character.review_status.revision, character.written.model_dump()
    event.before_data = sheet.data
    draft = character.ruleset.sheet.model_validate(sheet.data).model_dump()
    saves.save(sheet, replace(sheet.state, data=carried(before, data, draft)))
    event.version = sheet.version
    if kept:
        event.before_revision = kept.number
        revision = keep(sheet, PLAYED, event.who, {"name": kept.name, "data": data, "house": kept.house})
        chain.append(PLAYED, event.who, sheet=sheet, revision=revision)
    elif sheet.finished:
        keep(sheet, PLAYED, event.who)


def _share(character: Character, event: Event, counters: dict[str, tuple[int, int]]) -> None:
    """What an act did to the party's counters goes into the party; what the sheet had of its own waits there."""
    sheet, party, own = character.sheet, character.sheet.party, event.before or {}
    sheet.play = {key: value for key, value in sheet.play.items() if key not in counters}
    sheet.play |= {key: own[key] for key in counters if key in own}
    event.group = {key: list(both) for key, both in counters.items() if both[0] != both[1]}
    if party:
        party.table = {**party.table, **{key: after for key, (_before, after) in event.group.items()}}
