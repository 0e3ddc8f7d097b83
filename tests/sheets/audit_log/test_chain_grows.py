"""The chain of reviews from its first entry on: what it is begun with, goes on from, and says of itself."""

import pytest
from django.core.management import CommandError
from django.db import transaction

from rulesets import systems
from sheets.audit_log import chain
from sheets.audit_log.chain import chain_faults
from sheets.models import Head, Review
from sheets.status.reviews import review_status
from tests.support.commands import run
from tests.support.party import Round
from tests.support.sheets import story as told

pytestmark = pytest.mark.django_db


def test_a_chain_that_goes_on_without_its_head_stays_marked(round_):
    for rows in (Review.objects.all(), Head.objects.all()):
        rows._raw_delete(rows.db)
    told.grant(round_.sheet, round_.gm)
    first = next(chain_faults())
    assert (first.number, first.message) == (1, "it does not follow the entry before it")


def test_a_tail_cut_off_with_the_head_of_then_is_sound_in_itself_and_betrayed_by_a_noted_head(round_):
    for name in ("eins", "zwei", "drei"):
        told.change(round_.sheet, name)
        told.submit(round_.sheet)
        if name == "zwei":
            then = Head.objects.values().get()
    head = "3:" + Head.objects.get().mac[:16]
    tail = Review.objects.filter(number__gt=then["number"])
    tail._raw_delete(tail.db)
    Head.objects.update(**then)
    assert run("verify_reviews").code == 0
    said = run("verify_reviews", "--head", head)
    assert (said.code, said) == (1, f"first broken: entry 3: the chain does not reach the head {head}\n")


@pytest.mark.parametrize("head", ["7", "7:", "x:00", "0:00", ":00", "-1:00", "7:xyz", "٧:00", "9" * 30 + ":00"])
def test_a_head_that_is_none_is_refused(db, head):
    with pytest.raises(CommandError, match="is no head"):
        run("verify_reviews", f"--head={head}")
    assert next(chain_faults(head), None)


def test_an_empty_chain_holds(db):
    assert (run("verify_reviews"), run("verify_reviews", "--head", "0:").code) == ("0 entries hold; head 0:\n", 0)


@pytest.mark.parametrize("slug", systems())
def test_every_system_s_sheets_are_approved_and_read_back_as_they_were_sealed(db, slug):
    round_ = Round(slug)
    told.grant(round_.sheet, round_.gm, comment="Ja – „gut“ 🏹.")
    assert review_status(told.fresh(round_.sheet)).state == "approved"
    assert list(chain_faults()) == []


def test_an_entry_costs_the_same_however_long_the_chain_is(round_, django_assert_num_queries):
    told.submit(round_.sheet)
    sheet = told.fresh(round_.sheet)
    revision = review_status(sheet).waiting.revision
    for _entry in range(40):
        with django_assert_num_queries(6):  # savepoint, head, entry, head, standing, release
            transaction.atomic()(chain.append)("recalled", round_.player, sheet=sheet, revision=revision)
    assert list(chain_faults()) == []
