from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.http import Http404
from django.utils import timezone

from builder import drafts
from sheets.documents import too_large
from sheets.models import Change, Sheet
from tests.support.builder.browsers import CONDICE, Browser, change

pytestmark = pytest.mark.django_db


def test_a_new_draft_is_an_empty_sheet_or_has_name_data_texts_and_house_rules_of_its_document(draft):
    assert (draft.data, draft.name, draft.version, draft.typed) == (CONDICE.document()["data"], "", 1, {})
    document = CONDICE.examples["juan"] | {"typed": {"life": "x"}, "house": {"budget": 40}}
    made = drafts.create(Browser(), CONDICE, document)
    assert (made.name, made.data, made.typed, made.house) == ("Juan", document["data"], {"life": "x"}, {"budget": 40})


def test_a_guest_keeps_so_many_drafts_and_an_account_as_many_as_it_likes(user):
    guest = Browser()
    made = [drafts.create(guest, CONDICE) for _number in range(drafts.GUEST_DRAFTS)]
    with pytest.raises(drafts.TooMany, match=str(drafts.GUEST_DRAFTS)):
        drafts.create(guest, CONDICE)
    assert drafts.create(Browser(), CONDICE)
    Sheet.objects.filter(pk=made[0].pk).update(deleted=timezone.now())
    assert drafts.create(guest, CONDICE)
    assert [drafts.create(user, CONDICE) for _number in range(drafts.GUEST_DRAFTS + 1)]


@pytest.fixture
def user(django_user_model):
    return Browser(django_user_model.objects.create_user("juan"))


def aged(days, browser=None, **fields):
    """A draft that was last changed so many days ago."""
    made = drafts.create(browser or Browser(), CONDICE)
    Sheet.objects.filter(pk=made.pk).update(updated=ago(days), **fields)
    return made


def ago(days):
    return timezone.now() - timedelta(days=days)


def test_what_a_guest_neither_changed_nor_played_for_long_is_tidied_away_and_what_all_threw_away(user):
    kept = [aged(drafts.GUEST_DAYS - 1), aged(drafts.GUEST_DAYS + 1, played=timezone.now()), aged(9_999, user),
            aged(0, user, deleted=ago(drafts.DELETED_DAYS - 1))]
    aged(drafts.GUEST_DAYS + 1)
    aged(drafts.GUEST_DAYS + 1, played=ago(drafts.GUEST_DAYS + 1))
    aged(0, user, deleted=ago(drafts.DELETED_DAYS + 1))
    for key, days in (("over", 1), ("running", -1)):
        Session.objects.create(session_key=key, session_data="", expire_date=ago(days))
    # Each new draft has tidied away what was there before it.
    assert (drafts.tidy(), drafts.tidy()) == (1, 0)
    assert set(Sheet.objects.all()) == set(kept)
    assert [one.session_key for one in Session.objects.all()] == ["running"]


def test_tidying_takes_the_history_along(draft):
    change(draft, 1)
    Sheet.objects.update(updated=ago(drafts.GUEST_DAYS + 1))
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
