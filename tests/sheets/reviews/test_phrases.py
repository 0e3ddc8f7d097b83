"""A GM's own phrases: kept for oneself, put into what one writes, with nothing lost of what is being written."""

import re

import pytest

from sheets.models import Phrases
from sheets.reviews.phrases import MAX_LENGTH, MAX_PHRASES
from tests.support.guest import text_of

pytestmark = pytest.mark.django_db
TWO = "Zu stark für den Anfang\r\n\r\n  Woher hat sie das? \r\nZu stark für den Anfang"


def chips(rooms, who="gm"):
    return re.findall(r'data-phrase="([^"]*)"', rooms.read(who).text)


def test_phrases_are_kept_line_by_line_for_oneself_and_what_is_written_stays(rooms):
    rooms.wait()
    page = rooms.press("gm", "phrases", phrases=TWO, comment="Fast.", **{"at.life": "Hm."})
    assert page.status_code == 200
    assert ["Fast.</textarea>" in page.text, "Hm.</textarea>" in page.text] == [True, True]
    assert chips(rooms) == ["Zu stark für den Anfang", "Woher hat sie das?"]
    assert chips(rooms, "second") == []
    assert rooms.state == "waiting"


def test_a_phrase_goes_into_the_comment_without_scripts_and_is_returned_with_it(rooms):
    rooms.wait()
    rooms.press("gm", "phrases", phrases=TWO)
    page = rooms.press("gm", "say:1", comment="Schöne Figur!", **{"at.life": "Hm."})
    assert "Schöne Figur! Woher hat sie das?</textarea>" in page.text
    assert "Hm.</textarea>" in page.text
    assert "Schöne Figur!</textarea>" in rooms.press("gm", "say:7", comment="Schöne Figur!").text
    assert rooms.press("gm", "say:x").status_code == 400


def test_too_many_or_too_long_phrases_are_refused_and_nothing_typed_is_lost(rooms):
    rooms.wait()
    for text in ("\n".join(map(str, range(MAX_PHRASES + 1))), "ä" * (MAX_LENGTH + 1)):
        page = rooms.press("gm", "phrases", phrases=text)
        assert (page.status_code, Phrases.objects.exists()) == (409, False)
    assert "at most 20 phrases" in text_of(rooms.press("gm", "phrases", phrases="ä" * (MAX_LENGTH + 1)))
    for who in ("player", "member", "stranger"):
        assert rooms.press(who, "phrases", phrases="x").status_code == 404
        assert rooms.press(who, "say:0").status_code == 404
    assert 'id="phrases"' not in rooms.read("player").text


def test_phrases_go_with_their_account(rooms):
    rooms.press("gm", "phrases", phrases="x")
    rooms.wait()
    rooms.press("gm", "phrases", phrases="x")
    rooms.gm.delete()
    assert not Phrases.objects.exists()
