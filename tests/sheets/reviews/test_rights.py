"""Ways to an approval, or to what is played, that somebody has no right to."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from rulesets import systems
from sheets.audit_log.chain import chain_faults
from sheets.character import Character
from sheets.models import Member, Review, Sheet
from sheets.parties import pregens
from sheets.parties import services as parties
from sheets.press.log import last_act
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.party import Round
from tests.support.sheets import story as told
from tests.support.sheets.story import LASTING

pytestmark = pytest.mark.alike


def elsewhere(round_):
    """A party of the player's own, and a friend of theirs who is a co-GM of it."""
    party = parties.found_party(round_.player, "Dort", round_.sheet.system)
    friend = User.objects.create_user("freundin")
    Member.objects.create(party=party, user=friend, role="co-gm")
    return party, friend


def member(party, user):
    return Member.objects.select_related("party", "user").get(party=party, user=user)


def move(sheet, party):
    sheet = told.fresh(sheet)
    if sheet.party:
        parties.drop_sheet(sheet.party, sheet, sheet.owner)
    parties.bring_sheet(party, sheet, sheet.owner)


def blocked(do, *arguments, **said):
    with pytest.raises(reviews.Blocked):
        do(*arguments, **said)


def status(sheet):
    return review_status(told.fresh(sheet))


def word_played(sheet):
    return Character(told.fresh(sheet)).written.fields.free_item.word


def test_an_approval_of_a_friend_s_party_counts_there_alone(round_):
    party, friend = elsewhere(round_)
    move(round_.sheet, party)
    told.grant(round_.sheet, friend)
    assert status(round_.sheet).state == "approved"
    round_.party.approval = True
    round_.party.save()
    move(round_.sheet, round_.party)
    found = status(round_.sheet)
    assert (found.approval, found.revision, found.state) == (None, None, "none")
    assert Character(told.fresh(round_.sheet)).barred
    move(round_.sheet, party)
    assert status(round_.sheet).state == "approved"


def test_a_gm_of_another_party_decides_nothing(round_):
    party, friend = elsewhere(round_)
    told.submit(round_.sheet)
    sheet = told.fresh(round_.sheet)
    seal, others = told.shown_seal(sheet), [member(party, user) for user in (friend, round_.player)]
    for me in others:
        blocked(reviews.approve, me, sheet, seal, {}, {})
        blocked(reviews.give_back, me, sheet, seal, {"comment": "Nein."})
    told.approve(round_.sheet, round_.gm)
    for me in others:
        blocked(reviews.withdraw, me, told.fresh(round_.sheet), {"comment": "Nein."})
    assert Review.objects.count() == 2


def test_what_waits_in_one_party_does_not_wait_in_another(round_):
    party, friend = elsewhere(round_)
    told.submit(round_.sheet)
    move(round_.sheet, party)
    sheet = told.fresh(round_.sheet)
    assert reviews.pending_decision(sheet, review_status(sheet)) is None
    blocked(reviews.recall, sheet, round_.player)
    blocked(reviews.approve, member(party, friend), sheet, Review.objects.get().seal, {}, {})


def test_leaving_and_rejoining_brings_back_what_was_approved_and_nothing_else(round_):
    told.grant(round_.sheet, round_.gm)
    approved = told.fresh(round_.sheet).name
    parties.leave_party(round_.member(round_.player))
    assert status(round_.sheet).revision is None
    told.change(told.fresh(round_.sheet), "Ganz anders")
    parties.join_party(round_.party, round_.player)
    move(round_.sheet, round_.party)
    found = status(round_.sheet)
    assert (found.state, Character(told.fresh(round_.sheet), found).name) == ("changed", approved)


@pytest.mark.parametrize("by", ["hand_over", "appoint"])
def test_whoever_becomes_a_gm_does_not_decide_what_they_have_submitted(round_, by):
    told.submit(round_.sheet)
    if by == "hand_over":
        parties.hand_over(round_.member(round_.gm), round_.member(round_.player))
    else:
        parties.appoint(round_.member(round_.player), "co-gm", round_.gm)
    blocked(told.approve, round_.sheet, round_.player)
    blocked(told.give_back, round_.sheet, round_.player, comment="Nein.")
    client = Client()
    client.force_login(round_.player)
    answer = client.post(f"/sheets/{round_.sheet.pk}/review/", {
        "do": "approve", "_seal": told.shown_seal(told.fresh(round_.sheet))})
    assert answer.status_code == 409
    assert told.approve(round_.sheet, round_.second).by == round_.second


def test_a_sheet_that_changed_hands_is_not_decided_by_who_submitted_it(round_):
    """No button hands a sheet over once it was submitted; were there one, this would hold all the same."""
    Sheet.objects.filter(pk=round_.sheet.pk).update(owner=round_.gm)
    told.submit(round_.sheet)
    Sheet.objects.filter(pk=round_.sheet.pk).update(owner=round_.player)
    blocked(told.approve, round_.sheet, round_.gm)


def test_a_character_that_a_gm_lays_out_is_approved_for_whoever_took_it_alone(round_):
    pregens.lay_out(round_.member(round_.gm), [systems()["condice"].examples["juan"]])
    laid = Sheet.objects.get(offered=True)
    blocked(reviews.submit, told.fresh(laid), round_.gm)
    taken = pregens.take_pregen(round_.member(round_.player), laid.pk)
    told.grant(taken, round_.gm)
    assert status(taken).state == "approved"
    # Laid out again it is a copy, which nobody has approved; and what was taken cannot be taken again.
    parties.appoint(round_.member(round_.player), "co-gm", round_.gm)
    pregens.lay_out(round_.member(round_.player), [{"name": taken.name, "data": taken.data}])
    copy = Sheet.objects.get(offered=True)
    assert pregens.take_pregen(round_.member(round_.gm), taken.pk) is None
    mine = pregens.take_pregen(round_.member(round_.gm), copy.pk)
    assert status(mine).revision is None
    blocked(told.grant, mine, round_.gm)


@pytest.fixture
def ripe(db):
    made = Round(LASTING)
    told.ripe(made.sheet)
    told.grant(made.sheet, made.gm)
    return made


def test_an_undo_does_not_go_back_beyond_an_approval(ripe):
    told.act(ripe.sheet, "Laterne")
    told.grant(ripe.sheet, ripe.gm)
    told.act(ripe.sheet, "Seil")
    for _act in range(2):
        assert told.take_back(ripe.sheet)
        assert word_played(ripe.sheet) == "Laterne"
    assert told.fresh(ripe.sheet).data["fields"]["free_item"]["word"] == ""
    assert status(ripe.sheet).state == "changed"
    assert list(chain_faults()) == []


def test_an_undo_does_not_bring_back_what_was_withdrawn(ripe):
    told.act(ripe.sheet, "Laterne")
    told.withdraw(ripe.sheet, ripe.gm)
    told.grant(ripe.sheet, ripe.gm)
    told.act(ripe.sheet, "Seil")
    assert [told.take_back(ripe.sheet) for _act in range(2)] == [True, True]
    assert word_played(ripe.sheet) == "Laterne"


def test_an_undo_does_not_carry_what_was_approved_into_another_party(ripe):
    party, friend = elsewhere(ripe)
    move(ripe.sheet, party)
    told.grant(ripe.sheet, friend)
    told.act(ripe.sheet, "Laterne")
    move(ripe.sheet, ripe.party)
    # In the party that they came from, what was played there is played still.
    assert word_played(ripe.sheet) == ""
    told.act(ripe.sheet, "Seil")
    move(ripe.sheet, party)
    assert last_act(told.fresh(ripe.sheet)) is None
    assert word_played(ripe.sheet) == "Laterne"
    move(ripe.sheet, ripe.party)
    assert word_played(ripe.sheet) == "Seil"
    assert told.take_back(ripe.sheet)
    assert word_played(ripe.sheet) == ""
    assert list(chain_faults()) == []


def test_an_act_after_an_edit_changes_what_is_played_and_not_what_the_draft_has_of_its_own(ripe):
    told.change(told.fresh(ripe.sheet), "Umbenannt")
    told.act(ripe.sheet, "Seil")
    sheet = told.fresh(ripe.sheet)
    assert (sheet.data["fields"]["free_item"]["word"], sheet.name, review_status(sheet).state) == (
        "Seil", "Umbenannt", "changed")
    assert Character(sheet).name != "Umbenannt"


def test_a_draft_that_the_rules_cannot_read_is_not_what_was_approved(round_):
    told.grant(round_.sheet, round_.gm)
    Sheet.objects.filter(pk=round_.sheet.pk).update(data={"life": "viel"})
    assert status(round_.sheet).state == "changed"


def test_later_rules_leave_an_untouched_sheet_approved_under_earlier_ones(round_, monkeypatch):
    round_.change(movement=0)
    told.grant(round_.sheet, round_.gm)
    ruleset = systems()["condice"]
    monkeypatch.setitem(systems(), "condice", replace(ruleset, version=ruleset.version + 1))
    # What was kept lacks a field that came with the rules of today.
    kept = status(round_.sheet).revision
    assert kept.data.pop("movement") == 0
    kept.save()
    assert status(round_.sheet).state == "earlier"
    round_.change(movement=1)
    assert status(round_.sheet).state == "changed"
