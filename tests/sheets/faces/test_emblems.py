import re
from xml.etree import ElementTree as ET

import pytest

from rulesets import systems
from sheets.faces.emblems import MEDALLIONS, emblem, initials
from sheets.models import Sheet
from tests.support.everyday import everyday

pytestmark = pytest.mark.alike
FIRST = re.findall(r"\w+", """
    Alrik Anja Bela Cassian Dorn Elin Fenna Gunnar Hilde Ida Jorin Kara Lux Maja Nadja Otto Pina Quentin Ruth
    Siggi
""")
LAST = re.findall(r"\w+", """
    Abend Amsel Anger Bär Binder Crow Dachs Falter Flink Frost Grau Hammer Hain Igel Jäger Krähe Kranz Lerche Mond
    Moor Nacht Nebel Otter Pfeil Quast Rabe Reif Ried Sand See Stein Sturm Tann Tau Uhu Violett Wald Wiese Wind
    Wolf Xaver Yak Zander Zahn Zorn Zweig Berg Bach Busch Dorn
""")


def drawing(slug, name):
    """An emblem without its letters."""
    return re.sub(r"<text.*</text>", "", emblem(slug, name))


@pytest.mark.parametrize("slug", everyday(systems()))
def test_no_two_of_a_thousand_names_have_the_same_drawing(slug):
    names = {f"{first} {last}" for first in FIRST for last in LAST}
    assert len(names) == len({drawing(slug, name) for name in names}) == 1000


def test_an_emblem_is_the_same_on_every_machine_and_for_good():
    assert emblem("condice", "Juan") == emblem("condice", " Juan ")
    assert drawing("condice", "Juan") != drawing("battle-dice", "Juan")
    assert emblem("condice", "Juan").endswith(
        ' d="M0-33 29-16V16L0 33-29 16V-16Z"/><text y="13" font-size="38">J</text></svg>')


def test_systems_are_told_apart_by_the_outline_of_their_medallion():
    outlines = {slug: next(one for one in MEDALLIONS if one in emblem(slug, "")) for slug in systems()}
    # More systems than outlines share some of them, but still have colours of their own.
    assert len(set(outlines.values())) >= min(len(outlines), len(MEDALLIONS) - 1)


@pytest.mark.parametrize("slug", ["condice", "daemmersturm"])
@pytest.mark.parametrize("name", ["", "Juan", "<b>&", "Ruprecht der Späte", "ß ŉ", "\u200f", "\x1b[31m", "\ufffe",
                                  "字" * 200, *(f"{first} Wald" for first in FIRST)])
def test_an_emblem_is_well_formed_small_and_has_no_style_of_its_own(name, slug):
    drawn = ET.fromstring(emblem(slug, name))  # noqa: S314 - our own
    assert drawn.get("aria-hidden") == "true"
    assert not any("style" in one.attrib or "id" in one.attrib for one in drawn.iter())
    assert len(emblem(slug, name)) < 3000


@pytest.mark.parametrize(("name", "letters"), [
    ("Jorin (copy)", "J"), ("Jorin Flink (Kopie)", "JF"), ("Ruprecht der Späte", "RS"), ("Übermut", "Ü"), ("(?)", "("),
    ("", "")])
def test_initials_are_the_first_letters_of_words_alone(name, letters):
    assert initials(name) == letters


def test_a_sheet_and_a_party_have_the_emblem_of_their_name_and_its_colours_wherever_they_are_named(run):
    sheet = run.sheet("anna", seen_by="party")
    run.party.invitation = "token"
    run.party.save()
    shown = {"Juan": ("/", f"/sheets/{sheet.pk}/", "/sheets/", run.url, f"{run.url}table/"),
             "Die Runde": ("/parties/", run.url, "/join/token/")}
    for name, urls in shown.items():
        for url in urls:
            page = run.browsers["anna"].get(url).text
            assert emblem("condice", name) in page, (name, url)
            assert "faces/faces" in page
            assert url == "/" or "/condice" in "".join(re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)), url


def test_my_sheets_have_the_colours_of_all_their_systems(client, django_user_model):
    user = django_user_model.objects.create_user("anna")
    client.force_login(user)
    for slug in systems():
        example = next(iter(systems()[slug].examples.values()))
        Sheet.objects.create(owner=user, ruleset=slug, name="Juan", data=example["data"])
    page = client.get("/sheets/").text
    assert all(emblem(slug, "Juan") in page for slug in systems())
    assert all(ruleset.stylesheet.removesuffix(".css") in page for ruleset in systems().values())
