"""Those who watch a table are sent what a GM's decision about a sheet has changed of its page."""

from functools import partial

import pytest
from django.db.models import F

from sheets.models import Event, Party
from sheets.reviews.services import submit
from sheets.stage import broadcast
from tests.sheets.stage.test_broadcast import PAGES, crowd, hear, news  # noqa: F401 - fixtures
from tests.support.sheets.pieces import piece
from tests.support.sheets.story import approve, give_back, grant, withdraw

pytestmark = pytest.mark.alike


def test_a_decision_about_a_sheet_comes_as_the_seat_that_it_changes(crowd, hit):  # noqa: F811
    Party.objects.filter(pk=hit.party.pk).update(approval=True, version=F("version") + 1)
    hear(crowd, *PAGES)
    anna = hit.sheet("anna")
    submit(anna, hit.users["anna"])
    for page in crowd[:2]:
        # It waits for GMs alone, whose pages show nothing of that but to whoever acts.
        [came] = page.hear()
        assert (came["html"].strip(), came["touched"]) == ("", [str(anna.pk)])
        page.stands()
    assert [page.hear() for page in crowd[2:]] == [None] * 4
    for decide, shown in ((partial(approve, anna, hit.users["gm"]), False), (
            partial(withdraw, anna, hit.users["gm"]), True)):
        decide()
        for page in hear(crowd):
            assert ("Not approved yet" in page.page[slice(*piece(page.page, f"seat-{anna.pk}"))]) == shown
    submit(hit.sheet("anna"), hit.users["anna"])
    give_back(anna, hit.users["gm"], comment="Too tall.")
    for page in crowd[:2]:
        assert page.hear()
        page.stands()


def test_a_hidden_roll_beside_a_submission_is_asked_for_by_gms(crowd, hit):  # noqa: F811
    submit(hit.sheet("anna"), hit.users["anna"])
    hit.do("throw:hidden", w="roll-success", dice=3)
    assert Event.objects.latest("pk").hidden
    assert [page.hear() for page in crowd[:2]] == [None] * 2


def test_more_decisions_at_once_than_are_compared_are_asked_for(crowd, hit, monkeypatch):  # noqa: F811
    monkeypatch.setattr(broadcast, "REVIEWS", 2)
    grant(hit.sheet("anna"), hit.users["gm"])
    hear(crowd, *PAGES)
