"""A scene as a file with what its reader may see: the recap in Markdown or BBCode, the log in BBCode or JSON."""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from sheets.export.text import BBCode, Markdown
from sheets.models import Receipt, Scene
from sheets.pages.roll_texts import place_of
from sheets.parties.recap import Recap, RecapEntry
from sheets.scenes.titles import scene_time, scene_title
from sheets.stage.table import PartyTable
from sheets.stage.table_log import LogLine


def _words(line: LogLine) -> list[str]:
    """Return the texts of a line after its title: those of its dice and of its act."""
    words = line.event.words
    return [text for text in (line.text, words if words != line.title else "") if text]


def _lines(form: Markdown | BBCode, entry: RecapEntry) -> list[str]:
    """Return the lines of an entry of the recap."""
    line, handout, texts = entry.line, entry.handout, []
    if line:
        deed = form.inline(line.deed or " ".join(filter(None, (line.title, line.event.at))))
        dice = ", ".join(str(face) if times == 1 else f"{times} × {face}" for face, _colour, times in line.dice)
        hidden = f" ({_('hidden')})" if line.event.hidden else ""
        texts += [f"{form.strong(line.who)} {deed}{hidden}", *map(form.inline, filter(None, (dice, *_words(line))))]
    if handout:
        who = form.strong(handout.by.username) if handout.by else ""
        texts.append(" ".join(filter(None, (who, _("hands out:"), form.strong(handout.title)))))
    return [*texts, *(f"{form.strong(name)}: {form.inline(words)}" for name, words in entry.outcome),
            *(f"{form.strong(name)} {_('goes down')}" for name in entry.fallen)]


def scene_told(form: Markdown | BBCode, table: PartyTable, scene: Scene, recap: Recap, handouts: Iterable[Any]) -> str:
    """Return the recap of a scene as text, with its handouts in full."""
    lines = [*form.head(f"{table.party.name}: {scene_title(scene)}", 1),
             form.inline(f"{table.ruleset.title} · {scene_time(scene)}"), ""]
    if recap.gist:
        lines += [form.inline(recap.gist), ""]
    for title, chapter in recap:
        lines += form.head(f"{title} ({chapter.time})", 2) if title else []
        lines += form.items([_lines(form, one) for one in chapter.passages])
    items = [[form.strong(one.title), *form.block(one.text), *([_("With a picture.")] if one.pictured else [])]
             for one in handouts]
    if items:
        lines += [*form.head(_("Handouts"), 2), *form.items([list(filter(None, one)) for one in items])]
    return "\n".join(lines)


def scene_bbcode(form: BBCode, table: PartyTable, scene: Scene, log: list[LogLine], root: str) -> str:
    """Return the log of a scene as BBCode for a forum, rolls with their receipts, without hidden lines.

    `root` is the site's address.
    """
    found = Receipt.objects.filter(scene=scene, event__isnull=False).only("event", "token", "number", "link")
    receipts = {one.event_id: one for one in found}
    items = []
    for line in (one for one in log if not one.event.hidden):
        at = form.inline(date_format(localtime(line.event.made), "SHORT_DATETIME_FORMAT"))
        # Readers who may not see the dice have no use for their receipt.
        receipt = receipts.get(line.event.pk) if line.event.roll else None
        place = form.link(f"{root}{reverse('receipt', args=[receipt.token])}", place_of(receipt)) if receipt else ""
        undone = form.slanted(_("taken back")) if line.event.undone else ""
        items.append([" ".join(filter(None, (at, form.inline(line), undone, place)))])
    lines = [*form.head(f"{table.party.name}: {scene_title(scene)}", 1),
             form.inline(f"{table.ruleset.title} · {scene_time(scene)}"), ""]
    return "\n".join([*lines, *(form.items(items) if items else [])])


def _tree_of_dice(line: LogLine) -> dict[str, Any]:
    """Return {"dice"} with the faces one by one, or {"dice", "faces"} with counts if there are many."""
    if all(times == 1 for _face, _colour, times in line.dice):
        return {"dice": [face for face, _colour, _times in line.dice]}
    counts: Counter[int] = Counter()
    for face, _colour, times in line.dice:
        counts[face] += times
    return {"dice": [], "faces": [{"face": face, "times": times} for face, times in counts.items()]}


def scene_tree(table: PartyTable, scene: Scene, log: list[LogLine], handouts: Iterable[Any]) -> dict[str, Any]:
    """Return the log and handouts of a scene as JSON data with generators; pictures are WebP in base 64."""
    return {
        "format": "bogenschmiede.scene", "version": 1, "ruleset": table.ruleset.slug, "party": table.party.name,
        "name": scene.name, "begun": scene.begun, "ended": scene.ended,
        "log": ({"at": line.event.made, "who": line.who, "what": line.title,
                 "aimed_at": list(line.event.aimed_at.values()), **_tree_of_dice(line),
                 "text": _words(line), "steps": [{"name": name, "words": words} for name, words in line.steps],
                 "hidden": line.event.hidden, "undone": line.event.undone, "repeated": line.redone,
                 "came": [{"name": one.name, "state": one.state, "words": one.words} for one in line.effects]}
                for line in log),
        "handouts": ({"at": one.made, "title": one.title, "text": one.text,
                      "picture": b64encode(bytes(one.large)).decode() if one.large else None} for one in handouts)}
