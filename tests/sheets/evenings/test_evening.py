"""The next evening of a party: planned, answered, fixed, moved, called off."""

import re

import pytest

from sheets.models import Answer, Evening, Member, Notification, UserZone
from sheets.parties.services import leave_party
from tests.support.guest import text_of
from tests.support.sheets.evenings import FRIDAY, SATURDAY, THURSDAY, key, utc

pytestmark = pytest.mark.django_db


def told(kind):
    """Return the names of those whom a kind of notification has reached."""
    return sorted(Notification.objects.filter(kind=kind).values_list("user__username", flat=True))


def test_gms_propose_dates_everybody_answers_with_one_press_and_a_gm_chooses_one(evenings):
    assert evenings.plan(FRIDAY, SATURDAY, THURSDAY, "").status_code == 302
    assert [one.starts for one in evenings.row.dates.order_by("starts")] == [
        utc("2026-12-03 19:00"), utc("2026-12-04 19:00"), utc("2026-12-05 17:30")]
    assert told("evening-asked") == ["anna", "ben", "second"]
    assert "When can you play?" in text_of(evenings.page())
    for who, answer in ("anna", "yes"), ("ben", "maybe"):
        assert evenings.press(who, f"{answer}:{key('2026-12-04 19:00')}").status_code == 302
    assert "2 can come, 1 maybe" in text_of(evenings.page("ben"))
    assert "Yes: gm, anna · Maybe: ben" in text_of(evenings.page("ben"))
    assert "No answer yet: second" in text_of(evenings.page("ben"))
    evenings.press("ben", f"no:{key('2026-12-04 19:00')}")
    assert "2 can come, 1 cannot" in text_of(evenings.page("ben"))
    assert evenings.press("second", f"fix:{key('2026-12-04 19:00')}").status_code == 302
    assert (evenings.row.state, evenings.row.starts) == ("fixed", utc("2026-12-04 19:00"))
    assert evenings.answers() == [("gm", "yes"), ("anna", "yes"), ("ben", "no")]
    assert told("evening-planned") == ["anna", "ben", "gm"]
    assert "Fri, 4 December, 20:00" in text_of(evenings.page())


def test_one_date_is_planned_at_once(evenings):
    evenings.plan(FRIDAY, note="  bei   Anna ")
    assert (evenings.row.state, evenings.row.note) == ("fixed", "bei Anna")
    assert told("evening-planned") == ["anna", "ben", "second"]
    assert "bei Anna" in text_of(evenings.page())


def test_party_and_home_show_the_next_evening_and_first_the_question(evenings):
    evenings.plan(FRIDAY)
    home, party = "/", f"/parties/{evenings.run.party.pk}/"
    for page, back in (home, "home"), (party, "party"):
        shown = evenings.run.browsers["anna"].get(page).text
        assert "Can you come?" in shown
        assert "Fri, 4 December, 20:00" in text_of(evenings.run.browsers["anna"].get(page))
        assert f'name="back" value="{back}"' in shown
    answer = evenings.press("anna", f"maybe:{key('2026-12-04 19:00')}", back="home")
    assert answer["Location"] == home
    assert evenings.press("anna", f"yes:{key('2026-12-04 19:00')}", back="party")["Location"] == party
    assert evenings.press("anna", f"yes:{key('2026-12-04 19:00')}", back="x")["Location"] == evenings.address
    for page in home, party:
        shown = evenings.run.browsers["anna"].get(page)
        assert "Can you come?" not in shown.text
        assert "· 2 can come" in text_of(shown)


def test_home_shows_an_evening_once(evenings):
    evenings.plan(FRIDAY)
    home = evenings.run.browsers["anna"]
    assert text_of(home.get("/")).count("· 1 can come") == 1
    evenings.press("anna", f"no:{key('2026-12-04 19:00')}")
    assert text_of(home.get("/")).count("· 1 can come, 1 cannot") == 1


def test_party_and_home_ask_for_answers_to_several_dates(evenings):
    evenings.plan(FRIDAY, SATURDAY)
    for page in "/", f"/parties/{evenings.run.party.pk}/":
        assert "2 dates wait for your answer" in text_of(evenings.run.browsers["anna"].get(page))
        assert "wait for your answer" not in text_of(evenings.run.browsers["gm"].get(page))


def test_each_reads_and_types_dates_in_their_own_time_zone(evenings):
    for who, zone in ("gm", "America/New_York"), ("anna", "Asia/Tokyo"):
        UserZone.objects.create(user=evenings.run.users[who], name=zone)
    evenings.plan("2026-12-04T14:00")
    assert evenings.row.starts == utc("2026-12-04 19:00")
    assert "Sat, 5 December, 04:00" in text_of(evenings.page("anna"))
    assert "Fri, 4 December, 20:00" in text_of(evenings.page("ben"))
    assert 'value="2026-12-04T14:00"' in evenings.page("gm").text
    texts = {who: text_of(evenings.run.browsers[who].get("/notifications/")) for who in ("anna", "ben")}
    assert "gm has planned the next evening of “Die Runde”: Sat, 5 December, 04:00." in texts["anna"]
    assert ": Fri, 4 December, 20:00." in texts["ben"]


def test_german_says_it_as_people_do(evenings):
    evenings.plan(FRIDAY)
    shown = text_of(evenings.run.browsers["ben"].get(evenings.address, headers={"Accept-Language": "de"}))
    assert "Fr., 4. Dezember, 20:00" in shown
    assert "1 kann" in shown
    assert "Kannst du kommen?" in shown


@pytest.mark.parametrize(("dates", "fault"), [
    ((), "Choose at least one date."),
    (("2026-11-30T12:59",), "in the future"),
    (("2027-12-02T20:00",), "within a year"),
    (("9999-12-31T23:59",), "within a year"), (("0001-01-01T00:00",), "within a year"),
    (("2026-12-04T20:00+01:00",), "within a year"),
    (("morgen",), "cannot be read"), (("\0",), "cannot be read"),
    (("2027-03-28T02:30",), "the clocks go forward"),
    (tuple(f"2026-12-0{day}T20:00" for day in range(1, 8)), "at most 6 dates"),
])
def test_dates_that_cannot_be_are_refused_in_a_sentence_and_change_nothing(evenings, dates, fault):
    answer = evenings.plan(*dates)
    assert answer.status_code == 422
    assert fault in re.search(r'role="alert"[^>]*>([^<]*)', answer.text)[1]
    assert not Evening.objects.exists()
    assert not Notification.objects.exists()


@pytest.mark.parametrize("form", [{"note": "x" * 201}, {"weeks": "3"}, {"weeks": ""}, {"weeks": "12"}])
def test_notes_that_are_too_long_and_other_rhythms_are_refused(evenings, form):
    assert evenings.plan(FRIDAY, **form).status_code == 422
    assert not Evening.objects.exists()


def test_what_was_typed_is_kept_where_it_is_refused(evenings):
    shown = evenings.plan(FRIDAY, "morgen", weeks="2", note="bei <Anna>").text
    for text in f'value="{FRIDAY}"', 'value="morgen"', 'value="2" checked', "bei &lt;Anna&gt;":
        assert text in shown


def test_a_party_has_one_plan_at_most(evenings):
    evenings.plan(FRIDAY)
    assert evenings.plan(SATURDAY).status_code == 409
    assert evenings.row.starts == utc("2026-12-04 19:00")


@pytest.mark.parametrize("dates", [(FRIDAY,), (THURSDAY, FRIDAY)])
def test_once_it_has_passed_another_can_be_planned(evenings, clock, dates):
    evenings.plan(*dates)
    clock.go("2026-12-04 22:59")
    if len(dates) == 1:
        assert "Fri, 4 December" in text_of(evenings.page())
    clock.go("2026-12-04 23:00")
    assert "No evening is planned." in text_of(evenings.page())
    assert evenings.plan("2026-12-11T20:00").status_code == 302
    assert evenings.row.starts == utc("2026-12-11 19:00")


def test_moving_it_asks_everybody_anew_and_tells_them(evenings):
    evenings.plan(FRIDAY)
    evenings.press("anna", f"yes:{key('2026-12-04 19:00')}")
    assert evenings.press("gm", "move", date=SATURDAY).status_code == 302
    assert (evenings.row.starts, evenings.row.sequence) == (utc("2026-12-05 17:30"), 1)
    assert evenings.answers() == [("gm", "yes")]
    assert told("evening-moved") == ["anna", "ben", "second"]
    assert evenings.press("anna", f"yes:{key('2026-12-04 19:00')}").status_code == 409
    assert evenings.answers() == [("gm", "yes")]


def test_a_new_note_alone_moves_nothing(evenings):
    evenings.plan(FRIDAY)
    evenings.press("anna", f"yes:{key('2026-12-04 19:00')}")
    evenings.press("gm", "move", date=FRIDAY, note="bei Ben")
    assert (evenings.row.note, evenings.row.sequence, len(evenings.answers())) == ("bei Ben", 0, 2)
    assert told("evening-moved") == []


def test_it_can_be_called_off_and_another_planned(evenings):
    evenings.plan(FRIDAY)
    evenings.press("gm", "cancel")
    assert evenings.row.state == "cancelled"
    assert told("evening-cancelled") == ["anna", "ben", "second"]
    assert "called off the evening of “Die Runde”: Fri, 4 December, 20:00." in text_of(
        evenings.run.browsers["anna"].get("/notifications/"))
    assert "No evening is planned." in text_of(evenings.page())
    evenings.plan(SATURDAY)
    assert Evening.objects.filter(state="fixed").count() == 1


def test_no_more_than_a_few_that_were_called_off_are_kept(evenings):
    for _one in range(8):
        evenings.plan(FRIDAY)
        evenings.press("gm", "cancel")
    assert Evening.objects.count() == 6


def test_a_question_that_is_withdrawn_is_forgotten(evenings):
    evenings.plan(FRIDAY, SATURDAY)
    evenings.press("gm", "cancel")
    assert not Evening.objects.exists()
    assert told("evening-withdrawn") == ["anna", "ben", "second"]


def test_a_form_that_another_gm_has_overtaken_changes_nothing(evenings):
    evenings.plan(FRIDAY)
    saw = re.search(r'name="_saw" value="([^"]+)"', evenings.page("gm").text)[1]
    evenings.press("second", "move", date=SATURDAY, _saw=saw)
    for do, form in ("move", {"date": THURSDAY}), ("cancel", {}), ("plan", {"date": THURSDAY}):
        answer = evenings.press("gm", do, _saw=saw, **form)
        assert (answer.status_code, evenings.row.starts) == (409, utc("2026-12-05 17:30"))
        assert "changed in the meantime" in answer.text


@pytest.mark.parametrize("do", ["yes:1", "fix:1", f"fix:{key('2026-12-04 19:00')}", "skip", "yes:99999999999"])
def test_what_is_not_there_is_not_answered_or_chosen(evenings, do):
    evenings.plan(FRIDAY)
    assert evenings.press("gm", do).status_code == 409
    assert evenings.answers() == [("gm", "yes")]


@pytest.mark.parametrize("do", ["", "x", "yes", "yes:", "yes:x", "yes:999999999999999999", "fix:-1"])
def test_buttons_that_no_page_has_are_refused(evenings, do):
    evenings.plan(FRIDAY)
    assert evenings.press("gm", do).status_code == 400


def test_players_answer_and_no_more_and_strangers_find_nothing(evenings, client, django_user_model):
    evenings.plan(FRIDAY)
    for do in "plan", "move", "skip", "cancel", f"fix:{key('2026-12-04 19:00')}":
        assert evenings.press("anna", do, date=SATURDAY).status_code == 404
    client.force_login(django_user_model.objects.create_user("fremd"))
    for address in evenings.address, evenings.address.rstrip("/") + ".ics":
        assert client.get(address).status_code == 404
    assert client.post(evenings.address, {"do": f"yes:{key('2026-12-04 19:00')}"}).status_code == 404
    assert Answer.objects.count() == 1


def test_answers_go_with_their_member(evenings):
    evenings.plan(FRIDAY)
    evenings.press("anna", f"yes:{key('2026-12-04 19:00')}")
    leave_party(Member.objects.select_related("party", "user").get(user=evenings.run.users["anna"]))
    assert evenings.answers() == [("gm", "yes")]
