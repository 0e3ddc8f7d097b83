"""Names and other texts of one line are stored as the eye sees them, whichever way they come in; old ones stay."""

import copy
import json
import uuid

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesets.document import read
from rulesets.names import one_line
from sheets.documents import document_of
from sheets.models import Handout, Message, Party, Phrases, Scene, Sheet
from sheets.parties.views.settings import seen_of
from tests.support.guest import Guest, example

pytestmark = pytest.mark.django_db
ODD = "A\u202egn\u200bru\u0308f\u00a0\u3164 x\u0007"
SEEN = "Agnrüf x"


def party_of(table):
    return f"/parties/{table.party.pk}/"


def founded(table, text):
    table.browsers["gm"].post("/parties/", {"name": text, "ruleset": "condice"})
    return Party.objects.latest("created").name


def renamed(table, text):
    table.browsers["gm"].post(f"{party_of(table)}settings/", {
        "name": text, "seen_by": "private", "_saw": seen_of(Party.objects.get(pk=table.party.pk))})
    return Party.objects.get(pk=table.party.pk).name


def opposed(table, text):
    table.make(_name=text, _count="1")
    return Sheet.objects.filter(opponent=True).latest("created").name


def begun(table, text):
    table.browsers["gm"].post(f"{party_of(table)}scenes/", {"do": "begin", "name": text})
    return Scene.objects.latest("pk").name


def handed_out(table, text):
    table.browsers["gm"].post(f"{party_of(table)}handouts/", {"do": "give", "title": text, "text": "x", "whom": "all"})
    return Handout.objects.latest("pk").title


def said(table, text):
    table.browsers["anna"].post(f"{party_of(table)}table/messages/", {
        "do": "say", "_text": text, "_to": "", "_press": str(uuid.uuid4())})
    return Message.objects.latest("pk").text


WAYS = {one.__name__: one for one in (founded, renamed, opposed, begun, handed_out, said)}


@pytest.mark.parametrize("way", WAYS)
def test_a_party_a_scene_an_opponent_a_handout_and_what_is_said_are_stored_as_they_are_seen(table, way):
    assert WAYS[way](table, ODD) == SEEN


def test_a_draft_and_its_rows_are_stored_as_they_are_seen(juan):
    juan.post("figure", _name=ODD)
    juan.post("attacks", {"attacks.0.name": ODD})
    assert (juan.sheet.name, juan.data["attacks"][0]["name"]) == (SEEN, SEEN)
    for nothing in ("\u200b", "\u3164", "\u2800", " \u00a0"):
        juan.post("figure", _name=nothing)
        assert juan.sheet.name == ""


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(alphabet=st.sampled_from("aÄ \u202e\u200b\u3164\u0308\u2066\u00ad\u200d\u2800\x07") |
                    st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
def test_no_form_stores_a_name_otherwise_than_it_is_seen(db, text):
    guest = Guest(example())
    guest.post("figure", _name=text)
    guest.post("attacks", {"attacks.0.name": text})
    for stored in (guest.sheet.name, guest.data["attacks"][0]["name"]):
        assert stored == one_line(text)


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
