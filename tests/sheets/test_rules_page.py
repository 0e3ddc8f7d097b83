"""The page of a system's rules: every rule by its number, its terms from A to Z, one rule alone for htmx."""

import re

import pytest
from django.test import Client

from rulesets import systems

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def reader():
    return Client(headers={"Accept-Language": "de"})


@pytest.mark.parametrize("slug", systems())
def test_each_rule_stands_among_the_terms_from_a_to_z(reader, slug):
    page = reader.get(f"/rules/{slug}/").text
    terms = re.search(r'<ul class="terms">(.*?)</ul>', page, re.S)[1]
    assert sorted(re.findall(r'href="#([\w-]+)"', terms)) == sorted(systems()[slug].rules("de"))


def test_an_umlaut_stands_beside_its_letter(reader):
    page = reader.get("/rules/augen-des-zwielichts/").text
    titles = re.findall(r'<li><a href="#[\w-]+">(.*?)</a>', page)
    assert titles.index("Ängste") < titles.index("Waffen")


def test_htmx_gets_one_rule_alone_and_all_of_them_where_there_is_no_such_rule(reader):
    one = reader.get("/rules/condice/?rule=CD-06", headers=HTMX).text
    assert [text in one for text in ("Bewegung", 'href="/rules/condice/#CD-06"', "<html")] == [True, True, False]
    for rule, headers in (("", HTMX), ("CD-99", HTMX), ("../x", HTMX), ("CD-06", {})):
        assert "<html" in reader.get("/rules/condice/", {"rule": rule}, headers=headers).text


def test_a_row_of_a_roll_names_its_rules_by_their_titles(juan):
    title = systems()["condice"].rules("en")["CD-41"].title
    assert f'<a href="/rules/condice/#CD-41">{title}</a>' in juan.client.get(f"/sheets/{juan.pk}/").text
