"""The pages that players of `make load` have: they send what pages send, and what they are answered stands there."""

import json
import re
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode

import pytest

from sheets.models import Member
from sheets.stage.broadcast import Broadcast
from tests.load.page import Sheet, Table
from tests.load.stream import events
from tests.support.sheets.fight import ATTACK
from tests.support.sheets.pieces import plain

BACK = r' id="(back-\d+)"'
APPLY = r' id="(apply-\d+)"'


@pytest.fixture
def opened(hit):
    """A function that opens a page of somebody's; `asked` is what it has asked since, (method, what it said)."""
    def opened(kind, who, address):
        def ask(method, address, _name, headers=(), body=()):
            asked.append((method, dict(body or parse_qsl(address.partition("?")[2]))))
            answer = hit.browsers[who].generic(method, address, urlencode(body), "application/x-www-form-urlencoded",
                                               headers=dict(headers))
            return answer.status_code, answer.headers, answer.text
        asked = []
        page = kind(ask, address, "open")
        page.asked = asked
        page.open()
        asked.clear()
        return page
    return opened


def button(page, what):
    """Return the id of the first of such buttons."""
    return re.search(what, page.document.text)[1]


def pressed(page, name):
    """Press a button, and have what is otherwise stand in its place; answer what was sent."""
    _status, text = page.press(name, "")
    assert not page.drawn_anew(text), f"{name} brings all of the page"
    return page.asked.pop()[1]


def stands(page, hit, who, part):
    """Assert that a page shows what it would anew."""
    anew = hit.browsers[who].get(page.address).text
    assert plain(page.document.text, part) == plain(anew, part)


def test_presses_at_the_table_are_answered_by_pieces_and_others_have_them_when_they_hear_of_it(hit, opened):
    anna, ben = (opened(Table, who, hit.address) for who in ("anna", "ben"))
    for page, other in ((anna, "ben"), (ben, "anna")):
        page.follow(f"at-{hit.sheets[other].pk}", "aim")
        page.asked.clear()
    sent = pressed(anna, "press-button-roll-attack-attacks-0")
    assert {"_press", "_since", "_rows", "_by", "_at", "w"} <= sent.keys()
    stands(anna, hit, "anna", "party-table")
    ben.hears("message", anna.word)
    [(method, asked)] = ben.asked
    assert (method, asked["since"], ben.word) == ("GET", asked["since"], anna.word)
    assert {"_rows", "_by", "_at"} <= asked.keys()
    assert anna.lines == ben.lines
    ben.asked.clear()
    # What has landed is applied and taken back, by pieces too; whose press it was asks for nothing.
    for what in (APPLY, BACK):
        pressed(ben, button(ben, what))
        stands(ben, hit, "ben", "party-table")
        ben.hears("message", ben.word)
        assert ben.asked == []


def test_what_others_do_comes_by_the_stream_and_is_asked_for_where_it_concerns_who_acts(hit, opened):
    ben = opened(Table, "ben", hit.address)
    news, people = Broadcast(), {one.pk for one in hit.users.values()}
    news.look(hit.party.pk, people)
    for which, more, asked in ((ATTACK, {}, []), ("act-damage", {"points": 1, "against": "nothing"}, ["GET"])):
        hit.play("anna", which, **more)
        news.look(hit.party.pk, people)
        [data] = news.since(ben.word, Member(user_id=hit.users["ben"].pk, role="player"), "en")
        ben.hears("pieces", data)
        assert [method for method, _sent in ben.asked] == asked
        assert {str(one) for one in json.loads(data)["lines"]} <= ben.lines
        stands(ben, hit, "ben", "table-log")
        ben.follow(f"at-{hit.sheets['anna'].pk}", "aim")
        ben.asked.clear()


def test_presses_on_a_sheet_are_answered_by_pieces_and_its_page_hears_of_what_lands_there(hit, opened):
    anna, ben = (opened(Sheet, who, f"/sheets/{hit.sheets[who].pk}/") for who in ("anna", "ben"))
    sent = pressed(anna, "press-button-roll-attack-attacks-0")
    assert {"_press", "_seen", "_word", "against.defence", "w"} <= sent.keys()
    stands(anna, hit, "anna", "table")
    anna.hears("message", anna.word)
    assert anna.asked == []
    pressed(ben, "less-life")
    hit.settle("dismiss")
    ben.hears("message", "another")
    [(method, asked)] = ben.asked
    assert (method, {"known", "seen", "landings"} <= asked.keys()) == ("GET", True)
    assert not re.search(APPLY, ben.document.text)
    stands(ben, hit, "ben", "table")
    # A page that found nothing new knows itself by the word that it heard.
    ben.hears("message", "one more")
    assert ben.word == "one more"


def test_a_stream_is_read_as_a_browser_reads_it():
    stream = SimpleNamespace(last="", retry=1.0)
    told = "retry: 700\nevent: known\nid: 1\ndata: 1\n\n:\n\nid: 2\ndata: 2\n\nevent: more\ndata: <p>\ndata: </p>\n\n"
    assert [*events(told.splitlines(keepends=True), stream)] == [
        ("known", "1"), ("message", "2"), ("more", "<p>\n</p>")]
    assert (stream.last, stream.retry) == ("2", 0.7)
