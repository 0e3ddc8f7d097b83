"""What a press has changed of a sheet's page: all that htmx is shown of it."""

from collections.abc import Iterable
from typing import Any

from rulesets.kit import Offer
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.play import queries
from sheets.play.event_log import last_act, last_events, latest_by_widget, recent_events
from sheets.play.queries import Pressable
from sheets.rolls.against import Against
from sheets.rolls.followups import RollCard, holds, roll_cards
from sheets.rolls.rows import rolls_page, standing
from sheets.rolls.stored import event_text
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import key_of


def what_changed(before: Character, event: Event, answers: Answers, nudge: str = "") -> dict | None:
    """What a page shows otherwise after a press, or after an act was taken back; None where that may be anything.

    `answers` are those of the press, and `nudge` names the button at a gauge that made it. `parts` are templates,
    `changed` rows and `pressed` acts that are otherwise, `rolled` the row that fell, which stays as it was filled;
    `keys` name the forms that take a new press though they stay; the event's line is new in the log, or struck out.
    """
    if event.again_id or event.before_data is not None:
        return None
    character = Character(before.sheet, before.review_status) if event.act else before
    rolls, acts = [*character.rolls()], [*character.acts()]
    against = queries.against_of(character, [*rolls, *acts], answers, "", [event])
    which = "" if nudge or event.undone else event.widget
    said: dict[str, Any] = {
        "mine": True, "plays": True, "event": event, "text": event_text(character.ruleset, event), "which": which,
        "parts": [], "changed": [], "pressed": []}
    if event.act:
        log = recent_events(character.sheet)
        said |= _of_act(before, character, rolls, acts, against, answers, which, log)
        said["last_act"] = undoable = last_act(character.sheet, log) if event.undone else event
    else:
        said |= _of_roll(character, rolls, acts, against, answers, event)
        undoable = None
    said["tray"] = tray_of(character.ruleset, event, said["cards"], said["repeats"],
                           None if event.undone else undoable)
    said["rolled"] = [card for card in said["cards"] if card.widget.key == event.widget]
    if "keys" not in said:
        said["keys"] = [event.widget] if said["rolled"] else [nudge] if nudge else []
    return said


def _of_roll(character: Character, rolls: list[Offer], acts: Iterable[Offer], against: Against, answers: Answers,
             event: Event) -> dict[str, Any]:
    """The card that a roll stands in, and the acts that would repeat it."""
    held = [one for one in rolls if holds(one, event)]
    last = {event.widget: event} if any(key_of(one) == event.widget for one in held) else last_events(character.sheet)
    repeats = queries.acts_of(character, [one for one in acts if getattr(one.cls, "repeats", False)], against)
    head = queries.page_head(character, against, rolls_page(rolls, last, standing(answers), event.widget))
    return {**head, "cards": roll_cards(character.ruleset, held, last, against=against.answers),
            "repeats": [one for one, _odds in repeats]}


def _of_act(before: Character, character: Character, rolls: list[Offer], offers: list[Offer], against: Against,
            answers: Answers, which: str, log: list[Event]) -> dict[str, Any]:
    """What of the page an act has changed."""
    last, acts = latest_by_widget(log), queries.acts_of(character, offers, against)
    said = _shown(character, rolls, against, acts, last, answers, which)
    were_rolls, were_offers = [*before.rolls()], [*before.acts()]
    was_against = queries.against_of(before, [*were_rolls, *were_offers], answers, "", log[:1])
    were = queries.acts_of(before, were_offers, was_against)
    was = _shown(before, were_rolls, was_against, were, last, answers)
    parts = ["state_of_play", "undo", *(name for name, of in WHOLE.items() if of(was) != of(said))]
    at_gauges = {one.key for tile in said["tiles"] for one, _odds in tile.acts}
    drawn = {one.key for one, _odds in acts if ("values_now" if one.key in at_gauges else "acts") in parts}
    changed = [] if "rolls" in parts else [now for old, now in zip(was["cards"], said["cards"], strict=True)
                                           if _row(old) != _row(now)]
    pressed = [(one, odds) for one, odds in _otherwise(were, acts, which) if one.key not in drawn]
    said |= {"keys": []} if "values_now" in parts else {}
    parts += [] if "values_now" in parts else ["figures_now"]
    return said | {"parts": [f"play/_{name}.html" for name in parts], "changed": changed, "pressed": pressed,
                   "repeats": [one for one, _odds in acts]}


def _shown(character: Character, rolls: list[Offer], against: Against, acts: list[Pressable], last: dict[str, Event],
           answers: Answers, which: str = "") -> dict[str, Any]:
    now = queries.values_now(character, acts, which)
    rows = queries.rolls_shown(character, rolls, last, against, standing(answers))
    return {**rows, **queries.page_head(character, against, rows["rolls_page"]), **now,
            **queries.acts_shown(acts, now["tiles"], which)}


def _row(card: RollCard) -> tuple:
    return card.widget.asked, card.widget.promise, card.fell


def _otherwise(were: Iterable[Pressable], acts: Iterable[Pressable], pressed: str) -> list[Pressable]:
    """The acts that were offered before, too, and are drawn anew: what was pressed, and what asks or promises else."""
    known = {one.key: (one.asked, odds) for one, odds in were}
    return [(one, odds) for one, odds in acts
            if one.key in known and (one.key == pressed or known[one.key] != (one.asked, odds))]


def _headings(groups) -> list:
    return [(str(title), [card.widget.key for card in cards]) for title, cards in groups]


def _places(groups) -> list:
    return [(str(title), [(one.key, bool(one.inputs)) for one, _odds in acts]) for title, acts in groups]


def _around(said: dict[str, Any]) -> list:
    """What stands about the figures of the moment."""
    tiles = [(tile.value.key, tile.value.how, tile.gauge and [bool(tile.gauge.most), *(
        nudge and (nudge.offer, dict(nudge.by)) for nudge in (tile.gauge.less, tile.gauge.more))],
        [one.key for one, _odds in tile.acts]) for tile in said["tiles"]]
    return [tiles, said["notices"], said["ledger"] and said["ledger"].spent]


WHOLE = {
    "values_now": _around,
    "board": lambda said: (said["spread"], said["wholes"]),
    "against": lambda said: [(one.path, one.text) for one in said["against"].inputs],
    "facts": lambda said: said["facts"],
    "rolls": lambda said: (_headings(said["roll_groups"]), [one.widget.key for one in said["rare"]]),
    "acts": lambda said: (_places(said["act_groups"]), _places([("", said["rare_acts"])])),
}
"""Parts of the page that are drawn anew as a whole, each with what that hangs on."""
