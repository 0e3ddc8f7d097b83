"""What the watchdog ended is noted beside the worker and charged by the next one."""

import os

import pytest

from builder import ended, rate_limit, watchdog
from builder.models import Used
from builder.rate_limit import ADDRESS, HOUSE, WORK, hashed
from tests.support.builder.accounts import english

HERE, THERE = "198.51.100.7", "203.0.113.9"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(ended.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path


@pytest.fixture
def budgeted(settings):
    """What a budget has in mind is forgotten, before and after."""
    settings.BUDGET = 100
    rate_limit.forget()
    yield
    rate_limit.forget()


def test_a_note_is_taken_once_and_names_no_address(folder):
    key = hashed(f"{ADDRESS} {HERE} {WORK}")
    watchdog.note(ended.notes_prefix(7), 8, [key, key], 20)
    [path] = folder.iterdir()
    assert (path.stat().st_mode & 0o777, HERE in path.read_text()) == (0o600, False)
    assert list(ended.take_notes(9)) == []
    assert list(ended.take_notes(7)) == [(key, 20.0)] * 2
    assert list(ended.take_notes(7)) == []


def test_what_nobody_of_ours_wrote_is_no_note(folder):
    (folder / "elsewhere").write_text("a 1\n")
    (folder / f"bogenschmiede-{os.getuid()}-7-1.ended").symlink_to(folder / "elsewhere")
    (folder / f"bogenschmiede-{os.getuid()}-7-2.ended").write_text("broken")
    assert list(ended.take_notes(7)) == []


@pytest.mark.django_db
def test_the_next_worker_charges_it_in_full_and_refuses_that_address_alone(budgeted):
    rate_limit.charge_ended([(hashed(f"{ADDRESS} {HERE} {WORK}"), 20.0)])
    assert Used.objects.get().level == 20
    assert english(REMOTE_ADDR=HERE).get("/rules/condice/").status_code == 429
    assert english(REMOTE_ADDR=THERE).get("/rules/condice/").status_code == 200


@pytest.mark.django_db
def test_whoever_is_signed_in_is_charged_for_it_too(budgeted, django_user_model):
    player, said = english(REMOTE_ADDR=HERE), []
    player.force_login(django_user_model.objects.create_user("juan"))
    player.get("/rules/condice/", **{ended.REPORT_BUCKET: said.append})
    assert said == [hashed(f"{whose} {HERE} {WORK}") for whose in (ADDRESS, HOUSE)]
    rate_limit.charge_ended((key, 20.0) for key in said)
    assert player.get("/rules/condice/").status_code == 429


def test_the_process_beside_is_told_whose_request_it_is(budgeted, db):
    said = []
    english(REMOTE_ADDR=HERE).get("/rules/condice/", **{ended.REPORT_BUCKET: said.append})
    assert said == [hashed(f"{ADDRESS} {HERE} {WORK}")]


@pytest.mark.django_db
def test_nothing_of_it_is_left_in_a_process_that_forgets(budgeted):
    rate_limit.charge_ended([(hashed(f"{ADDRESS} {HERE} {WORK}"), 20.0)])
    Used.objects.all().delete()
    rate_limit.forget()
    assert english(REMOTE_ADDR=HERE).get("/rules/condice/").status_code == 200
