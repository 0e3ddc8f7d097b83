"""A sheet's picture from end to end: brought, seen by those who read the sheet, moved, removed, gone with the sheet."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from builder import drafts, rate_limit
from sheets.faces import services
from sheets.faces.emblems import emblem
from sheets.models import Portrait, Sheet
from tests.support.guest import let_in
from tests.support.sheets.files import SIDE, bring, file_of, noise, opened, plain, strongest, thirds
from tests.support.sheets.forms import Forms

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
TWO = thirds().crop((0, 0, 2 * SIDE, SIDE))
"""Red, then green."""


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


@pytest.fixture
def change(anna, sheet):
    """Change the picture by its page."""
    return lambda **fields: anna.post(f"/sheets/{sheet.pk}/picture/", fields)


def test_a_picture_that_was_brought_is_on_the_sheet_the_list_and_the_table(run, anna, sheet):
    for url in (f"/sheets/{sheet.pk}/", "/sheets/", f"{run.url}table/", f"/sheets/{sheet.pk}/picture/"):
        page = anna.get(url).text
        assert emblem("condice", "Juan") not in page
        links = re.findall(r'<img class="portrait" src="([^"]+)"', page)
        sizes = [re.search(r"-(\d+)\.webp", one)[1] for one in dict.fromkeys(links)]
        assert sizes == ["96", "512"][: 1 + (str(sheet.pk) in url)]
        for one in links:
            answer = anna.get(one)
            assert (answer.status_code, answer["Content-Type"]) == (200, "image/webp")
            assert strongest(answer.content) == "red"


def test_a_picture_is_seen_by_those_who_read_the_sheet_and_there_is_none_for_others(run, sheet):
    def seen():
        return {who: shown(browser, sheet).status_code for who, browser in run.browsers.items()}

    assert set(seen().values()) == {200}
    Sheet.objects.update(seen_by="private")
    assert seen() == {"gm": 200, "second": 200, "anna": 200, "ben": 404}
    assert shown(Client(), sheet).status_code == 404
    Sheet.objects.update(seen_by="public")
    assert shown(Client(), sheet).status_code == 200
    Sheet.objects.update(deleted=timezone.now())
    assert set(seen().values()) == {404}


def test_a_shared_sheet_has_its_picture_by_its_link_which_tells_no_key(sheet):
    Sheet.objects.update(share="token", seen_by="private")
    page = Client().get("/shared/token/").text
    links = re.findall(r'<img class="portrait" src="([^"]+)"', page)
    assert str(sheet.pk) not in page
    assert [Client().get(one).status_code for one in (*links, "/shared/tokem/portrait-96.webp")] == [200, 200, 404]
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


def test_its_owner_moves_the_focus_of_a_picture_that_is_no_square_and_with_scripts_it_follows(anna, sheet, change):
    def page():
        return anna.get(f"/sheets/{sheet.pk}/picture/").text

    assert 'name="focus"' not in page()
    bring(anna, sheet, file_of(TWO))
    assert 'name="focus"' in page()
    for focus, colour in ((0, "red"), (100, "green")):
        assert change(do="move", focus=focus).status_code == 302
        assert strongest(shown(anna, sheet).content) == colour
    before = Portrait.objects.get()
    assert before.focus == 100
    answer = anna.post(f"/sheets/{sheet.pk}/picture/", {"do": "move", "focus": "0"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert Portrait.objects.get().pk.hex[:8] in answer.text
    assert re.findall(f"<html|{before.pk.hex[:8]}", answer.text) == []


def test_there_is_no_other_size_and_no_other_focus(anna, sheet, change):
    assert {shown(anna, sheet, size).status_code for size in ("0", "1", "511", "1024")} == {404}
    focuses = ("", "-1", "101", "x", "²", "9999")
    assert {focus: change(do="move", focus=focus).status_code for focus in focuses} == dict.fromkeys(focuses, 400)


def test_a_focus_for_a_picture_that_was_replaced_meanwhile_moves_nothing(anna, sheet):
    was = Sheet.objects.get(pk=sheet.pk)
    bring(anna, sheet, file_of(TWO))
    services.move_focus(was, lambda: Sheet.objects.get(pk=sheet.pk), 0)
    assert Portrait.objects.get().focus == services.MIDDLE


def test_a_picture_that_was_brought_elsewhere_is_not_removed_by_an_older_page(anna, sheet, change):
    [form] = [one for one in Forms(anna.get(f"/sheets/{sheet.pk}/picture/")).forms if ("do", "remove") in one.buttons]
    change(do="move", focus="30")
    bring(anna, sheet, plain("blue"))
    change(**form.said, do="remove")
    assert "changed elsewhere in the meantime" in anna.get("/").text
    assert strongest(shown(anna, sheet).content) == "blue"


def test_a_page_that_moved_its_picture_removes_it(anna, sheet, change):
    [form] = [one for one in Forms(anna.get(f"/sheets/{sheet.pk}/picture/")).forms if ("do", "remove") in one.buttons]
    change(do="move", focus="30")
    change(**form.said, do="remove")
    assert shown(anna, sheet).status_code == 404


def test_a_picture_is_removed_and_the_emblem_is_back(anna, sheet, change):
    assert (change(do="remove").status_code, shown(anna, sheet).status_code) == (302, 404)
    assert emblem("condice", "Juan") in anna.get(f"/sheets/{sheet.pk}/").text
    assert not Portrait.objects.exists()


@pytest.mark.parametrize(("file", "word"), [
    (b"", "choose a file"), (b"<svg/>", "not a picture"), ("text", "choose a file")])
def test_a_file_that_is_no_picture_is_refused_and_the_picture_stays(anna, sheet, change, file, word):
    answer = change(do="bring", file=file) if isinstance(file, str) else bring(anna, sheet, file)
    assert answer.status_code == 422
    assert word in answer.text
    assert strongest(shown(anna, sheet).content) == "red"


@pytest.mark.parametrize("who", ["gm", "second", "ben"])
def test_nobody_but_the_owner_changes_a_picture(run, sheet, who):
    browser, url = run.browsers[who], f"/sheets/{sheet.pk}/picture/"
    answers = [browser.get(url), bring(browser, sheet, plain("blue")), browser.post(url, {"do": "remove"}),
               browser.post(url, {"do": "move", "focus": "0"})]
    assert [one.status_code for one in answers] == [404] * 4
    assert Portrait.objects.get().pk == sheet.portrait_id


def test_a_guest_has_a_picture_too_and_keeps_it_with_an_account(juan, django_user_model):
    assert bring(juan.client, juan.sheet, plain()).status_code == 302
    let_in(juan.client, django_user_model.objects.create_user("newcomer"))
    assert shown(juan.client, juan.sheet, 96).status_code == 200


def test_a_copy_has_the_same_picture_and_keeps_it_when_the_first_is_gone(anna, sheet):
    assert anna.post(f"/drafts/{sheet.pk}/", {"do": "copy"}).status_code == 302
    copy = Sheet.objects.exclude(pk=sheet.pk).get()
    sheet.delete()
    assert strongest(shown(anna, copy).content) == "red"


def test_neither_document_nor_seal_nor_version_know_of_a_picture(anna, sheet):
    url = f"/sheets/{sheet.pk}/export.json"
    with_picture, version = anna.get(url).content, Sheet.objects.get().version
    services.remove_portrait(sheet)
    assert (anna.get(url).content, Sheet.objects.get().version) == (with_picture, version)


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
    assert (Sheet.objects.count(), Portrait.objects.count()) == (0, 0)


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
    rate_limit.forget()
    answers = [bring(anna, sheet, file_of(noise("RGB", (300, 300)))).status_code for _number in range(3)]
    rate_limit.forget()
    assert (answers[0], answers[-1]) == (302, 429)
