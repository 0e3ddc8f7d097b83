"""The history of a sheet: what is kept when, what is told of it, and how one goes back to it."""

import html
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from rulesets import systems
from sheets import history
from sheets.models import Event, Review, Revision, Sheet
from sheets.reviews import going, past
from sheets.reviews.chain import faults
from sheets.reviews.courses import course
from sheets.reviews.revisions import keep
from tests.guest import Guest, example, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def juan():
    """A guest at work on Juan."""
    return Guest(example())


def browser(user):
    made = Client(raise_request_exception=False, headers={"Accept-Language": "en"})
    made.force_login(user)
    return made


def finished(guest, **fields):
    """The guest's sheet, changed and finished."""
    if fields:
        guest.post("values", fields)
    assert guest.whole("finish")["Location"] == f"/sheets/{guest.pk}/"
    return guest.sheet.revisions.latest("number")


def look(guest, **query):
    return guest.client.get(f"/sheets/{guest.pk}/history/", query)


def restore(guest, number, version=None):
    version = guest.sheet.version if version is None else version
    return guest.client.post(f"/sheets/{guest.pk}/history/", {"do": f"restore:{number}", "_version": version})


def unreadable(revision):
    Revision.objects.filter(pk=revision.pk).update(data={"life": "<script>viel</script>"})


# What is kept


def test_each_finished_save_is_a_revision_and_the_same_content_again_is_the_same(juan):
    first = finished(juan)
    assert (first.number, first.kind, first.author, first.name) == (1, "finished", None, "Juan")
    assert finished(juan) == first
    second = finished(juan, life="4")
    assert (second.number, second.data["life"], second.version) == (2, 4, juan.sheet.version)
    assert finished(juan, life="5").number == 3
    assert [one.data["life"] for one in juan.sheet.revisions.order_by("number")] == [5, 4, 5]


def test_what_is_not_finished_is_no_revision(juan):
    juan.post("values", life="viele")
    juan.whole("finish")
    assert not Revision.objects.exists()


def test_who_finishes_with_an_account_is_the_author(django_user_model):
    user = django_user_model.objects.create_user("juan")
    assert finished(Guest(example(), user=user)).author == user


def test_the_last_step_says_what_differs_since_the_last_revision(juan):
    assert "Since revision" not in text_of(juan.get("finish"))
    finished(juan)
    assert "Since revision 1 History Nothing differs." in text_of(juan.get("finish"))
    juan.post("values", life="4")
    text = text_of(juan.get("finish"))
    assert "Finish it anew to keep this as the next revision." in text
    assert "Life Points −1 Life 5 → 4 Life points 10 → 8" in text
    unreadable(juan.sheet.revisions.get())
    assert "The rules cannot read that revision any more." in text_of(juan.get("finish"))


def test_my_sheets_tells_what_was_changed_since_it_was_finished(juan):
    def said():
        return text_of(juan.client.get("/sheets/"))
    assert "· draft ·" in said()
    assert "History" not in said()
    finished(juan)
    assert "· finished ·" in said()
    assert f'href="/sheets/{juan.pk}/history/"' in juan.client.get("/sheets/").text
    juan.post("values", life="4")
    assert "· changed since it was finished ·" in said()
    juan.post("values", life="5")
    finished(juan)
    assert "· finished ·" in said()


# What is told


def test_the_history_tells_each_revision_with_what_became_of_it(juan):
    finished(juan)
    second = finished(juan, life="4")
    juan.post("values", life="6")
    text = text_of(look(juan))
    assert "The draft In full Life: 4 → 6; Points +2; Life points 8 → 12" in text
    assert text.index("Revision 2 finished") < text.index("Life: 5 → 4; Points −1; Life points 10 → 8") < text.index(
        "Revision 1 finished")
    assert f"Seal {second.seal[:16]}" in text
    assert "The first one." in text


def test_a_sheet_without_revisions_says_how_there_come_to_be_some(juan):
    text = text_of(look(juan))
    assert "There is no revision yet; finishing or submitting the sheet keeps one." in text
    assert "Compare revision" not in text
    answer = look(juan, a="1")
    assert answer.status_code == 422
    assert "There is no revision yet" in text_of(answer)


@pytest.mark.parametrize(("query", "said"), [
    ({"a": "1", "b": "2"}, "From revision 1 to revision 2 What was changed Life Points −1 Life 5 → 4"),
    ({"a": "2", "b": "1"}, "From revision 2 to revision 1 What was changed Life Points +1 Life 4 → 5"),
    ({"a": "1", "b": "now"}, "From revision 1 to the draft What was changed Life Points +1 Life 5 → 6"),
    ({"a": "1", "b": ""}, "From revision 1 to the draft"), ({"a": "now", "b": "1"}, "From the draft to revision 1"),
    ({"a": ""}, "From the draft to the draft Nothing differs."),
    ({"a": "2", "b": "2"}, "From revision 2 to revision 2 Nothing differs."),
    ({"of": "1"}, "Revision 1 finished"), ({"of": "now"}, "The draft The whole sheet"),
])
def test_any_two_are_compared_and_any_one_is_looked_at(juan, query, said):
    finished(juan)
    finished(juan, life="4")
    juan.post("values", life="6")
    answer = look(juan, **query)
    assert answer.status_code == 200
    assert said in text_of(answer)


@pytest.mark.parametrize("query", [
    {"a": "3"}, {"a": "1", "b": "0"}, {"of": "x"}, {"of": ""}, {"a": "²", "b": "1"}, {"a": "9" * 99},
    {"a": "-1"}, {"a": "\0"}])
def test_a_revision_that_is_not_there_is_said_with_those_that_are(juan, query):
    finished(juan)
    answer = look(juan, **query)
    assert answer.status_code == 422
    assert "is no revision; there are 1 to 1." in text_of(answer)


def test_what_is_asked_for_is_text_on_the_page(juan):
    finished(juan)
    for query in ({"a": '<b>"1'}, {"a": "1", "b": '<b>"1'}, {"of": '<b>"1'}):
        answer = look(juan, **query)
        assert "<b>" not in answer.text
        assert "“&lt;b&gt;&quot;1” is no revision" in answer.text


def test_a_long_history_is_told_in_pages_each_from_a_few_questions(juan):
    sheet = juan.sheet
    for number in range(40):
        sheet.data = {**sheet.data, "life": number}
        sheet.version += 1
        keep(sheet, "finished", None)
    seen, query = [], {}
    while True:
        with CaptureQueriesContext(connection) as found:
            answer = look(juan, **query)
        assert len(found) <= 8, [one["sql"][:90] for one in found]
        context = answer.context
        seen += [one.revision.number for one in context["entries"]]
        assert all(one.diff for one in context["entries"] if one.revision.number > 1)
        if not context["more"]:
            break
        query = {"before": context["more"].number}
        assert f'href="?before={context["more"].number}"' in answer.text
    assert seen == list(range(40, 0, -1))
    assert "No older revision." in text_of(look(juan, before="1"))
    for wrong in ("x", "-1", "9" * 40):
        assert look(juan, before=wrong).context["entries"][0].revision.number == 40


def test_the_page_of_a_party_s_sheet_asks_the_database_at_most_eight_times(round_):
    keep(round_.sheet, "finished", round_.player)
    for user in (round_.player, round_.gm):
        client = browser(user)
        going.submit(round_.sheet, round_.player) if user == round_.player else None
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"/sheets/{round_.sheet.pk}/history/").status_code == 200
        assert len(found) <= 8, [one["sql"][:90] for one in found]


def marks(round_, user=None):
    """{number: words of its marks} as somebody is shown them."""
    entries = browser(user or round_.player).get(f"/sheets/{round_.sheet.pk}/history/").context["entries"]
    with override("en"):
        return {one.revision.number: [str(words) for words, _tone in one.marks] for one in entries}


def approve(round_):
    found = going.case(round_.sheet, course(round_.sheet))
    going.approve(round_.member(round_.gm), round_.sheet, found.seal, dict.fromkeys(found.asking, "Weil."), {})


def test_what_waits_is_approved_and_is_played_is_marked(round_):
    keep(round_.sheet, "finished", round_.player)
    assert marks(round_) == {1: []}
    going.submit(round_.sheet, round_.player)
    assert marks(round_) == {1: ["waiting for approval"]}
    approve(round_)
    assert marks(round_, round_.gm) == {1: ["approved", "played"]}
    round_.change(life=4)
    going.submit(round_.sheet, round_.player)
    assert marks(round_) == {2: ["waiting for approval"], 1: ["approved", "played"]}
    seal = going.case(round_.sheet, course(round_.sheet)).seal
    going.give_back(round_.member(round_.gm), round_.sheet, seal, {"comment": "Nein."})
    assert marks(round_) == {2: ["returned with comments"], 1: ["approved", "played"]}
    round_.change(life=3)
    going.submit(round_.sheet, round_.player)
    approve(round_)
    assert marks(round_) == {3: ["approved", "played"], 2: ["returned with comments"], 1: ["once approved"]}
    going.withdraw(round_.member(round_.gm), round_.sheet, {"comment": "Doch nicht."})
    assert marks(round_) == {3: ["approval withdrawn"], 2: ["returned with comments"], 1: ["once approved"]}


def test_what_counts_in_another_party_counts_for_nothing_here(round_):
    going.submit(round_.sheet, round_.player)
    approve(round_)
    Sheet.objects.filter(pk=round_.sheet.pk).update(party=None)
    assert marks(round_) == {1: []}


def test_a_gm_reads_the_history_and_restores_nothing(round_):
    keep(round_.sheet, "finished", round_.player)
    url = f"/sheets/{round_.sheet.pk}/history/"
    for user in (round_.gm, round_.second):
        client = browser(user)
        answer = client.get(url)
        assert "Revision 1 finished · paula" in text_of(answer)
        assert "restore:" not in answer.text
        assert client.post(url, {"do": "restore:1", "_version": 1}).status_code == 404


# Going back


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
    assert "The sheet is as in revision 1 again, kept as revision 3." in text
    assert "It is as in revision 3." in text
    juan.post("values", do="undo:")
    assert (juan.data["life"], juan.sheet.typed) == (4, {"life": "viele"})
    assert [one.number for one in juan.sheet.revisions.order_by("number")] == [1, 2, 3]


def test_restoring_the_last_one_brings_it_back_without_another_of_the_same(juan):
    finished(juan)
    juan.post("values", life="4")
    assert restore(juan, 1).status_code == 302
    assert (juan.data["life"], juan.sheet.revisions.count()) == (5, 1)


def test_a_name_comes_back_with_what_was_called_so(juan):
    finished(juan)
    juan.post("figure", {"_name": "Don Juan"})
    finished(juan)
    restore(juan, 1)
    assert (juan.sheet.name, juan.sheet.revisions.latest("number").name) == ("Juan", "Juan")


def test_what_comes_back_goes_by_the_house_rules_of_today(round_):
    client = browser(round_.player)
    keep(round_.sheet, "finished", round_.player)
    round_.change(life=4)
    Sheet.objects.update(house={"budget": 31})
    version = Sheet.objects.get().version
    client.post(f"/sheets/{round_.sheet.pk}/history/", {"do": "restore:1", "_version": version})
    new = Revision.objects.latest("number")
    assert (new.number, new.house, Sheet.objects.get().house) == (2, {"budget": 31}, {"budget": 31})


def test_an_approval_stays_with_what_was_approved_whatever_is_restored(round_):
    keep(round_.sheet, "finished", round_.player)
    round_.change(life=4)
    going.submit(round_.sheet, round_.player)
    approve(round_)
    client = browser(round_.player)
    client.post(f"/sheets/{round_.sheet.pk}/history/", {"do": "restore:1", "_version": round_.sheet.version})
    sheet = Sheet.objects.get()
    assert (sheet.data["life"], course(sheet).revision.data["life"], course(sheet).state) == (5, 4, "changed")
    client.post(f"/sheets/{round_.sheet.pk}/history/", {"do": "restore:2", "_version": sheet.version})
    assert course(Sheet.objects.get()).state == "approved"
    assert list(faults()) == []


@pytest.mark.parametrize("version", ["1", "", "x"])
def test_a_page_that_is_stale_restores_nothing_and_says_so(juan, version):
    finished(juan)
    finished(juan, life="4")
    juan.post("values", life="6")
    answer = restore(juan, 1, version)
    assert answer.status_code == 409
    text = text_of(answer)
    assert "The sheet was changed meanwhile, and nothing was restored." in text
    assert "Life: 4 → 6" in text
    assert (juan.data["life"], juan.sheet.revisions.count()) == (6, 2)


@pytest.mark.parametrize("number", ["3", "0", "", "x", "9" * 40, "now"])
def test_what_is_no_revision_is_not_restored(juan, number):
    finished(juan)
    answer = restore(juan, number)
    assert answer.status_code == 409
    assert "That revision is not there." in text_of(answer)


def test_there_is_no_other_button(juan):
    assert juan.client.post(f"/sheets/{juan.pk}/history/", {"do": "burn:1"}).status_code == 400


def test_what_the_rules_cannot_read_any_more_is_shown_as_it_is_stored_and_not_restored(juan):
    unreadable(finished(juan))
    finished(juan, life="4")
    assert "The rules cannot read both, so nothing is compared." in text_of(look(juan))
    for query in ({"of": "1"}, {"a": "1", "b": "2"}):
        answer = look(juan, **query)
        assert "The rules cannot read this any more; here it is as it was stored." in text_of(answer)
        assert html.escape('"life": "<script>viel</script>"') in answer.text
    answer = restore(juan, 1)
    assert answer.status_code == 409
    assert "The rules cannot read that revision any more, so it cannot be restored" in text_of(answer)
    assert (juan.data["life"], juan.sheet.revisions.count()) == (4, 2)


def test_a_draft_that_the_rules_cannot_read_comes_back_by_its_history(juan):
    finished(juan)
    Sheet.objects.filter(pk=juan.pk).update(data={"life": -1})
    assert look(juan).status_code == 200
    assert restore(juan, 1).status_code == 302
    assert juan.data["life"] == 5


def test_what_would_be_too_large_with_the_notes_of_today_is_not_restored(juan):
    row = {"name": "x", "dice": 1, "range": 0, "description": "y" * 4000}
    sheet = juan.sheet
    Sheet.objects.filter(pk=juan.pk).update(data=sheet.data | {"attacks": [row] * 16})
    keep(juan.sheet, "finished", None)
    Sheet.objects.filter(pk=juan.pk).update(data=sheet.data, notes="n" * 4000)
    answer = restore(juan, 1)
    assert answer.status_code == 409
    assert "shorten the notes" in text_of(answer)


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
    first, *_others, last = systems()[slug].examples.values()
    guest = Guest(first, system=slug)
    keep(guest.sheet, "finished", None)
    sheet = guest.sheet
    history.save(sheet, history.State(last["name"], last["data"], {}))
    keep(sheet, "finished", None)
    text = text_of(look(guest))
    assert "Revision 2" in text
    assert look(guest, a="1", b="2").status_code == look(guest, of="2").status_code == 200
    assert restore(guest, 1).status_code == 302
    assert guest.sheet.name == first["name"]
    assert not past.difference(systems()[slug], *guest.sheet.revisions.exclude(number=2))


def test_reviews_name_their_revisions_whatever_came_after(round_):
    going.submit(round_.sheet, round_.player)
    approve(round_)
    round_.change(life=4)
    keep(round_.sheet, "finished", round_.player)
    assert {one.revision.number for one in Review.objects.all()} == {1}
    assert list(faults()) == []
