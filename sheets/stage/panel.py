"""The template context of a sheet's page, also used for the pieces that a press changes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, TypeAlias

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets.kit import Face, Gauge, Nudge, Offer, Part, Refused, Ruleset, Wording, blank, slots, title_at
from rulesets.kit import Sheet as SheetShape
from sheets.character import Character
from sheets.fitting import fitted
from sheets.forms.addresses import address
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.news import fingerprint
from sheets.outline import Outline, Value, outline, outline_beside_rolls, read_figure, worded
from sheets.press.log import latest_by_widget, leading, log_of, superseded, topmost, undoable_act
from sheets.rolls.odds_chart import OddsBar, odds_bars
from sheets.rolls.rows import (
    PostedTargetFigures,
    TargetFigures,
    by_heading,
    odds_context,
    page_links,
    page_wide_answers,
    roll_cards,
    roll_rows,
    rolls_page,
)
from sheets.rolls.stored import event_text
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import Widget, key_of, widgets
from sheets.stage.press_form import press_keys
from sheets.status.party_catalogue import agreed
from sheets.verdicts import NOTED, untold

FRESH = timedelta(seconds=20)
"""The time for which a reloaded page still shows the last roll on top."""
FEW_ACTS = 8
"""The most acts that are shown without headings."""
ROOM = 160 * 1024
"""The most bytes of all texts of a sheet as written, and of those in its current state."""
DRAWN = ("board", "rolls", "rolls_beside", "acts")
"""The parts of the page that a system may draw by a template of that name in its folder."""
Pressable: TypeAlias = tuple[Widget, tuple[OddsBar, ...]]
"""An act with the odds of what it would roll."""


def sheet_page(character: Character, answers: Answers | None = None, which: str = "") -> dict[str, Any]:
    """Return the context of a sheet's page; `answers` are those of the widget `which`, or for all."""
    log = log_of(character)
    rolls, offered = [*character.rolls()], [*character.acts()]
    against = against_of(character, [*rolls, *offered], answers, which, log)
    acts = acts_of(character, offered, against, answers, which)
    context = rolls_shown(character, rolls, latest_by_widget(log), against, answers, which)
    context |= page_head(character, against, page_wide_answers(against, context["rolls_page"]))
    context |= values_now(character, acts, which)
    context |= acts_shown(acts, context["tiles"], which)
    newest, repeating = topmost(log), [one for one, _odds in acts]
    undoable = undoable_act(character, log)
    verdict = agreed(character.sheet, character.ruleset.check(
        character.written, character.house, character.name, mends=False), character.written)
    return context | {
        "fresh": newest is not None and timezone.now() - newest.made < FRESH,
        "tray": tray_of(character.ruleset, newest, context["cards"], repeating,
                        None if newest is None or newest.undone else undoable, leading(character.ruleset, log)),
        # A page with answers has no fingerprint, so the next press redraws all of it.
        "seen": "" if which else context["seen"],
        "log": [(event, event_text(character.ruleset, event)) for event in log], "redone": superseded(log),
        "untouched": character.sheet.data == blank(character.ruleset.sheet), "last_act": undoable, "widget_key": which,
        **outline_beside_rolls(_read(character, character.written, character.name), rolls),
        "verdict": verdict, "findings": verdict.findings[:NOTED], "untold": untold(len(verdict.findings) - NOTED),
    }


def _read(character: Character, shape: SheetShape, name: str = "") -> Outline:
    """Return the outline of a sheet, cut to the room on the page."""
    found = outline(shape, character.house, name)
    state = character.review_status.revision or character.sheet
    # A character takes at most six bytes; the exact size is not needed if that fits.
    return found if 6 * len(repr(state.data)) <= ROOM else fitted(found, ROOM)[0]


def against_of(character: Character, offers: Iterable[Offer], answers: Answers | None, which: str,
               log: Iterable[Event]) -> TargetFigures:
    """Return the inputs for figures of the other side that these offers ask for."""
    named = next((one for one in offers if which and key_of(one) == which), None)
    return TargetFigures(character.ruleset, offers, answers, named, log)


def page_head(character: Character, against: TargetFigures | PostedTargetFigures, holds: Answers) -> dict[str, Any]:
    """Return the context common to the page and its pieces; `holds` are answers put into the forms' address."""
    sheet = character.sheet
    return {"sheet": sheet, "ruleset": character.ruleset, "character": character,
            "seen": fingerprint(character), "press": press_keys(),
            "against": against, "templates": templates_of(character.ruleset),
            "play_url": address(reverse("play", args=[sheet.pk]), holds),
            "sheet_url": reverse("sheet", args=[sheet.pk])}


def values_now(character: Character, acts: Iterable[Pressable], which: str = "",
               like: tuple[SheetShape, dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return the context of the current figures and the state of play.

    `like` is (current sheet, context) of another state of the same sheet; its unchanged parts are reused.
    """
    now = like[1]["now"] if like and like[0] == character.now else _read(character, character.now)
    gauges = {gauge.key: gauge for gauge in character.gauges()}
    standing = _at_gauges(gauges.values())
    known, hidden = {value.key for value in now.values}, character.now.hidden_fields() | character.play.on_board
    # Gauges that are no derived values, such as life that the GM sets, are shown among the values, too.
    values = [*(Value(one.key, one.title, one.current, "", ()) for one in gauges.values() if one.key not in known),
              *(value for value in now.values if value.key in gauges or value.key not in hidden)]
    values.sort(key=lambda value: value.key not in gauges)
    offered = {one.key: (one, odds) for one, odds in acts}
    written = character.written.derive(character.house) if character.now is not character.written else {}
    foe = character.foe
    return {
        "tiles": [Tile(value, gauges.get(value.key), _otherwise(value, written),
                       tuple(offered[key] for key in keys if key in offered), which in keys)
                  for value in values for keys in (standing.get(value.key, []),)],
        "now": now, "ledger": like[1]["ledger"] if like else character.written.ledger(character.house),
        "notices": [*character.play.notices(character.written)],
        "parted": [Nudge(one, {}) for one in character.offers_without_partner],
        "spread": (spread := list(_spread(character))), "state": [] if spread else _state(character),
        "text_now": character.play.to_text(character.written, character.name),
        "board": character.play.board(character.written), "foe": foe, "foe_board": foe and foe.play.board(foe.written),
        "wholes": [section for section in now.sections if section.within],
        "facts": [fact for fact in now.facts if fact.value and fact.key not in gauges
                  and fact.key.partition(".")[0] not in character.play.on_board],
        "rules_url": like[1]["rules_url"] if like else reverse("rules", args=[character.ruleset.slug]),
    }


@dataclass(frozen=True)
class Tile:
    """A current figure, with its gauge, if any, and the acts that change the gauge."""

    value: Value
    gauge: Gauge | None
    was: Any
    """The value as the sheet is written, if effects change it now; otherwise None."""
    acts: tuple[Pressable, ...]

    open: bool
    """True if one of the acts was pressed last, or its odds were requested."""

    change: str = ""
    """`hurt` or `healed` if a press has just lowered or raised a gauge with a maximum."""

    def after(self, before: "Tile | None") -> "Tile":
        """Return the same tile, showing that a press has changed it."""
        if not (before and before.gauge and self.gauge and self.gauge.most) or (
                before.gauge.current == self.gauge.current):
            return self
        return replace(self, change="hurt" if self.gauge.current < before.gauge.current else "healed")


def _otherwise(value: Value, written: Mapping[str, Any]) -> Any:
    """Return the written value of a figure; None if the current value is the same."""
    was = read_figure(written.get(value.key))
    return None if was == value.value else was


def _at_gauges(gauges: Iterable[Gauge]) -> dict[str, list[str]]:
    """Return {key of a gauge: keys of its acts}; an act of several gauges is left out."""
    found = {gauge.key: list(dict.fromkeys(key_of(one) for one in (gauge.filling, *(nudge.offer for nudge in (
        gauge.less, gauge.more, *(place.end for place in gauge.places)) if nudge)) if one)) for gauge in gauges}
    times = Counter(key for keys in found.values() for key in keys)
    return {gauge: [key for key in keys if times[key] == 1] for gauge, keys in found.items()}


def rolls_shown(character: Character, offers: list[Offer], last: Mapping[str, Event], against: TargetFigures,
                answers: Answers | None = None, which: str = "") -> dict[str, Any]:
    """Return the context of one page of roll rows under their headings, rare ones apart."""
    page = rolls_page(offers, last, answers or {}, which)
    rows = roll_cards(character.ruleset, page.object_list, last, answers, which, target_answers=against.answers)
    return roll_rows(rows, which, character.play.folded) | page_links(page, against)


def acts_shown(acts: Iterable[Pressable], tiles: Iterable[Tile], which: str = "") -> dict[str, Any]:
    """Return the context of the acts with odds, rare ones apart; more than `FEW_ACTS` get headings.

    Acts shown at a tile are left out. `alike` is {key: note} of acts that share their title with another.
    """
    at_gauges = {one.key for tile in tiles for one, _odds in tile.acts}
    acts = [(one, odds) for one, odds in acts if one.key not in at_gauges and not one.offer.cls.beside_dice_only]
    rare, usual = ([(one, odds) for one, odds in acts if one.offer.rare is kind] for kind in (True, False))
    times = Counter(one.title for one, _odds in acts)
    groups = by_heading(usual, lambda one: one[0].offer) if len(usual) > FEW_ACTS else [("", usual)] if usual else []
    return {"act_groups": groups, "rare_acts": rare, "rare_acts_open": any(one.key == which for one, _bars in rare),
            "alike": {one.key: str(one.offer.note) for one, _odds in acts if one.offer.note and times[one.title] > 1},
            "act_folds": [(title, inner, any(one.key == which for one, _bars in inner))
                          for title, inner in by_heading(rare, lambda one: one[0].offer)]}


def promised(character: Character, answers: Answers, which: str) -> dict[str, Any]:
    """Return the odds of the sheet's rolls with other answers."""
    rolls = [*character.rolls()]
    against = against_of(character, [*rolls, *character.acts()], answers, which, log_of(character))
    sheet_url = reverse("sheet", args=[character.sheet.pk])
    # A board shows only the chart, and does not redraw the row.
    return odds_context(rolls, against, answers, which, sheet_url) | {"alone": "_nudge" in answers}


def acts_of(character: Character, offers: Iterable[Offer], against: TargetFigures, answers: Answers | None = None,
            which: str = "") -> list[Pressable]:
    """Return these acts, each with the odds of what it would roll."""
    return [(one, odds_of_act(character, one))
            for one in widgets(offers, answers, which, target_answers=against.answers)]


def odds_of_act(character: Character, widget: Widget) -> tuple[OddsBar, ...]:
    """Return the odds chart of an act's roll; () if it rolls nothing or is refused."""
    try:
        roll = widget.complete and widget.complete.roll(character.written, character.play)
    except Refused:
        return ()
    return odds_bars(roll) if roll else ()


def _spread(character: Character) -> Iterator[tuple[Wording, list[Face]]]:
    """Yield (title, cards) on the table or in hand; others see secret cards face down."""
    down = Face(_("Face down"))
    for title, faces in character.play.spread(character.written):
        yield title, [down if face.secret and character.others else face for face in faces]


def _state(character: Character) -> list[tuple[Wording, list[Any]]]:
    """Return (title, rows in words) of the lists that play keeps: effects, items, losses."""
    found: list[tuple[Wording, list[Any]]] = []
    for key, slot in slots(type(character.play)).items():
        rows: list[Part] = getattr(character.play, key)
        if slot.kind == "rows" and rows and key not in character.play.on_board:
            told = [[(inner.ask.title, title_at(character.written, getattr(row, name)) if inner.ask.is_path
                      else worded(inner, getattr(row, name))) for name, inner in slots(type(row)).items()
                     if getattr(row, name) not in (0, "", None, False)] for row in rows]
            found.append((slot.ask.title, told))
    return found


def templates_of(ruleset: Ruleset) -> dict[str, str]:
    """Return {part: template}: the system's own, or else the common one."""
    return {part: f"{ruleset.slug}/{part}.html" if part in ruleset.templates else f"play/_{part}.html"
            for part in DRAWN}


def _groups(groups: Iterable[tuple[Any, Any]]) -> list[Any]:
    return [(str(title), [(one.key, bool(one.inputs)) for one, _odds in acts]) for title, acts in groups]


def _around(context: dict[str, Any]) -> list[Any]:
    """Return the values that decide if the current figures must be redrawn."""
    tiles = [(tile.value.key, tile.value.how, tile.gauge and [bool(tile.gauge.most), tile.gauge.places, *(
        nudge and (nudge.offer, dict(nudge.answers)) for nudge in (tile.gauge.less, tile.gauge.more))],
        [one.key for one, _odds in tile.acts]) for tile in context["tiles"]]
    return [tiles, context["notices"], len(context["parted"])]


def _against(context: dict[str, Any]) -> list[Any]:
    return [(one.path, one.text) for one in context["against"].inputs]


REDRAWN_AS_WHOLE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "values_now": _around,
    # Its forms' address contains the figures of the other side.
    "board": lambda context: (context["spread"], context["wholes"], context["board"],
                              context["board"] and _against(context), context["foe_board"]),
    "against": _against,
    "facts": lambda context: context["facts"],
    "acts": lambda context: (_groups(context["act_groups"]), _groups([("", context["rare_acts"])]), context["alike"]),
}
"""{part of the page that is only redrawn as a whole: function of its context that returns what it depends on}."""


def changed_parts(was: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return the parts in `REDRAWN_AS_WHOLE` that differ between two contexts of a page."""
    return [name for name, of in REDRAWN_AS_WHOLE.items() if of(was) != of(now)]
