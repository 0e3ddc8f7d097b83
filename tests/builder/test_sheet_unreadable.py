"""A sheet that the rules of today cannot read has a page that says so, wherever its owner asks for it."""

import pytest
from django.test import Client

from rulesets.kit import House
from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.guest import example
from tests.support.party import browser

pytestmark = pytest.mark.django_db
WHERE = ["/sheets/{pk}/", "/sheets/{pk}/print/", "/sheets/{pk}/sheet.pdf", "/sheets/{pk}/export/",
         "/sheets/{pk}/export.json", "/drafts/{pk}/values/"]


@pytest.fixture
def owner(django_user_model):
    return django_user_model.objects.create_user("juan")


def asked(owner, where, **fields):
    sheet = Sheet.objects.create(owner=owner, ruleset="condice", name="Juan", **fields)
    owners = browser(owner)
    owners.raise_request_exception = False
    return owners, owners.get(where.format(pk=sheet.pk)), sheet


@pytest.mark.parametrize("where", WHERE)
def test_it_says_so_and_leads_to_what_is_kept(owner, where):
    owners, answer, sheet = asked(owner, where, data={"gone": 1})
    assert answer.status_code == 422
    assert lacking(answer.text, "The rules can no longer read this sheet.", f"/sheets/{sheet.pk}/history/") == []
    assert owners.get(f"/sheets/{sheet.pk}/history/?of=now").status_code == 200
    assert Client(raise_request_exception=False).get(where.format(pk=sheet.pk)).status_code == 404


def test_a_fault_of_the_program_is_none_of_the_sheets(owner, monkeypatch):
    def broken(*_arguments):
        House.model_validate({"policy": 1})

    monkeypatch.setattr("sheets.stage.views.sheet.sheet_page", broken)
    assert asked(owner, "/sheets/{pk}/", data=example()["data"])[1].status_code == 500
