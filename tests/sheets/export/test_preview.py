"""What is shown of a shared sheet where its link is posted: a picture, and what stands in the page's head."""

import html
import re
import struct

import pytest
from django.test import Client

from rulesets import systems
from sheets.export import preview
from sheets.models import Preview, Sheet
from tests.support.sheets.files import bring, file_of, noise, opened, plain

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
PICTURE = "/shared/token/preview.png"
SECRETS = {"notes": "Geheimnis eins", "typed": {"life": "Geheimnis zwei"}}


@pytest.fixture
def sheet(run):
    """Anna's sheet, which is shared, with secrets."""
    return run.sheet("anna", share="token", **SECRETS, play={"life": 3})


@pytest.fixture
def drawn(monkeypatch):
    """All that was drawn."""
    found, usual = [], preview.pictures
    monkeypatch.setattr(preview, "pictures",
                        lambda layout, data, **how: found.append(data) or usual(layout, data, **how))
    return found


def tags(page):
    head = page.partition("</head>")[0]
    return {key: html.unescape(value)
            for key, value in re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', head)}


def test_a_shared_page_says_in_its_head_who_it_is_about_and_where_its_picture_is(sheet):
    page = Client(headers={"Accept-Language": "en"}).get("/shared/token/").text
    found = tags(page)
    assert found["description"].startswith("Juan, a character for ConDice: Defence 4, ")
    assert found.items() >= {
        "og:title": "Juan · ConDice", "og:description": found["description"], "twitter:card": "summary_large_image",
        "og:url": "http://testserver/shared/token/", "og:image": f"http://testserver{PICTURE}"}.items()
    assert '<link rel="canonical" href="http://testserver/shared/token/">' in page
    assert "<title>Juan · ConDice · Bogenschmiede</title>" in page


@pytest.mark.parametrize("slug", list(systems()))
def test_the_picture_is_a_png_of_1200_by_630_dots(django_user_model, slug):
    user = django_user_model.objects.create_user("anna")
    example = next(iter(systems()[slug].examples.values()))
    Sheet.objects.create(owner=user, ruleset=slug, name=example["name"], data=example["data"], share="token")
    answer = Client().get(PICTURE)
    assert answer["Content-Type"] == "image/png"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)


@pytest.mark.parametrize("name", ["", "x" * 200, "W " * 100, "字" * 200, "\u202e<b>&\u0300", "#set page()"])
def test_whatever_it_is_called_a_sheet_has_a_picture(sheet, name):
    Sheet.objects.update(name=name)
    assert Client().get(PICTURE).status_code == 200


def test_the_preview_of_a_noisy_picture_is_small_and_still_shows_it(run, sheet):
    assert bring(run.browsers["anna"], sheet, file_of(noise("RGB", (512, 512)))).status_code == 302
    found = Client().get(PICTURE).content
    assert len(found) <= preview.ROOM
    face = opened(found).convert("RGB").crop((164, 215, 364, 415))
    assert len(face.getcolors()) > 2


def test_nothing_private_reaches_the_picture(sheet, drawn, run):
    assert Client().get(PICTURE).status_code == 200
    said = repr(drawn) + Client().get("/shared/token/").text.partition("</head>")[0]
    assert [one for one in ("Geheimnis", "anna", "Die Runde", str(sheet.pk)) if one in said] == []
    assert {one["title"]: one["value"] for one in drawn[0]["tiles"]}["Lebenspunkte"] == "10"


def test_it_is_drawn_once_and_anew_when_it_would_look_otherwise(run, sheet, drawn):
    first = Client().get(PICTURE)
    again = Client().get(PICTURE, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, len(drawn)) == (304, 1)
    Sheet.objects.update(name="Juanita")
    assert Client().get(PICTURE)["ETag"] != first["ETag"]
    bring(run.browsers["anna"], sheet, plain("green"))
    red, green, blue = opened(Client().get(PICTURE).content).convert("RGB").getpixel((264, 300))
    assert green > 200
    assert max(red, blue) < 60
    assert (len(drawn), Preview.objects.count()) == (3, 1)
    run.browsers["anna"].post(f"/sheets/{sheet.pk}/picture/", {"do": "remove"})
    assert not Preview.objects.exists(), "a picture that is removed is in no preview that is kept"


def test_a_preview_goes_with_the_link_and_the_openness(run, sheet):
    own = f"/sheets/{sheet.pk}/preview.png"
    assert Client().get(own).status_code == 404
    Sheet.objects.update(share=None, seen_by="public")
    assert (Client().get(PICTURE).status_code, Client().get(own).status_code) == (404, 200)
    assert own in tags(Client().get(f"/sheets/{sheet.pk}/").text)["og:image"]
    for seen_by in ("party", "private"):
        Sheet.objects.update(seen_by=seen_by)
        assert {one.get(own).status_code for one in (Client(), *run.browsers.values())} == {404}
        assert "og:image" not in tags(run.browsers["anna"].get(f"/sheets/{sheet.pk}/").text)


def test_what_a_gm_approved_is_said(proven):
    proven.approve()
    of, _png = preview.preview(Sheet.objects.get())
    assert of == Preview.objects.get().of
    assert "Genehmigt am" in preview._preview_data(Sheet.objects.get())["stamp"]
