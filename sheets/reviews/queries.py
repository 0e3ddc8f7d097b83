"""Queries for who decides about a sheet."""

from django.http import Http404, HttpRequest

from sheets.access import memberships
from sheets.models import Member, Sheet


def member_for(request: HttpRequest, sheet: Sheet) -> Member:
    """Return the request's membership as a GM in the party of a sheet (Http404)."""
    me = memberships(request).filter(party=sheet.party_id).select_related("user").first()
    if me is None or not me.gm:
        raise Http404
    return me
