"""Who may touch which sheet. Views ask here and nowhere else; what is not answered here is a 404 to them."""

import secrets

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest

from rulesets import systems
from rulesets.kit import Ruleset
from sheets.models import Sheet

SESSION_KEY = "guest"


def editable(request: HttpRequest, *, deleted: bool = False) -> QuerySet[Sheet]:
    """Return the sheets that the request may see and change: its user's, and those this browser made as a guest.

    Thrown away ones only with `deleted`.
    """
    mine = Q(pk__in=[])
    if request.user.is_authenticated:
        mine |= Q(owner=request.user)
    if guest := request.session.get(SESSION_KEY):
        mine |= Q(owner=None, guest=guest)
    return Sheet.objects.filter(mine, deleted__isnull=not deleted)


def system_of(sheet: Sheet) -> Ruleset:
    """Return the system of a stored sheet; nothing is to be found of one whose system is gone (Http404)."""
    try:
        return systems()[sheet.ruleset]
    except KeyError:
        raise Http404 from None


def adopt(request: HttpRequest, user) -> None:
    """Give what this browser made as a guest to whoever signs in or up with it."""
    if guest := request.session.pop(SESSION_KEY, None):
        Sheet.objects.filter(owner=None, guest=guest).update(owner=user, guest="")


def belonging(request: HttpRequest) -> dict:
    """Return the fields that make a new sheet the request's own; a guest's browser is given its key here.

    The key is not the session's: that one changes when somebody signs in, and the sheets must stay.
    """
    if request.user.is_authenticated:
        return {"owner": request.user}
    if SESSION_KEY not in request.session:
        request.session[SESSION_KEY] = secrets.token_urlsafe(32)
    return {"guest": request.session[SESSION_KEY]}
