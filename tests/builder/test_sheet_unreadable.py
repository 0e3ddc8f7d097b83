"""A sheet that the rules of today cannot read has a page that says so, wherever its owner asks for it."""

import pytest
from django.test import Client

from rulesets.kit import House
from sheets.models import Sheet
from tests.support.guest import example

pytestmark = pytest.mark.django_db
WHERE = ["/sheets/{pk}/", "/sheets/{pk}/print/", "/sheets/{pk}/sheet.pdf", "/sheets/{pk}/export/",
         "/sheets/{pk}/export.json", "/drafts/{pk}/values/"]


@pytest.fixture
def owner(django_user_model):
    return django_user_model.objects.create_user("juan")


def asked(owner, where, **fields):
    sheet = Sheet.objects.create(owner=owner, ruleset="condice", name="Juan", **fields)
    browser = Client(headers={"Accept-Language": "en"}, raise_request_exception=False)
    browser.force_login(owner)
    return browser, browser.get(where.format(pk=sheet.pk)), sheet


@pytest.mark.parametrize("where", WHERE)
def test_it_says_so_and_leads_to_what_is_kept(owner, where):
    browser, answer, sheet = asked(owner, where, data={"gone": 1})
    assert answer.status_code == 422
    assert "The rules cannot read this sheet any more." in answer.text
    assert f"/sheets/{sheet.pk}/history/" in answer.text
    assert browser.get(f"/sheets/{sheet.pk}/history/?of=now").status_code == 200
    stranger = Client(raise_request_exception=False)
    assert stranger.get(where.format(pk=sheet.pk)).status_code == 404


def test_a_fault_of_the_program_is_none_of_the_sheets(owner, monkeypatch):
    def broken(*_arguments):
        House.model_validate({"policy": 1})

    monkeypatch.setattr("sheets.play.views.sheet_page", broken)
    assert asked(owner, "/sheets/{pk}/", data=example()["data"])[1].status_code == 500
