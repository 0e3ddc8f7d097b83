"""Old log lines and changes go when the settings say so, and nothing that is still needed with them."""

import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from builder import retention
from sheets.models import AskedRoll, Change, Event, Party, PendingEffect, Sheet
from sheets.press.asked import answering_events
from tests.support.builder.doctor import doctor_says
from tests.support.guest import Guest, example

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest():
    """Somebody who has changed a sheet and can take that back, with a log that began long ago."""
    made = Guest(example())
    for fields in ({"life": "5"}, {"life": "6"}, {"life": "7"}, {"do": "undo:"}):
        made.post("values", fields)
    for days in (400, 300, 200, 10, 0):
        line = Event.objects.create(sheet=made.sheet, key=uuid.uuid4(), widget="x", title=f"{days}")
        Event.objects.filter(pk=line.pk).update(made=timezone.now() - timedelta(days=days))
    return made


def log():
    return list(Event.objects.order_by("pk").values_list("title", flat=True))


def tidied(settings, capsys, **kept):
    for name, value in kept.items():
        setattr(settings, name, value)
    call_command("tidy")
    return capsys.readouterr().out.strip()


def test_nothing_is_removed_unless_the_settings_say_so(guest, settings, capsys):
    assert (settings.LOG_DAYS, settings.UNDO_DAYS) == (0, 0)
    Sheet.objects.update(updated=timezone.now() - timedelta(days=50))
    changes = Change.objects.count()
    assert tidied(settings, capsys) == "removed 0 sheets"
    assert len(log()) == 5
    assert Change.objects.count() == changes > 0


@pytest.mark.parametrize("at_once", [1, 2, 500])
def test_log_lines_are_kept_as_long_as_the_settings_say(guest, settings, capsys, monkeypatch, at_once):
    monkeypatch.setattr(retention, "AT_ONCE", at_once)
    assert tidied(settings, capsys, LOG_DAYS=100) == "removed 0 sheets, 3 log lines"
    assert log() == ["10", "0"]


def test_an_old_line_stays_that_something_still_hangs_from(guest, settings, capsys, monkeypatch):
    first, second, third, *_young = Event.objects.order_by("pk")
    PendingEffect.objects.create(event=first, sheet=guest.sheet, act="damage")
    PendingEffect.objects.create(event=second, sheet=guest.sheet, act="damage", state="dismissed")
    young = Event.objects.get(title="10")
    done = PendingEffect.objects.create(event=young, sheet=guest.sheet, act="damage", state="applied", applied=third)
    Event.objects.filter(pk=young.pk).update(again=third, paid_for=third)
    assert tidied(settings, capsys, LOG_DAYS=100) == "removed 0 sheets, 2 log lines"
    assert log() == ["400", "10", "0"]
    # The next night it finds nothing but what it keeps.
    for at_once in (500, 1):
        monkeypatch.setattr(retention, "AT_ONCE", at_once)
        assert tidied(settings, capsys) == "removed 0 sheets, 0 log lines"
    done.refresh_from_db()
    young.refresh_from_db()
    assert (done.applied, done.state, young.again, young.paid_for) == (None, "applied", None, None)


def test_what_a_player_answered_stays_as_long_as_it_is_asked_for(guest, settings, capsys):
    party = Party.objects.create(ruleset="condice", name="P", invitation="p")
    Event.objects.update(roll="attack")
    asked = AskedRoll.objects.create(party=party, sheet=guest.sheet, key=uuid.uuid4(), widget="x")
    AskedRoll.objects.update(made=timezone.now() - timedelta(days=350))
    asked.refresh_from_db()
    assert tidied(settings, capsys, LOG_DAYS=100) == "removed 0 sheets, 1 log lines"
    assert answering_events([asked])[asked.pk].title == "300"
    assert tidied(settings, capsys) == "removed 0 sheets, 0 log lines"
    asked.delete()
    assert tidied(settings, capsys) == "removed 0 sheets, 2 log lines"


def test_changes_can_be_taken_back_as_long_as_the_settings_say(guest, settings, capsys):
    other = Guest(example())
    other.post("values", life="8")
    Sheet.objects.filter(pk=guest.pk).update(updated=timezone.now() - timedelta(days=40))
    theirs, own = other.sheet.changes.count(), guest.sheet.changes.count()
    assert tidied(settings, capsys, UNDO_DAYS=30) == f"removed 0 sheets, {own} changes"
    assert Change.objects.count() == theirs > 0
    # What was removed can be neither taken back nor done again, and life goes on.
    before = guest.sheet.data
    assert guest.get("values").text.count("disabled") >= 2
    for fields in ({"do": "undo:"}, {"do": "redo:"}, {"life": "9"}, {"do": "undo:"}):
        guest.post("values", fields)
        assert (guest.sheet.data == before) == ("do" in fields)
    assert "WRONG" not in "".join(one for one in doctor_says() if "change" in one)
