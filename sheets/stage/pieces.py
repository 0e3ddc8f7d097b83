"""The pieces of a sheet's page, and of a table's offers, that a press has changed; htmx gets only these."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from operator import attrgetter
from typing import Any

from django.contrib.messages import get_messages
from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.functional import SimpleLazyObject
from django_htmx.http import reswap

from rulesets.kit import Offer, Ruleset
from sheets.access import is_own
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event, Member
from sheets.press.log import as_seen, latest_by_widget, leading, left_open, log_of, topmost, undo_blocked, undoable_act
from sheets.press.pending import OpenEffect, effect_widget, with_guards
from sheets.rolls.rows import (
    AUTOMATIC_MARK,
    PostedTargetFigures,
    RollCard,
    TargetFigures,
    belongs_to,
    page_wide_answers,
    page_wide_only,
    roll_cards,
    rolls_page,
)
from sheets.rolls.stored import event_text
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import key_of, widgets
from sheets.stage import panel
from sheets.stage.actor import ActorPanel
from sheets.stage.panel import Pressable
from sheets.stage.press_form import head
from sheets.stage.table import PartyTable

ASKING = attrgetter("cls", "title", "filled", "key", "note", "among", "rare", "group", "aims", "reach", "row")
"""The parts of an offer that show before it is pressed; its follow-ups are drawn with its outcome."""
SHEET, TABLE = "play/_press_answer.html", "parties/table/_changed.html"
"""The templates of the pieces of a sheet's page and of a table."""


def answer_pieces(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Return the pieces that htmx swaps in; their forms need no CSRF token, because htmx sends the page's."""
    told = {"request": request, "messages": get_messages(request)}
    return reswap(HttpResponse(render_to_string(template, context | told)), "none")


def of_sheet(before: Character, event: Event, answers: Answers, nudge: str = "") -> dict | None:
    """Return the context of the pieces that a press or an undone act changes; None if all may have changed.

    `answers` are those of the press; `nudge` is the name of the pressed button if it is at a gauge. In the context,
    `parts` are templates, `changed` the rows and `pressed` the acts to redraw, and `rolled` is the row of the roll,
    which keeps its inputs. `keys` name the forms that get a new key. The event's log line is added or struck out.
    """
    if event.again_id or event.before_data is not None or left_open(before, event):
        return None
    character = Character(before.sheet, before.review_status) if event.act else before
    [event] = as_seen(character, [event])
    which = "" if nudge or event.undone else event.widget
    context: dict[str, Any] = {
        "mine": True, "plays": True, "event": event, "text": event_text(character.ruleset, event), "widget_key": which,
        "parts": [], "changed": [], "pressed": [], "faulty": False, "still": False}
    if event.act:
        context |= _of_act(before, character, answers, which, event)
        context["last_act"] = undoable = undoable_act(character) if event.undone else event
    else:
        # The page posts the answers that belong to all of it: figures of the other side, and its page of rolls.
        against = PostedTargetFigures.of(answers)
        context |= panel.page_head(character, against, page_wide_only(answers))
        context |= _fallen(character, event, event, against)
        undoable = None
    context["tray"] = tray_of(character.ruleset, event, context["cards"], context["repeats"],
                              None if event.undone else undoable)
    context["rolled"] = [card for card in context["cards"] if card.widget.key == event.widget]
    context["keys"] = [*([event.widget] if context["rolled"] else []), *([nudge] if nudge else [])]
    return context


def _fallen(character: Character, event: Event, seen: Event, against: PostedTargetFigures,
            aimed: Callable[[Offer], Offer] = lambda offer: offer) -> dict[str, Any]:
    """Return the context of an event's row with its follow-ups, and of the acts that would repeat its roll.

    A roll changes no other offers. `seen` is the event as the reader may see it; `aimed` fills in a target's figures.
    """
    held = [*islice((one for one in map(aimed, character.rolls()) if belongs_to(one, event)), 1)]
    # The row of a follow-up also shows the rolls before it, so these are read.
    first = not held or key_of(held[0]) == event.widget
    last = {event.widget: seen} if first else _last(character)
    return {"cards": roll_cards(character.ruleset, held, last, target_answers=against.answers),
            "repeats": widgets(map(aimed, character.repeats()), target_answers=against.answers) if event.roll else []}


def _last(character: Character) -> dict[str, Event]:
    return latest_by_widget(log_of(character))


def _of_act(before: Character, character: Character, answers: Answers, which: str, event: Event) -> dict[str, Any]:
    """Return the context of what an act has changed of the page; unchanged offers are not made twice to be compared."""
    rolls, offers = [*character.rolls()], [*character.acts()]
    against = panel.against_of(character, [*rolls, *offers], answers, "", [event])
    were_rolls, were_offers = [*before.rolls()], [*before.acts()]
    was_against, same_rolls = against, [*map(ASKING, were_rolls)] == [*map(ASKING, rolls)]
    if not same_rolls or [*map(ASKING, were_offers)] != [*map(ASKING, offers)]:
        was_against = panel.against_of(before, [*were_rolls, *were_offers], answers, "", [event])
    acts = panel.acts_of(character, offers, against)
    were = _acts_before(before, were_offers, was_against, acts,
                        alike=was_against.answers == against.answers)
    now = panel.values_now(character, acts, which)
    then = panel.values_now(before, were, like=(character.now, now))
    stood = {tile.value.key: tile for tile in then["tiles"]}
    now["tiles"] = [tile.after(stood.get(tile.value.key)) for tile in now["tiles"]]
    context = {**now, "against": against, **panel.acts_shown(acts, now["tiles"], which)}
    was = {**then, "against": was_against, **panel.acts_shown(were, then["tiles"])}
    parts = ["state_of_play", "undo", *panel.changed_parts(was, context)]
    own = character.ruleset.templates
    board = _otherwise_on_board(then["board"], now["board"])
    context |= _rolls_after(character, rolls if same_rolls else were_rolls, was_against, rolls, against,
                            page_wide_only(answers), event,
                            anew="rolls" in own and bool(board - character.play.on_board_beside),
                            beside="rolls_beside" in own and bool(board))
    if "roll_groups" in context:
        parts += [*([] if "changed" in context else ["rolls"]), *(["rolls_beside"] if "rolls_beside" in own else [])]
    at_gauges = {one.key for tile in context["tiles"] for one, _odds in tile.acts}
    drawn = {one.key for one, _odds in acts if ("values_now" if one.key in at_gauges else "acts") in parts}
    pressed = [(one, odds) for one, odds in _otherwise(were, acts, which) if one.key not in drawn]
    parts += [] if "values_now" in parts else ["figures_now"]
    head = panel.page_head(character, against, page_wide_answers(against, context["rolls_page"]))
    return context | {**head, "parts": [head["templates"].get(name, f"play/_{name}.html") for name in parts],
                      "pressed": pressed, "repeats": [one for one, _odds in acts]}


def _acts_before(before: Character, offers: list[Offer], against: TargetFigures, acts: list[Pressable],
                 *, alike: bool) -> list[Pressable]:
    """Return the acts that were offered before; if the figures are `alike`, unchanged offers reuse their widgets."""
    known = {one.key: one for one, _odds in acts} if alike else {}
    widgets = ((known.get(key_of(offer)), offer) for offer in offers)
    return [(found, panel.odds_of_act(before, found)) if found and ASKING(found.offer) == ASKING(offer) else
            panel.acts_of(before, [offer], against)[0] for found, offer in widgets]


def _rolls_after(character: Character, were: list[Offer], was_against: TargetFigures, rolls: list[Offer],
                 against: TargetFigures, answers: Answers, event: Event, *, anew: bool, beside: bool) -> dict[str, Any]:
    """Return the context of rows that an act changed, and of its event's row; of all if offers differ, or if `anew`.

    With `beside`, all rows are returned for the part beside the dice, and the `changed` ones for their usual place.
    """
    last: Any = SimpleLazyObject(lambda: _last(character))
    page = rolls_page(rolls, last, answers, "")
    old = page if were is rolls else rolls_page(were, last, answers, "")
    if anew or (old is not page and _rows(old) != _rows(page)):
        return panel.rolls_shown(character, rolls, last, against, answers)
    changed = rolls_otherwise(character.ruleset, old.object_list, page.object_list, last, was_against.answers,
                              against.answers)
    if beside:
        return {**panel.rolls_shown(character, rolls, last, against, answers), "changed": changed}
    held = [one for one in page.object_list if belongs_to(one, event)]
    cards = roll_cards(character.ruleset, held, last, target_answers=against.answers) if held else []
    return {"rolls_page": page, "cards": cards, "changed": changed}


def _otherwise_on_board(was: Any, now: Any) -> set[str]:
    """Return the keys of a board's data that have changed; {""} for changed data without keys."""
    if was == now or not (isinstance(was, dict) and isinstance(now, dict)):
        return set() if was == now else {""}
    return {key for key in {**was, **now} if key not in was or key not in now or was[key] != now[key]}


def rolls_otherwise(ruleset: Ruleset, were: Iterable[Offer], rolls: Iterable[Offer], last: Mapping[str, Event],
                    was_against: Answers, against: Answers) -> list[RollCard]:
    """Return the rows of rolls that look different than before; both iterables contain the same rolls in order."""
    aimed_anew = was_against != against
    others = [(was, now) for was, now in zip(were, rolls, strict=True)
              if aimed_anew or (was is not now and ASKING(was) != ASKING(now))]
    if not others:
        return []
    before, shown = (roll_cards(ruleset, some, last, target_answers=aims) for some, aims in (
        ([was for was, _now in others], was_against), ([now for _was, now in others], against)))
    return [now for was, now in zip(before, shown, strict=True) if _row(was) != _row(now)]


def _rows(page: Page[Offer]) -> list:
    """Return the position of a page of rows and the identity of each row."""
    return [page.number, page.paginator.num_pages, [(one.cls, one.key, one.group, one.rare) for one in page]]


def _row(card: RollCard) -> tuple:
    return card.widget.fingerprint, card.widget.odds_summary, card.bars, card.widget.bars


def _otherwise(were: Iterable[Pressable], acts: Iterable[Pressable], pressed: str) -> list[Pressable]:
    """Return the acts to redraw among those offered before, too: `pressed`, or with other inputs or odds."""
    known = {one.key: (one, odds) for one, odds in were}
    return [(one, odds) for one, odds in acts if one.key in known and not one.offer.cls.beside_dice_only and (
        one.key == pressed or known[one.key][1] != odds
        or (known[one.key][0] is not one and known[one.key][0].fingerprint != one.fingerprint))]


def _done_by(event: Event) -> Event | None:
    """Return the last act that a roll has just done automatically, or None."""
    acts = (one.applied for one in reversed(event.new_effects or ()) if one.applied)
    return next((act for act in acts if AUTOMATIC_MARK in act.widget), None)


def of_actor(was: ActorPanel, now: ActorPanel, event: Event, answers: Answers, rows: str, *,
             anew: bool) -> dict[str, Any]:
    """Return the context of the actor's pieces that differ between `was` and `now`; `rows` is the page's rows token.

    After a roll, offers are compared only if `anew`, because an effect was applied at once. The names in the context
    are those of `of_sheet`.
    """
    event = event.unveiled({str(now.at.sheet.pk)} if now.at and now.at.shown else ())
    seen = event.for_others(now.ruleset) if now.character.others else event
    # The page posts its figures of the other side, which it only asks for if there is no target.
    against = PostedTargetFigures.of({} if now.at else answers)
    context = _fallen(now.character, event, seen, against, now.aimed) | {"against": against}
    undo = event if event.act and not undo_blocked(now.character.sheet, event) else _done_by(event)
    # A follow-up that is only in the tray gets its new key with the tray.
    context["rolled"] = [one for one in context["cards"] if one.widget.key == event.widget and not event.act]
    context |= {"keys": [one.widget.key for one in context["rolled"]], "further": now.further(event),
                "parts": ["parties/table/_further.html"],
                "tray": tray_of(now.ruleset, seen, context["cards"], context["repeats"], undo)}
    if not (event.act or anew):
        return context
    offered = _offered(was, now, answers, rows, SimpleLazyObject(lambda: _last(now.character)), event)
    if offered is None:
        return {"parts": ["parties/table/_aim.html"], **now.shown(now.against(answers, [event]).answers)}
    return context | offered | {"parts": context["parts"] + offered["parts"]}


def of_settled(was: ActorPanel, now: ActorPanel, acts: Collection[Event], answers: Answers,
               rows: str) -> dict[str, Any] | None:
    """Return the same context after `acts` on the actor or the target; None if all may have changed."""
    log = log_of(now.character)
    last, newest, led = latest_by_widget(log), topmost(log), leading(now.ruleset, log)
    against, stood = now.against(answers, log), was.against(answers, [one for one in log if one not in acts])
    offered = _offered(was, now, against.answers, rows, last) if against.answers == stood.answers else None
    if offered is None:
        return None
    offers = [one for one in now.every_roll if any(belongs_to(one, event) for event in led)]
    cards = roll_cards(now.ruleset, offers, last, target_answers=against.answers)
    repeats = widgets(map(now.aimed, now.character.repeats()), target_answers=against.answers)
    offered["parts"].append("parties/table/_further.html")
    return offered | {
        "against": PostedTargetFigures.of(answers), "further": now.further(newest),
        "tray": tray_of(now.ruleset, newest, cards, repeats, undoable_act(now.character, log), led)}


def _offered(was: ActorPanel, now: ActorPanel, answers: Answers, rows: str, last: Any,
             event: Event | None = None) -> dict[str, Any] | None:
    """Return the context of rows and acts that have changed; None if the rolls or the asked figures differ."""
    log = [event] if event else []
    against, was_against = (one.against(answers, log).answers for one in (now, was))
    if rows != was.rows or [*against] != [*was_against] or _places(was.rolls) != _places(now.rolls):
        return None
    context: dict[str, Any] = {"parts": [], "changed": rolls_otherwise(now.ruleset, was.rolls, now.rolls, last,
                                                                       was_against, against)}
    if _places(was.acts) != _places(now.acts):
        context["parts"] = ["parties/table/_rows.html", "parties/table/_acts.html", "parties/table/_further_acts.html"]
        return context | {"rows": now.rows, **now.acts_shown(widgets(now.acts, target_answers=against))}
    anew = [offer for old, offer in zip(was.acts, now.acts, strict=True) if not offer.cls.beside_dice_only and (
        (event and key_of(offer) == event.widget) or ASKING(old) != ASKING(offer))]
    return context | {"pressed": [(one, ()) for one in widgets(anew, target_answers=against)]}


def _places(offers: list[Offer]) -> list[tuple]:
    """Return the key, the heading and the filled fields of each offer; these decide its place and form."""
    return [(key_of(one), str(one.group), [*one.filled]) for one in offers]


def of_a_roll(me: Member, actor: ActorPanel, event: Event, now: str) -> dict[str, Any]:
    """Return the context of a new roll's log line and its pending effects."""
    table = PartyTable(me)
    table.participants = list({one.sheet.pk: one for one in (actor.by, actor.at) if one}.values())
    # A roll without a target has no effects, so none are queried.
    event.new_effects = event.new_effects or []
    effects = with_guards(_open_effects(table, actor, event))
    return head(table, actor.query, now) | {
        "line": (line := table.log.line(event)), "lines": [line], "effects": effects}


def _open_effects(table: PartyTable, actor: ActorPanel, event: Event) -> Iterator[OpenEffect]:
    for one in event.new_effects or ():
        there = next(seat for seat in table.participants if seat.sheet.pk == one.sheet_id)
        one.event, one.source_name = event, actor.by.name
        character = there.character
        if character and not (character.others or is_own(table.me, there.sheet)):
            # A GM decides for players by what GMs may see of their sheets.
            character = Character(there.sheet, character.review_status, others=True)
        if character and (widget := effect_widget(actor.ruleset, one)):
            yield OpenEffect(one, widget, character, table.me.gm or there.mine)
