"""Going back in the history of a sheet: what is restored, what is not, and what becomes of its approval."""

import html
from uuid import uuid4

import pytest

from rulesets import systems
from rulesets.kit import blank
from sheets.audit_log.chain import chain_faults
from sheets.history import saves, views
from sheets.history.revisions import save_revision
from sheets.models import Event, Review, Revision, Sheet, State
from sheets.status.reviews import review_status
from tests.support.guest import Guest, text_of
from tests.support.party import browser
from tests.support.sheets.finished import finished, look, unreadable

pytestmark = pytest.mark.django_db


def restore(guest, number, version=None):
    version = guest.sheet.version if version is None else version
    return guest.client.post(f"/sheets/{guest.pk}/history/", {"do": f"restore:{number}", "_version": version})


def restore_for(round_, number):
    """The player of a party restores a revision."""
    browser(round_.player).post(f"/sheets/{round_.sheet.pk}/history/", {
        "do": f"restore:{number}", "_version": Sheet.objects.get().version})


def refused(answer, said):
    assert answer.status_code == 409
    assert said in text_of(answer)


def test_what_is_restored_is_a_new_revision_and_a_change_that_can_be_undone(juan):
    first = finished(juan)
    finished(juan, life="4")
    juan.post("values", life="viele")
    version = juan.sheet.version
    answer = restore(juan, 1)
    assert answer["Location"] == f"/sheets/{juan.pk}/history/"
    sheet = juan.sheet
    new = sheet.revisions.latest("number")
    assert (new.number, new.kind, new.data, new.seal) == (3, "restored", first.data, first.seal)
    assert (sheet.data, sheet.typed, sheet.version, new.version) == (first.data, {}, version + 1, version + 1)
    text = text_of(look(juan))
    assert "The sheet is back to revision 1, saved as revision 3." in text
    assert "It is the same as revision 3." in text
    juan.post("values", do="undo:")
    assert (juan.data["life"], juan.sheet.typed) == (4, {"life": "viele"})
    assert [one.number for one in juan.sheet.revisions.order_by("number")] == [1, 2, 3]


def test_restoring_the_last_one_brings_it_and_its_name_back_without_another_of_the_same(juan):
    finished(juan)
    juan.post("values", life="4")
    assert restore(juan, 1).status_code == 302
    assert (juan.data["life"], juan.sheet.revisions.count()) == (5, 1)
    juan.post("figure", {"_name": "Don Juan"})
    finished(juan)
    restore(juan, 1)
    assert (juan.sheet.name, juan.sheet.revisions.latest("number").name) == ("Juan", "Juan")


def test_what_comes_back_goes_by_the_house_rules_of_today(round_):
    save_revision(round_.sheet, "finished", round_.player)
    round_.change(life=4)
    Sheet.objects.update(house={"budget": 31})
    restore_for(round_, 1)
    new = Revision.objects.latest("number")
    assert (new.number, new.house, Sheet.objects.get().house) == (2, {"budget": 31}, {"budget": 31})


def test_an_approval_stays_with_what_was_approved_whatever_is_restored_or_kept(round_):
    save_revision(round_.sheet, "finished", round_.player)
    round_.change(life=4)
    round_.approve()
    restore_for(round_, 1)
    sheet = Sheet.objects.get()
    status = review_status(sheet)
    assert (sheet.data["life"], status.revision.data["life"], status.state) == (5, 4, "changed")
    restore_for(round_, 2)
    assert review_status(Sheet.objects.get()).state == "approved"
    round_.change(life=3)
    save_revision(round_.sheet, "finished", round_.player)
    assert {one.revision.number for one in Review.objects.all()} == {2}
    assert list(chain_faults()) == []


@pytest.mark.parametrize("version", ["1", "", "x"])
def test_a_page_that_is_stale_restores_nothing_and_says_so(juan, version):
    finished(juan)
    finished(juan, life="4")
    juan.post("values", life="6")
    answer = restore(juan, 1, version)
    refused(answer, "The sheet was changed in the meantime, so nothing has been restored.")
    refused(answer, "Life: 4 → 6")
    assert (juan.data["life"], juan.sheet.revisions.count()) == (6, 2)


def test_what_is_no_revision_is_not_restored(juan):
    finished(juan)
    for number in ("3", "0", "", "x", "9" * 40, "now"):
        refused(restore(juan, number), "There is no such revision.")


def test_there_is_no_other_button(juan):
    assert juan.client.post(f"/sheets/{juan.pk}/history/", {"do": "burn:1"}).status_code == 400


def test_what_the_rules_cannot_read_any_more_is_shown_as_it_is_stored_and_not_restored(juan):
    unreadable(finished(juan))
    finished(juan, life="4")
    assert "The rules cannot read both, so nothing is compared." in text_of(look(juan))
    for query in ({"of": "1"}, {"a": "1", "b": "2"}):
        answer = look(juan, **query)
        assert "The rules can no longer read this; here it is as it was stored." in text_of(answer)
        assert html.escape('"life": "<script>viel</script>"') in answer.text
    refused(restore(juan, 1), "The rules can no longer read that revision, so it cannot be restored")
    assert (juan.data["life"], juan.sheet.revisions.count()) == (4, 2)


def test_a_draft_that_the_rules_cannot_read_comes_back_by_its_history(juan):
    finished(juan)
    Sheet.objects.filter(pk=juan.pk).update(data={"life": -1})
    assert (look(juan).status_code, restore(juan, 1).status_code) == (200, 302)
    assert juan.data["life"] == 5


def test_what_would_be_too_large_with_the_notes_of_today_is_not_restored(juan):
    row = {"name": "x", "dice": 1, "range": 0, "description": "y" * 4000}
    sheet = juan.sheet
    Sheet.objects.filter(pk=juan.pk).update(data=sheet.data | {"attacks": [row] * 16})
    save_revision(juan.sheet, "finished", None)
    Sheet.objects.filter(pk=juan.pk).update(data=sheet.data, notes="n" * 4000)
    refused(restore(juan, 1), "shorten the notes")


def test_an_act_that_changed_for_good_is_not_taken_back_over_what_was_restored(juan):
    finished(juan)
    sheet = juan.sheet
    event = Event.objects.create(sheet=sheet, key=uuid4(), widget="x", title="x", act="x", before={},
                                 before_data=sheet.data, version=sheet.version)
    juan.post("values", life="4")
    restore(juan, 1)
    juan.client.post(f"/sheets/{juan.pk}/play/", {"w": "undo", "_event": event.pk})
    event.refresh_from_db()
    assert not event.undone


@pytest.mark.parametrize("slug", list(systems()))
def test_every_system_has_a_history_that_goes_forth_and_back(slug):
    first = next(iter(systems()[slug].examples.values()))
    guest = Guest(first, system=slug)
    save_revision(guest.sheet, "finished", None)
    sheet = guest.sheet
    saves.save(sheet, State(f"{first['name']} II", blank(systems()[slug].sheet), {}))
    save_revision(sheet, "finished", None)
    text = text_of(look(guest))
    assert "Revision 2" in text
    assert look(guest, a="1", b="2").status_code == look(guest, of="2").status_code == 200
    assert restore(guest, 1).status_code == 302
    assert guest.sheet.name == first["name"]
    assert not views.difference(systems()[slug], *guest.sheet.revisions.exclude(number=2))
