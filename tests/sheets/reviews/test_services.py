"""From a submission to an approval: what is bound to what, and what is left once accounts end."""

from sheets.audit_log.chain import chain_faults
from sheets.character import Character
from sheets.models import Review
from sheets.status.reviews import review_status
from tests.support.sheets import story as told


def test_an_approval_is_bound_to_what_was_submitted_and_an_edit_shows(round_):
    assert review_status(round_.sheet).state == ""
    entry, life = told.grant(round_.sheet, round_.gm), round_.sheet.data["life"]
    assert review_status(round_.sheet).state == "approved"
    assert (entry.number, len(entry.code)) == (2, 10)
    round_.change(life=life - 1)
    found = review_status(round_.sheet)
    assert (found.state, Character(round_.sheet, found).written.life) == ("changed", life)
    round_.change(life=life)
    assert review_status(round_.sheet).state == "approved"
    assert list(chain_faults()) == []


def test_an_account_that_ends_takes_names_and_words_and_the_chain_holds(round_):
    told.grant(round_.sheet, round_.gm, comment="Geheimnis")
    round_.gm.delete()
    assert list(chain_faults()) == []
    assert (Review.objects.get(number=2).said, review_status(round_.sheet).state) == ({}, "approved")
    round_.player.delete()
    assert list(chain_faults()) == []
    assert [one.kind for one in Review.objects.order_by("number")] == ["submitted", "approved", "erased", "erased",
                                                                        "erased"]
    assert not Review.objects.exclude(sheet=None, by=None, seen={}, said={}).exists()
