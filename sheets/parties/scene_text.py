"""The log of a scene taken along, as whoever asks may read it: Markdown and JSON."""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from sheets.export.text import Markdown
from sheets.models import Scene
from sheets.stage.table import PartyTable
from sheets.stage.table_log import Came, LogLine


def scene_title(scene: Scene) -> str:
    """What a scene is called: its name, else its date."""
    if scene.before:
        return _("Before there were scenes")
    return scene.name or date_format(localtime(scene.begun), "DATE_FORMAT")


def scene_time(scene: Scene) -> str:
    """From when to when it was."""
    begun = localtime(scene.begun)
    since = f"{date_format(begun, 'SHORT_DATE_FORMAT')} {date_format(begun, 'H:i')}"
    if scene.ended is None:
        return _("since {time}").format(time=since)
    ended = localtime(scene.ended)
    day = "" if ended.date() == begun.date() else f"{date_format(ended, 'SHORT_DATE_FORMAT')} "
    return f"{since} – {day}{date_format(ended, 'H:i')}"


def came_text(came: Came) -> str:
    """What came of something at somebody, in words."""
    if came.state == "applied":
        return came.words or _("applied")
    return _("waits") if came.state == "open" else _("dismissed")


def _words(line: LogLine) -> list[str]:
    """What a line says behind its title: what fell, and what the act says of itself."""
    words = line.event.words
    return [text for text in (line.text, words if words != line.title else "") if text]


def _note(line: LogLine) -> str:
    return _("taken back") if line.event.undone else _("repeated") if line.redone else ""


def scene_markdown(table: PartyTable, scene: Scene, log: list[LogLine], handouts: Iterable[Any]) -> str:
    """The log as CommonMark, and what was handed out."""
    form = Markdown()
    items = []
    for line in log:
        at = date_format(localtime(line.event.made), "H:i")
        head = " ".join(filter(None, (form.inline(at), form.strong(line.who), form.inline(line.title),
                                      form.inline(line.event.at))))
        note = f" ({form.inline(_note(line))})" if _note(line) else ""
        dice = [", ".join(str(face) if times == 1 else f"{times} × {face}" for face, _colour, times in line.dice)
                ] if line.dice else []
        came = [f"{form.strong(one.name)}: {form.inline(came_text(one))}" for one in line.came]
        steps = [f"{form.strong(name)}: {form.inline(words)}" for name, words in line.steps]
        items.append([head + note, *map(form.inline, (*dice, *_words(line))), *steps, *came])
    lines = [*form.head(f"{table.party.name}: {scene_title(scene)}", 1),
             form.inline(f"{table.ruleset.title} · {scene_time(scene)}"), "", *form.items(items)]
    given = [[form.strong(one.title), *form.block(one.text), *([_("A picture is with it.")] if one.pictured else [])]
             for one in handouts]
    if given:
        lines += [*form.head(_("Handouts"), 2), *form.items([list(filter(None, one)) for one in given])]
    return "\n".join(lines)


def _tree_of_dice(line: LogLine) -> dict[str, Any]:
    """The dice one by one; or where they are many how often each face fell."""
    if all(times == 1 for _face, _colour, times in line.dice):
        return {"dice": [face for face, _colour, _times in line.dice]}
    times_of: Counter[int] = Counter()
    for face, _colour, times in line.dice:
        times_of[face] += times
    return {"dice": [], "faces": [{"face": face, "times": times} for face, times in times_of.items()]}


def scene_tree(table: PartyTable, scene: Scene, log: list[LogLine],
                 handouts: Iterable[Any]) -> dict[str, Any]:
    """The log as JSON says it, row by row, and what was handed out; pictures are WebP in base 64."""
    return {
        "format": "bogenschmiede.scene", "version": 1, "ruleset": table.ruleset.slug, "party": table.party.name,
        "name": scene.name, "begun": scene.begun, "ended": scene.ended,
        "log": ({"at": line.event.made, "who": line.who, "what": line.title,
                 "aimed_at": list(line.event.aimed_at.values()), **_tree_of_dice(line),
                 "text": _words(line), "steps": [{"name": name, "words": words} for name, words in line.steps],
                 "undone": line.event.undone, "repeated": line.redone,
                 "came": [{"name": one.name, "state": one.state, "words": one.words} for one in line.came]}
                for line in log),
        "handouts": ({"at": one.made, "title": one.title, "text": one.text,
                      "picture": b64encode(bytes(one.large)).decode() if one.large else None} for one in handouts)}
