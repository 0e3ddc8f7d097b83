"""The account that every version must give of a frozen past: names, texts, approvals, life, play, and the tables."""

from django.http import HttpRequest
from django.utils.translation import override

from sheets.access import handouts
from sheets.character import Character
from sheets.models import Event, Handout, Party, PendingEffect, Sheet
from sheets.stage.actor import TargetPicker
from sheets.stage.table import PartyTable
from sheets.status.reviews import review_status
from sheets.status.stamp import stamp_of

COUNTED = {"frosted": "frost"}
"""What was either so or not, and is counted since."""

BEFORE = {"alone": "none"}
"""{state of a sheet: what that was told as}: what is in no party is told apart since."""


def told(parts):
    """Return {part: {key: what it says}} for some of `PARTS`; nothing here hangs on how a page is worded."""
    return {part: PARTS[part]() for part in parts}


def same(now, then):
    """Tell whether all that was told is told; whatever came to it since, as in a state of play, is as it may be."""
    if isinstance(then, dict):
        then = {COUNTED.get(key, key): int(value) if key in COUNTED else value for key, value in then.items()}
        return isinstance(now, dict) and all(key in now and same(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(same, now, then))
    # Names are isolated in sentences since.
    return (now.replace("\u2068", "").replace("\u2069", "") if isinstance(now, str) else now) == then


def _sheets():
    return {str(sheet.pk): _sheet(sheet) for sheet in Sheet.objects.select_related("party", "owner", "portrait")}


def _state(sheet, state):
    """The state as it was told before opponents needed no approval."""
    if sheet.opponent and not state:
        return "none" if sheet.system.needs_approval or sheet.party.approval else ""
    return BEFORE.get(state, state)


def _sheet(sheet):
    taken = review_status(sheet)
    character = Character(sheet, taken)
    return {
        "name": sheet.name, "played": character.name,
        "state": _state(sheet, taken.state), "code": stamp_of(sheet, taken).code,
        "revision": taken.revision and taken.revision.number, "seal": taken.revision and taken.revision.seal,
        "exceptions": [[one["rule"], one["path"], one["reason"]] for one in taken.exceptions],
        "gauges": {gauge.key: gauge.current for gauge in character.play.gauges(character.written)},
        "play": character.play.model_dump(mode="json"),
        "seen_by": sheet.seen_by, "opponent": sheet.opponent,
        "portrait": sheet.portrait and [sheet.portrait.focus, len(bytes(sheet.portrait.whole))],
    }


def _log():
    return {str(event.pk): _line(event) for event in Event.objects.order_by("pk")}


def _line(event):
    words = {}
    for language in ("de", "en"):
        with override(language):
            words[language] = event.words
    return {**words, "outcome": event.outcome, "faces": event.faces, "undone": event.undone, "title": event.title,
            "at": event.at, "hidden": event.hidden}


def _parties():
    return {str(party.pk): [party.name, sorted(
        [member.user.username, member.role] for member in party.members.select_related("user"))]
        for party in Party.objects.all()}


def _landings():
    return {str(one.pk): [str(one.sheet_id), one.event_id, one.act, one.filled, one.state, one.applied_id]
            for one in PendingEffect.objects.order_by("pk")}


def _handouts():
    return {str(one.pk): {"title": one.title, "text": one.text, "picture": one.large is not None,
                          "for_all": one.for_all, "readers": sorted(
        [reader.member.user.username, reader.opened is not None]
        for reader in one.readers.select_related("member__user"))} for one in Handout.objects.order_by("pk")}


def _tables():
    held = Party.objects.filter(scenes__before=False, scenes__by_itself=False).distinct()
    return {str(party.pk): _table(party) for party in held}


def _table(party):
    lasts, members = party.scene, party.members.select_related("user", "party").order_by("user__username")
    return {
        "evening": lasts and lasts.name, "round": lasts.round if lasts else 0,
        "turn": lasts.on[0] if lasts and lasts.on else None,
        "evenings": [[one.name, one.ended is not None]
                     for one in party.scenes.filter(before=False, by_itself=False).order_by("begun")],
        "asked": sorted([str(one.sheet_id), one.widget, one.note] for one in party.asked_rolls.all()),
        "members": {one.user.username: _seen(one) for one in members},
    }


def _seen(member):
    """Return the table as a member sees it."""
    request = HttpRequest()
    request.user, request.session = member.user, {}
    table = PartyTable(member)
    return {
        "gm": member.gm,
        "order": [str(one.sheet.pk) for one in table.participants],
        "unseen": [str(one.sheet.pk) for one in table.participants if not one.shown],
        "log": [line.event.pk for line in table.log.newest],
        "waiting": sorted(TargetPicker(table).waiting.effects.values_list("pk", flat=True)),
        "handouts": sorted(handouts(member).values_list("pk", flat=True)),
    }


PARTS = {"sheets": _sheets, "log": _log, "parties": _parties, "landings": _landings, "handouts": _handouts,
         "tables": _tables}
FIRST = ("sheets", "log", "parties")
"""The parts that the first past tells of: there was nothing else yet."""
