"""A sheet's picture from end to end: brought, seen by those who read the sheet, moved, removed, gone with the sheet."""

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from builder import budget, drafts
from sheets.faces import services
from sheets.faces.emblems import emblem
from sheets.models import Portrait, Sheet
from tests.support.guest import Guest, example
from tests.support.sheets.files import SIDE, file_of, noise, opened, plain, strongest, thirds

pytestmark = pytest.mark.django_db
TWO = thirds().crop((0, 0, 2 * SIDE, SIDE))
"""Red, then green."""


def bring(browser, sheet, content):
    return browser.post(f"/sheets/{sheet.pk}/picture/", {"do": "bring", "file": SimpleUploadedFile("me.png", content)})


def shown(browser, sheet, size=512):
    return browser.get(f"/sheets/{sheet.pk}/portrait-{size}.webp")


@pytest.fixture
def anna(run):
    """Anna's browser."""
    return run.browsers["anna"]


@pytest.fixture
def sheet(run, anna):
    """Anna's sheet with a red picture, which the party may read."""
    made = run.sheet("anna", seen_by="party")
    assert bring(anna, made, plain()).status_code == 302
    return Sheet.objects.get(pk=made.pk)


def test_a_picture_that_was_brought_is_on_the_sheet_the_list_and_the_table(run, anna, sheet):
    for url in (f"/sheets/{sheet.pk}/", "/sheets/", f"{run.url}table/", f"/sheets/{sheet.pk}/picture/"):
        page = anna.get(url).content.decode()
        assert emblem("condice", "Juan") not in page
        links = re.findall(r'<img class="portrait" src="([^"]+)"', page)
        assert [re.search(r"-(\d+)\.webp", one)[1] for one in links] == ["96", "512"][: 1 + (str(sheet.pk) in url)]
        for one in links:
            answer = anna.get(one)
            assert (answer.status_code, answer["Content-Type"]) == (200, "image/webp")
            assert strongest(answer.content) == "red"


def test_a_picture_is_seen_by_those_who_read_the_sheet_and_there_is_none_for_others(run, sheet):
    seen = {who: shown(browser, sheet).status_code for who, browser in run.browsers.items()}
    assert set(seen.values()) == {200}
    Sheet.objects.update(seen_by="private")
    assert {who: shown(browser, sheet).status_code for who, browser in run.browsers.items()} == {
        "gm": 200, "second": 200, "anna": 200, "ben": 404}
    assert shown(Client(), sheet).status_code == 404
    Sheet.objects.update(seen_by="public")
    assert shown(Client(), sheet).status_code == 200
    Sheet.objects.update(deleted=timezone.now())
    assert {shown(browser, sheet).status_code for browser in run.browsers.values()} == {404}


def test_a_shared_sheet_has_its_picture_by_its_link_which_tells_no_key(run, sheet):
    Sheet.objects.update(share="token", seen_by="private")
    page = Client().get("/shared/token/").content.decode()
    links = re.findall(r'<img class="portrait" src="([^"]+)"', page)
    assert len(links) == 2
    assert all(Client().get(one).status_code == 200 for one in links)
    assert str(sheet.pk) not in page
    assert Client().get("/shared/tokem/portrait-96.webp").status_code == 404
    Sheet.objects.update(share=None)
    assert {Client().get(one).status_code for one in links} == {404}


def test_a_browser_that_has_the_picture_is_not_sent_it_again(run, anna, sheet):
    first = shown(anna, sheet)
    assert "private" in first["Cache-Control"]
    again = anna.get(f"/sheets/{sheet.pk}/portrait-512.webp", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert shown(anna, sheet, 96)["ETag"] != first["ETag"]
    bring(anna, sheet, plain("blue"))
    later = anna.get(f"/sheets/{sheet.pk}/portrait-512.webp", headers={"If-None-Match": first["ETag"]})
    assert (later.status_code, strongest(later.content)) == (200, "blue")
    assert Portrait.objects.count() == 1


@pytest.mark.parametrize("size", ["0", "1", "511", "1024"])
def test_there_is_no_other_size(anna, sheet, size):
    assert shown(anna, sheet, size).status_code == 404


def test_its_owner_moves_the_focus(anna, sheet):
    bring(anna, sheet, file_of(TWO))
    page = anna.get(f"/sheets/{sheet.pk}/picture/").content.decode()
    assert 'name="focus"' in page
    for focus, colour in ((0, "red"), (100, "green")):
        assert anna.post(f"/sheets/{sheet.pk}/picture/", {"do": "move", "focus": focus}).status_code == 302
        assert strongest(shown(anna, sheet).content) == colour
    assert Portrait.objects.get().focus == 100


def test_with_scripts_the_picture_follows_the_focus(anna, sheet):
    bring(anna, sheet, file_of(TWO))
    before = Portrait.objects.get().pk
    answer = anna.post(f"/sheets/{sheet.pk}/picture/", {"do": "move", "focus": "0"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert Portrait.objects.get().pk.hex[:8] in answer.text
    assert before.hex[:8] not in answer.text


def test_a_square_picture_has_nothing_to_be_moved(anna, sheet):
    assert 'name="focus"' not in anna.get(f"/sheets/{sheet.pk}/picture/").content.decode()


@pytest.mark.parametrize("focus", ["", "-1", "101", "x", "²", "9999"])
def test_a_focus_out_of_sense_is_refused(anna, sheet, focus):
    assert anna.post(f"/sheets/{sheet.pk}/picture/", {"do": "move", "focus": focus}).status_code == 400


def test_a_focus_for_a_picture_that_was_replaced_meanwhile_moves_nothing(anna, sheet):
    was = Sheet.objects.get(pk=sheet.pk)
    bring(anna, sheet, file_of(TWO))
    services.move_focus(was, lambda: Sheet.objects.get(pk=sheet.pk), 0)
    assert Portrait.objects.get().focus == services.MIDDLE


def test_a_picture_is_removed_and_the_emblem_is_back(anna, sheet):
    assert anna.post(f"/sheets/{sheet.pk}/picture/", {"do": "remove"}).status_code == 302
    assert shown(anna, sheet).status_code == 404
    assert emblem("condice", "Juan") in anna.get(f"/sheets/{sheet.pk}/").content.decode()
    assert not Portrait.objects.exists()


@pytest.mark.parametrize(("content", "word"), [(b"", "choose a file"), (b"<svg/>", "no picture")])
def test_a_file_that_is_no_picture_is_refused_and_the_picture_stays(anna, sheet, content, word):
    answer = bring(anna, sheet, content)
    assert answer.status_code == 422
    assert word in answer.text
    assert strongest(shown(anna, sheet).content) == "red"


def test_a_form_without_a_file_is_refused_with_a_word(anna, sheet):
    answer = anna.post(f"/sheets/{sheet.pk}/picture/", {"do": "bring", "file": "text"})
    assert answer.status_code == 422
    assert "choose a file" in answer.text


@pytest.mark.parametrize("who", ["gm", "second", "ben"])
def test_nobody_but_the_owner_changes_a_picture(run, sheet, who):
    browser, url = run.browsers[who], f"/sheets/{sheet.pk}/picture/"
    assert browser.get(url).status_code == 404
    assert bring(browser, sheet, plain("blue")).status_code == 404
    for do in ({"do": "remove"}, {"do": "move", "focus": "0"}):
        assert browser.post(url, do).status_code == 404
    assert Portrait.objects.get().pk == sheet.portrait_id


def test_a_guest_has_a_picture_too_and_keeps_it_with_an_account(django_user_model):
    guest = Guest(example())
    assert bring(guest.client, guest.sheet, plain()).status_code == 302
    guest.client.force_login(django_user_model.objects.create_user("newcomer"))
    assert shown(guest.client, guest.sheet, 96).status_code == 200


def test_a_copy_has_the_same_picture_and_keeps_it_when_the_first_is_gone(anna, sheet):
    assert anna.post(f"/drafts/{sheet.pk}/", {"do": "copy"}).status_code == 302
    copy = Sheet.objects.exclude(pk=sheet.pk).get()
    sheet.delete()
    assert strongest(shown(anna, copy).content) == "red"


def test_neither_document_nor_seal_nor_version_know_of_a_picture(anna, sheet):
    url = f"/sheets/{sheet.pk}/export.json"
    with_picture, version = anna.get(url).content, Sheet.objects.get().version
    services.remove_portrait(sheet)
    assert anna.get(url).content == with_picture
    assert Sheet.objects.get().version == version


@pytest.mark.parametrize("how", ["burnt", "forgotten", "account"])
def test_no_picture_is_left_of_a_sheet_that_is_gone(run, anna, sheet, how):
    bring(anna, run.sheet("anna"), plain("blue"))
    assert Portrait.objects.count() == 2
    Sheet.objects.update(deleted=timezone.now() - timedelta(days=99 * (how == "forgotten")))
    if how == "burnt":
        for one in Sheet.objects.all():
            anna.post("/sheets/trash/", {"do": f"burn:{one.pk}"})
    elif how == "forgotten":
        drafts.tidy()
    else:
        run.users["anna"].delete()
    assert not Sheet.objects.exists()
    assert not Portrait.objects.exists()


def test_a_picture_stands_upright_and_fills_its_square(anna, sheet):
    bring(anna, sheet, file_of(Image.new("RGB", (30, 50), (0, 0, 255)), "JPEG"))
    assert opened(shown(anna, sheet).content).size == (512, 512)


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
def test_paper_has_the_picture_and_without_one_the_emblem(anna, sheet, layout):
    def printed():
        raw = anna.get(f"/sheets/{sheet.pk}/sheet.pdf", {"layout": layout}).content
        page = opened(anna.get(f"/sheets/{sheet.pk}/print/1.png", {"layout": layout}).content)
        red, green, blue = page.convert("RGB").getpixel((70, 90))
        return b"/Subtype/Image" in raw, red > 200 and max(green, blue) < 90

    assert printed() == (True, True)
    services.remove_portrait(sheet)
    assert printed() == (False, False)


def test_what_a_picture_takes_is_charged_to_who_brought_it(anna, sheet, settings):
    settings.BUDGET, settings.BUDGETS = 100, {"drafts": 100, "bytes": 1000}
    budget.forget()
    answers = [bring(anna, sheet, file_of(noise("RGB", (300, 300)))).status_code for _number in range(3)]
    budget.forget()
    assert answers[0] == 302
    assert answers[-1] == 429
