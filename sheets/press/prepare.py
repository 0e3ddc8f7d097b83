"""Preparing a press before anything is locked: find the widget, read its answers.

Afterwards the seats are locked only if they are unchanged. The query that updates the acting sheet is cached, because
Django takes longer to build it than the database to run it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import tee
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.sql import UpdateQuery
from django.utils import translation
from django.utils.translation import gettext as _

from rulesets.kit import Act, Offer, Refused, Response, Roll, Wording
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Member, Sheet
from sheets.models.compiled_queries import compiled
from sheets.news import page_tokens
from sheets.press.distinct_targets import refuse_hit_twice
from sheets.press.log import last_events, recent_events
from sheets.press.targets import Target, may_be_chosen, whom_hit
from sheets.rolls.open_results import open_roll, refuse_if_too_late, taking_act
from sheets.rolls.rows import already_made, roll_cards
from sheets.rolls.widgets import Widget, answered_widget, find_row_again, key_of
from sheets.status.reviews import ReviewStatus, review_statuses

OF_TARGET = ("version", "party_id", "scene_id", "deleted", "seen_by", "at_table", "played")
"""The fields of a sheet that a press aimed at it depends on."""
_WRITING: dict[tuple[Any, ...], str] = {}
"""{(number of fields written, (field, True if None) for each field written or filtered by): SQL}."""


@dataclass(frozen=True)
class Seats:
    """The acting sheet and its target, as they were read together.

    `me` is the member of their party who presses; None on the page of the sheet alone, where the owner presses.
    """

    by: Sheet
    at: Sheet | None = None
    me: Member | None = None
    own: bool = True
    """True if the user who presses may know the secrets of the acting sheet."""

    def lock(self, statuses: Mapping[Any, ReviewStatus], **new: Any) -> bool:
        """Lock both sheets with their party, and write the `new` values into the acting one.

        Return False if a sheet or one of the review `statuses` has changed since it was read, or if a member who acts
        for somebody else no longer has the role for it.
        """
        if not lock_if_unchanged(self.by, **new):
            return False
        # A member's own sheet leaves the party with its owner.
        if self.me and self.by.owner_id != self.me.user_id and not Member.objects.filter(
                pk=self.me.pk, role=self.me.role).exists():
            return False
        # A sheet aimed at itself is locked already.
        if self.at and self.at.pk != self.by.pk and not _same(self.at, OF_TARGET):
            return False
        return review_statuses([one for one in (self.by, self.at) if one], statuses) == statuses


@dataclass(frozen=True)
class Press:
    """A posted press: the widget's name, the mark of its row ("" for none), its answers and its key."""

    which: str
    row: str
    answers: Answers
    key: UUID
    nonce: str = ""
    """The nonce that the browser chose for the roll's receipt, "" if none."""
    faces: tuple[int | None, ...] | None = None
    """The faces thrown by hand so far, None for each that is no number; None if the dice fall here."""


@dataclass(frozen=True)
class PreparedPress:
    """A press prepared before its sheet is locked; `widget` is None if it is not offered."""

    seats: Seats
    statuses: Mapping[Any, ReviewStatus]
    """{key of a sheet: its review status} of both sheets."""
    character: Character
    target: Target | None
    widget: Widget | None
    titles: dict[str, str]
    """{language: title of what is pressed}."""
    fingerprint: str = ""
    """The fingerprint of the sheet's own page before the press; "" at the table."""
    change_token: str = ""
    """The change token of that page before the press; "" at the table."""
    responses: tuple[Response, ...] = ()
    """The target's possible responses before the roll; if there are any, the target is asked first."""
    takes: Widget | None = None
    """The act that first applies the open result of the preceding roll."""


def prepare_press(seats: Seats, answers: Answers, which: str, row: str = "") -> PreparedPress:
    """Prepare a press; raise `Refused` if it is not allowed. No dice fall yet."""
    statuses = review_statuses([one for one in (seats.by, seats.at) if one])
    character = Character(seats.by, statuses[seats.by.pk])
    if seats.me:
        character.reader = seats.me.user_id
    target = Target(Character(seats.at, statuses[seats.at.pk])) if seats.at else None
    if (widget := pressed_widget(character, answers, which, target, row)) and widget.already_made:
        raise Refused(_("That has already been done for this roll; only once per roll."))
    if widget is None:
        refuse_if_too_late(character.ruleset, which, recent_events(character.sheet))
        _refuse_repeat(character, which)
    made = widget.complete if widget else None
    if seats.me and widget and made and (hit := whom_hit(seats.me, widget, seats.at)) != seats.at:
        return prepare_press(replace(seats, at=hit), answers, which, row)
    if widget and widget.root and made:
        refuse_hit_twice(seats.by, made, widget.key, seats.at)
    if target:
        _refuse_wrong_target(target, made, seats.by)
    _refuse_delay(made, seats.by)
    waits = made and seats.me and seats.me.party.waits
    if made and seats.me and character.ruleset.crossing.hits(made) == "chosen":
        target = replace(target, chosen=may_be_chosen(widget, seats.by, seats.at)) if target else None
        if waits and type(made) in character.ruleset.crossing.answered and not (target and target.chosen):
            raise Refused(_("Choose a target first: they are asked before the roll."))
    answered = made and seats.me and type(made) in character.ruleset.crossing.answered
    asked = target if answered and target and target.at_another(character) else None
    responses = tuple(asked.responses(made)) if asked else ()
    if asked and widget and not responses and (offer := asked.unanswered(made)):
        widget = standing_in(widget, offer)
        made = widget.complete
    # In a party that does not wait, it only matters if there is any response.
    responses = responses if waits else ()
    takes = takes_first(character, widget) if widget and made else None
    called = titles(character, widget) if widget and made else {}
    tokens = ("", "") if seats.me else page_tokens(character)
    return PreparedPress(seats, statuses, character, target, widget, called, *tokens, responses, takes)


def _refuse_repeat(character: Character, which: str) -> None:
    """Raise `Refused`, with the reason, if `which` names an act that would repeat a roll and may not."""
    act = character.ruleset.acts.get(which.removeprefix("act-"))
    if act and act.repeats and not (character.barred or act.model_fields):
        act().apply(character.written, character.play)


def _refuse_delay(made: Roll | Act | None, sheet: Sheet) -> None:
    """Raise `Refused` for an act that delays the turn if it is the sheet's counted turn, which would not pass on."""
    if not (isinstance(made, Act) and made.delays_turn):
        return
    scene = sheet.party.scene_of(sheet) if sheet.party else None
    if scene and scene.round and str(sheet.pk) in scene.on:
        raise Refused(_("It is your turn: press “Hold back” at the table, where the turn ends."))


def _refuse_wrong_target(target: Target, made: Roll | Act | None, by: Sheet) -> None:
    """Raise `Refused` if a roll or act cannot be aimed at the target."""
    sheet = target.character.sheet
    if made and sheet.pk == by.pk and sheet.system.crossing.only_others(made):
        raise Refused(_("That is for somebody else; choose who."))
    if type(made) in sheet.system.crossing.rolls_on_open_dice:
        target.meet_dice(made, by)


def takes_first(character: Character, widget: Widget) -> Widget | None:
    """Return the act that applies the preceding roll's open result before a press throws other dice, or None."""
    made, ruleset = widget.complete, character.ruleset
    if character.barred or type(made) in ruleset.crossing.rolls_on_open_dice or not ruleset.has_open_results:
        return None
    before = open_roll(ruleset, recent_events(character.sheet))
    if before is None or widget.key.endswith(f"-{before.widget}") or roll_of(character, made) is None:
        return None
    return pressed_widget(character, {}, f"act-{taking_act(ruleset, before)}-{before.widget}")


def standing_in(pressed: Widget, offer: Offer) -> Widget:
    """Return the widget of a roll made instead of the pressed one, with the name, title and row of the latter."""
    widget = Widget(replace(offer, title=pressed.offer.title, leads=offer.leads or pressed.offer.leads))
    widget.key, widget.row_name = pressed.key, pressed.row_name
    return widget


def pressed_widget(character: Character, answers: Answers, which: str, target: Target | None = None,
                   row: str = "") -> Widget | None:
    """Return the widget named `which` among the sheet's offers and the follow-ups of its last rolls, or None.

    `row` is the mark of the widget's row, if any; the row is found by it even if it has moved.
    """
    aimed = target.aimed if target else lambda offer: offer
    offers = character.offers(aimed=bool(target and target.at_another(character)))
    if row:
        offers, looked_through = tee(offers)
        which = find_row_again(looked_through, which, row)
    if widget := answered_widget((aimed(one) for one in offers if key_of(one) == which), answers, which):
        return widget
    rolls = roll_cards(character.ruleset, map(aimed, character.rolls()), last_events(character.sheet), answers, which)
    for begins in rolls:
        for root, card in begins.cards_with_root():
            if card.widget.key == which:
                card.widget.root = root.last
                card.widget.already_made = card is not begins and already_made(
                    card, character.ruleset.crossing.stopping)
                return card.widget
    return None


def titles(character: Character, widget: Widget) -> dict[str, str]:
    """Return {language: title of a widget}; offers are made anew in each language to get them."""
    offer, found = widget.offer, {translation.get_language(): str(widget.offer.title)[:300]}
    own = offer.title != offer.cls.title
    for language, _name in settings.LANGUAGES:
        if language not in found:
            with translation.override(language):
                found[language] = str((own and _title_here(character, widget)) or offer.cls.title)[:300]
    return found


def _title_here(character: Character, widget: Widget) -> Wording:
    """Return the title of a widget in the current language; "" if it is no longer offered."""
    offer = widget.offer
    for one in character.offers(Roll if issubclass(offer.cls, Roll) else Act, aimed=True):
        if one.cls is offer.cls and one.key == offer.key:
            return one.title
    return found.offer.title if (found := pressed_widget(character, {}, widget.key)) else ""


def roll_of(character: Character, act: Roll | Act) -> Roll | None:
    """Return a roll itself, or the roll of an act; None for a repeat, whose roll is read under the lock."""
    if isinstance(act, Roll):
        return act
    return None if act.repeats else act.roll(character.written, character.play)


def lock_if_unchanged(sheet: Sheet, **new: Any) -> bool:
    """Lock a sheet with its party until the transaction ends, and write `new` values into it.

    Return False, without writing, if its owner, its party, its scene, its data or its state of play has changed since
    it was read.
    """
    if sheet.party and not _same(sheet.party, ("version", "table", "approval", "waits", "by_hand")):
        return False
    # House rules can change without a new version of the sheet. A guest's sheet is in no party, and has no
    # owner yet.
    house = {"house": sheet.house} if sheet.house else {}
    whose = {"owner": sheet.owner_id, "party": sheet.party_id, "scene": sheet.scene_id} if sheet.owner_id else {
        "guest": sheet.guest}
    conditions = {"pk": sheet.pk, "deleted": None, "version": sheet.version, "played": sheet.played, **whose, **house}
    if not write_where(conditions, new):
        return False
    for key, value in new.items():
        setattr(sheet, key, value)
    return True


def _same(was: Model, keys: tuple[str, ...]) -> bool:
    """Lock a row until the transaction ends; return True if its fields `keys` are as they were read."""
    now = next(iter(_locked(was.pk, model=type(was), keys=keys)), None)
    return now == tuple(getattr(was, key) for key in keys)


@compiled
def _locked(pk: Any, *, model: type[Model], keys: tuple[str, ...]) -> QuerySet[Any, tuple]:
    return QuerySet(model).filter(pk=pk).select_for_update().values_list(*keys)


def write_where(conditions: Mapping[str, Any], new: Mapping[str, Any]) -> int:
    """Write the `new` values into the sheet that matches `conditions`, {field: value}; return the number of rows."""
    if "house" in conditions:
        # Lookups in JSON fields differ by database, so Django builds this query.
        return Sheet.objects.filter(**conditions).update(**new)
    with connection.cursor() as cursor:
        cursor.execute(*update_sql(conditions, new))
        return int(cursor.rowcount)


def update_sql(conditions: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """Return (SQL, parameters) of the update; these are the new values, then `conditions` by name, without None."""
    pairs = (*new.items(), *sorted(conditions.items()))
    shape = (len(new), *((key, value is None) for key, value in pairs))
    if shape not in _WRITING:
        found: Any = Sheet.objects.filter(**conditions).query.chain(UpdateQuery)
        found.add_update_values(new)
        _WRITING[shape] = found.sql_with_params()[0]
    return _WRITING[shape], [_stored(key, value) for key, value in pairs if value is not None]


def _stored(key: str, value: Any) -> Any:
    return getattr(Sheet, "id" if key == "pk" else key).field.get_db_prep_save(value, connection)
