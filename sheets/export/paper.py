"""The contents of a printed sheet, filled in or for use with a pencil; the templates are in `templates/export`."""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.formats import date_format
from django.utils.timezone import localtime, now
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from rulesets.kit import Face, Part, Ruleset, blank, slots
from rulesets.names import isolated
from rulesets.work import WORK, compute_limit
from sheets.character import Character
from sheets.faces.emblems import initials
from sheets.faces.printed import printed_face
from sheets.forms.inputs import Answers
from sheets.models import Sheet
from sheets.outline import Fact, Outline, OutlineEntry, Value, outline
from sheets.rolls.odds_chart import hoped_percent
from sheets.rolls.rows import TargetFigures, typical_rolls
from sheets.rolls.widgets import TARGET_PREFIX, Widget, widgets
from sheets.status.party_catalogue import agreed
from sheets.status.stamp import Stamp, marks, stamp_of
from sheets.verdicts import without_hints

EMPTY_ROWS = 6
"""The empty rows in each list of a blank sheet."""
UNKNOWN_BOXES = 20
"""The boxes of a gauge whose size is unknown."""
MAX_ODDS = 24
"""The most rolls whose odds are printed; computing hundreds takes too long."""
SHORT = 48
"""The most characters of the name at the foot of each page."""
MARKS = 8
"""The most combining marks on one letter."""
OPPONENT_STEP = 2
"""The difference of the weaker and stronger opponents of a pocket card from the typical one."""
SHORT_TEXT = 60
"""The most characters of a row's text that fit on one line."""
TILE_LENGTH = 12
"""The most characters of a derived value that fit on a tile."""


def paper(sheet: Sheet, stamp: Stamp | None = None, *, pocket: bool = False) -> dict[str, Any]:
    """Return the contents of a printed sheet in the current language, as JSON data.

    `board` is the system's own file, or "". With `pocket`, the contents include rolls against several opponents.
    """
    stamp = stamp or stamp_of(sheet)
    character = Character(sheet, stamp.shown_status)
    ruleset = character.ruleset
    name = " ".join(character.name.split()) or _("Unnamed")
    with compute_limit(WORK // 4):
        rolled = typical_rolls(ruleset, character.written.roll_offers(character.play))
        rolls = {key: _roll(one, promised=at < MAX_ODDS) for at, (key, one) in enumerate(rolled.items())}
        compared = _pocket(character, rolled, rolls) if pocket else []
    read = outline(character.written, character.house, character.name)
    verdict = agreed(sheet, ruleset.check(character.written, character.house, character.name, mends=False),
                     character.written)
    noted = stamp.noted(without_hints(verdict.findings))
    at = partial(marks, noted)
    approved = character.review_status.revision
    return {
        **base(ruleset, name, _("{name}, a character for {system}").format(name=isolated(name), system=ruleset.title),
               date_format(localtime(approved.made if approved and stamp.in_force else sheet.updated))),
        "board": ruleset.paper_file,
        "face": printed_face(sheet, character.name, colour(ruleset.stylesheet, "accent")),
        **_status(verdict.verdict, stamp),
        **_values(read, at),
        "cards": [_card(face) for section in read.sections for face in section.laid_out],
        "faces": [_card(face) for section in read.sections for face in section.faces],
        "charts": [_item("", one.title, one.line) | {"bars": [list(bar) for bar in one.bars]} for one in read.charts],
        "sections": [{"key": one.path, "title": str(one.title),
                      "entries": [_entry(entry, rolls, one.title, at) for entry in one.entries]}
                     for one in read.sections],
        "rolls": [one for one in rolls.values() if not one["rare"]],
        "pocket": compared,
        "sheet": character.written.model_dump(),
        "ledger": _ledger(read.ledger),
        "findings": [{"text": str(one.message), "rule": one.rule, "marks": mark} for one, mark in noted],
        "notes": sheet.notes,
        "gauges": [{"key": one.key, "title": str(one.title), "most": one.most}
                   for one in ruleset.play().gauges(character.written)],
        **_play_blanks(ruleset, character),
    }


def blank_paper(ruleset: Ruleset) -> dict[str, Any]:
    """Return the contents of a system's blank sheet, to be filled in by hand."""
    contents = paper(Sheet(ruleset=ruleset.slug, data=_data_with_zeros(ruleset.sheet), updated=now()))
    row = {"name": "", "marks": "", "text": "", "facts": [], "rolled": True, "short": True, "die": "", "title": "",
           "note": "", "points": "", "prose": [], "figures": [], "roll": None}
    sections = [part | {"entries": part["entries"] or [row] * EMPTY_ROWS} for part in contents["sections"]]
    return contents | {
        **dict.fromkeys(("name", "initials", "face", "status", "stamp", "draft", "date"), ""),
        "short": str(ruleset.title), "verdict": "legal",
        "document": _("Blank sheet for {system}").format(system=ruleset.title),
        "findings": [], "sections": sections, "ledger": None, "blank": True,
        "rolls": [one | {"head": "" if one["figures"] or one["head"] == "0" else one["head"],
                         "figures": [figure | {"value": ""} for figure in one["figures"]]}
                  for one in contents["rolls"]],
        "tiles": [one | {"value": "", "how": ""} for one in contents["tiles"]],
        "facts": _empty_facts(ruleset, contents["facts"]),
        "gauges": [one | {"most": UNKNOWN_BOXES} if one["key"] in {tile["key"] for tile in contents["tiles"]} else one
                   for one in contents["gauges"]],
    }


def _empty_facts(ruleset: Ruleset, facts: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the facts without values; those of one part of the sheet become one, with its title."""
    found = {one["key"].partition(".")[0]: one for one in reversed(facts)}
    titles = {key: slot.ask.title for key, slot in slots(ruleset.sheet).items()}
    return [_item(key, titles.get(key, one["title"]), "") for key, one in reversed(found.items())]


def _data_with_zeros(part: type[Part]) -> dict[str, Any]:
    """Return the data of an empty part with 0 for each open number, so that derived values have a place."""
    data = blank(part)
    for key, slot in slots(part).items():
        if slot.kind == "part" and data[key] is not None:
            data[key] = _data_with_zeros(slot.parts[0])
        elif slot.kind == "number" and data[key] is None:
            data[key] = 0
    return data


def base(ruleset: Ruleset, name: str, document: str, date: str, words: Mapping[str, str] | None = None) -> dict:
    """Return what every page needs: language, name, colours, metadata, and the texts for its parts."""
    return {
        **dict.fromkeys(("status", "stamp", "draft", "code", "url", "qr", "alt", "notes", "board", "face"), ""),
        **dict.fromkeys(("tiles", "facts", "charts", "sections", "rolls", "gauges", "tables", "ticks", "blanks",
                         "findings", "footnotes", "cards", "faces"), ()),
        "lang": (get_language() or "en").split("-")[0], "name": name, "document": document, "date": date,
        "short": name if len(name) <= SHORT else f"{name[:SHORT].rstrip()}…", "initials": initials(name),
        "system": str(ruleset.title), "verdict": "legal", "ledger": None, "blank": False,
        "accent": colour(ruleset.stylesheet, "accent"), "deep": colour(ruleset.stylesheet, "deep"),
        "words": {
            "page": _("Page {n} of {m}"), "points": _("Points"), "notes": _("Notes"), "findings": _("Findings"),
            "none": _("None."), "now": pgettext("value on paper", "now"),
            "uses": _("Uses"), "rolls": _("Rolls"), "approval": _("Approval"), "code": _("Check code"),
            "elsewhere": _("The text is on the last page."), **(words or {}),
        },
    }


def _status(verdict: str, stamp: Stamp) -> dict[str, Any]:
    """Return the badge and the texts about the approval, with the word "Draft" for what is not in force."""
    status = {"legal": _("legal"), "illegal": _("not legal")}.get(verdict, _("needs approval"))
    if stamp.settles(verdict):
        verdict, status = "legal", _("approved")
    return {
        "verdict": verdict, "status": status, "stamp": stamp.line,
        "draft": _("Draft") if stamp.review_status.state and not stamp.in_force else "",
        "code": stamp.code, "url": stamp.url, "qr": stamp.qr,
        "alt": _("QR code of the address {url}").format(url=stamp.url),
        "footnotes": [{"mark": str(one.number), "rule": one.rule, "head": one.head, "reason": one.said}
                      for one in stamp.footnotes],
    }


def _item(key: str, title: Any, value: Any, how: Any = "", marked: Any = "") -> dict[str, str]:
    return {"key": key, "title": str(title), "value": str(value), "how": str(how), "marks": marked}


def _values(read: Outline, at: Callable[[str], str]) -> dict[str, list]:
    """Return figures and their explanations as tiles, and all other facts as lines."""
    figures: list[Fact | Value] = [one for one in read.facts if one.value.isdecimal()]
    short = [one for one in sorted(read.values, key=lambda one: not one.how) if len(str(one.value)) <= TILE_LENGTH]
    both: list[Fact | Value] = [*read.facts, *read.values]
    rest = [one for one in both if one not in figures and one not in short]
    return {
        "tiles": [*(_item(one.key, one.title, one.value, marked=at(one.key)) for one in figures),
                  *(_item(one.key, one.title, one.value, one.how, at(one.key)) for one in short)],
        "facts": [_item(one.key, one.title, one.value, marked=at(one.key)) for one in (*rest, *read.copies)],
    }


def _entry(entry: OutlineEntry, rolls: dict[str, dict], section: Any, at: Callable[[str], str]) -> dict[str, Any]:
    facts = [_item(one.key, one.title, one.value) for one in entry.facts if not one.long]
    if not (name := entry.label.strip()):
        # A row without a name is called by its first fact.
        name = facts.pop(0)["value"] if facts else str(section)
    found = [key for key in rolls if f"{key}.".startswith(f"{entry.path}.")]
    return {
        "name": name, "marks": at(entry.path), "text": entry.text, "facts": facts, "rolled": bool(found),
        "short": len(entry.text) <= SHORT_TEXT, "die": entry.die, "title": entry.title, "note": entry.note,
        "points": "" if entry.points is None else
        ngettext("{n} point", "{n} points", entry.points).format(n=entry.points),
        "prose": [one.value for one in entry.facts if one.long],
        "figures": rolls[found[0]]["figures"] if found else [],
        "roll": rolls[found[0]] if found else None,
    }


def _card(face: Face) -> dict[str, Any]:
    return {"title": face.title, "corner": face.corner, "line": face.line, "copies": face.copies,
             "texts": [list(one) for one in face.texts]}


def _figures(rolled: Widget) -> list[dict[str, str]]:
    """Return the figures of a row that its roll uses, as they may change at the table."""
    shape = slots(rolled.offer.cls)
    return [_item(key, shape[key].ask.title, value) for key, value in rolled.offer.filled.items() if type(value) is int]


def _roll(rolled: Widget, *, promised: bool) -> dict[str, Any]:
    """Return a roll with its die and, if `promised`, its odds against a typical opponent and their chart."""
    first, rest = rolled.odds_summary if promised else ("", "")
    chance, percent, words = first.partition("%")
    bars = rolled.bars if promised else ()
    empty = hoped_percent(bars) == 0
    return {
        "key": rolled.offer.key, "title": rolled.title, "note": str(rolled.offer.note),
        "group": str(rolled.offer.group), "rare": rolled.offer.rare, "sides": rolled.sides,
        "aimed": bool(rolled.target_inputs),
        "head": "" if rolled.head is None else str(rolled.head), "first": first, "rest": rest,
        "chance": chance + percent, "promise": words.strip(), "figures": _figures(rolled),
        "part": int(re.sub(r"\D", "", chance)) if percent else None,
        # If the roll does not say which outcomes are hoped for, the bar of 0 is the paler one.
        "bars": [[0 if empty else bar.height, bar.label != "0" if bar.hoped_for is None else bar.hoped_for]
                 for bar in bars]
        if len(bars) > 1 else [],
    }


def _pocket(character: Character, rolled: dict[str, Widget], rolls: dict[str, dict]) -> list[dict[str, Any]]:
    """Return the frequent rolls; if one asks for a number of the target, with its odds against several targets."""
    against = TargetFigures(character.ruleset, (one.offer for one in rolled.values())).answers
    return [rolls[key] | _against_several(one, against) for key, one in rolled.items()
            if not one.offer.rare and rolls[key]["first"]]


def _against_several(rolled: Widget, against: Answers) -> dict[str, Any]:
    asked = next((one.slot.ask for one in rolled.target_inputs[:1] if one.slot.kind == "number"), None)
    usual = against.get(TARGET_PREFIX + asked.target_figure, [""])[0] if asked else ""
    if asked is None or not usual.isdecimal():
        return {"asked": "", "against": [["", *rolled.odds_summary]]}
    found = []
    for figure in dict.fromkeys(max(0, int(usual) + step) for step in (-OPPONENT_STEP, 0, OPPONENT_STEP)):
        other, = widgets([rolled.offer], target_answers={**against, TARGET_PREFIX + asked.target_figure: [str(figure)]})
        found.append([str(figure), *other.odds_summary])
    return {"asked": str(asked.title), "against": found}


def _ledger(ledger: Any) -> dict[str, Any] | None:
    if ledger is None or ledger.lines_are_rows:
        return None
    return {
        "title": ledger.words["title"], "budget": ledger.budget, "spent": ledger.spent,
        "lines": [{"title": str(line.title), "points": line.points} for line in ledger.lines],
        "total": ledger.words["spent"],
        "left": {"title": ledger.words["unspent"], "points": ledger.left},
    }


def _play_blanks(ruleset: Ruleset, character: Character) -> dict[str, Any]:
    """Return the state of play as blanks: lists, ticks, and figures that no gauge shows."""
    fields = [one for one in slots(ruleset.play).values() if not one.ask.unwritten]
    gauged = any(ruleset.play().gauges(character.written))
    return {
        "tables": [{"title": str(one.ask.title), "columns": [
            {"title": str(column.ask.title), "kind": column.kind} for column in slots(one.parts[0]).values()
            if not column.ask.unwritten]}
            for one in fields if one.kind == "rows"],
        "ticks": [str(one.ask.title) for one in fields if one.kind == "check"],
        "blanks": [str(one.ask.title) for one in fields if one.kind == "number" and not gauged],
    }



@cache
def colour(stylesheet: str, which: str) -> str:
    """Return a colour ("accent", "deep") for light pages from a system's stylesheet, else from the program's own.

    It is "" if neither has one.
    """
    for name in (stylesheet, "base.css"):
        found = finders.find(name) if name else None
        stated = rf"--{which}:\s*(?:light-dark\()?(#[0-9a-fA-F]{{6}})\b"
        if match := found and re.search(stated, Path(found).read_text("utf-8")):
            return match[1]
    return ""
