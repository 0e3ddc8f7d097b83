"""The people who are notified of a press at the table."""

from django.urls import reverse

from sheets.models import Event, Member, Sheet
from sheets.notifications.services import notify


def tell(me: Member, sheet: Sheet, event: Event) -> None:
    """Tells an owner what a GM has played on a sheet of theirs, and who is challenged by it."""
    _tell_owner(me, sheet, event)
    if {event.roll, event.act} & {one.slug for one in sheet.system.crossing.lands}:
        _tell_challenged(me, sheet, event)


def _tell_owner(me: Member, sheet: Sheet, event: Event) -> None:
    """Lets an owner know what a GM has played on a sheet of theirs."""
    if sheet.opponent or sheet.owner_id == me.user_id or sheet.owner is None:
        return
    notify([sheet.owner], "mended", me.party, me.user, url=f"{reverse('sheet', args=[sheet.pk])}#log", about=sheet,
           what=event.titles)


def _tell_challenged(me: Member, by: Sheet, event: Event) -> None:
    """Lets an owner know that somebody wants to be paired with a sheet of theirs, which waits there for an answer."""
    pairs = by.system.crossing.pairs
    asked = event.landings.filter(act=pairs.slug).select_related("sheet__owner") if pairs else ()
    for sheet in (one.sheet for one in asked):
        if sheet.owner and sheet.owner != me.user:
            notify([sheet.owner], "challenged", me.party, me.user, url=f"{reverse('sheet', args=[sheet.pk])}#landings",
                   about=sheet, what=event.titles)
