"""What others learn of a sheet's reviews: whether what they see is approved, and nothing of what waits or came back."""

import re
from types import SimpleNamespace

import pytest

from sheets.live.topics import TOPICS
from sheets.models import Sheet
from sheets.reviews import services as reviews
from tests.support.guest import text_of
from tests.support.party import Rooms, browser
from tests.support.sheets import story as told
from tests.support.sheets.secret_game import NEW

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["condice", "daemmersturm"])
def public(request):
    """A sheet that everybody reads, of a party that plays only what is approved."""
    found = Rooms(request.param)
    found.party.approval = True
    found.party.save()
    Sheet.objects.update(seen_by="public", share="token", share_play=True)
    found.browsers["anonymous"] = browser(None)
    return found


def told_to(rooms, who):
    """What pages, files and the words of news tell somebody of the sheet and its party."""
    pk, party = rooms.sheet.pk, f"/parties/{rooms.party.pk}/"
    found = [rooms.read(who, address) for address in (
        f"/sheets/{pk}/", "/shared/token/", "/shared/token/export.json", "/shared/token/export.md",
        *((party, f"{party}table/") if who == "member" else ()))]
    assert [answer.status_code for answer in found] == [200] * len(found)
    asking = SimpleNamespace(request=found[0].wsgi_request, language="de", change_token="", shown=None)
    words = [TOPICS[topic]([asking], about) for topic, about in (("sheet", pk), ("link", "token"))]
    return [NEW.sub("", answer.text) for answer in found], words


@pytest.mark.parametrize("approved", [False, True])
def test_what_is_submitted_and_comes_back_changes_nothing_that_others_see_or_hear(public, approved):
    if approved:
        public.approve()
        told.change(public.sheet, "Neuer Name")
    before = {who: told_to(public, who) for who in ("anonymous", "member")}
    picture = public.read("anonymous", "/shared/token/preview.png").content
    for step in (lambda: told.submit(public.sheet), lambda: told.give_back(public.sheet, public.gm, comment="Fast."),
                 lambda: told.submit(public.sheet), lambda: reviews.recall(told.fresh(public.sheet), public.player)):
        step()
        for who, what in before.items():
            assert told_to(public, who) == what, who
    told.submit(public.sheet)
    assert public.read("anonymous", "/shared/token/preview.png").content == picture


def test_others_see_that_a_sheet_is_approved_and_hear_of_it_and_of_the_end_of_that(public):
    def says(*words):
        before = {who: told_to(public, who)[1] for who in ("anonymous", "member")}
        yield
        for who in ("anonymous", "member"):
            page = text_of(public.read(who, f"/sheets/{public.sheet.pk}/"))
            assert [word for word in words if word not in page] == []
            assert re.findall("withdrawn|draft|waits|waiting|submit", page) == []
            assert told_to(public, who)[1] != before[who]

    for words, step in (("approved · ", lambda: told.grant(public.sheet, public.gm)),
                        ("Not approved. In this party only sheets approved by a GM can be played.",
                         lambda: told.withdraw(public.sheet, public.gm))):
        seen = says(words)
        next(seen)
        step()
        next(seen, None)


def test_its_owner_and_its_gms_see_what_came_back_and_hear_of_it(public):
    heard = []
    for step in (lambda: None, lambda: told.submit(public.sheet),
                 lambda: told.give_back(public.sheet, public.gm, comment="Fast.")):
        step()
        heard.append([told_to(public, who)[1][0] for who in ("player", "gm", "second")])
    for who in ("player", "gm", "second"):
        assert "eturned with comments" in text_of(public.read(who, f"/sheets/{public.sheet.pk}/"))
    assert all(len({str(one) for one in words}) == 3 for words in zip(*heard, strict=True))
