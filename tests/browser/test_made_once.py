"""A form that makes something, pressed as people press: twice at once, once more after going back, unanswered."""

from threading import Event

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import expect

from sheets.models import Party, Sheet
from tests.support.browser.waits import LONGEST, until
from tests.support.builder.accounts import PASSWORD, people

pytestmark = pytest.mark.browser
FOUND = "main form:has(#ruleset) button"


@pytest.fixture
def page(visit, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("anna"))
    return visit("/parties/", client=client)


def found(page, name):
    page.locator("#name").fill(name)
    page.locator(FOUND).click()


def test_a_double_click_makes_one_and_leads_there(page):
    page.locator("#name").fill("Runde")
    page.locator(FOUND).dblclick()
    expect(page.locator("main h1")).to_have_text("Runde")
    assert Party.objects.count() == 1


def test_who_goes_back_makes_another_one(page):
    for number in (1, 2):
        found(page, f"Runde {number}")
        expect(page.locator("main h1")).to_have_text(f"Runde {number}")
        page.go_back()
    assert Party.objects.count() == 2


def test_what_nobody_answered_is_made_once_though_it_is_pressed_again(visit):
    visit.expect("net::ERR_FAILED")
    page, build = visit("/"), "form[action='/build/condice/'] button:not([name])"

    def unanswered(route):
        route.fetch(max_redirects=0)
        route.abort()

    page.route("**/build/condice/", unanswered)
    page.locator(build).click(no_wait_after=True)
    until(page, lambda: page.url.startswith("chrome-error"))
    page.unroute("**/build/condice/")
    page.go_back()
    page.locator(build).click()
    expect(page.locator("main h1")).to_have_text("Das ist schon passiert")
    page.get_by_role("link", name="Zum Ergebnis").click()
    expect(page.locator("#step")).to_be_visible()
    assert Sheet.objects.count() == 1


def test_a_double_click_on_sign_up_makes_one_account_and_lets_in(visit, monkeypatch):
    arrived, pressed = Event(), Event()

    def hashed(password):
        arrived.set()
        pressed.wait(LONGEST / 1000)
        return make_password(password)

    monkeypatch.setattr("builder.account_forms.make_password", hashed)
    page = visit("/account/signup/")
    for field, value in {"username": "juan", "password1": PASSWORD, "password2": PASSWORD}.items():
        page.locator(f"#id_{field}").fill(value)
    box = page.locator("main form button").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    for click in (1, 2):
        page.mouse.down(click_count=click)
        page.mouse.up(click_count=click)
        until(page, arrived.is_set)
    pressed.set()
    expect(page.locator("header .user-menu")).to_contain_text("juan")
    assert people() == ["juan"]
