"""What must be told of the frozen past by every version: names, texts, approvals, life, what is played."""

from django.utils.translation import override

from sheets.character import Character
from sheets.models import Event, Party, Sheet
from sheets.status.reviews import review_status
from sheets.status.stamp import stamp_of


def told():
    """{what: {key: what it says}}; nothing here hangs on how a page is worded."""
    return {
        "sheets": {str(sheet.pk): _sheet(sheet) for sheet in Sheet.objects.select_related("party", "owner")},
        "log": {str(event.pk): _line(event) for event in Event.objects.order_by("pk")},
        "parties": {str(party.pk): [party.name, sorted(
            [member.user.username, member.role] for member in party.members.select_related("user"))]
            for party in Party.objects.all()},
    }


COUNTED = {"frosted": "frost"}
"""What was either so or not, and is counted since."""

BEFORE = {"alone": "none"}
"""{state of a sheet: what that was told as}: what is in no party is told apart since."""


def same(now, then):
    """Whether all that was told is told: whatever came to it since, in a state of play for one, is as it may be."""
    if isinstance(then, dict):
        then = {COUNTED.get(key, key): int(value) if key in COUNTED else value for key, value in then.items()}
        return isinstance(now, dict) and all(key in now and same(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(same, now, then))
    return now == then


def _sheet(sheet):
    taken = review_status(sheet)
    character = Character(sheet, taken)
    return {
        "name": sheet.name, "played": character.name,
        "state": BEFORE.get(taken.state, taken.state), "code": stamp_of(sheet, taken).code,
        "revision": taken.revision and taken.revision.number, "seal": taken.revision and taken.revision.seal,
        "exceptions": [[one["rule"], one["path"], one["reason"]] for one in taken.exceptions],
        "gauges": {gauge.key: gauge.left for gauge in character.play.gauges(character.written)},
        "play": character.play.model_dump(mode="json"),
    }


def _line(event):
    words = {}
    for language in ("de", "en"):
        with override(language):
            words[language] = event.words
    return {**words, "outcome": event.outcome, "faces": event.faces, "undone": event.undone, "title": event.title}
