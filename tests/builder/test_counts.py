"""Where the disk is full nobody is told that they tried too often."""

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def full(monkeypatch):
    """Lets nothing be written to the counts any more."""
    execute = CursorWrapper._execute

    def refusing(cursor, sql, *words):
        if sql.startswith("INSERT INTO") and "cache" in sql:
            raise OperationalError("database or disk is full")
        return execute(cursor, sql, *words)
    monkeypatch.setattr(CursorWrapper, "_execute", refusing)


@pytest.mark.parametrize(("page", "fields"), [
    ("login", {"login": "juan", "password": "gut-geschmiedet-7"}),
    ("signup", {"username": "juan", "password1": "gut-geschmiedet-7", "password2": "gut-geschmiedet-7"})])
def test_a_full_disk_is_said_in_words_and_to_be_tried_again(full, page, fields):
    answer = Client(raise_request_exception=False, headers={"Accept-Language": "en"}).post(f"/account/{page}/", fields)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "try again in a moment" in answer.text.lower()
    assert "gut-geschmiedet-7" not in answer.text


def test_who_was_quicker_is_still_no_fault():
    assert [cache.add("lock", True), cache.add("lock", True), cache.get("lock")] == [True, False, True]
