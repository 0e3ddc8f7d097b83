from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.http import Http404
from django.utils import timezone

from builder import drafts
from sheets.documents import too_large
from sheets.history import saves
from sheets.models import Change, Sheet
from tests.support.builder.browsers import CONDICE, Browser, change

pytestmark = pytest.mark.django_db


def test_a_new_draft_is_an_empty_sheet_at_version_1(draft):
    assert (draft.data, draft.name, draft.version, draft.typed) == (CONDICE.document()["data"], "", 1, {})
    assert (saves.can_undo(draft), saves.can_redo(draft)) == (False, False)


def test_a_draft_made_from_a_document_has_its_name_data_texts_and_house_rules():
    document = CONDICE.examples["juan"] | {"typed": {"life": "x"}, "house": {"budget": 40}}
    made = drafts.create(Browser(), CONDICE, document)
    assert (made.name, made.data, made.typed, made.house) == ("Juan", document["data"], {"life": "x"}, {"budget": 40})


def test_a_guest_keeps_so_many_drafts_and_is_told_the_way_out():
    guest = Browser()
    for _number in range(drafts.GUEST_DRAFTS):
        drafts.create(guest, CONDICE)
    with pytest.raises(drafts.TooMany, match=str(drafts.GUEST_DRAFTS)):
        drafts.create(guest, CONDICE)
    assert drafts.create(Browser(), CONDICE)


def test_an_account_keeps_as_many_as_it_likes(django_user_model):
    user = Browser(django_user_model.objects.create_user("juan"))
    for _number in range(drafts.GUEST_DRAFTS + 1):
        drafts.create(user, CONDICE)


def test_a_deleted_draft_makes_room():
    guest = Browser()
    made = [drafts.create(guest, CONDICE) for _number in range(drafts.GUEST_DRAFTS)]
    Sheet.objects.filter(pk=made[0].pk).update(deleted=timezone.now())
    assert drafts.create(guest, CONDICE)


def aged(days, *, deleted=None, browser=None):
    """A draft that was last changed so many days ago."""
    made = drafts.create(browser or Browser(), CONDICE)
    when = timezone.now() - timedelta(days=days)
    thrown = None if deleted is None else timezone.now() - timedelta(days=deleted)
    Sheet.objects.filter(pk=made.pk).update(updated=when, deleted=thrown)
    return made


def test_what_a_guest_has_not_touched_for_long_is_tidied_away():
    kept = aged(drafts.GUEST_DAYS - 1)
    aged(drafts.GUEST_DAYS + 1)
    assert drafts.tidy() == 1
    assert Sheet.objects.get() == kept


def test_what_a_guest_plays_stays_however_long_it_was_not_changed():
    kept = aged(drafts.GUEST_DAYS + 1)
    Sheet.objects.filter(pk=kept.pk).update(played=timezone.now())
    assert drafts.tidy() == 0
    Sheet.objects.update(played=timezone.now() - timedelta(days=drafts.GUEST_DAYS + 1))
    assert drafts.tidy() == 1


def test_sessions_that_have_run_out_are_tidied_away():
    for key, days in (("over", -1), ("running", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + timedelta(days=days))
    drafts.tidy()
    assert [one.session_key for one in Session.objects.all()] == ["running"]


def test_what_an_account_has_not_touched_for_long_stays(django_user_model):
    aged(9_999, browser=Browser(django_user_model.objects.create_user("juan")))
    assert drafts.tidy() == 0


def test_what_was_thrown_away_can_be_brought_back_for_a_while(django_user_model):
    user = Browser(django_user_model.objects.create_user("juan"))
    kept = aged(0, deleted=drafts.DELETED_DAYS - 1, browser=user)
    aged(0, deleted=drafts.DELETED_DAYS + 1, browser=user)
    assert drafts.tidy() == 1
    assert Sheet.objects.get() == kept


def test_tidying_takes_the_history_along(draft):
    change(draft, 1)
    Sheet.objects.update(updated=timezone.now() - timedelta(days=drafts.GUEST_DAYS + 1))
    drafts.create(Browser(), CONDICE)
    assert not Change.objects.exists()


def test_a_sheet_that_would_be_no_document_any_more_is_too_large(draft):
    row = {"name": "x", "dice": 1, "range": 0, "description": "y" * 4000}
    assert not too_large(draft, "Juan", draft.data | {"attacks": [row] * 15})
    assert too_large(draft, "Juan", draft.data | {"attacks": [row] * 17})
    draft.notes, draft.play = "n" * 4000, {"items": [{"name": "i", "effect": "e" * 4000}]}
    assert too_large(draft, "Juan", draft.data | {"attacks": [row] * 15})
    draft.data = draft.data | {"attacks": [row] * 18}
    assert not too_large(draft, "Juan", draft.data | {"attacks": [row] * 17})


def test_a_sheet_whose_system_is_gone_is_not_to_be_found(draft):
    draft.ruleset = "gone"
    with pytest.raises(Http404):
        assert draft.system
