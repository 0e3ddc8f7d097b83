"""Comments at the values that they are about: where they stand later, what is replied, and that they are done."""

from itertools import product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sheets.audit_log.chain import chain_faults
from sheets.models import Member, Notification, Reply, Review, Sheet
from sheets.notifications.services import notification_text
from sheets.reviews.comments import MAX_REPLIES, standing_comments
from tests.support.guest import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def returned(rooms):
    """A sheet that was returned with a comment at its life and one at the dice of its first attack."""
    rooms.wait()
    rooms.press("gm", "return", comment="Fast.", **{"at.life": "Zu viel.", "at.attacks.0.dice": "Einer weniger."})
    rooms.number = Review.objects.latest("number").number
    Notification.objects.all().delete()
    return rooms


def standing(rooms):
    return {one.path: one for one in standing_comments(Sheet.objects.get(pk=rooms.sheet.pk))}


def answer(rooms, who, do, path="life", text=""):
    return rooms.press(who, f"{do}:{rooms.number}:{path}", **{f"reply.{rooms.number}:{path}": text})


def test_a_comment_stands_at_its_value_on_the_page_of_the_review_and_in_the_builder(returned):
    for who, url in (("gm", ""), ("player", ""), ("player", f"/drafts/{returned.sheet.pk}/values/")):
        page = returned.read(who, url).text
        assert page.count(f'id="c-{returned.number}-f-life"') == 1, url
        at = page.index(f'id="c-{returned.number}-f-life"')
        assert page.index(f'id="{"" if "drafts" in url else "v-"}f-life"') < at < page.index("f-mental_resistance", at)
    assert f'id="c-{returned.number}-f-attacks-0-dice"' in returned.read(
        "player", f"/drafts/{returned.sheet.pk}/attacks/").text


def test_a_comment_follows_its_row_and_one_of_a_row_that_is_gone_says_so(returned):
    first = returned.sheet.data["attacks"][0]
    punch = {"name": "Kopfnuss", "dice": 1, "range": 0, "description": ""}
    returned.change(attacks=[punch, first])
    assert standing(returned)["attacks.0.dice"].at == "attacks.1.dice"
    returned.change(attacks=[])
    assert standing(returned)["attacks.0.dice"].at == ""
    assert "Comments on entries that are gone" in text_of(returned.read("player"))


def test_a_reply_and_that_it_is_done_stand_at_the_comment_for_both_sides(returned):
    there = answer(returned, "player", "reply", text="Warum?")
    assert there["Location"] == f"{returned.url}#c-{returned.number}-f-life"
    answer(returned, "gm", "reply", text="Es sind acht.")
    answer(returned, "player", "done", text="Stimmt.")
    found = standing(returned)
    assert [(one.author.username, one.text, one.done) for one in found["life"].replies] == [
        ("paula", "Warum?", False), ("greta", "Es sind acht.", False), ("paula", "Stimmt.", True)]
    assert (found["life"].done, found["attacks.0.dice"].done) == (True, False)
    for page in (text_of(returned.read(who)) for who in ("gm", "player")):
        assert "Es sind acht." in page
        assert "1 comment is not done yet." in page


def test_who_is_answered_is_told_where_while_they_run_the_party_and_else_those_who_do(returned):
    answer(returned, "player", "reply", text="Warum?")
    one = Notification.objects.get()
    assert (one.user, one.url) == (returned.gm, f"{returned.url}#c-{returned.number}-f-life")
    assert notification_text(one) == f"paula has replied to a comment on “{returned.sheet.name}” in “Die Runde”."
    answer(returned, "second", "reply", text="Darum.")
    assert Notification.objects.latest("pk").user == returned.player
    Notification.objects.all().delete()
    Reply.objects.all().delete()
    Member.objects.filter(party=returned.sheet.party, user=returned.gm).delete()
    answer(returned, "player", "reply", text="Warum?")
    assert Notification.objects.get().user == returned.second


def test_what_is_done_can_be_open_again_and_a_second_arrival_says_nothing_again(returned):
    answer(returned, "player", "done")
    answer(returned, "gm", "reply")
    assert (standing(returned)["life"].done, Notification.objects.exists()) == (False, False)
    Reply.objects.all().delete()
    for text, do, many in (("Warum?", "reply", 1), ("", "reply", 1), ("", "done", 2), ("", "done", 2)):
        answer(returned, "player", do, text=text)
        answer(returned, "player", do, text=text)
        assert Reply.objects.count() == many, (text, do)


def test_from_the_builder_one_goes_back_to_the_field(returned):
    about = f"{returned.number}:attacks.0.dice"
    there = returned.browsers["player"].post(returned.url, {"do": f"done:{about}", "from": "draft"})
    assert there["Location"] == f"/drafts/{returned.sheet.pk}/?at=attacks.0.dice"
    assert standing(returned)["attacks.0.dice"].done


def test_a_reply_that_is_typed_is_kept_whatever_else_is_pressed_and_not_lost_where_that_fails(returned):
    returned.change(life=returned.sheet.data["life"] - 1)
    returned.press("player", "submit", comment="So?", **{f"reply.{returned.number}:life": "Einer weniger."})
    assert Review.objects.latest("number").said["comment"] == "So?"
    assert standing(returned)["life"].replies[0].text == "Einer weniger."
    page = returned.press("gm", "approve", _seal="0", **{f"reply.{returned.number}:life": "Gut."})
    assert (page.status_code, "Gut.</textarea>" in page.text) == (409, True)
    assert Reply.objects.count() == 1


def test_for_several_replies_at_once_it_is_asked_once_what_stands(returned):
    returned.change(life=returned.sheet.data["life"] - 1)
    with CaptureQueriesContext(connection) as asked:
        returned.press("player", "submit", **{f"reply.{returned.number}:{path}": "Gut."
                                              for path in ("life", "attacks.0.dice")})
    assert (Reply.objects.count(), sum('FROM "sheets_reply"' in one["sql"] for one in asked)) == (2, 1)


def test_what_else_is_being_written_stays_in_the_form(returned):
    returned.change(life=returned.sheet.data["life"] - 1)
    page = returned.press("player", f"done:{returned.number}:life", comment="Gleich fertig.")
    assert (page.status_code, "Gleich fertig.</textarea>" in page.text) == (200, True)
    assert standing(returned)["life"].done
    returned.press("player", "submit")
    page = returned.press("gm", f"reply:{returned.number}:life", **{
        "at.movement": "Und hier?", f"reply.{returned.number}:life": "Gut."})
    assert [f"{one}</textarea>" in page.text for one in ("Und hier?", "Gut.")] == [True, False]


def test_an_approval_settles_what_was_said_before_it(returned):
    returned.change(life=returned.sheet.data["life"] - 1)
    returned.press("player", "submit")
    assert len(standing(returned)) == 2
    returned.press("gm", "approve", **{"at.movement": "Für das nächste Mal."})
    assert [*standing(returned)] == ["movement"]
    assert "That comment is gone" in text_of(answer(returned, "player", "done"))


def test_others_answer_nothing_and_an_answer_to_nothing_is_refused(returned):
    for who, do in product(("member", "stranger"), ("reply", "done")):
        assert answer(returned, who, do, text="x").status_code == 404
    for about in ("", "0:life", f"{returned.number}:movement", f"{returned.number}:", "x"):
        assert returned.press("player", f"reply:{about}").status_code == 409
    assert not Reply.objects.exists()


def test_no_comment_has_more_replies_than_a_page_has_room_for(returned):
    entry = Review.objects.get(number=returned.number)
    Reply.objects.bulk_create(Reply(entry=entry, path="life", author=returned.gm, text=str(number))
                              for number in range(MAX_REPLIES))
    assert f"There are already {MAX_REPLIES} replies" in text_of(answer(returned, "player", "reply", text="x"))
    assert answer(returned, "player", "reply", path="attacks.0.dice", text="x").status_code == 302


def test_replies_change_nothing_that_is_signed_and_go_with_what_they_are_about(returned):
    before = list(Review.objects.values_list("number", "mac"))
    answer(returned, "player", "reply", text="Warum?")
    assert list(Review.objects.values_list("number", "mac")) == before
    assert list(chain_faults()) == []
    returned.gm.delete()
    assert (Reply.objects.exists(), list(chain_faults())) == (False, [])


def test_a_word_at_submission_is_read_by_the_gms_and_signed(rooms):
    rooms.press("player", "submit", comment="  Wie besprochen.\r\n")
    assert Review.objects.get().said["comment"] == "Wie besprochen."
    assert ["Wie besprochen." in text_of(rooms.read("gm", url)) for url in ("", "/reviews/")] == [True, True]
    assert list(chain_faults()) == []
