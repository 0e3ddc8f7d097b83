"""Names and other texts of one line are stored as the eye sees them, whichever way they come in; old ones stay."""

import copy
import json

import pytest
from django.test import Client

from rulesets.document import read
from sheets.documents import document_of
from sheets.models import Phrases, Sheet
from sheets.reviews.services import Blocked
from tests.support.guest import example

pytestmark = pytest.mark.django_db
ODD = "A\u202egn\u200bru\u0308f\u00a0\u3164 x\u0007"
SEEN = "Agnrüf x"


def test_a_draft_and_its_rows_are_stored_as_they_are_seen(juan):
    juan.post("figure", _name=ODD)
    juan.post("attacks", {"attacks.0.name": ODD})
    assert (juan.sheet.name, juan.data["attacks"][0]["name"]) == (SEEN, SEEN)
    for nothing in ("\u200b", "\u3164", "\u2800", " \u00a0"):
        juan.post("figure", _name=nothing)
        assert juan.sheet.name == ""


def test_an_old_name_stays_until_somebody_edits_that_very_field(juan):
    data = copy.deepcopy(juan.data)
    data["attacks"][0]["name"] = ODD
    Sheet.objects.filter(pk=juan.pk).update(name=ODD, data=data)
    seal = document_of(juan.sheet).seal()
    juan.post("figure", _name=ODD)
    juan.post("attacks", {"attacks.0.name": ODD})
    assert document_of(juan.sheet).seal() == seal
    juan.post("figure", _name=f"{ODD} ")
    assert (juan.sheet.name, juan.data["attacks"][0]["name"]) == (SEEN, ODD)


def test_a_document_whose_names_differ_is_read_and_told_and_its_seal_is_that_of_what_is_stored(db):
    tree = copy.deepcopy(example())
    tree["name"], tree["data"]["attacks"][0]["name"] = ODD, "\u3164"
    client = Client(headers={"Accept-Language": "en"})
    answer = client.post("/import/", {"do": "check", "document": json.dumps(tree)})
    assert "&lt;U+202E&gt;" in answer.text
    assert [(note.path, note.where) for note in answer.context["report"].notes if note.severity == "Changed"] == [
        ("name", ""), ("data.attacks.0.name", "Attack 1: Name")]
    told = answer.context["report"].document.seal()
    client.post("/import/", {"do": "import", "document": json.dumps(tree)})
    sheet = Sheet.objects.get()
    assert (sheet.name, sheet.data["attacks"][0]["name"]) == (SEEN, "")
    assert document_of(sheet).seal() == told != read(json.dumps(tree).encode()).seal()


def test_phrases_are_lines_too(rooms):
    rooms.wait()
    rooms.press("gm", "phrases", phrases=f"{ODD}\n\u200b\n")
    assert Phrases.objects.get().lines == [SEEN]


def test_a_reason_of_signs_that_nobody_sees_is_none(round_):
    with pytest.raises(Blocked):
        round_.bring("own-ability").approve(reason="\u200b\u3164")
