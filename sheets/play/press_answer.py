"""What a press has changed of a sheet's page: all that htmx is shown of it."""

from collections.abc import Iterable
from typing import Any

from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.play import queries
from sheets.play.event_log import last_act, last_events
from sheets.play.queries import Pressable
from sheets.rolls.against import Against
from sheets.rolls.rows import standing
from sheets.rolls.tray import tray_of


def what_changed(before: Character, event: Event, answers: Answers, nudge: str = "") -> dict | None:
    """What a page shows otherwise after a press, or after an act was taken back; None where that may be anything.

    `answers` are those of the press, and `nudge` names the button at a gauge that made it. `parts` are templates,
    `changed` rows and `pressed` acts that are otherwise, `rolled` the row that fell, which stays as it was filled;
    `keys` name the forms that take a new press though they stay; the event's line is new in the log, or struck out.
    """
    if event.again_id or event.before_data is not None:
        return None
    character = Character(before.sheet, before.review_status) if event.act else before
    against = queries.against_of(character, answers, "", [event])
    acts = queries.acts_of(character, against)
    which = "" if nudge or event.undone else event.widget
    said = _shown(character, against, acts, answers, which) | {
        "mine": True, "plays": True, "event": event, "text": queries.event_text(character, event), "which": which,
        "parts": [], "changed": [], "pressed": []}
    undoable = (last_act(character.sheet) if event.undone else event) if event.act else None
    said["tray"] = tray_of(character.ruleset, event, said["cards"], [one for one, _odds in acts],
                           None if event.undone else undoable)
    said["rolled"] = [card for card in said["cards"] if card.widget.key == event.widget]
    said["keys"] = [event.widget] if said["rolled"] else [nudge] if nudge else []
    if event.act:
        said |= {"last_act": undoable, **_of_act(before, event, answers, acts, said)}
    return said


def _of_act(before: Character, event: Event, answers: Answers, acts: list[Pressable],
            said: dict[str, Any]) -> dict[str, Any]:
    """What of the page an act has changed."""
    against = queries.against_of(before, answers, "", [event])
    were = queries.acts_of(before, against)
    was = _shown(before, against, were, answers)
    parts = ["state_of_play", "undo", *(name for name, of in WHOLE.items() if of(was) != of(said))]
    at_gauges = {one.key for tile in said["tiles"] for one, _odds in tile.acts}
    drawn = {one.key for one, _odds in acts if ("values_now" if one.key in at_gauges else "acts") in parts}
    changed = [] if "rolls" in parts else [now for old, now in zip(was["cards"], said["cards"], strict=True)
                                           if old.widget.asked != now.widget.asked]
    pressed = [(one, odds) for one, odds in _otherwise(were, acts, said["which"])
               if one.key not in drawn]
    return {"parts": [f"play/_{name}.html" for name in (parts if "values_now" in parts else [*parts, "figures_now"])],
            "changed": changed, "pressed": pressed, "keys": [] if "values_now" in parts else said["keys"]}


def _shown(character: Character, against: Against, acts: list[Pressable], answers: Answers,
           which: str = "") -> dict[str, Any]:
    rolls = queries.rolls_shown(character, last_events(character.sheet), against, standing(answers))
    return {**rolls, **queries.page_head(character, against, rolls["rolls_page"]),
            **queries.values_now(character, acts, which), **queries.acts_shown(character, acts, which)}


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
    tiles = [(tile.value.key, tile.gauge and [bool(tile.gauge.most), *(
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
