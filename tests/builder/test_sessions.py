"""What is read of a session, which has ended when its time is over."""

from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, get_user
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from builder.sessions import FORMER_BACKEND

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(django_user_model):
    """One of somebody who is signed in."""
    client = Client()
    client.force_login(django_user_model.objects.create_user("anna"))
    return client


@pytest.mark.every_case
@pytest.mark.parametrize(("left", "signed_in"), [(timedelta(minutes=1), True), (timedelta(seconds=-1), False)])
def test_a_session_is_read_until_its_time_is_over(browser, left, signed_in):
    Session.objects.update(expire_date=timezone.now() + left)
    assert browser.get("/").wsgi_request.user.is_authenticated is signed_in


def test_one_browser_is_not_given_the_session_of_another(browser):
    other = Client()
    other.cookies["sessionid"] = "a" * 32
    assert not other.get("/").wsgi_request.user.is_authenticated
    assert browser.get("/").wsgi_request.user.is_authenticated


def test_no_session_is_found_by_what_is_no_key(browser):
    for sent in ("'" * 32, "%" * 32, "_" * 32, browser.session.session_key.upper()):
        browser.cookies["sessionid"] = sent
        assert not browser.get("/").wsgi_request.user.is_authenticated


@pytest.mark.parametrize("changed", [{}, {"is_active": False}, {"password": "another"}])
def test_a_session_that_began_with_allauth_s_backend_goes_on_as_long_as_its_account_lets_it(browser, changed):
    session = browser.session
    session[BACKEND_SESSION_KEY] = FORMER_BACKEND
    session.save()
    User.objects.update(**changed)
    assert browser.get("/").wsgi_request.user.is_authenticated is (not changed)


def test_whose_session_it_is_is_asked_once(browser, django_assert_num_queries):
    request = browser.get("/").wsgi_request
    del request._cached_user
    with django_assert_num_queries(1):
        assert get_user(request).username == "anna"
