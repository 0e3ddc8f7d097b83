"""Sheets pasted as a text: read, checked, made into drafts; the same by the command and the validator."""

import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from rulesets.daemmersturm.tests.helpers import LINE
from rulesets.document import BYTES
from rulesets.passages import passages
from sheets.models import Sheet
from tests.support.builder.held import lacking

pytestmark = pytest.mark.django_db

WRONG = LINE.replace("Hans-Peter", "Gretel").replace("AP: 6", "AP: 9")
BROKEN = LINE.replace("Hans-Peter", "Kaputt").replace("20+3", "20x3")


@pytest.fixture
def paste():
    client = Client(headers={"Accept-Language": "en"})

    def post(text, do="check", **more):
        return client.post(reverse("paste"), {"document": text, "do": do}, **more)

    return post


def test_each_sheet_of_a_text_is_shown_with_what_the_rules_say_and_drafts_are_made_of_those_that_can_be_read(paste):
    text = f"{LINE}\n\n{WRONG}\n\n{BROKEN}"
    looks = paste(text).context["reports"]
    assert [(look.name, look.verdict_slug, [note.path for note in look.notes]) for look in looks] == [
        ("Hans-Peter", "legal", []), ("Gretel", "illegal", ["5:6"]), ("Kaputt", "unreadable", ["7:12"])]
    assert looks[0].found.text() == LINE
    assert not Sheet.objects.exists()
    assert "2 drafts have been made." in paste(text, "import", follow=True).text
    assert set(Sheet.objects.values_list("name", flat=True)) == {"Hans-Peter", "Gretel"}


def test_one_sheet_leads_to_its_draft(paste):
    answer, sheet = paste(LINE, "import"), Sheet.objects.get()
    assert answer["Location"] == reverse("step", args=[sheet.pk, "figure"])
    assert (sheet.name, sheet.data["melee"]) == ("Hans-Peter", {"attack": 3, "defence": 15})


@pytest.mark.parametrize("text", ["", "   ", "Guten Tag", '{"format": "bogenschmiede.sheet"}', BROKEN])
def test_where_there_is_nothing_to_make_a_draft_of_it_is_said(paste, text):
    assert paste(text, "import").status_code == 422
    assert not Sheet.objects.exists()


def test_a_pdf_that_cannot_be_read_is_told_as_such(client):
    answer = client.post(reverse("paste"), {"file": SimpleUploadedFile("x.pdf", b"%PDF-")})
    assert answer.status_code == 422
    assert "vielleicht ist es beschädigt" in answer.text


@pytest.mark.parametrize(("raw", "found"), [
    (b'{"name": "(N=20+3|15"}', 0), (b"\xff" + LINE.encode(), 0), (LINE.encode() + b" " * BYTES, 0),
    (b"\xef\xbb\xbf" + LINE.encode(), 1)], ids=["a document", "no text", "too long", "marked"])
def test_a_text_is_no_document_and_a_document_no_text(raw, found):
    assert len(passages(raw)) == found


def test_the_validator_reads_one_sheet_and_hands_several_on_and_the_import_takes_one(client):
    one = client.post(reverse("validator"), {"document": WRONG}).context["report"]
    assert (one.verdict_slug, [note.path for note in one.notes]) == ("illegal", ["2:6"])
    several = client.post(reverse("validator"), {"document": f"{LINE}\n{WRONG}"})
    assert f'formaction="{reverse("paste")}"' in several.text
    client.post(reverse("import"), {"document": LINE, "do": "import"})
    assert Sheet.objects.get().name == "Hans-Peter"


DOUBTFUL = LINE.replace("Sprinten", "Sprinten und Harter Hund").replace("AP: 6", "AP: 4")
READINGS = ["These are 2 special abilities", "It is one special ability", "4 of 6 are left", "It is all of them"]


@pytest.mark.rule("DS-07")
@pytest.mark.parametrize("page", ["paste", "validator", "import"])
def test_what_can_be_read_in_two_ways_is_asked_and_an_answer_is_written_into_the_text(page):
    client = Client(headers={"Accept-Language": "en"})
    text, chosen = DOUBTFUL, []
    while "Which one is meant?" in (answer := client.post(reverse(page), {"document": text, "do": "check"})).text:
        look = answer.context.get("report") or answer.context["reports"][0]
        assert (look.verdict_slug, look.status, look.badge) == ("unreadable", "Needs an answer", "ask")
        label, action = look.notes[0].choices[0]
        assert f'name="do" value="{action}"' in answer.text
        chosen.append(label)
        answered = client.post(reverse(page), {"document": text, "do": action})
        text = answered.context.get("text") or answered.context["report"].text
    assert chosen == READINGS[::2]
    assert not Sheet.objects.exists()
    assert text == LINE.replace("Sprinten", "Sprinten, Harter Hund").replace("AP: 6", "AP: 4/6")


@pytest.mark.rule("DS-07")
@pytest.mark.parametrize("action", ["read:", "read:0:5:0", "read:x:y:z", "read:-1:9:0"])
def test_a_reading_that_was_not_offered_changes_nothing(paste, action):
    assert paste(DOUBTFUL, action).context["text"] == DOUBTFUL


def validated(tmp_path, text, *options):
    file, out, code = tmp_path / "profiles.txt", StringIO(), 0
    file.write_text(text, encoding="utf-8")
    try:
        call_command("validate", str(file), *options, stdout=out)
    except SystemExit as done:
        code = done.code
    return code, out.getvalue(), str(file)


@pytest.mark.parametrize(("text", "exit_code"), [(LINE, 0), (f"{LINE}\n{WRONG}", 1), (f"{LINE}\n{BROKEN}", 2)])
def test_the_command_judges_every_sheet_of_a_text(tmp_path, text, exit_code):
    code, out, file = validated(tmp_path, text, "--format", "json")
    first, *others = json.loads(out)
    assert (code, first["verdict"], first["derived"]["profile_line"]) == (exit_code, "legal", LINE)
    assert {(one["file"], one["ruleset"]) for one in (first, *others)} == {(file, "daemmersturm")}


def test_the_command_names_the_place_of_each_offence_and_finding(tmp_path):
    _code, out, file = validated(tmp_path, f"{WRONG}\n\n{BROKEN}")
    assert lacking(
        out, f"{file}:1:1: illegal (Dämmersturm)",
        "Error DS-07 claimed.action_points 2:6: The line says AP 9; a melee bonus of +3 gives 6.",
        "Error 4:12: “20x3” is not an attack bonus; write it as 20+X or 20-X.") == []


def test_house_rules_count_for_texts_too(tmp_path):
    house = tmp_path / "house.json"
    house.write_text('{"highest": 2}')
    code, out, _file = validated(tmp_path, LINE, "--house", str(house), "--format", "json")
    assert (code, json.loads(out)[0]["findings"][0]["rule"]) == (1, "DS-01")


@pytest.mark.rule("DS-07")
def test_the_command_asks_which_reading_is_meant(tmp_path):
    code, out, _file = validated(tmp_path, DOUBTFUL)
    assert code == 2
    assert all(one in out for one in READINGS)
    assert "write “4/6”" in out
