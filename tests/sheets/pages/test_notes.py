"""Notes that are written in two places: both texts stay until somebody chooses."""

import pytest
from django.contrib.auth import get_user_model

from rulesets import systems
from sheets.models import Sheet
from sheets.parties import services as parties
from tests.support.guest import Guest, example, inside, words_in

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
HTMX = {"HX-Request": "true"}


@pytest.fixture(params=["sheet", "party", "remark"])
def write(request):
    """Send notes of one kind; `write.kept()` is what stands there."""
    gm = get_user_model().objects.create_user("gm")
    guest = Guest(example(), user=gm)
    party = parties.found_party(gm, "Runde", systems()["condice"])
    Sheet.objects.filter(pk=guest.pk).update(party=party)
    address, field, more = {
        "sheet": (f"/sheets/{guest.pk}/keep/", "notes", {"do": "notes"}),
        "party": (f"/parties/{party.pk}/", "notes", {"do": "notes"}),
        "remark": (f"/sheets/{guest.pk}/remark/", "text", {})}[request.param]

    def send(text, headers=HTMX, **was):
        return guest.client.post(address, {field: text, **was, **more}, headers=headers)

    send.page = lambda: guest.client.get(address.replace("keep/", "").replace("remark/", ""))
    send.state = "remark-state" if request.param == "remark" else "notes-state"
    return send


def test_what_was_changed_elsewhere_is_not_written_over_and_both_texts_stand_there(write):
    write("Anfang", _was="")
    write("Hier", _was="Anfang")
    for headers, status in ((HTMX, 200), ({}, 409)):
        answer = write("Dort\r\nzwei", headers, _was="Anfang")
        assert (answer.status_code, words_in(answer, "changed elsewhere", ">\nHier</textarea>")) == (
            status, ["changed elsewhere", ">\nHier</textarea>"])
    assert "Dort\nzwei</textarea>" in answer.text
    assert "Hier</textarea>" in write.page().text
    # Who has seen both saves what is to stay.
    assert words_in(write("Hier, dort", _was="Hier"), "Saved.") == ["Saved."]
    assert "Hier, dort</textarea>" in write.page().text


def test_what_is_saved_says_what_stands_there_for_the_next_time(write):
    write("eins", _was="")
    assert 'name="_was" value="eins"' in inside(write.page())[write.state]
    assert 'name="_was" value="zwei\ndrei"' in write("zwei\r\ndrei", _was="eins").text
    for again in ("zwei\r\ndrei", ""):
        assert words_in(write(again, _was="zwei\r\ndrei"), "Saved.") == ["Saved."]


def test_what_cannot_be_kept_says_so_beside_its_field_and_the_old_text_stays(write):
    write("eins", _was="")
    answer = write("x" * 4001, _was="eins")
    assert words_in(answer, "at most 4,000 characters", "Saved.") == ["at most 4,000 characters"]
    assert "eins</textarea>" in write.page().text
