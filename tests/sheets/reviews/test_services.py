"""From a submission to an approval and back: what is bound to what, and who may."""

import pytest
from django.utils.translation import override

from sheets.audit_log.chain import chain_faults
from sheets.character import Character
from sheets.models import Review
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status


def approved(round_, **said):
    entry = reviews.submit(round_.sheet, round_.player)
    found = reviews.pending_decision(round_.sheet, review_status(round_.sheet))
    assert found.entry == entry
    return reviews.approve(round_.member(round_.gm), round_.sheet, found.seal, dict.fromkeys(found.asking, "Weil."),
                         said)


def test_an_approval_is_bound_to_what_was_submitted_and_an_edit_shows(round_):
    assert review_status(round_.sheet).state == ""
    entry = approved(round_)
    assert review_status(round_.sheet).state == "approved"
    assert (entry.number, len(entry.code)) == (2, 10)
    life = round_.sheet.data["life"]
    round_.change(life=life - 1)
    found = review_status(round_.sheet)
    assert found.state == "changed"
    assert Character(round_.sheet, found).written.life == life
    round_.change(life=life)
    assert review_status(round_.sheet).state == "approved"
    assert list(chain_faults()) == []


def test_what_is_sent_after_the_gm_looked_is_not_what_is_approved(round_):
    reviews.submit(round_.sheet, round_.player)
    seen = reviews.pending_decision(round_.sheet, review_status(round_.sheet)).seal
    round_.change(life=round_.sheet.data["life"] - 1)
    reviews.submit(round_.sheet, round_.player)
    with override("en"), pytest.raises(reviews.Blocked, match="no longer what you have seen"):
        reviews.approve(round_.member(round_.gm), round_.sheet, seen, {}, {})
    assert review_status(round_.sheet).state == "waiting"


def test_nobody_approves_their_own(round_):
    round_.sheet.owner = round_.gm
    round_.sheet.save()
    reviews.submit(round_.sheet, round_.gm)
    seal = reviews.pending_decision(round_.sheet, review_status(round_.sheet)).seal
    with pytest.raises(reviews.Blocked):
        reviews.approve(round_.member(round_.gm), round_.sheet, seal, {}, {})
    assert reviews.approve(round_.member(round_.second), round_.sheet, seal, {}, {}).kind == "approved"


def test_an_account_that_ends_takes_names_and_words_and_the_chain_holds(round_):
    approved(round_, comment="Geheimnis")
    round_.gm.delete()
    assert list(chain_faults()) == []
    assert Review.objects.get(number=2).said == {}
    assert review_status(round_.sheet).state == "approved"
    round_.player.delete()
    assert list(chain_faults()) == []
    assert [one.kind for one in Review.objects.order_by("number")] == ["submitted", "approved", "erased", "erased",
                                                                        "erased"]
    assert not Review.objects.exclude(sheet=None, by=None, seen={}, said={}).exists()
