"""The history of a sheet: what is kept when, and what is told of it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from sheets.history.revisions import save_revision
from sheets.models import Revision, Sheet
from sheets.reviews import services as reviews
from tests.support.guest import Guest, example, text_of
from tests.support.party import browser
from tests.support.sheets import story as told
from tests.support.sheets.finished import finished, look, unreadable

pytestmark = pytest.mark.django_db


# What is kept


def test_each_finished_save_is_a_revision_and_the_same_content_again_is_the_same(juan):
    juan.post("values", life="viele")
    juan.whole("finish")
    assert not Revision.objects.exists(), "what is not finished is no revision"
    first = finished(juan, life="5")
    assert (first.number, first.kind, first.author, first.name) == (1, "finished", None, "Juan")
    assert finished(juan) == first
    second = finished(juan, life="4")
    assert (second.number, second.data["life"], second.version) == (2, 4, juan.sheet.version)
    assert finished(juan, life="5").number == 3
    assert [one.data["life"] for one in juan.sheet.revisions.order_by("number")] == [5, 4, 5]


def test_who_finishes_with_an_account_is_the_author(django_user_model):
    user = django_user_model.objects.create_user("juan")
    assert finished(Guest(example(), user=user)).author == user


def test_the_last_step_says_what_differs_since_the_last_revision(juan):
    assert "Since revision" not in text_of(juan.get("finish"))
    finished(juan)
    assert "Since revision 1 History No differences." in text_of(juan.get("finish"))
    juan.post("values", life="4")
    text = text_of(juan.get("finish"))
    assert "Finish it again to save this as the next revision." in text
    assert "Life Points −1 Life 5 → 4 Life points 10 → 8" in text
    unreadable(juan.sheet.revisions.get())
    assert "The rules can no longer read that revision." in text_of(juan.get("finish"))


def test_my_sheets_tells_what_was_changed_since_it_was_finished(juan):
    def said():
        return text_of(juan.client.get("/sheets/"))

    assert ("· draft ·" in said(), "History" in said()) == (True, False)
    finished(juan)
    assert "· finished ·" in said()
    assert f'href="/sheets/{juan.pk}/history/"' in juan.client.get("/sheets/").text
    juan.post("values", life="4")
    assert "· changed since it was finished ·" in said()
    finished(juan, life="5")
    assert "· finished ·" in said()


# What is told


def test_the_history_tells_each_revision_with_what_became_of_it(juan):
    finished(juan)
    second = finished(juan, life="4")
    juan.post("values", life="6")
    text = text_of(look(juan))
    assert "The draft Full comparison Life: 4 → 6; Points +2; Life points 8 → 12" in text
    assert text.index("Revision 2 finished") < text.index("Life: 5 → 4; Points −1; Life points 10 → 8") < text.index(
        "Revision 1 finished")
    assert f"Seal {second.seal[:16]}" in text
    assert "The first one." in text


def test_a_sheet_without_revisions_says_how_there_come_to_be_some(juan):
    text, answer = text_of(look(juan)), look(juan, a="1")
    assert "There is no revision yet; one is saved when you finish or submit the sheet." in text
    assert "Compare revision" not in text
    assert (answer.status_code, "There is no revision yet" in text_of(answer)) == (422, True)


COMPARED = (
    ({"a": "1", "b": "2"}, "From revision 1 to revision 2 What was changed Life Points −1 Life 5 → 4"),
    ({"a": "2", "b": "1"}, "From revision 2 to revision 1 What was changed Life Points +1 Life 4 → 5"),
    ({"a": "1", "b": "now"}, "From revision 1 to the draft What was changed Life Points +1 Life 5 → 6"),
    ({"a": "1", "b": ""}, "From revision 1 to the draft"), ({"a": "now", "b": "1"}, "From the draft to revision 1"),
    ({"a": ""}, "From the draft to the draft No differences."),
    ({"a": "2", "b": "2"}, "From revision 2 to revision 2 No differences."),
    ({"of": "1"}, "Revision 1 finished"), ({"of": "now"}, "The draft The whole sheet"),
)


def test_any_two_are_compared_and_any_one_is_looked_at(juan):
    finished(juan)
    finished(juan, life="4")
    juan.post("values", life="6")
    for query, said in COMPARED:
        answer = look(juan, **query)
        assert answer.status_code == 200
        assert said in text_of(answer), query


def test_a_revision_that_is_not_there_is_said_with_those_that_are_and_what_is_asked_for_is_text(juan):
    finished(juan)
    for query in ({"a": "3"}, {"a": "1", "b": "0"}, {"of": "x"}, {"of": ""}, {"a": "²", "b": "1"}, {"a": "9" * 99},
                  {"a": "-1"}, {"a": "\0"}):
        answer = look(juan, **query)
        assert answer.status_code == 422, query
        assert "is not a revision; there are 1 to 1." in text_of(answer), query
    for query in ({"a": '<b>"1'}, {"a": "1", "b": '<b>"1'}, {"of": '<b>"1'}):
        answer = look(juan, **query)
        assert "<b>" not in answer.text
        assert "“&lt;b&gt;&quot;1” is not a revision" in answer.text


@pytest.mark.slow
def test_a_long_history_is_told_in_pages_each_from_a_few_questions(juan):
    sheet = juan.sheet
    for number in range(40):
        sheet.data = {**sheet.data, "life": number}
        sheet.version += 1
        save_revision(sheet, "finished", None)
    seen, query = [], {}
    while len(seen) < 40:
        with CaptureQueriesContext(connection) as found:
            answer = look(juan, **query)
        assert len(found) <= 10, [one["sql"][:90] for one in found]
        entries, more = answer.context["entries"], answer.context["more"]
        seen += [one.revision.number for one in entries]
        assert all(one.diff for one in entries if one.revision.number > 1)
        query = {"before": more and more.number}
        assert bool(more) == (len(seen) < 40)
        assert not more or f'href="?before={more.number}"' in answer.text
    assert seen == list(range(40, 0, -1))
    assert "No older revisions." in text_of(look(juan, before="1"))
    for wrong in ("x", "-1", "9" * 40):
        assert look(juan, before=wrong).context["entries"][0].revision.number == 40


def test_the_page_of_a_party_s_sheet_asks_the_database_at_most_ten_times(round_):
    save_revision(round_.sheet, "finished", round_.player)
    reviews.submit(round_.sheet, round_.player)
    for client in map(browser, (round_.player, round_.gm)):
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"/sheets/{round_.sheet.pk}/history/").status_code == 200
        assert len(found) <= 10, [one["sql"][:90] for one in found]


def marks(round_, user=None):
    """{number: words of its marks} as somebody is shown them."""
    entries = browser(user or round_.player).get(f"/sheets/{round_.sheet.pk}/history/").context["entries"]
    with override("en"):
        return {one.revision.number: [str(words) for words, _tone in one.marks] for one in entries}


def test_what_waits_is_approved_and_is_played_is_marked(round_):
    save_revision(round_.sheet, "finished", round_.player)
    assert marks(round_) == {1: []}
    reviews.submit(round_.sheet, round_.player)
    assert marks(round_) == {1: ["waiting for approval"]}
    told.approve(round_.sheet, round_.gm)
    assert marks(round_, round_.gm) == {1: ["approved", "played"]}
    round_.change(life=4)
    reviews.submit(round_.sheet, round_.player)
    assert marks(round_) == {2: ["waiting for approval"], 1: ["approved", "played"]}
    told.give_back(round_.sheet, round_.gm, comment="Nein.")
    assert marks(round_) == {2: ["returned with comments"], 1: ["approved", "played"]}
    round_.change(life=3)
    round_.approve()
    assert marks(round_) == {3: ["approved", "played"], 2: ["returned with comments"], 1: ["previously approved"]}
    told.withdraw(round_.sheet, round_.gm)
    assert marks(round_) == {3: ["approval withdrawn"], 2: ["returned with comments"], 1: ["previously approved"]}
    # What counts in another party counts for nothing here.
    Sheet.objects.filter(pk=round_.sheet.pk).update(party=None)
    assert marks(round_) == {3: [], 2: [], 1: []}


def test_a_gm_reads_the_history_and_restores_nothing(round_):
    save_revision(round_.sheet, "finished", round_.player)
    url = f"/sheets/{round_.sheet.pk}/history/"
    for client in map(browser, (round_.gm, round_.second)):
        answer = client.get(url)
        assert "Revision 1 finished · paula" in text_of(answer)
        assert "restore:" not in answer.text
        assert client.post(url, {"do": "restore:1", "_version": 1}).status_code == 404
