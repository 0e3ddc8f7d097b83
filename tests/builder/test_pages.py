import re
from contextlib import closing

import pytest
from django.conf import settings
from django.test import Client

from tests.support.builder.accounts import sign_in, sign_up
from tests.support.builder.held import lacking

pytestmark = pytest.mark.urls("tests.support.builder.urls")

POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'",
    "manifest-src": "'self'",
    "connect-src": "'self'", "form-action": "'self'", "frame-ancestors": "'none'", "base-uri": "'none'",
    "object-src": "'none'",
}
HEADERS = {
    "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin", "Permissions-Policy": settings.PERMISSIONS_POLICY,
}
UNUSED = {"camera", "geolocation", "microphone", "payment", "usb"}
"""Some of what of a browser no page may use."""
PAGES = {
    "/": 200, "/account/login/": 200, "/account/signup/": 200, "/account/password/reset/": 200, "/nowhere": 404,
    "/validate/?example=condice": 200, "/import/": 200, "/forbidden/": 403, "/broken/": 500, "/static/base.css": 200,
}


@pytest.fixture
def client():
    """A browser that states no language and is shown what people are shown."""
    return Client(raise_request_exception=False)


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "status"), PAGES.items())
def test_every_page_carries_the_policy_and_the_headers_and_holds_nothing_that_it_forbids(client, address, status):
    with closing(client.get(address)) as response:
        assert response.status_code == status
        assert HEADERS.items() <= dict(response.items()).items()
        assert {one.removesuffix("=()") for one in response["Permissions-Policy"].split(", ")} >= UNUSED
        policy = (directive.split(" ", 1) for directive in response["Content-Security-Policy"].split("; "))
        assert dict(policy) == POLICY
        elsewhere = r"//(?!www\.w3\.org|testserver/)"
        assert "static" in address or not re.search(
            rf"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|javascript:|{elsewhere}", response.text)


@pytest.mark.django_db
@pytest.mark.parametrize(("stated", "language"), [(None, "de"), ("en-GB,de;q=0.5", "en"), ("fr", "de")])
def test_german_is_what_one_gets_whose_browser_states_nothing_else(client, stated, language):
    response = client.get("/", headers={"Accept-Language": stated} if stated else {})
    assert f'<html lang="{language}">' in response.text
    assert ("System wählen" in response.text) == (language == "de")


@pytest.mark.django_db
def test_the_language_is_switched_by_a_form_stays_and_leads_nowhere_else(client):
    response = client.post("/i18n/setlang/", {"language": "en", "next": "/account/login/"})
    assert response["Location"] == "/account/login/"
    assert response.cookies[settings.LANGUAGE_COOKIE_NAME]["httponly"]
    assert '<html lang="en">' in client.get("/").text
    assert client.post("/i18n/setlang/", {"language": "en", "next": "//example.org/"})["Location"] == "/"


def test_the_page_for_a_fault_of_ours_needs_no_database_and_tells_nothing(client):
    response = client.get("/broken/")
    assert response.status_code == 500
    assert lacking(response.text, "Hier ist etwas schiefgegangen", "the inside of the program") == [
        "the inside of the program"]


@pytest.mark.parametrize("secure", [False, True])
def test_a_foreign_host_is_refused_on_a_page_of_ours_with_every_header(client, settings, secure):
    settings.SECURE_SSL_REDIRECT = secure
    response = client.get("/", headers={"Host": "example.org"})
    assert (response.status_code, "Content-Security-Policy" in response) == (400, True)
    assert "Diese Anfrage lässt sich nicht lesen" in response.text
    assert HEADERS.items() <= dict(response.items()).items()


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "address", "allowed"), [
    ("post", "/", "GET, HEAD"), ("delete", "/import/", "GET, HEAD, POST"),
    ("put", "/build/condice/", "GET, HEAD, POST"),
])
def test_a_method_that_an_address_does_not_know_is_answered_by_a_page(client, method, address, allowed):
    for headers in ({}, {"HX-Request": "true"}):
        response = getattr(client, method)(address, headers=headers)
        assert (response.status_code, response["Allow"]) == (405, allowed)
        assert "So geht es hier nicht" in response.text
        assert HEADERS.items() <= dict(response.items()).items()


@pytest.mark.django_db
def test_the_address_of_a_button_that_is_opened_by_hand_leads_to_where_the_button_is(client):
    assert client.get("/build/condice/")["Location"] == "/"
    assert client.head("/build/condice/").status_code == 302


@pytest.mark.django_db
def test_a_form_from_elsewhere_is_refused_on_a_page_of_ours():
    response = sign_in(Client(enforce_csrf_checks=True))
    assert (response.status_code, "Das Formular ist veraltet" in response.text) == (403, True)


@pytest.mark.django_db
def test_one_signs_up_with_a_name_and_a_password_and_out_again(client):
    assert sign_up(client, "jost")["Location"] == "/"
    assert "jost" in client.get("/").text
    client.post("/account/logout/")
    assert "jost" not in client.get("/").text
    assert sign_in(client, "jost")["Location"] == "/"


@pytest.mark.django_db
def test_a_wrong_password_is_said_on_top_with_a_link_to_its_field(client):
    page = sign_up(client, password1="123", password2="123").text
    assert re.search(r'role="alert".*href="#id_password1"', page, re.S)
    assert 'aria-invalid="true"' in page
