"""The page on which a sheet is submitted and decided upon, and the queue, as each of a party meets them."""

import html
import re
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from sheets import parties
from sheets.models import Event, Member, Notification, Review, Revision
from sheets.parties.notifying import told
from sheets.reviews import going
from sheets.reviews.courses import course
from sheets.reviews.fields import LONGEST, WORDS
from sheets.reviews.models import APPROVED, RECALLED, RENEWED, RETURNED, SUBMITTED, WITHDRAWN
from sheets.table import Seat
from tests.browser.payloads import PAYLOADS
from tests.guest import text_of
from tests.sheets.reviews.conftest import Round
from tests.world import undone

pytestmark = pytest.mark.django_db

PEOPLE = ("player", "gm", "second", "member", "stranger")
BUTTONS = {"submit": SUBMITTED, "recall": RECALLED, "approve": APPROVED, "return": RETURNED, "withdraw": WITHDRAWN}
STATES = ("fresh", "waiting", "approved")


class Rooms(Round):
    """A round with a browser for each of its people, and for somebody who is in none."""

    def __init__(self, slug="condice", **house):
        super().__init__(slug, **house)
        self.member_, self.stranger = (User.objects.create_user(name) for name in ("mia", "sten"))
        Member.objects.create(party=self.party, user=self.member_)
        users = {"player": self.player, "gm": self.gm, "second": self.second, "member": self.member_,
                 "stranger": self.stranger}
        self.browsers = {}
        for who, user in users.items():
            self.browsers[who] = Client(headers={"Accept-Language": "en"}, raise_request_exception=False)
            self.browsers[who].force_login(user)
        self.url = f"/sheets/{self.sheet.pk}/review/"

    def read(self, who, url="", **query):
        return self.browsers[who].get(url or self.url, query)

    def press(self, who, do, **fields):
        """Presses a button of the page as it is now; `_seal` is that of the page unless stated."""
        if do in ("approve", "return") and "_seal" not in fields:
            seal = re.search(r'name="_seal" value="(\w+)"', self.read(who).text)
            fields["_seal"] = seal[1] if seal else ""
        return self.browsers[who].post(self.url, {"do": do, **fields})

    def asking(self):
        """The names of the inputs in which an exception's reason is given."""
        return re.findall(r'name="(reason\.\w+)"', self.read("gm").text)

    def ask(self):
        """The sheet asks for approval in one place."""
        ability = {"ability": "custom", "name": "Zeit anhalten", "cost": 2, "description": "", "range": 0}
        self.change(abilities=[ability])
        return self

    def wait(self):
        going.submit(self.sheet, self.player)
        return self

    @property
    def state(self):
        self.sheet.refresh_from_db()
        return course(self.sheet).state


@pytest.fixture
def rooms(db):
    return Rooms()


def brought(rooms, state):
    if state != "fresh":
        rooms.wait()
    if state == "approved":
        found = going.case(rooms.sheet, course(rooms.sheet))
        going.approve(rooms.member(rooms.second), rooms.sheet, found.seal, {}, {})


def due(who, do, state):
    """What a button answers."""
    if who in ("member", "stranger") or (who == "player") != (do in ("submit", "recall")):
        return 404
    right = {"submit": "fresh", "withdraw": "approved"}.get(do, "waiting")
    return 302 if state == right else 409


@pytest.mark.parametrize("state", STATES)
def test_each_button_does_what_it_says_for_whom_it_is_there_and_is_shown_to_nobody_else(rooms, state):
    brought(rooms, state)
    before = Review.objects.count()
    for who in PEOPLE:
        shown = re.findall(r'<button class="button[^"]*" name="do" value="(\w+)"', rooms.read(who).text)
        assert set(shown) == {do for do in BUTTONS if due(who, do, state) == 302}, who
        for do, kind in BUTTONS.items():
            with undone():
                answer = rooms.press(who, do, comment="Ein Wort.")
                assert answer.status_code == due(who, do, state), (who, do)
                assert Review.objects.count() == before + (answer.status_code == 302)
                if answer.status_code == 302:
                    assert Review.objects.latest("number").kind == kind
                    assert answer["Location"] == rooms.url
                if answer.status_code == 409:
                    assert '<p class="note error"' in answer.text


def test_an_unknown_button_is_refused(rooms):
    for do in ("", "grant", "approve:1"):
        assert rooms.press("gm", do).status_code == 400


def test_a_gm_decides_about_nothing_of_their_own(rooms):
    rooms.sheet.owner = rooms.gm
    rooms.sheet.save()
    assert rooms.press("gm", "submit").status_code == 302
    assert not {"approve", "return"} & set(re.findall(r'name="do" value="(\w+)"', rooms.read("gm").text))
    seal = Revision.objects.get().seal
    for do in ("approve", "return"):
        answer = rooms.press("gm", do, _seal=seal, comment="Passt.")
        assert answer.status_code == 409
        assert "another GM of the party" in text_of(answer)
    assert rooms.press("second", "approve").status_code == 302
    assert rooms.press("gm", "withdraw", comment="Doch nicht.").status_code == 409
    assert rooms.state == "approved"


@pytest.mark.parametrize(("name", "most"), [("comment", LONGEST), ("at.life", WORDS), ("reason", WORDS)])
def test_a_text_that_is_too_long_or_holds_a_nul_is_refused_and_stays_in_the_form(rooms, name, most):
    rooms.ask().wait()
    name = rooms.asking()[0] if name == "reason" else name
    others = {"comment": "Allgemein.", "at.life": "Zum Leben.", rooms.asking()[0]: "Ein Grund."}
    for text, said in (("ä" * (most + 1), f"{most + 1} characters; {most} are the most"), ("a\0b", "holds a NUL")):
        for do in ("approve", "return"):
            answer = rooms.press("gm", do, **{**others, name: text})
            assert answer.status_code == 409
            assert said in text_of(answer)
            kept = texts(answer)
            assert {one: kept[one] for one in others} == {**others, name: text}
    assert rooms.state == "waiting"
    answer = rooms.press("gm", "return", **{**others, name: "ä" * (most - 1) + "\r\n"})
    assert answer.status_code == 302


def texts(answer):
    """{name: text} of the page's text fields, as a browser would send them."""
    return {name: html.unescape(text) for name, text in
            re.findall(r'<textarea [^>]*name="([^"]*)"[^>]*>\n(.*?)</textarea>', answer.text, re.S)}


TYPED = {"comment": "Fast\nfertig.", "at.life": "Mehr <Leben>", "at.attacks.0.dice": "Einer weniger"}


@pytest.mark.parametrize("do", ["approve", "return"])
def test_who_decides_upon_what_is_no_longer_there_sees_what_is_and_loses_no_word(rooms, do):
    rooms.ask().wait()
    name, seal = rooms.asking()[0], going.case(rooms.sheet, course(rooms.sheet)).seal
    rooms.change(life=rooms.sheet.data["life"] - 1)
    rooms.wait()
    answer = rooms.press("gm", do, _seal=seal, **TYPED, **{name: "Weil."})
    assert answer.status_code == 409
    assert "no longer what you have seen" in text_of(answer)
    assert texts(answer).items() >= {**TYPED, name: "Weil."}.items()
    assert f'value="{going.case(rooms.sheet, course(rooms.sheet)).seal}"' in answer.text
    assert rooms.press("gm", do, **texts(answer)).status_code == 302
    assert Review.objects.latest("number").kind == BUTTONS[do]
    assert Review.objects.latest("number").said["at"] == {
        key.removeprefix("at."): text for key, text in TYPED.items() if key.startswith("at.")}


@pytest.mark.parametrize("reasons", [{}, {"_": "   "}])
def test_no_exception_without_a_reason_and_nothing_typed_is_lost(rooms, reasons):
    rooms.ask().wait()
    name = rooms.asking()[0]
    answer = rooms.press("gm", "approve", **TYPED, **({name: "   "} if reasons else {}))
    assert answer.status_code == 409
    assert "needs its reason" in text_of(answer)
    assert texts(answer).items() >= TYPED.items()
    assert rooms.press("gm", "approve", **TYPED, **{name: "  Vereinbart.\r\n"}).status_code == 302
    entry = Review.objects.latest("number")
    assert [(one["rule"], one["reason"]) for one in entry.said["exceptions"]] == [("CD-08", "Vereinbart.")]
    assert entry.said["comment"] == TYPED["comment"]


def test_what_was_granted_once_is_asked_again_with_its_reason(rooms):
    rooms.ask().approve("Seit jeher so.")
    rooms.change(life=rooms.sheet.data["life"] - 1)
    rooms.wait()
    assert texts(rooms.read("gm"))[rooms.asking()[0]] == "Seit jeher so."
    assert rooms.press("gm", "approve", **texts(rooms.read("gm"))).status_code == 302
    assert course(rooms.sheet).exceptions[0]["reason"] == "Seit jeher so."


@pytest.mark.parametrize("do", ["return", "withdraw"])
def test_what_goes_back_says_why(rooms, do):
    brought(rooms, "approved" if do == "withdraw" else "waiting")
    for words in ({}, {"comment": " \r\n "}, {"at.nowhere": "x"}, {"at.attacks.9.dice": "x"}):
        assert rooms.press("gm", do, **words).status_code == 409
    assert rooms.press("gm", do, comment="Darum.").status_code == 302


def overtaken(rooms, house):
    """An approved sheet whose party has other house rules by now, set as a GM sets them."""
    rooms.approve()
    answer = rooms.read("gm", f"/parties/{rooms.party.pk}/house/")
    version = re.search(r'name="_version" value="(\d+)"', answer.text)[1]
    seen = rooms.browsers["gm"].post(f"/parties/{rooms.party.pk}/house/", {"_version": version, **house})
    seen = re.search(r'name="_seen" value="(\w+)"', seen.text)[1]
    done = rooms.browsers["gm"].post(f"/parties/{rooms.party.pk}/house/",
                                     {"_version": version, "_seen": seen, "do": "save", **house})
    assert done.status_code == 302
    rooms.party.refresh_from_db()
    rooms.sheet.refresh_from_db()
    # The party that the sheet holds is the one before.
    rooms.sheet = type(rooms.sheet).objects.get(pk=rooms.sheet.pk)


def test_what_was_approved_is_played_on_when_the_house_rules_are_others(rooms):
    overtaken(rooms, {"budget": "29", "policy.CD-01": "ask"})
    assert rooms.state == "earlier"
    assert Seat(rooms.sheet).house.budget == 30
    assert "approved under earlier rules" in text_of(rooms.read("player", f"/sheets/{rooms.sheet.pk}/")).lower()
    queue = text_of(rooms.read("gm", "/reviews/"))
    assert "30 points are spent, 29 are allowed" in queue
    page = text_of(rooms.read("gm"))
    assert "30 points are spent, 29 are allowed" in page
    assert "What would mend it" in page
    answer = rooms.press("gm", "approve", **{rooms.asking()[0]: "Gilt weiter."})
    assert answer.status_code == 302
    assert rooms.state == "approved"
    assert Seat(rooms.sheet).house.budget == 29
    assert [(one.kind, one.number) for one in Revision.objects.order_by("number")] == [(SUBMITTED, 1), (RENEWED, 2)]
    assert "Approved under earlier rules" not in text_of(rooms.read("gm", "/reviews/"))


def test_what_other_house_rules_forbid_is_returned_and_played_on_as_approved(rooms):
    overtaken(rooms, {"budget": "29"})
    answer = rooms.press("gm", "approve")
    assert answer.status_code == 409
    assert "forbid" in text_of(answer)
    assert rooms.press("gm", "return", **{"at.life": "Einer zu viel."}).status_code == 302
    assert rooms.state == "earlier"
    assert Seat(rooms.sheet).house.budget == 30
    assert "Einer zu viel." in text_of(rooms.read("player"))
    assert rooms.press("player", "submit").status_code == 409
    rooms.change(life=rooms.sheet.data["life"] - 1)
    assert rooms.press("player", "submit").status_code == 302
    assert rooms.press("gm", "approve").status_code == 302
    assert (rooms.state, Seat(rooms.sheet).house.budget) == ("approved", 29)


def test_a_comment_at_a_row_that_the_draft_no_longer_has_is_kept(rooms):
    overtaken(rooms, {"budget": "29"})
    rooms.change(attacks=rooms.sheet.data["attacks"][:1])
    assert 'name="at.attacks.1.dice"' in rooms.read("gm").text
    assert rooms.press("gm", "return", **{"at.attacks.1.dice": "Hier einer weniger."}).status_code == 302
    assert "Hier einer weniger." in text_of(rooms.read("player"))


def test_house_rules_that_are_as_before_again_leave_the_approval_as_it_was(rooms):
    overtaken(rooms, {"budget": "31"})
    assert rooms.state == "earlier"
    rooms.party.house = rooms.sheet.house = {}
    rooms.party.save()
    rooms.sheet.save()
    assert rooms.state == "approved"


def test_a_later_version_of_the_rules_leaves_what_is_played_and_is_approved_anew(rooms, monkeypatch):
    rooms.approve()
    monkeypatch.setitem(vars(systems()["condice"]), "version", systems()["condice"].version + 1)
    assert rooms.state == "earlier"
    assert Seat(rooms.sheet).course.revision.rules == systems()["condice"].version - 1
    assert rooms.sheet.name in text_of(rooms.read("gm", "/reviews/"))
    assert rooms.press("gm", "approve").status_code == 302
    assert rooms.state == "approved"


def test_what_the_rules_can_no_longer_read_is_said_so_hides_nothing_else_and_is_withdrawn(rooms):
    rooms.approve()
    other = copy(rooms.sheet, "Eine andere")
    going.submit(other, rooms.player)
    Revision.objects.filter(sheet=rooms.sheet).update(data={"gone": 1})
    queue = text_of(rooms.read("gm", "/reviews/"))
    assert "Eine andere" in queue
    assert "The rules can no longer read it." in queue
    for who in ("gm", "player"):
        answer = rooms.read(who)
        assert answer["Location"] == f"/sheets/{rooms.sheet.pk}/history/"
        assert "can no longer read" in text_of(rooms.read(who, answer["Location"]))
    assert rooms.press("gm", "withdraw", comment="Neu bauen.").status_code == 302
    assert rooms.state == "withdrawn"
    assert rooms.read("player").status_code == 200


def roll(rooms):
    """Rolls on the sheet as its player; answers whether anything was thrown."""
    before = Event.objects.count()
    answer = rooms.browsers["player"].post(f"/sheets/{rooms.sheet.pk}/play/", {
        "w": "roll-attack-attacks-0", "defence": "0", "_press": f"11111111-2222-4333-8444-{before:012}"})
    assert answer.status_code == 302
    return Event.objects.count() > before


def test_a_party_that_asks_for_approval_plays_what_is_approved_and_nothing_else(rooms):
    assert roll(rooms)
    rooms.browsers["gm"].post(f"/parties/{rooms.party.pk}/", {"do": "approval", "approval": "on"})
    assert not roll(rooms)
    assert "only what a GM has approved is played" in text_of(rooms.read("player", f"/sheets/{rooms.sheet.pk}/"))
    rooms.sheet.refresh_from_db()
    rooms.approve()
    assert roll(rooms)
    assert rooms.press("gm", "withdraw", comment="Ein Versehen.").status_code == 302
    assert not roll(rooms)
    rooms.browsers["gm"].post(f"/parties/{rooms.party.pk}/", {"do": "approval"})
    assert roll(rooms)


def test_where_a_sheet_counts_only_when_approved_its_page_says_so_in_a_party_and_outside(db):
    rooms = Rooms("daemmersturm")
    assert rooms.party.approval
    page = f"/sheets/{rooms.sheet.pk}/"
    assert "It counts only once a GM has approved it." in text_of(rooms.read("player", page))
    assert f'<a href="{rooms.url}">Submit for approval</a>' in rooms.read("player", page).text
    rooms.wait()
    assert "the sheet waits for that" in text_of(rooms.read("player", page))
    assert f'<a href="{rooms.url}">Submit for approval</a>' not in rooms.read("player", page).text
    going.recall(rooms.sheet, rooms.player)
    rooms.approve()
    assert "It counts only once" not in text_of(rooms.read("player", page))
    parties.release(rooms.party.sheets)
    answer = rooms.read("player", page)
    assert "It counts only once a GM has approved it." in text_of(answer)
    assert '<a href="#place">Choose a party</a>' in answer.text
    answer = rooms.browsers["player"].post(f"{page}place/", {"do": "bring", "party": rooms.party.pk})
    assert answer["Location"] == f"{page}#course"


def test_whoever_is_concerned_is_told_and_nobody_else(rooms):
    def last():
        found = [(one.user.username, one.kind.removeprefix("review-")) for one in
                 Notification.objects.order_by("user__username")]
        Notification.objects.all().delete()
        return found

    Notification.objects.all().delete()
    rooms.press("player", "submit")
    assert last() == [("gero", "submitted"), ("greta", "submitted")]
    rooms.press("gm", "return", comment="Noch nicht.")
    assert last() == [("paula", "returned")]
    rooms.press("player", "submit")
    last()
    rooms.press("player", "recall")
    assert last() == []
    rooms.press("player", "submit")
    last()
    rooms.press("second", "approve")
    assert last() == [("paula", "approved")]
    rooms.press("gm", "withdraw", comment="Nein.")
    one = Notification.objects.get()
    assert (one.user, one.url) == (rooms.player, rooms.url)
    assert told(one).startswith("greta")


class Elements(HTMLParser):
    """The elements of a page with the names of their attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, *(name for name, _value in attrs)))


def test_no_text_of_a_review_is_more_than_text(rooms):
    def pages(texts_):
        """Every page on which the words of a review stand, for whom they are there."""
        rooms.press("player", "submit")
        name = rooms.asking()[0]
        said = {"comment": texts_[0], "at.life": texts_[1], "at.attacks.0.name": texts_[2], name: texts_[3]}
        stale = rooms.press("gm", "approve", **{**said, "_seal": "0"})
        assert rooms.press("gm", "return", **said).status_code == 302
        found = [stale, rooms.read("gm")]
        found += [rooms.read("player", url) for url in (rooms.url, f"/drafts/{rooms.sheet.pk}/figure/")]
        rooms.press("player", "submit")
        assert rooms.press("gm", "approve", **said).status_code == 302
        sheet = f"/sheets/{rooms.sheet.pk}/"
        found += [rooms.read(who, url) for who in ("player", "gm") for url in (rooms.url, sheet)]
        found += [rooms.read("player", one) for one in (f"{sheet}print/", f"{sheet}history/", "/reviews/")]
        rooms.press("gm", "withdraw", comment=texts_[0])
        found.append(rooms.read("player"))
        Review.objects.filter(kind=RETURNED).update(said={})
        assert {one.status_code for one in found} == {409, 200}
        return [Elements(one.text).found for one in found]

    rooms.ask()
    plain = pages(["x"] * 4)
    whole = " ".join(PAYLOADS).replace("\n", " ")
    parts = [" ".join(PAYLOADS[at::3]).replace("\n", " ") for at in range(3)]
    assert max(map(len, parts)) <= WORDS
    assert len(whole) <= LONGEST
    for number, (harmless, hostile) in enumerate(zip(plain, pages([whole, *parts]), strict=True)):
        assert [one for one in hostile if one not in harmless] == [], number


def test_a_sheet_that_leaves_its_party_waits_for_nobody_and_is_played_as_it_stands(rooms):
    rooms.approve()
    rooms.change(life=rooms.sheet.data["life"] - 1)
    rooms.wait()
    assert rooms.sheet.name in text_of(rooms.read("gm", "/reviews/"))
    rooms.browsers["player"].post(f"/sheets/{rooms.sheet.pk}/place/", {"do": "drop"})
    assert rooms.state == ""
    assert Seat(rooms.sheet).written.life == rooms.sheet.data["life"]
    assert rooms.sheet.name not in text_of(rooms.read("gm", "/reviews/"))
    for do in ("approve", "return", "withdraw"):
        assert rooms.press("gm", do, comment="x").status_code == 404
    answer = rooms.read("player")
    assert answer.status_code == 200
    assert "Bring the sheet into a party first" in text_of(answer)
    assert rooms.press("player", "submit").status_code == 409
    assert rooms.press("player", "recall").status_code == 409


def test_what_waits_in_one_party_is_nothing_in_another(rooms):
    rooms.approve()
    parties.release(rooms.party.sheets)
    other = parties.found(rooms.gm, "Andere Runde", systems()["condice"])
    rooms.sheet.party = other
    rooms.sheet.save()
    assert rooms.state == ""
    assert "approved" not in text_of(rooms.read("gm")).lower()


MOST = 8
"""Queries of a page, however much there is."""


@pytest.fixture
def crowd(rooms):
    """The party with twelve more sheets in each state that there is, and much that happened to the first."""
    for number in range(36):
        sheet = copy(rooms.sheet, f"Nummer {number}")
        going.submit(sheet, rooms.player)
        if number % 3:
            seal = going.case(sheet, course(sheet)).seal
            going.approve(rooms.member(rooms.gm), sheet, seal, {}, {"comment": "Gut.", "at": {"life": "Gut."}})
        if number % 3 == 2:
            sheet.house = {"budget": 31}
            sheet.save()
    for _time in range(10):
        rooms.press("player", "submit")
        rooms.press("gm", "return", comment="Noch nicht.", **{"at.life": "Nicht so."})
    rooms.approve()
    return rooms


def copy(sheet, name):
    made = type(sheet).objects.get(pk=sheet.pk)
    made.pk, made.name, made._state.adding = None, name, True
    made.save()
    return made


def test_a_page_asks_the_database_at_most_eight_times_however_much_there_is(crowd):
    def look():
        for who in ("gm", "player"):
            for url in (crowd.url, "/reviews/"):
                with CaptureQueriesContext(connection) as found:
                    assert crowd.read(who, url).status_code == 200
                assert len(found) <= MOST, (who, url, [one["sql"] for one in found])

    look()
    crowd.change(life=crowd.sheet.data["life"] - 1)
    crowd.wait()
    look()
    crowd.press("gm", "approve")
    crowd.party.house = {"budget": 40}
    crowd.party.save()
    look()
