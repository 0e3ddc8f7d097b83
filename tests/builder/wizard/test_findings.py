"""Findings and their mends; what people write stays text."""

import re
from html.parser import HTMLParser

import pytest

from builder.wizard.context import Wizard
from rulesets.kit import patched
from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.everyday import everyday
from tests.support.guest import STEPS, Guest, example, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


# Findings and mends


def words_of(answer):
    """The words that the mends' buttons of an answer post."""
    return re.findall(r'value="(mend:[0-9a-f]+)"', answer.text)


@pytest.mark.parametrize(("name", "second", "slug", "links"), [
    ("Juan", example()["data"]["attacks"][0]["name"], "values", [
        '<a href="{attacks}#f-attacks-1-name">Attack 2 (Einhornpiranhas): Name</a>',
        '<a href="/rules/condice/#CD-02">read CD-02</a>']),
    ("Juan", "", "values", ['<a href="{attacks}#f-attacks-1-name">The attack has no name yet.</a>']),
    ("", "Tritt", "finish", [' href="{figure}#f-_name">Name of the character</a>']),
], ids=["a finding", "what is still open", "a name at the end"])
def test_what_is_said_links_to_its_field_and_to_its_rule(juan, name, second, slug, links):
    Sheet.objects.update(name=name, data=patched(example()["data"], {"attacks.1.name": second}))
    urls = {step: juan.url(step) for step in STEPS}
    assert lacking(juan.get(slug).text, *(one.format(**urls) for one in links)) == []


def test_a_number_that_is_too_large_to_store_is_measured_by_the_rules_and_hides_what_they_say_of_the_one_before():
    guest = Guest(example("hans-peter", "daemmersturm"), system="daemmersturm")
    guest.post("skills", {"melee.attack": "9"})
    at_field = '<span class="said">The attack bonus is +9'
    assert at_field in guest.get("skills").text
    guest.post("skills", {"melee.attack": "12345"})
    shown = guest.get("skills").text
    assert ' data-for="f-melee-attack">12345 is too large; the maximum is 5.</p>' in shown
    assert "<strong>Invalid entry.</strong>" in shown
    assert at_field not in shown


def test_of_very_many_findings_the_page_says_how_many_more_there_are_and_counts_what_it_shows(juan):
    attacks = [example()["data"]["attacks"][0] | {"name": ""} for _number in range(40)]
    Sheet.objects.update(data=example()["data"] | {"attacks": attacks}, typed={"life": "acht"})
    wizard = Wizard(juan.sheet)
    assert (len(wizard.notes), len(wizard.faults)) == (30, 1)
    more = len(wizard.verdict.findings) - 30
    assert f"{more} more appear here once some of these are fixed." in text_of(juan.get("finish"))


def test_each_mend_is_a_button_that_does_what_its_preview_says_and_says_where_it_no_longer_fits(juan):
    Sheet.objects.update(data=example()["data"] | {"life": 9})
    answer = juan.get("values")
    words = words_of(answer)
    assert len(words) >= 2
    assert "Lower Life from 9 to 5" in text_of(answer)
    for word in words:
        Sheet.objects.update(data=example()["data"] | {"life": 9})
        assert juan.post("values", do=word).status_code == 302
        wizard = Wizard(juan.sheet)
        assert (wizard.ledger.left >= 0, "CD-01" in {one.rule for one in wizard.verdict.findings}) == (True, False)
    Sheet.objects.update(data=example()["data"] | {"life": 9})
    assert "That fix no longer applies" in text_of(juan.post("values", life="5", do=words[0], htmx=True))
    assert juan.post("values", do="mend:nonsense").status_code == 302
    assert juan.data == example()["data"]


def test_a_mend_replaces_a_broken_text_of_the_field_that_it_mends(juan):
    Sheet.objects.update(data=example()["data"] | {"life": 0})
    answer = juan.post("values", life="keins", movement="viel", htmx=True)
    assert "Put 1 point into life" in text_of(answer)
    juan.post("values", do=words_of(answer)[0])
    assert (juan.data["life"], juan.sheet.typed) == (1, {"movement": "viel"})


# Whatever people write


PAYLOAD = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}{% now %}&lt;b&gt;</textarea></title>--><!--"
WRITTEN = [
    ("figure", {"_name": PAYLOAD}), ("attacks", {"attacks.0.name": PAYLOAD, "attacks.0.description": PAYLOAD}),
    ("values", {"life": PAYLOAD}), ("attacks", {"attacks.0.dice": PAYLOAD}),
    ("abilities", {"abilities.0.name": PAYLOAD, "abilities.0.description": PAYLOAD}),
    ("abilities", {"abilities.1.attribute": PAYLOAD, "abilities.0.cost": PAYLOAD}),
]


def harmful(answer):
    """Elements and attributes of an answer that no page of ours has."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            source = dict(attributes).get("src", "")
            if tag == "b" or (tag == "script" and not source) or (tag == "img" and not source.startswith("/sheets/")):
                found.append(tag)
            found.extend(name for name, _value in attributes if name.startswith("on"))

    reader = Reader()
    reader.feed(answer.text)
    reader.close()
    return found


@pytest.mark.parametrize(("slug", "fields"), everyday(WRITTEN, each=3),
                         ids=lambda given: given if isinstance(given, str) else "")
def test_what_people_write_is_text_on_every_page(slug, fields):
    abilities = [{"ability": "custom", "name": "", "cost": 1, "description": "", "range": 0},
                 {"ability": "aura", "range": 0, "attribute": None}]
    juan = Guest(example() | {"data": patched(example()["data"], {"abilities": abilities})})
    before = juan.sheet.version
    answers = [juan.post(slug, fields, htmx=True)]
    assert juan.sheet.version == before + 1
    answers += [
        *(juan.get(one) for one in STEPS), juan.post(slug, {}, do="more:movement", htmx=True),
        juan.get("abilities", q=PAYLOAD), juan.post("values", {"defence": "9"}, version=1),
        juan.post("values", do="settle"), *(juan.client.get(url) for url in (
            "/", "/sheets/", f"/sheets/{juan.pk}/", f"/sheets/{juan.pk}/print/", f"/sheets/{juan.pk}/export/")),
        juan.whole("copy"), juan.whole("delete"), juan.client.get("/")]
    assert [found for answer in answers for found in harmful(answer)] == []
    assert any("alert(1)&lt;/script" in answer.text for answer in answers)
