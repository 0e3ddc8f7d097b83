"""A page and its stream call what there is by the same word, so that nobody looks for what they did themselves."""

import html
import json
import re
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from sheets.live import topics
from sheets.live.topics import TOPICS
from sheets.models import AskedRoll, PendingEffect
from sheets.press.log import announce
from tests.support.guest import Guest, example
from tests.support.sheets.fight import ATTACK, CLUB, Fight, looks
from tests.support.sheets.pieces import ids

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def fight(django_user_model):
    return Fight(django_user_model.objects)


def word_in(answer):
    """The word that an answer states, "" where it states none."""
    found = re.search(r' id="(?:seen|newest|watched)"[^>]* data-word="([^"]*)"', answer.text)
    return html.unescape(found[1]) if found else ""


def asking(client, user):
    """What a stream is asked by: the cookies of a browser, and whose they are."""
    request = HttpRequest()
    request.user, request.session = user or AnonymousUser(), client.session
    request.COOKIES = {key: one.value for key, one in client.cookies.items()}
    return SimpleNamespace(request=request, language="de", change_token="", shown=None)


def heard(topic, about, client, user=None):
    [seen] = TOPICS[topic]([asking(client, user)], about)
    return seen.change_token


class Page:
    """Somebody's sheet as they have it open."""

    def __init__(self, fight, who="anna"):
        self.fight, self.who, self.client = fight, who, fight.browsers[who]
        self.address = f"/sheets/{fight.sheets[who].pk}/"
        self.read()

    def read(self):
        page = self.client.get(self.address)
        self.word = re.search(r'id="watched"[^>]* data-word="([^"]*)"', page.text)[1]
        self.seen = re.search(r'name="_seen" value="([^"]*)"', page.text)[1]

    @property
    def heard(self):
        return heard("sheet", self.fight.sheets[self.who].pk, self.client, self.fight.users[self.who])

    def press(self, w, **fields):
        answer = self.client.post(f"{self.address}play/", {
            "w": w, "_press": str(uuid4()), "_seen": self.seen, "_word": self.word, **fields}, headers=HTMX)
        self.seen = re.search(r'name="_seen" value="([^"]*)"', answer.text)[1]
        self.word = word_in(answer) or self.word
        return answer


def test_the_page_of_a_sheet_and_its_stream_have_one_word_before_and_after_each_press(fight):
    page = Page(fight)
    assert page.word == page.heard
    for which, more in ((ATTACK, {}), ("act-damage", {"points": 1, "against": "nothing"}), (ATTACK, {})):
        assert 'id="table"' not in page.press(which, **more).text
        assert page.word == page.heard, which
    act = fight.sheets["anna"].events.exclude(act="").get()
    assert page.press("undo", _event=act.pk)
    assert page.word == page.heard
    # All of it comes with what is wrong with a press, and its word with it.
    assert 'id="table"' in page.press("act-damage", points="x").text
    assert page.word == page.heard


def test_a_page_that_has_not_heard_of_all_that_was_before_its_press_is_told_no_word(fight):
    page, before = Page(fight), None
    fight.play("ben", ATTACK)
    before = page.word
    assert word_in(page.press(ATTACK)) == ""
    assert page.word == before != page.heard


def test_what_is_new_is_asked_for_once_and_no_more_of_it_is_drawn_than_that(fight):
    look = looks(fight, "anna")
    assert look().status_code == 204
    fight.press(ATTACK, "ben", "ben", "anna")
    assert ids(look()) <= {"landings"}
    fight.play("anna", "act-damage", points=1, against="nothing")
    assert "table" in ids(look())


def test_a_roll_that_was_asked_for_is_asked_no_more_as_soon_as_it_is_made(fight):
    AskedRoll.objects.create(party=fight.party, sheet=fight.sheets["anna"], key=uuid4(), widget=ATTACK)
    page = Page(fight)
    answer = page.press(ATTACK, _asked="1")
    assert "landings" in ids(answer)
    assert "roll-asked" not in answer.text


def test_what_others_do_at_the_table_leaves_the_page_of_a_sheet_alone_unless_it_lands_there_or_is_asked(fight, dice):
    fight.have("ben", defence=2, life=5)
    fight.have("anna", attacks=CLUB)
    dice += [[6, 5, 4, 1]] * 2 + [[6] * 12]
    watching, pk = asking(fight.browsers["ben"], fight.users["ben"]), fight.sheets["ben"].pk

    def heard_anew():
        [seen] = TOPICS["sheet"]([watching], pk)
        since, watching.change_token = watching.change_token, seen.change_token
        return seen.pieces and [json.loads(one) for one in seen.pieces] == [
            {"since": since, "word": seen.change_token, "html": ""}]
    assert heard_anew() is None
    fight.play("anna", ATTACK)
    assert heard_anew()
    fight.press(ATTACK, "anna", "anna", "ben")
    assert PendingEffect.objects.filter(sheet=pk).exists()
    assert heard_anew() is None
    AskedRoll.objects.create(party=fight.party, sheet=fight.sheets["ben"], key=uuid4(), widget=ATTACK)
    announce(fight.party)
    assert heard_anew() is None
    fight.play("ben", ATTACK)
    assert heard_anew() is None


def test_a_guest_s_sheet_and_a_draft_have_words_too(db):
    guest = Guest(example())
    page = guest.client.get(f"/sheets/{guest.pk}/")
    assert word_in(page) == heard("sheet", guest.pk, guest.client)
    page = guest.get("values")
    was = re.search(r'id="watched"[^>]* data-word="([^"]*)"', page.text)[1]
    assert was == heard("draft", guest.pk, guest.client)
    guest.post("values", {"life": "7"})
    assert was != heard("draft", guest.pk, guest.client)
    assert guest.get("values", known=was).status_code == 200
    assert guest.get("values", known=heard("draft", guest.pk, guest.client)).status_code == 204


@pytest.mark.parametrize("which", [ATTACK, "act-change-size"])
def test_a_press_at_the_table_tells_its_word_unless_others_did_something_meanwhile(fight, which):
    told = {"size": "grow"} if which.startswith("act") else {}
    for others in (False, True):
        since = word_in(fight.look())
        if others:
            fight.play("ben", ATTACK)
        answer = fight.press(which, htmx=True, _since=since, **told)
        assert word_in(answer) == heard("table", fight.party.pk, fight.browsers["anna"], fight.users["anna"])
        # Of others' doing it tells as well.
        assert answer.text.count("Ben") > (1 if others else 0)
        assert ("table-log" in ids(answer)) == others


def test_a_page_that_was_hidden_is_told_by_its_word_that_it_shows_the_same(fight):
    page, pk = Page(fight), fight.sheets["anna"].pk
    [before] = TOPICS["sheet"]([asking(page.client, fight.users["anna"])], pk)
    announce(fight.party)
    again = asking(page.client, fight.users["anna"])
    again.change_token = before.change_token
    [now] = TOPICS["sheet"]([again], pk)
    assert now.change_token != before.change_token
    assert [json.loads(one) for one in now.pieces] == [
        {"since": before.change_token, "word": now.change_token, "html": ""}]
    again.shown, again.change_token = None, "another word"
    announce(fight.party)
    assert TOPICS["sheet"]([again], pk)[0].pieces is None


def test_no_more_states_of_sheets_are_kept_than_the_newest(fight, monkeypatch):
    monkeypatch.setattr(topics, "CACHED_CONTENTS", 2)
    page, pk = Page(fight), fight.sheets["anna"].pk
    words = []
    for _time in range(4):
        announce(fight.party)
        words.append(heard("sheet", pk, page.client, fight.users["anna"]))
    assert [*topics._content_cache] == [(pk, word) for word in words[-2:]]


def test_few_questions_are_asked_for_those_who_watch_a_sheet_a_draft_or_an_approval(fight, django_assert_num_queries):
    page, pk = Page(fight), fight.sheets["anna"].pk
    for topic, queries in (("sheet", 2), ("draft", 1), ("review", 1)):
        watcher = asking(page.client, fight.users["anna"])
        with django_assert_num_queries(queries):
            TOPICS[topic]([watcher], pk)
