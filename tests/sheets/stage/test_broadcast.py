"""Those who watch a table are sent what a press has changed of its page, drawn once for all who see the same of it."""

import json
import re

import pytest
from django.db.models import F

from sheets.models import PARTY, PRIVATE, Event, Member, Party, PendingEffect, Sheet
from sheets.parties import services as parties
from sheets.press.log import announce
from sheets.reviews.services import submit
from sheets.stage import broadcast
from sheets.stage.broadcast import LARGEST, MAX_STEPS, Broadcast
from tests.sheets.stage.test_table_press import Watched
from tests.support.sheets.fight import ATTACK, Fight
from tests.support.sheets.pieces import piece, piece_by_piece, plain, presses, seatless, swapped
from tests.support.sheets.story import approve, grant
from tests.support.sheets.table_people import browser_of

pytestmark = pytest.mark.alike
PAGES = "gm", "helper", "anna", "ben", "cem", "dora"
PIECES = ("table-live", "landings", "table-log")
"""The parts of a page that its stream keeps as they would be anew."""


@pytest.fixture
def news():
    """The news of a table."""
    return Broadcast()


def members(fight):
    return Member.objects.filter(party=fight.party)


def people(fight):
    return {*members(fight).values_list("user", flat=True)}


class Listening(Watched):
    """A page of the table that puts into its place what its stream brings, as table.js does."""

    def __init__(self, news, fight, who, by, at=None, language="en"):
        super().__init__(fight, who, by, at)
        self.news, self.language = news, language

    def hear(self):
        """Return what came, in its order; None where the page is to be asked for."""
        role, word = self.news.look(self.fight.party.pk, people(self.fight))[self.fight.users[self.who].pk]
        me = Member(user_id=self.fight.users[self.who].pk, role=role)
        came = None if word == self.since else self.news.since(self.since, me, self.language)
        if came is None:
            return came
        came = [json.loads(one) for one in came]
        for one in came:
            assert one["since"] == self.since
            self.page = swapped(self.page, one["html"], "nothing")
            for key in re.findall(r'<li id="(landed-\d+)" hx-swap-oob="delete">', one["html"]):
                begin, end = piece(self.page, key)
                self.page = self.page[:begin] + self.page[end:]
            self.page = self.page.replace(f'data-word="{self.since}"', f'data-word="{one["word"]}"')
            if one["newest"]:
                self.page = re.sub(r'data-newest="[^"]*"', f'data-newest="{one["newest"]}"', self.page)
        return came

    def stands(self, but=""):
        """Check that it shows what it would anew, where that says nothing of who acts."""
        assert self.since == re.search(r'data-word="([^"]*)"', self.anew())[1]
        for name in PIECES:
            assert seatless(plain(self.page, name)) == seatless(plain(self.anew(), name))


def join(fight, users, name):
    """Have one more play at the table, with a sheet that the party sees."""
    fight.users[name], fight.browsers[name] = browser_of(users, name)
    parties.join_party(fight.party, fight.users[name])
    fight.sheets[name] = Sheet.objects.create(
        owner=fight.users[name], party=fight.party, seen_by=PARTY, ruleset=fight.ruleset.slug, name=name.title(),
        data=fight.sheet("anna").data)


@pytest.fixture
def crowd(news, hit, django_user_model):
    """The pages of those who watch; Cem and Dora have nothing to do with what Anna does to Ben."""
    for name in ("cem", "dora"):
        join(hit, django_user_model.objects, name)
    news.look(hit.party.pk, people(hit))
    return [Listening(news, hit, who, by) for who, by in (
        ("gm", "cem"), ("helper", "dora"), ("anna", "anna"), ("ben", "ben"), ("cem", "cem"), ("dora", "dora"))]


def hear(crowd, *but):
    """Have all pages but some hear; check that these are to ask for the page, and all others show what there is."""
    for page in crowd:
        came = page.hear()
        if page.who in but:
            assert came is None, page.who
            page.page = page.anew()
        else:
            assert came, page.who
            page.stands()
    return [page for page in crowd if page.who not in but]


def test_a_roll_comes_to_each_who_watches_as_their_page_would_show_it(crowd, hit, dice):
    dice += [[6, 6, 5, 1]]
    hit.press()
    hear(crowd)
    waits = f'id="landed-{PendingEffect.objects.latest("pk").pk}"'
    assert [page.who for page in crowd if waits in page.page] == ["gm", "helper", "anna", "ben"]


def test_what_is_done_applied_dismissed_and_taken_back_comes_too(crowd, hit, dice):
    hit.settle("apply")
    hear(crowd)
    hit.play("anna", "act-damage", points=1, against="nothing")
    hear(crowd)
    hit.browsers["anna"].post(f"{hit.address}play/?{hit.seats()}", {
        "w": "undo", "_event": hit.sheets["anna"].events.latest("pk").pk})
    hear(crowd)
    dice += [[6, 6, 5, 1]]
    hit.press()
    hit.settle("dismiss")
    hear(crowd)
    assert 'class="undone"' in crowd[0].page


def test_what_was_told_in_another_line_and_is_taken_back_is_asked_for(crowd, hit):
    hit.settle("apply")
    hear(crowd)
    hit.settle("back", number=Event.objects.latest("pk").pk)
    assert [page.hear() for page in crowd] == [None] * len(crowd)


def test_it_is_drawn_once_for_each_audience_and_language_however_many_watch(crowd, hit, dice, monkeypatch):
    drawn, draw = [], broadcast.Step._draw
    monkeypatch.setattr(broadcast.Step, "_draw", lambda step, me, met: drawn.append(me) or draw(step, me, met))
    dice += [[6, 6, 5, 1]]
    hit.press()
    for language in ("en", "de"):
        for page in crowd:
            page.language = language
            assert page.news.since(*_asks(page)) == page.news.since(*_asks(page)) != None  # noqa: E711
    # GMs, whoever rolled, whom it hit, and all others.
    assert len(drawn) == 2 * 4
    [german], [english] = (crowd[4].news.since(*_asks(crowd[4])[:2], one) for one in ("de", "en"))
    assert "wartet" in german
    assert "wartet" not in english


def _asks(page):
    page.news.look(page.fight.party.pk, people(page.fight))
    user = page.fight.users[page.who]
    return page.since, Member(user_id=user.pk, role=members(page.fight).get(user=user).role), page.language


@piece_by_piece
@pytest.mark.usefixtures("seeded")
def test_in_every_system_what_comes_is_what_the_page_would_show_and_nothing_else(
        django_user_model, news, slug, rounds):
    fight = Fight(django_user_model.objects, slug)
    join(fight, django_user_model.objects, "cem")
    # Cem sees nothing of Ben, and so nothing of his figures either.
    Sheet.objects.filter(pk=fight.sheets["ben"].pk).update(seen_by=PRIVATE)
    page, pieces = Watched(fight, "gm", "anna", "ben"), 0
    crowd = [Listening(news, fight, who, by) for who, by in (("helper", "cem"), ("anna", "anna"), ("ben", "ben"),
                                                             ("cem", "cem"))]
    news.look(fight.party.pk, people(fight))
    # Each press draws nine pages.
    for which in [*presses(page.page, rounds)][::1 if rounds > 1 else 2]:
        if f'id="w-{which}"' in page.page:
            page.press(which)
            for one in crowd:
                if one.hear() is None:
                    one.page = one.anew()
                else:
                    pieces += 1
                    one.stands()
            page.page = page.anew()
    assert pieces >= len(crowd), "whatever was pressed, the page was to be asked for"


def test_what_was_done_on_a_sheet_that_one_does_not_see_brings_nothing_but_the_new_word(crowd, hit):
    Sheet.objects.filter(pk=hit.sheets["anna"].pk).update(seen_by=PRIVATE)
    crowd[0].news.moment = None
    crowd[0].news.look(hit.party.pk, people(hit))
    for page in crowd:
        page.page = page.anew()
    hit.play("anna", "act-damage", points=1, against="nothing")
    for page in crowd:
        [came] = page.hear()
        sees = page.who in ("gm", "helper", "anna")
        assert (came["touched"] == [str(hit.sheets["anna"].pk)]) == sees
        assert ("Anna" in came["html"]) == sees
        page.stands()


def test_a_hidden_roll_is_news_for_gms_alone_who_ask_for_the_page(crowd, hit):
    before = crowd[4].since
    hit.do("throw:hidden", w="roll-success", dice=3)
    assert Event.objects.latest("pk").hidden
    words = crowd[0].news.look(hit.party.pk, people(hit))
    assert words[hit.users["cem"].pk] == ("player", before)
    assert crowd[0].hear() is None
    assert words[hit.users["gm"].pk][1] != crowd[0].since


def test_what_events_do_not_tell_is_asked_for(crowd, hit):
    announce(Party.objects.get(pk=hit.party.pk))
    hit.play("anna", ATTACK)
    assert [page.hear() for page in crowd] == [None] * len(crowd)


def test_a_draft_beside_what_is_approved_is_no_news_of_the_table_as_one_that_is_played_is(crowd, hit):
    anna = hit.sheet("anna")

    def rename(name):
        Sheet.objects.filter(pk=anna.pk).update(name=name, version=F("version") + 1)

    rename("Anna the Tall")
    hear(crowd, *PAGES)
    submit(hit.sheet("anna"), hit.users["anna"])
    approve(hit.sheet("anna"), hit.users["gm"])
    hear(crowd)
    rename("Anna the Small")
    for page in hear(crowd):
        assert "Anna the Tall" in page.page
        assert "Anna the Small" not in page.page
    # A decision that gives her another name changes whatever names her.
    grant(anna, hit.users["gm"])
    hear(crowd, *PAGES)
    # An act writes onto the sheet for good while a draft stands beside what is approved: that is told.
    hit.play("anna", "act-damage", points=1, against="nothing")
    assert all(page.hear()[0]["touched"] == [str(anna.pk)] for page in crowd)
    Sheet.objects.filter(pk=anna.pk).update(seen_by=PRIVATE, version=F("version") + 1)
    hear(crowd, *PAGES)


def test_who_was_away_for_a_moment_goes_on_from_there_and_who_was_away_longer_asks_for_the_page(crowd, hit):
    away, here = crowd[3], crowd[4]
    for time in range(MAX_STEPS):
        hit.play("anna", "act-damage", points=1, against="nothing")
        assert here.hear()
        if time == 1:
            assert len(away.hear()) == 2
            away.stands()
            away = crowd[5]
    assert len(away.hear()) == MAX_STEPS
    away.stands()
    hit.play("anna", "act-damage", points=1, against="nothing")
    assert here.hear()
    assert crowd[2].hear() is None


def test_no_more_is_kept_of_a_table_than_there_is_room_for(crowd, hit, monkeypatch):
    monkeypatch.setattr(broadcast, "LARGEST", 4_000)
    news = crowd[0].news
    for _time in range(MAX_STEPS):
        hit.play("anna", "act-damage", points=1, against="nothing")
        assert crowd[4].hear()
        news.shrink()
        assert news.size <= broadcast.LARGEST
        assert all(step.recent is None for step in news.steps)
    assert len(news.steps) < MAX_STEPS
    assert LARGEST == 64 * 1024


def test_who_has_left_meanwhile_hears_nothing(crowd, hit, dice):
    news = crowd[0].news
    parties.leave_party(Member.objects.get(user=hit.users["dora"]))
    dice += [[6, 6, 5, 1]]
    hit.press()
    assert hit.users["dora"].pk not in news.look(hit.party.pk, people(hit))
    assert crowd[0].hear() is None


def test_a_table_at_which_something_happens_all_the_time_is_asked_for(crowd, hit, monkeypatch):
    news, usual = crowd[0].news, broadcast.counts_of

    def busy(*about):
        hit.play("anna", "act-damage", points=1, against="nothing")
        return usual(*about)
    monkeypatch.setattr(broadcast, "counts_of", busy)
    assert crowd[4].hear() is None
    monkeypatch.undo()
    assert crowd[4].hear() is None
    assert not news.steps
