"""Sheets that are finished and the page of their history, for tests.

A `guest` is a tests.support.guest.Guest.
"""

from sheets.models import Revision


def finished(guest, **fields):
    """The guest's sheet, changed and finished."""
    if fields:
        guest.post("values", fields)
    assert guest.whole("finish")["Location"] == f"/sheets/{guest.pk}/"
    return guest.sheet.revisions.latest("number")


def look(guest, **query):
    return guest.client.get(f"/sheets/{guest.pk}/history/", query)


def unreadable(revision):
    Revision.objects.filter(pk=revision.pk).update(data={"life": "<script>viel</script>"})
