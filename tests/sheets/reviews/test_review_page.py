"""The page of a review: what needs a look first, the sheet line by line, the party beside it, the next in the queue."""

import html
import re

import pytest
from django.core.cache import caches

from rulesets import systems
from sheets.forms.inputs import element_id
from sheets.models import Sheet
from sheets.reviews import queries
from sheets.reviews import services as reviews
from sheets.reviews.comments import comment_fields
from sheets.reviews.posts import posts_of
from sheets.status.reviews import review_status, waiting_for
from tests.support.guest import text_of
from tests.support.party import Rooms
from tests.support.rulesets.contract import every_system
from tests.support.sheets import story as told

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def page_of(rooms, who="gm"):
    return html.unescape(rooms.read(who).text)


@every_system
def test_every_place_has_a_line_of_its_own_that_opens_where_one_remarks_on_it(db, ruleset):
    rooms = Rooms(ruleset.slug)
    for document in ruleset.examples.values():
        rooms.sheet.name, rooms.sheet.data = document["name"], document["data"]
        rooms.sheet.version += 1
        rooms.sheet.save()
        reviews.submit(rooms.sheet, rooms.player)
        shown = page_of(rooms)
        data = ruleset.sheet.model_validate(rooms.sheet.data).model_dump()
        fields = comment_fields(ruleset, data, {})
        rows = {one.row for one in fields if one.row and one.row.rpartition(".")[2].isdecimal()}
        for path in (*(one.path for one in fields), *rows):
            assert shown.count(f'name="at.{path}"') == shown.count(f'id="v-{element_id(path)}"') == 1, path
            line = shown.partition(f'id="v-{element_id(path)}"')[2]
            assert line.index("<details") < line.index("<summary") < line.index(f'name="at.{path}"'), path
            # The first that opens there is about this line alone.
            assert re.search(r'name="at\.([^"]*)"', line)[1] == path
        # No form stands within the form.
        assert "<form" not in shown.partition('<form id="review"')[2].partition("</form>")[0]


def test_what_needs_a_look_stands_before_what_differs_and_that_before_the_sheet(rooms):
    rooms.approve()
    rooms.ask()
    rooms.change(life=rooms.sheet.data["life"] - 2, attacks=[{**rooms.sheet.data["attacks"][0], "dice": 6}])
    other = Sheet.objects.create(owner=rooms.player, party=rooms.party, ruleset="condice", name="Schwach",
                                 data={**rooms.sheet.data, "attacks": [], "abilities": []})
    reviews.submit(rooms.sheet, rooms.player)
    shown = page_of(rooms)
    assert shown.index('id="look-first"') < shown.index('id="changes"') < shown.index('id="fields"')
    first = rooms.read("gm").context["attention"]
    assert [one.kind for one in first][:2] == ["exception", "high"]
    assert first[1].path == "attacks.0"
    assert "unspent" in [one.kind for one in first]
    measured = rooms.read("gm").context["beside"]
    assert {bar.name for bar in measured[0].bars} == {rooms.sheet.name, other.name}
    # The player is told nothing of the others' figures.
    assert rooms.read("player").context["beside"] == []


def test_a_remark_that_is_open_needs_a_look_until_it_is_done(rooms):
    rooms.wait()
    rooms.press("gm", "return", **{"at.attacks.0": "Woher?", "at.life": "Zu viel."})
    entry = rooms.sheet.reviews.latest("number")
    rooms.change(life=rooms.sheet.data["life"] - 1)
    rooms.wait()
    assert {one.path for one in rooms.read("gm").context["attention"] if one.kind == "open"} == {"life", "attacks.0"}
    rooms.press("player", f"done:{entry.number}:life")
    assert [one.path for one in rooms.read("gm").context["attention"] if one.kind == "open"] == ["attacks.0"]
    assert page_of(rooms).count("Woher?") >= 2


def test_own_entries_are_told_even_where_nobody_has_to_agree(rooms):
    rooms.ask()
    rooms.party.house = {"policy": {"CD-08": "warn"}}
    rooms.party.save()
    Sheet.objects.filter(pk=rooms.sheet.pk).update(house=rooms.party.house)
    reviews.submit(told.fresh(rooms.sheet), rooms.player)
    assert [(one.kind, one.title, one.path) for one in rooms.read("gm").context["attention"] if one.kind == "own"] == [
        ("own", "Zeit anhalten", "abilities.0")]


@pytest.mark.parametrize(("counted", "places"), [
    (9, ["1 of 4", "2 of 4", "3 of 4", "4 of 4"]), (4, ["1 of 3+", "2 of 3+", "3 of 3+", "3+ of 3+"]),
    (2, ["1 of 1+", "1+ of 1+", "1+ of 1+", "1+ of 1+"])])
def test_a_sheet_stands_between_its_neighbours_however_many_are_counted(rooms, monkeypatch, counted, places):
    monkeypatch.setattr(queries, "COUNTED", counted)
    rooms.wait()
    waiting = [rooms.sheet, *(Sheet.objects.create(owner=rooms.player, party=rooms.party, ruleset="condice", name=name,
                                                   data=rooms.sheet.data) for name in ("Zwei", "Drei", "Vier"))]
    for one in waiting[1:]:
        reviews.submit(one, rooms.player)
    keys = [None, *(one.pk for one in waiting), None]
    found = [rooms.read("gm", f"/sheets/{one.pk}/review/").context["queue"] for one in waiting]
    assert [f"{one.number} of {one.of}" for one in found] == places
    assert [(one.before, one.after) for one in found] == [*zip(keys[:-2], keys[2:], strict=True)]


def test_after_a_decision_comes_the_next_in_the_queue_and_after_the_last_the_first_that_is_left(rooms):
    rooms.wait()
    others = []
    for name in ("Zwei", "Drei"):
        sheet = Sheet.objects.create(owner=rooms.player, party=rooms.party, ruleset="condice", name=name,
                                     data=rooms.sheet.data)
        reviews.submit(sheet, rooms.player)
        others.append(sheet)
    page = rooms.read("gm")
    place = page.context["queue"]
    assert (place.number, place.of, place.before, place.after) == ("1", "3", None, others[0].pk)
    assert page.context["to_review"] == str(waiting_for(rooms.gm)) == "3"
    assert rooms.press("gm", "approve")["Location"] == f"/sheets/{others[0].pk}/review/"
    rooms.url = f"/sheets/{others[1].pk}/review/"
    assert rooms.press("gm", "return", comment="x")["Location"] == f"/sheets/{others[0].pk}/review/"
    rooms.url = f"/sheets/{others[0].pk}/review/"
    assert rooms.press("gm", "approve")["Location"] == rooms.url


def test_the_player_reads_the_gms_words_first_with_each_remark_at_its_field_and_submits_beside_them(rooms):
    rooms.wait()
    rooms.press("gm", "return", comment="Fast fertig.", **{"at.life": "Zu viel.", "at.attacks.0.dice": "Zu wenig."})
    rooms.change(life=rooms.sheet.data["life"] - 1)
    shown = page_of(rooms, "player")
    words = shown.partition('class="gm-words"')[2].partition("</section>")[0]
    assert re.findall(r'href="(/drafts/[^"]+)"', words) == [
        f"/drafts/{rooms.sheet.pk}/?at={path}" for path in ("life", "attacks.0.dice")]
    assert "Fast fertig." in words
    assert shown.index('class="gm-words"') < shown.index('id="changes"') < shown.index('id="fields"')
    assert "Submit it again" in shown.partition('id="decide"')[2].partition("</section>")[0]
    rooms.press("player", "submit")
    assert 'class="gm-words"' not in page_of(rooms, "player")


@pytest.mark.parametrize("slug", list(systems()))
def test_a_decision_is_told_as_bbcode_and_markdown(db, slug, english):
    rooms = Rooms(slug)
    rooms.sheet.name = "Grete [b]"
    rooms.sheet.save()
    reviews.submit(rooms.sheet, rooms.player)
    found = reviews.pending_decision(rooms.sheet, review_status(rooms.sheet))
    path = comment_fields(rooms.sheet.system, found.content["data"], {})[0].path
    entry = reviews.give_back(rooms.member(rooms.gm), rooms.sheet, found.seal, {
        "comment": "Fast <b>fertig</b>.", "at": {path: "Zu *viel*."}})
    code, mark = posts_of([entry], rooms.sheet.system, None)
    assert code.value.startswith("[b]Grete [\u200bb][/b]")
    assert mark.value.startswith("**Grete \\[b\\]**")
    assert ["returned by greta" in one.value for one in (code, mark)] == [True, True]
    assert ["[*]" in code.value, "\n- " in mark.value] == [True, True]
    assert "<b>" not in mark.value


def test_what_was_erased_is_not_told_again(rooms, english):
    entry = rooms.approve()
    assert "Check code" in posts_of([entry], rooms.sheet.system, None)[0].value
    entry.revision = None
    assert posts_of([entry], rooms.sheet.system, None) == []


def test_a_gm_finds_the_text_to_post_and_the_player_does_not(rooms):
    rooms.approve()
    assert "The decision as a forum post" in text_of(rooms.read("gm"))
    assert "The decision as a forum post" not in text_of(rooms.read("player"))


def test_a_row_is_told_by_one_figure_that_is_the_same_beside_the_party_and_in_what_differs(rooms, english):
    rooms.approve()
    rooms.change(attacks=[{**rooms.sheet.data["attacks"][0], "dice": 6}])
    Sheet.objects.create(owner=rooms.player, party=rooms.party, ruleset="condice", name="Schwach",
                         data={**rooms.sheet.data, "attacks": []})
    reviews.submit(rooms.sheet, rooms.player)
    found = rooms.read("gm").context
    (attack,) = [one for one in found["few"] if one.path == "attacks.0"]
    (odds,) = attack.odds
    assert (odds.title, odds.after) == ("Avg. damage", found["foremost"].measure.shown)
    assert found["foremost"].measure.short == "Avg. damage"
    assert odds.before != odds.after
    # The player sees no measures, and the whole difference has the odds of the roll itself.
    (own,) = [one for one in rooms.read("player").context["few"] if one.path == "attacks.0"]
    assert own.odds == next(one.odds for one in found["diff"].changes if one.path == "attacks.0") != attack.odds


def test_one_figure_stands_beside_the_party_and_the_others_unfold(rooms):
    rooms.wait()
    beside = page_of(rooms).partition('class="beside-party"')[2].partition("</section>")[0]
    first, fold, rest = beside.partition("<details")
    assert (first.count('class="measure"'), bool(fold)) == (1, True)
    assert rest.count('class="measure"') == len(rooms.read("gm").context["beside"]) - 1 > 0


def test_what_an_earlier_approval_is_withdrawn_by_stands_with_what_happened_so_far_and_names_the_revision(rooms):
    rooms.approve()
    rooms.change(life=rooms.sheet.data["life"] - 1)
    rooms.wait()
    shown = page_of(rooms)
    assert 'value="withdraw"' not in shown.partition('id="decide"')[2].partition("</section>")[0]
    assert "Withdraw the approval of revision 1" in shown.partition('id="review-history"')[2].partition("</section>")[0]


def test_the_gm_is_told_that_it_waits_for_them_and_reads_the_players_word_once(rooms):
    reviews.submit(rooms.sheet, rooms.player, "Drei Winter geübt.")
    shown = page_of(rooms)
    assert "waiting for you" in shown.partition('class="masthead"')[2].partition("</header>")[0]
    assert shown.count("Drei Winter geübt.") == 1
    assert "waiting for approval" in page_of(rooms, "player")


@pytest.fixture
def no_head_cached():
    """Heads are drawn anew, in this test and after it."""
    caches["template_fragments"].clear()
    yield
    caches["template_fragments"].clear()


@pytest.mark.usefixtures("no_head_cached")
@every_system
def test_its_head_asks_the_manifest_for_its_files_as_every_page_does(db, ruleset, monkeypatch):
    """Its fields without a figure are called `plain` too, as a head is that may not ask."""
    monkeypatch.setattr("django.templatetags.static.StaticNode.handle_simple", lambda *of: f"/hashed/{of[-1]}")
    page = page_of(Rooms(ruleset.slug))
    assert 'href="/hashed/base.css"' in page
    assert 'href="/static/' not in page
