"""Out and in: whatever leaves comes back as it was; what cannot be read is refused; nothing is replaced."""

import json
import re
from email.message import Message

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rulesets import systems
from rulesets.document import BYTES, read, read_tree
from sheets.documents import document_of, written
from sheets.export.filenames import disposition
from sheets.export.text import FORMS
from sheets.models import Sheet
from tests.support import hostile_documents
from tests.support.rulesets.contract import every, report, seeded

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
JUAN = systems()["condice"].examples["juan"]
ORIGIN = "1c2b3a49-0000-4000-8000-000000000001"


def bring(client, tree, do="import", **extra):
    raw = tree if isinstance(tree, str) else json.dumps(tree)
    return client.post(reverse("import"), {"document": raw, "do": do}, **extra)


def brought(client, tree) -> Sheet:
    """The draft that was made of a document."""
    response = bring(client, tree)
    assert response.status_code == 302, response.text
    return Sheet.objects.get(pk=response["Location"].split("/")[2])


def upload(raw):
    return SimpleUploadedFile("sheet.json", raw or b" ", "application/json")


def out(client, sheet):
    response = client.get(reverse("file", args=[sheet.pk, "json"]))
    assert response.status_code == 200
    return response


def whole(ruleset, key) -> dict:
    """An example with everything that a document may carry."""
    house = {"policy": {next(iter(ruleset.rules("en"))): "ask"}}
    return {**ruleset.examples[key], "house": house, "play": ruleset.play().model_dump(), "notes": "Erste\nZweite 🎲",
            "origin": ORIGIN, "approval": {"by": "somebody"}}


# Out


@every("examples")
def test_what_leaves_comes_back_with_an_equal_seal(client, ruleset, key):
    first = brought(client, whole(ruleset, key))
    raw = out(client, first).content
    second = brought(client, raw.decode())
    assert document_of(first).seal() == document_of(second).seal() == read_tree(whole(ruleset, key)).seal()
    assert (second.play, second.notes, second.house) == (first.play, first.notes, first.house)
    assert json.loads(raw)["origin"] == str(first.pk) != str(second.pk)
    assert read(raw).asdict() == {key: value for key, value in json.loads(raw).items() if key != "approval"}


def test_a_document_tells_its_state_of_play(client):
    assert json.loads(out(client, brought(client, {**JUAN, "play": {"life": 3}})).content)["play"]["life"] == 3


def test_a_document_that_is_almost_too_large_is_closely_written(client):
    attacks = [{"name": "x" * 170, "dice": 1, "range": 0, "description": "y" * 390} for _ in range(99)]
    tree = systems()["condice"].document("Riese", {**JUAN["data"], "attacks": attacks})
    raw = out(client, brought(client, tree)).content
    assert (len(raw) <= BYTES, read(raw).name) == (True, "Riese")


def test_a_document_that_has_grown_too_large_says_so(client):
    page = reverse("export", args=[brought(client, JUAN).pk])
    assert "note warning" not in client.get(page).text
    Sheet.objects.update(notes="n" * BYTES)
    assert "note warning" in client.get(page).text


@pytest.mark.parametrize("form", ["", "json", "md", "bbcode"])
def test_only_whom_a_sheet_belongs_to_takes_it_along(client, form, django_user_model):
    sheet, other = brought(client, JUAN), Client()
    address = reverse("file", args=[sheet.pk, form]) if form else reverse("export", args=[sheet.pk])
    assert (client.get(address).status_code, client.post(address).status_code) == (200, 405)
    assert client.get(reverse("file", args=[sheet.pk, "exe"])).status_code == 404, "there is no other way out"
    assert other.get(address).status_code == 404
    other.force_login(django_user_model.objects.create_user("other"))
    assert other.get(address).status_code == 404
    Sheet.objects.update(ruleset="gone")
    assert client.get(address).status_code == 404


def test_the_page_holds_the_texts_and_the_ways(client, django_assert_max_num_queries):
    sheet = brought(client, JUAN)
    address = reverse("export", args=[sheet.pk])
    with django_assert_max_num_queries(12):
        html = client.get(address, headers={"Accept-Language": "en"}).text
    for said in ("# Juan", "[b]Juan[/b]", *(reverse("file", args=[sheet.pk, form]) for form in ("json", *FORMS))):
        assert said in html
    assert address in client.get(reverse("sheet", args=[sheet.pk])).text


@pytest.mark.parametrize(("name", "ascii_name", "full"), [
    ("Juan", "condice-Juan.json", "condice-Juan.json"),
    ("Gräfin Öse-Üß", "condice-Graefin Oese-Uess.json", "condice-Gräfin Öse-Üß.json"),
    ("", "condice.json", "condice.json"),
    ("🎲", "condice.json", "condice-🎲.json"),
    ('a"; filename="evil.exe', "condice-a-; filename=-evil.exe.json", "condice-a-; filename=-evil.exe.json"),
    ("x\r\nSet-Cookie: a=b", "condice-xSet-Cookie- a=b.json", "condice-xSet-Cookie- a=b.json"),
    ("../../etc/passwd", "condice-..-..-etc-passwd.json", "condice-..-..-etc-passwd.json"),
    ("\u202efdp.exe", "condice-fdp.exe.json", "condice-fdp.exe.json"),
    ("%2e%2e%2f", "condice--2e-2e-2f.json", "condice--2e-2e-2f.json"),
    ("a" * 200, "condice-" + "a" * 72 + ".json", "condice-" + "a" * 72 + ".json"),
    ("Zoë\u0301", "condice-Zoe.json", "condice-Zoë\u0301.json"),
])
def test_file_names_are_safe_in_ascii_and_in_full(name, ascii_name, full):
    header = disposition(f"condice-{name}", "json")
    assert header.isascii()
    assert not re.search(r"[\r\n]", header)
    plain = re.fullmatch(r'attachment; filename="([\w .-]+)"; filename\*=UTF-8\'\'([\w.~%-]+)', header, re.A)
    assert plain[1] == re.sub(r"[^\w .-]", "", ascii_name, flags=re.A)
    message = Message()
    message["Content-Disposition"] = header.replace(f' filename="{plain[1]}";', "")
    assert message.get_filename() == full


# In


def test_a_dry_run_says_what_it_is_and_writes_nothing(client):
    tree = {**systems()["condice"].offenders["CD-01"], "notes": "x", "play": {}}
    html = bring(client, tree, "check", headers={"Accept-Language": "en"}).text
    for said in ("ConDice", "CD-01", 'value="import"', "Its notes are imported, too."):
        assert said in html
    assert not Sheet.objects.exists()


def test_a_file_is_read_as_it_is(client):
    file = upload(b"\xef\xbb\xbf" + written(JUAN))
    assert 'value="import"' in client.post(reverse("import"), {"file": file, "do": "check"}).text


@pytest.mark.parametrize(("raw", "places"), [
    (JUAN | {"version": 2, "colour": "red"}, ("version", "colour")), ("", ()), ("  \n", ())])
def test_an_unreadable_document_is_refused_with_its_places(client, raw, places):
    response = bring(client, raw)
    assert response.status_code == 422
    assert [place for place in places if f"<code>{place}</code>" not in response.text] == []
    assert 'value="import"' not in response.text
    assert not Sheet.objects.exists()


def test_an_import_replaces_nothing_and_trusts_no_approval(client, django_assert_max_num_queries):
    first = brought(client, systems()["condice"].examples["own-ability"])
    raw = out(client, first).content.decode()
    tree = json.loads(raw) | {"approval": {"by": "gm", "granted": True}, "name": "Zweite"}
    assert "/sheets/" in bring(client, tree, "check").text
    with django_assert_max_num_queries(12):
        bring(client, tree)
    first.refresh_from_db()
    assert out(client, first).content.decode() == raw
    second = Sheet.objects.get(name="Zweite")
    assert (second.pk != first.pk, second.finished) == (True, None)
    assert "approval" not in json.loads(out(client, second).content)


def test_a_document_that_defaults_make_too_large_is_refused(client):
    attacks = [{"name": "n" * 200, "dice": 1} for _ in range(99)]
    attacks[0]["description"] = "x" * 4000
    tree = {**systems()["condice"].document("Riese", {"attacks": attacks, "abilities": []}), "notes": "ä" * 4_000,
            "play": {"effects": [{"name": "e" * 190} for _ in range(99)]}}
    raw = json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    assert len(raw.encode()) <= BYTES
    assert bring(client, raw).status_code == 422
    assert not Sheet.objects.exists()


def test_a_browser_with_too_many_drafts_is_told_so(client, monkeypatch):
    monkeypatch.setattr("builder.drafts.GUEST_DRAFTS", 1)
    brought(client, JUAN)
    response = bring(client, JUAN, headers={"Accept-Language": "en"})
    assert (response.status_code, Sheet.objects.count()) == (422, 1)
    assert "already has 1 draft" in response.text


def test_an_import_needs_the_forms_token():
    assert bring(Client(enforce_csrf_checks=True), JUAN).status_code == 403


@pytest.mark.prove
def test_hostile_documents_are_brought_in_or_refused_with_their_place(client, full):
    rng, number, refused = seeded("import"), 5_000 if full else 60, 0
    for _number in range(number):
        raw = hostile_documents.document(rng)
        dry = client.post(reverse("import"), {"file": upload(raw), "do": "check"})
        assert dry.status_code in (200, 422), raw
        if not raw.strip() or dry.status_code == 422:
            refused += 1
            before = Sheet.objects.count()
            done = client.post(reverse("import"), {"file": upload(raw), "do": "import"})
            assert (done.status_code, Sheet.objects.count()) == (422, before), raw
            assert 'role="alert"' in dry.text
    assert not Sheet.objects.exists()
    assert refused > number / 3
    if full:
        report(f"import: {number} hostile documents, {refused} refused, nothing written")
