"""What the rules hint at, such as a weaker attack, is the owner's and the GMs': no link and no paper tells it."""

import pytest

from sheets.export.paper import paper
from sheets.models import PUBLIC
from tests.support.guest import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
HINT = "is no better than"


@pytest.fixture
def weak(rooms):
    """A sheet with an attack that another one outdoes, shared with everybody and by a link."""
    attack = rooms.sheet.data["attacks"][0]
    rooms.change(attacks=[attack, {**attack, "name": "Dasselbe in schwach", "dice": 1}])
    rooms.sheet.share, rooms.sheet.seen_by = "ein-link", PUBLIC
    rooms.sheet.save()
    return rooms


def test_the_owner_and_the_gms_read_a_hint_and_nobody_else(weak):
    page = f"/sheets/{weak.sheet.pk}/"
    told = {who: HINT in text_of(weak.read(who, page)) for who in ("player", "gm", "second", "member", "stranger")}
    assert told == {"player": True, "gm": True, "second": True, "member": False, "stranger": False}
    assert HINT in text_of(weak.read("gm", f"{page}review/"))
    for who in ("player", "stranger"):
        answer = weak.read(who, "/shared/ein-link/")
        assert (answer.status_code, HINT in text_of(answer)) == (200, False)


def test_paper_tells_no_hint_and_still_what_asks_for_an_approval(weak, english):
    assert paper(weak.sheet)["findings"] == []
    weak.ask()
    assert [one["rule"] for one in paper(weak.sheet)["findings"]] == ["CD-08"]
