"""Changes of a party's next evening: planned, fixed, moved, called off, answered; callers have locked the party."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from sheets.evenings.dates import UnusablePlan
from sheets.models import Answer, Evening, EveningDate, Member, Party
from sheets.models.evenings import ASKED, CANCELLED, DURATION, FIXED, OPEN, OVER, REPEATS, YES
from sheets.models.store import store
from sheets.notifications.services import notify
from sheets.zones import zones_of

LONGEST = 200
"""The most characters of a note."""
CALLED_OFF = 5
"""The most evenings of a party that stay in calendars as called off."""


class Changed(Exception):
    """A button was about something that is not there any more."""


def current_evening(party: Party) -> Evening | None:
    """Return the evening of a party that is asked for or fixed, unless all its dates have passed."""
    found = Evening.objects.filter(party=party, state__in=OPEN).first()
    return found if found and starts_of(found) else None


def starts_of(evening: Evening) -> list[datetime]:
    """Return the dates that members can answer now: those to choose from that are to come, or the next date."""
    if evening.state == ASKED:
        return sorted(one.starts for one in evening.dates.all() if one.starts > timezone.now())
    start = evening.next_start()
    return [start] if start else []


def plan(me: Member, dates: list[datetime], zone: str, weeks: int, note: str) -> Evening:
    """Plan an evening: with one date it is fixed at once, with several the members are asked.

    The planner can come on each of them. Raise `Changed` if the party has an evening, `UnusablePlan` for a note that is
    too long or another time between dates.
    """
    if current_evening(me.party):
        raise Changed
    if weeks not in REPEATS:
        raise UnusablePlan(_("An evening is once, weekly or fortnightly."))
    note = checked_note(note)
    _clear_up(me.party)
    evening = Evening.objects.create(party=me.party, planner=me.user, state=ASKED, starts=dates[0], zone=zone,
                                     weeks=weeks, note=note)
    EveningDate.objects.bulk_create(EveningDate(evening=evening, starts=one) for one in dates)
    Answer.objects.bulk_create(Answer(evening=evening, member=me, starts=one, answer=YES) for one in dates)
    if len(dates) == 1:
        _fix(me, evening, dates[0])
    else:
        _tell(me.party, "evening-asked", me.user)
    return evening


def checked_note(note: str) -> str:
    """Return a note as it is stored; raise `UnusablePlan` if it is too long."""
    note = " ".join(note.replace("\0", "").split())
    if len(note) > LONGEST:
        raise UnusablePlan(_("The note may have at most {most} characters; this one has {n}.").format(
            most=LONGEST, n=len(note)))
    return note


def _clear_up(party: Party) -> None:
    """Mark the open evening as over, and delete those that calendars no longer show."""
    party.evenings.filter(state__in=OPEN).update(state=OVER, remind=None)
    gone = party.evenings.filter(state__in=(OVER, CANCELLED))
    kept = gone.filter(state=CANCELLED, starts__gt=timezone.now() - DURATION).order_by("-pk")[:CALLED_OFF]
    gone.exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()


def fix(me: Member, evening: Evening, start: datetime) -> None:
    """Choose one of the dates; the answers to it stay. Raise `Changed` if it is no longer one of them."""
    if evening.state != ASKED or start not in starts_of(evening):
        raise Changed
    _fix(me, evening, start)


def _fix(me: Member, evening: Evening, start: datetime) -> None:
    evening.dates.all().delete()
    evening.answers.exclude(starts=start).delete()
    _set_date(evening, start, state=FIXED)
    _tell(me.party, "evening-planned", me.user, start)


def move(me: Member, evening: Evening, start: datetime, zone: str, note: str) -> None:
    """Move a fixed evening to another date, and all that follow with it; everybody but the mover is asked anew."""
    if evening.state != FIXED:
        raise Changed
    note, moved = checked_note(note), start != evening.next_start()
    if not moved:
        _change(evening, note=note)
        return
    evening.answers.all().delete()
    Answer.objects.create(evening=evening, member=me, starts=start, answer=YES)
    _set_date(evening, start, zone=zone, note=note, sequence=evening.sequence + 1)
    _tell(me.party, "evening-moved", me.user, start)


def skip(me: Member, evening: Evening) -> None:
    """Call off the next date of a repeated evening; those that follow it stay."""
    start = evening.next_start()
    if start is None or not evening.weeks:
        raise Changed
    evening.answers.all().delete()
    following = evening.following(start)
    _set_date(evening, following, sequence=evening.sequence + 1)
    _tell(me.party, "evening-cancelled", me.user, start)


def cancel(me: Member, evening: Evening) -> None:
    """Call off an evening with all its dates; one whose dates were only proposed is deleted."""
    if (start := evening.next_start()) is None:
        evening.delete()
        _tell(me.party, "evening-withdrawn", me.user)
        return
    evening.answers.all().delete()
    _change(evening, state=CANCELLED, starts=start, sequence=evening.sequence + 1, remind=None)
    _tell(me.party, "evening-cancelled", me.user, start)


def answer(me: Member, evening: Evening, start: datetime, choice: str) -> None:
    """Store a member's answer to a date. Raise `Changed` if that date cannot be answered now."""
    if start not in starts_of(evening):
        raise Changed
    # Of a repeated evening only the answers to its next date are kept.
    evening.answers.filter(starts__lt=min(starts_of(evening))).delete()
    Answer.objects.update_or_create(evening=evening, member=me, starts=start,
                                    defaults={"answer": choice, "made": timezone.now()})


def _set_date(evening: Evening, start: datetime, **more: Any) -> None:
    evening.starts, evening.zone = start, more.get("zone", evening.zone)
    _change(evening, starts=start, remind=evening.next_reminder(), **more)


def _change(evening: Evening, **new: Any) -> None:
    store(evening, version=evening.version + 1, changed=timezone.now(), **new)


def _tell(party: Party, kind: str, sender: User, start: datetime | None = None) -> None:
    tell([one.user for one in party.members.select_related("user") if one.user_id != sender.pk],
         party, kind, sender, start)


def tell(users: Iterable[User], party: Party, kind: str, sender: User | None, start: datetime | None = None) -> None:
    """Notify users of something about an evening, each with the date in their own time zone."""
    users, url = list(users), reverse("evening", args=[party.pk])
    if start is None:
        notify(users, kind, party, sender, url=url)
        return
    zones = zones_of(users)
    for zone in sorted(set(zones.values())):
        notify([one for one in users if zones[one.pk] == zone], kind, party, sender, url=url,
               start=start.isoformat(), zone=zone)
