"""Forms of pages that are older than a browser's signing in or out: nothing is lost, and the page says why."""

import html
import re

import pytest
from django.test import Client
from django.utils.http import urlencode

from builder.refusals import WORK, Spent
from tests.support.builder.accounts import PASSWORD, sign_in
from tests.support.guest import Guest, example, text_of, words_in
from tests.support.sheets.forms import Forms

pytestmark = pytest.mark.django_db
OURS = {"Origin": "http://testserver", "Accept-Language": "en"}
WORDS = "Sie schuldet dem Wirt noch drei Silberlinge und ein Pferd, <und> mehr."


@pytest.fixture
def anna(django_user_model):
    return django_user_model.objects.create_user("anna", password=PASSWORD)


@pytest.fixture
def keep(anna):
    """Send the notes of Anna's sheet from a browser that checks tokens, with one that is old."""
    address = f"/sheets/{Guest(example(), user=anna).pk}/keep/"
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.force_login(anna)
    browser.get("/", headers=OURS)

    def send(**headers):
        return browser.post(address, {"csrfmiddlewaretoken": "x" * 32, "do": "notes", "notes": WORDS},
                            headers=OURS | headers)
    return send


def test_what_an_old_form_sent_stands_in_the_page_to_be_sent_again(keep):
    answer = keep()
    assert (answer.status_code, "send it again" in text_of(answer)) == (403, True)
    assert WORDS.replace("<", "&lt;").replace(">", "&gt;") in answer.text
    assert "x" * 32 not in answer.text


def test_a_script_of_ours_gets_the_token_of_today(keep):
    answer = keep(**{"HX-Request": "true"})
    assert (answer.status_code, answer.content, len(answer["X-CSRFToken"])) == (403, b"", 64)


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Origin": ""}])
def test_another_site_gets_no_token_and_nothing_is_offered_to_be_sent_again(keep, headers):
    for htmx in ({}, {"HX-Request": "true"}):
        answer = keep(**headers, **htmx)
        assert (answer.status_code, "Silberlinge" in answer.text, "X-CSRFToken" in answer) == (403, False, False)


def test_whoever_pressed_twice_to_be_let_in_goes_where_the_first_press_leads(anna):
    browser = Client(enforce_csrf_checks=True)
    [form] = [one for one in Forms(browser.get("/account/login/?next=/parties/")).forms if "login" in one.said]
    sent = form.said | {"login": "anna", "password": PASSWORD}
    answers = [browser.post(form.action, sent, headers=OURS) for _press in range(2)]
    assert [one["Location"] for one in answers] == ["/parties/", "/parties/"]


def test_whoever_is_signed_out_is_told_so_and_sends_it_again_after_signing_in(anna):
    guest = Guest(example(), user=anna)
    guest.client.logout()
    answer = guest.client.post(f"/sheets/{guest.pk}/keep/", {"do": "notes", "notes": WORDS})
    assert (answer.status_code, words_in(answer, "You are signed out", "Silberlinge")) == (
        404, ["You are signed out", "Silberlinge"])
    sign_in(guest.client, "anna")
    guest.client.post(f"/sheets/{guest.pk}/keep/", {"do": "notes", "notes": WORDS})
    assert guest.sheet.notes == WORDS


def test_what_was_pressed_on_something_that_is_gone_leads_back_and_shows_no_words_that_nobody_typed(anna):
    guest = Guest(example(), user=anna)
    word = f"restore:{guest.pk}"
    answer = guest.client.post("/sheets/trash/", {"do": word}, headers={"Referer": "http://testserver/sheets/trash/"})
    assert answer.status_code == 404
    assert words_in(answer, "what you pressed is about something", 'href="/sheets/trash/', word) == [
        "what you pressed is about something", 'href="/sheets/trash/']


def test_a_single_word_that_was_typed_for_something_that_is_gone_is_kept_to_be_sent_again(anna):
    guest = Guest(example(), user=anna)
    guest.sheet.delete()
    answer = guest.client.post(guest.url("figure"), {"_version": 1, "_name": "Wolf"},
                               headers={"Referer": "http://testserver/sheets/"})
    assert answer.status_code == 404
    assert [form.said["_name"] for form in Forms(answer).forms if "_name" in form.said] == [["Wolf"]]


def test_a_page_that_is_not_for_whoever_is_signed_out_leads_back_once_they_are_not(anna):
    guest = Guest(example(), user=anna)
    guest.client.logout()
    where = f"/sheets/{guest.pk}/print/?layout=pocket"
    page = guest.client.get(where)
    assert page.status_code == 404
    way = html.unescape(re.search(r'href="(/account/login/\?[^"]+)"', page.text)[1])
    assert guest.client.post(way, {"login": "anna", "password": PASSWORD})["Location"] == where


def test_what_is_sent_to_what_is_open_no_longer_stands_in_the_page_with_the_way_back(anna, django_user_model):
    guest = Guest(example(), user=anna)
    guest.client.force_login(django_user_model.objects.create_user("ben"))
    for came, back in ((f"http://testserver/sheets/{guest.pk}/", True), ("http://evil.example/x", False),
                       ("http://testserver//evil.example", False)):
        answer = guest.client.post(f"/sheets/{guest.pk}/keep/", {"do": "notes", "notes": WORDS},
                                   headers={"Referer": came, "Accept-Language": "en"})
        assert (answer.status_code, words_in(answer, "Nothing has been done", "Silberlinge", "Send again")) == (
            404, ["Nothing has been done", "Silberlinge", "Send again"])
        assert ("Back to the previous page" in answer.text) == back


def test_whoever_founds_a_party_signed_out_keeps_its_name():
    answer = Client(headers=OURS, raise_request_exception=False).post("/parties/", {"name": "Die Donnerstagsrunde"})
    assert words_in(answer, "You are signed out", "Donnerstagsrunde") == ["You are signed out", "Donnerstagsrunde"]


@pytest.mark.parametrize(("where", "sent"), [
    ("/reviews/", {"do": "approve", "sheet": ["one", "another"], "seal.one": "s1"}),
    ("/notifications/", {"do": "open:5"}),
    ("/account/mail/", {"wanted": "on", "language": "de"}),
    ("/account/email/", {"email": "anna@example.org", "action_add": ""}),
])
@pytest.mark.parametrize("htmx", [True, False])
def test_whoever_sends_a_form_signed_out_loses_nothing_of_it_and_is_told_where_to_sign_in(where, sent, htmx):
    browser = Client(headers=OURS | ({"HX-Request": "true"} if htmx else {}), raise_request_exception=False)
    answer = browser.post(where, sent)
    assert (answer.status_code, words_in(answer, "You are signed out", 'target="_blank">Sign in')) == (
        404, ["You are signed out", 'target="_blank">Sign in'])
    [again] = [one for one in Forms(answer).forms if one.action == where]
    assert {name: values for name, values in again.said.items() if name != "csrfmiddlewaretoken"} == {
        name: values if isinstance(values, list) else [values] for name, values in sent.items()}
    assert browser.get(where).status_code in (302, 405)


@pytest.mark.parametrize("where", ["/account/password/change/", "/account/delete/", "/account/login/"])
def test_no_page_holds_a_password(where):
    browser = Client(headers=OURS, raise_request_exception=False)
    answer = browser.post(where, {"login": "anna", "password": PASSWORD, "oldpassword": PASSWORD})
    assert PASSWORD not in answer.text


def test_what_is_sent_too_often_stands_in_the_page_unless_it_is_long(anna, settings):
    settings.BUDGET = 1
    guest = Guest(example(), user=anna)
    for text, kept in ((WORDS, True), ("x" * 64_000, False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("builder.limits.reserve", _used_up)
            answer = guest.client.post(f"/sheets/{guest.pk}/keep/", urlencode({"do": "notes", "notes": text}),
                                       content_type="application/x-www-form-urlencoded")
        assert (answer.status_code, f"\n{text[:20]}" in answer.text) == (429, kept)


def _used_up(*_request, **_more):
    raise Spent("address 127.0.0.1", WORK, 60)
