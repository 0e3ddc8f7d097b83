"""The validator page: a verdict for anybody, on anything, and nothing is kept."""

import html as htmllib
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rulesets import systems
from rulesets.document import read, read_tree, verdict
from sheets.models import Sheet
from sheets.outline import yes_or_no
from tests.support import hostile_documents
from tests.support.rulesets.contract import every, every_system, report, seeded

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
JUAN = systems()["condice"].examples["juan"]


@pytest.fixture
def client():
    return Client(raise_request_exception=False, headers={"Accept-Language": "en"})


def check(client, tree, **extra):
    raw = tree if isinstance(tree, str) else json.dumps(tree)
    response = client.post(reverse("validator"), {"document": raw, "do": "check"} | extra)
    assert response.status_code == 200
    return response.text


def field(html):
    """What the page's field holds."""
    return htmllib.unescape(re.search(r"<textarea[^>]*>\n(.*?)</textarea>", html, re.S)[1])


def badge(html):
    return re.search(r'<span class="badge \w+">([^<]+)</span>', html)[1]


@every("examples")
def test_an_example_is_judged_with_its_figures(client, ruleset, key):
    html = check(client, ruleset.examples[key])
    judged = read_tree(ruleset.examples[key]).check()
    assert badge(html) == judged.verdict.replace("-", " ")
    for one, value in judged.derived.items():
        if isinstance(value, int):
            assert str(ruleset.sheet.derivations()[one].title) in html
            assert f"<dd>{yes_or_no(value)}</dd>" in html


@every("offenders")
def test_a_finding_shows_its_rule_its_place_and_its_mends_which_put_the_mended_document_into_the_field(
        client, ruleset, key):
    tree = {**ruleset.offenders[key], "notes": "bleibt"}
    before, html = read_tree(tree), check(client, tree)
    for finding in before.check().findings:
        shown = [f"{reverse('rules', args=[ruleset.slug])}#{finding.rule}",
                 finding.path and f"<code>{finding.path}</code>",
                 *(f">{htmllib.escape(fix.label)}</button>" for fix in finding.fixes)]
        assert [one for one in shown if one not in html] == []
    for word in re.findall(r'value="(mend:\w+)"', html):
        html = check(client, tree, do=word)
        mended = read(field(html).encode())
        assert (mended.sheet != before.sheet, mended.name, mended.notes) == (True, tree["name"], "bleibt")
        assert f"rules/{ruleset.slug}/#{key}" not in html


def test_a_mend_of_another_text_is_not_made(client):
    html = check(client, JUAN, do="mend:0123456789abcdef")
    assert ("no longer applies" in html, json.loads(field(html))) == (True, JUAN)


@pytest.mark.parametrize(("raw", "place"), [
    ("{", "1:2"), ('{"a": 1,\n "b": }', "2:7"), (json.dumps(JUAN | {"version": 3}), "version"),
    (json.dumps(JUAN | {"data": {"attacks": [{"name": "x", "dice": -1}], "abilities": []}}), "data.attacks.0.dice"),
])
def test_an_offence_shows_its_place(client, raw, place):
    html = check(client, raw)
    assert (badge(html), field(html).replace("\r\n", "\n")) == ("unreadable", raw)
    assert f"<code>{place}</code>" in html


def test_a_file_goes_before_the_field(client):
    file = SimpleUploadedFile("juan.json", json.dumps(JUAN).encode())
    html = client.post(reverse("validator"), {"document": "{", "file": file}).text
    assert (badge(html), json.loads(field(html))) == ("legal", JUAN)


def test_a_file_without_end_is_not_read_to_its_end_and_a_text_refused_on_a_page_of_ours(client):
    html = client.post(reverse("validator"), {"file": SimpleUploadedFile("x", b" {" + b"x" * 9_000_000)}).text
    assert "A document may have at most 64 KiB (65,536 bytes); this one is longer." in html
    assert client.post(reverse("validator"), {"document": "x" * 3_000_000}).status_code == 400


def test_htmx_is_answered_with_the_verdict_alone(client):
    html = client.post(reverse("validator"), {"document": json.dumps(JUAN)}, headers={"HX-Request": "true"}).text
    assert html.strip().startswith('<div id="verdict"')
    assert badge(html) == "legal"


def test_an_empty_field_has_no_verdict(client):
    for html in (client.get(reverse("validator")).text, check(client, " \r\n")):
        assert 'class="badge' not in html


@every_system
def test_every_system_has_an_example_to_try(client, ruleset):
    html = client.get(reverse("validator"), {"example": ruleset.slug}).text
    assert json.loads(field(html))["ruleset"] == ruleset.slug
    assert f"?example={ruleset.slug}" in html
    words = {"condice": ["Name Einhornpiranhas, Dice 4, Range 3", "Healing, Points 2"],
             "dice-rumble": ["Kuchen backen"]}.get(ruleset.slug, [])
    assert [word for word in words if word not in html] == [], "rows of derived values are told by their titles"
    assert "ability heilung" not in html


def test_the_way_there_is_on_every_page(client):
    html = client.get("/").text
    assert [name for name in ("import", "validator", "api") if f'href="{reverse(name)}"' not in html] == []


def test_no_account_and_no_query_is_needed(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        check(client, JUAN)


@pytest.mark.parametrize("words", [word for word in hostile_documents.WORDS if "\0" not in word], ids=ascii)
def test_a_text_of_the_document_is_text_on_the_page(client, words):
    tree = {**JUAN, "name": words[:200]}
    html = check(client, tree)
    assert re.findall("<script>alert|<img src=x|<svg onload", html) == []
    assert field(html) == json.dumps(tree)


@pytest.mark.prove
def test_hostile_documents_are_judged_and_nothing_is_written(client, full):
    rng, number, refused = seeded("validator"), 5_000 if full else 60, 0
    for turn in range(number):
        raw = hostile_documents.document(rng)
        form = {"document": raw.decode("utf-8", "replace")}
        if turn % 2:
            form["file"] = SimpleUploadedFile("x", raw or b" ")
        response = client.post(reverse("validator"), form)
        assert response.status_code == 200, raw
        if turn % 2 and raw.strip():
            answer = verdict(raw)
            assert badge(response.text) == answer["verdict"].replace("-", " ")
            if answer["verdict"] == "unreadable":
                refused += 1
                places = {one["path"] for one in answer["findings"]} - {""}
                assert all(f"<code>{htmllib.escape(place)}</code>" in response.text for place in places), raw
    assert not Sheet.objects.exists()
    if full:
        report(f"validator: {number} hostile documents, half of them as files, {refused} of these refused")
