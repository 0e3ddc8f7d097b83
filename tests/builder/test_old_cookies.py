"""Cookies of before they were bound to this host are read once, and get their new names."""

import pytest
from django.contrib.auth import get_user_model
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client

from builder.old_cookies import OLD, SINCE
from tests.support.builder.accounts import PASSWORD, sign_in

pytestmark = pytest.mark.django_db
NEW = ("__Host-sessionid", "__Host-csrftoken")


@pytest.fixture(autouse=True)
def production(settings):
    """The names that production gives cookies."""
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = NEW


@pytest.fixture
def browser():
    """One in which Juan signed in before, with a form open."""
    get_user_model().objects.create_user("juan", password=PASSWORD)
    client = Client(enforce_csrf_checks=True)
    client.force_login(get_user_model().objects.get())
    before = client.session
    del before[SINCE]
    before.save()
    client.cookies[OLD[0]] = client.cookies.pop(NEW[0]).value
    client.cookies[OLD[1]] = _get_new_csrf_string()
    return client


def test_nobody_is_signed_out_and_no_open_form_is_lost_by_the_new_names(browser):
    session, token = (browser.cookies[name].value for name in OLD)
    answer = browser.post("/notifications/", {"do": "read", "csrfmiddlewaretoken": token})
    assert answer.status_code == 302
    assert [answer.cookies[name].value for name in NEW] == [session, token]
    for name, hidden in zip(NEW, (True, ""), strict=True):
        cookie = answer.cookies[name]
        assert (cookie["secure"], cookie["path"], cookie["domain"], cookie["httponly"], cookie["samesite"]) == (
            True, "/", "", hidden, "Lax")
    assert [answer.cookies[name]["max-age"] for name in OLD] == [0, 0]
    for name in OLD:  # as a browser does
        del browser.cookies[name]
    again = browser.get("/account/")
    assert (again.status_code, {*OLD} & {*again.cookies}) == (200, set())


def test_an_old_cookie_counts_for_nothing_where_there_is_a_new_one(browser):
    browser.cookies[NEW[0]] = "a" * 32
    answer = browser.get("/account/")
    assert (answer.status_code, answer.cookies[OLD[0]]["max-age"]) == (302, 0)


def test_who_signs_in_has_the_new_session_and_not_the_old_one(browser):
    old = browser.cookies[OLD[0]].value
    browser.handler.enforce_csrf_checks = False
    browser.post("/account/logout/")
    assert sign_in(browser).status_code == 302
    assert browser.cookies[NEW[0]].value not in ("", old)
    assert browser.get("/account/").status_code == 200


def test_a_session_of_since_the_new_names_is_planted_under_the_old_one_in_no_browser(browser):
    attacker, victim = Client(), Client()
    get_user_model().objects.create_user("eve", password=PASSWORD)
    assert sign_in(attacker, "eve").status_code == 302
    victim.cookies[OLD[0]] = attacker.cookies[NEW[0]].value
    answer = victim.get("/account/")
    assert (answer.status_code, answer.cookies[OLD[0]]["max-age"]) == (302, 0)
    assert NEW[0] not in victim.cookies
