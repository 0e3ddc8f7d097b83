import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import Http404, HttpRequest
from django.utils.timezone import now

from sheets.access import belonging, editable, lock_sheet, reviewable, reviewable_sheet
from sheets.models import Sheet
from tests.support.guest import Guest, let_in

pytestmark = pytest.mark.django_db


class Browser(HttpRequest):
    """What access asks of a request: who sits there, and the session."""

    def __init__(self, user=None):
        super().__init__()
        self.user, self.session = user or AnonymousUser(), {}

    def build(self, name):
        return Sheet.objects.create(ruleset="condice", name=name, data={}, **belonging(self))

    @property
    def names(self):
        return sorted(sheet.name for sheet in editable(self))


@pytest.fixture
def juan(django_user_model):
    return django_user_model.objects.create_user("juan")


@pytest.fixture
def other(django_user_model):
    return django_user_model.objects.create_user("other")


def test_an_owner_edits_their_sheets_from_any_browser_and_nobody_else_does_until_it_is_deleted(juan, other):
    Browser(juan).build("Juan")
    guest = Browser()
    guest.session["guest"] = ""  # as it was kept before there was a cookie
    assert [one.names for one in (Browser(juan), Browser(other), Browser(), guest)] == [["Juan"], [], [], []]
    Sheet.objects.update(deleted=now())
    assert Browser(juan).names == []


def test_a_guest_edits_what_this_browser_made_and_keeps_it_when_they_sign_in(juan):
    guest = Browser()
    guest.build("Gast")
    last = guest.build("Noch ein Gast")
    assert [one.names for one in (guest, Browser(), Browser(juan))] == [["Gast", "Noch ein Gast"], [], []]
    guest.user = juan
    guest.build("Juan")
    assert guest.names == ["Gast", "Juan", "Noch ein Gast"]
    # A guest's key opens nothing that has an owner by now.
    last.owner, guest.user = juan, AnonymousUser()
    last.save()
    assert guest.names == ["Gast"]


def test_a_sheet_belongs_to_somebody():
    with pytest.raises(IntegrityError, match="sheet_belongs_to_somebody"):
        Sheet.objects.create(ruleset="condice", data={})


def test_what_a_guest_built_belongs_to_the_account_it_signs_in_with(juan):
    guest = Guest()
    let_in(guest.client, juan)
    assert (guest.sheet.owner, guest.sheet.guest) == (juan, "")
    guest.client.post("/account/logout/")
    assert guest.client.get(f"/sheets/{guest.pk}/").status_code == 404


def test_one_sheet_is_found_and_locked_for_whom_all_are_listed_and_composed_once_for_each_user(table, monkeypatch):
    """Those of a party, of a guest, and one of somebody who has signed in since."""
    browsers = [Browser(), *map(Browser, table.users.values())]
    made_before = browsers[1].build("Alone")
    browsers[1].session["guest"] = browsers[0].build("Guest's").guest
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(offered=True)

    def found(find, request, sheet):
        try:
            return find(request, sheet.pk) == sheet
        except Http404:
            return False

    def locked(rightful):
        return lambda request, pk: lock_sheet(request, pk, rightful)

    sheets = [made_before, *Sheet.objects.exclude(pk=made_before.pk)]
    for rightful, finds in ((reviewable, [reviewable_sheet, locked(reviewable)]), (editable, [locked(editable)])):
        for browser in browsers:
            listed = [sheet in rightful(browser) for sheet in sheets]
            assert [[found(find, browser, sheet) for sheet in sheets] for find in finds] == [listed] * len(finds)
    gm, anna = Browser(table.users["gm"]), table.sheets["anna"]
    monkeypatch.setattr("sheets.access.editable", None)
    monkeypatch.setattr("sheets.access.get_object_or_404", None)
    assert reviewable_sheet(gm, anna.pk) == lock_sheet(gm, anna.pk, reviewable) == anna
