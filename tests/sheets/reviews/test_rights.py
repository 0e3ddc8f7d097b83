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
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.party import Round
from tests.support.sheets import story as told
from tests.support.sheets.story import LASTING


@pytest.fixture
def elsewhere(round_):
    """A party of the player's own, in which a friend of theirs is a co-GM."""
    party = parties.found_party(round_.player, "Dort", systems()["condice"])
    friend = User.objects.create_user("freundin")
    Member.objects.create(party=party, user=friend, role="co-gm")
    return party, friend


def move(sheet, party):
    sheet = told.fresh(sheet)
    if sheet.party:
        parties.drop_sheet(sheet.party, sheet, sheet.owner)
    parties.bring_sheet(party, sheet, sheet.owner)


def blocked(do, *arguments, **said):
    with pytest.raises(reviews.Blocked):
        do(*arguments, **said)


def word_played(sheet):
    return Character(told.fresh(sheet)).written.fields.free_item.word


def test_an_approval_of_a_friend_s_party_counts_there_alone(round_, elsewhere):
    party, friend = elsewhere
    move(round_.sheet, party)
    told.submit(round_.sheet)
    told.approve(round_.sheet, friend)
    assert review_status(told.fresh(round_.sheet)).state == "approved"
    round_.party.approval = True
    round_.party.save()
    move(round_.sheet, round_.party)
    found = review_status(told.fresh(round_.sheet))
    assert (found.approval, found.revision, found.state) == (None, None, "none")
    assert Character(told.fresh(round_.sheet)).barred
    move(round_.sheet, party)
    assert review_status(told.fresh(round_.sheet)).state == "approved"


def test_a_gm_of_another_party_decides_nothing(round_, elsewhere):
    party, friend = elsewhere
    told.submit(round_.sheet)
    sheet = told.fresh(round_.sheet)
    seal = reviews.pending_decision(sheet, review_status(sheet)).seal
    for user in (friend, round_.player):
        me = Member.objects.select_related("party", "user").get(party=party, user=user)
        blocked(reviews.approve, me, sheet, seal, {}, {})
        blocked(reviews.give_back, me, sheet, seal, {"comment": "Nein."})
    told.approve(round_.sheet, round_.gm)
    for user in (friend, round_.player):
        me = Member.objects.select_related("party", "user").get(party=party, user=user)
        blocked(reviews.withdraw, me, told.fresh(round_.sheet), {"comment": "Nein."})
    assert Review.objects.count() == 2


def test_what_waits_in_one_party_does_not_wait_in_another(round_, elsewhere):
    party, friend = elsewhere
    told.submit(round_.sheet)
    move(round_.sheet, party)
    sheet = told.fresh(round_.sheet)
    assert reviews.pending_decision(sheet, review_status(sheet)) is None
    blocked(reviews.recall, sheet, round_.player)
    me = Member.objects.select_related("party", "user").get(party=party, user=friend)
    blocked(reviews.approve, me, sheet, Review.objects.get().seal, {}, {})


def test_leaving_and_rejoining_brings_back_what_was_approved_and_nothing_else(round_, elsewhere):
    told.submit(round_.sheet)
    told.approve(round_.sheet, round_.gm)
    approved = told.fresh(round_.sheet).name
    parties.leave_party(round_.member(round_.player))
    assert review_status(told.fresh(round_.sheet)).revision is None
    told.change(told.fresh(round_.sheet), "Ganz anders")
    parties.join_party(round_.party, round_.player)
    move(round_.sheet, round_.party)
    found = review_status(told.fresh(round_.sheet))
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
    sheet = told.fresh(round_.sheet)
    client = Client()
    client.force_login(round_.player)
    answer = client.post(f"/sheets/{sheet.pk}/review/", {
        "do": "approve", "_seal": reviews.pending_decision(sheet, review_status(sheet)).seal})
    assert answer.status_code == 409
    assert told.approve(round_.sheet, round_.second).by == round_.second


def test_a_sheet_that_changed_hands_is_not_decided_by_who_submitted_it(round_):
    """No button hands a sheet over once it was submitted; were there one, this would hold all the same."""
    Sheet.objects.filter(pk=round_.sheet.pk).update(owner=round_.gm)
    told.submit(round_.sheet)
    Sheet.objects.filter(pk=round_.sheet.pk).update(owner=round_.player)
    blocked(told.approve, round_.sheet, round_.gm)


def test_a_character_that_a_gm_lays_out_is_approved_for_whoever_took_it_alone(round_):
    me = round_.member(round_.gm)
    pregens.lay_out(me, [systems()["condice"].examples["juan"]])
    laid = Sheet.objects.get(offered=True)
    blocked(reviews.submit, told.fresh(laid), round_.gm)
    taken = pregens.take_pregen(round_.member(round_.player), laid.pk)
    told.submit(taken)
    told.approve(taken, round_.gm)
    assert review_status(told.fresh(taken)).state == "approved"
    # Laid out again it is a copy, which nobody has approved; and what was taken cannot be taken again.
    parties.appoint(round_.member(round_.player), "co-gm", round_.gm)
    pregens.lay_out(round_.member(round_.player), [{"name": taken.name, "data": taken.data}])
    copy = Sheet.objects.get(offered=True)
    assert pregens.take_pregen(round_.member(round_.gm), taken.pk) is None
    mine = pregens.take_pregen(round_.member(round_.gm), copy.pk)
    assert review_status(told.fresh(mine)).revision is None
    told.submit(mine)
    blocked(told.approve, mine, round_.gm)


@pytest.fixture
def ripe(db):
    made = Round(LASTING)
    told.ripe(made.sheet)
    told.submit(made.sheet)
    told.approve(made.sheet, made.gm)
    return made


def test_an_undo_does_not_go_back_beyond_an_approval(ripe):
    told.act(ripe.sheet, "Laterne")
    told.submit(ripe.sheet)
    told.approve(ripe.sheet, ripe.gm)
    told.act(ripe.sheet, "Seil")
    assert told.take_back(ripe.sheet)
    assert word_played(ripe.sheet) == "Laterne"
    assert told.take_back(ripe.sheet)
    assert word_played(ripe.sheet) == "Laterne"
    assert told.fresh(ripe.sheet).data["fields"]["free_item"]["word"] == ""
    assert review_status(told.fresh(ripe.sheet)).state == "changed"
    assert list(chain_faults()) == []


def test_an_undo_does_not_bring_back_what_was_withdrawn(ripe):
    told.act(ripe.sheet, "Laterne")
    told.withdraw(ripe.sheet, ripe.gm)
    told.submit(ripe.sheet)
    told.approve(ripe.sheet, ripe.gm)
    told.act(ripe.sheet, "Seil")
    for _act in range(2):
        assert told.take_back(ripe.sheet)
    assert word_played(ripe.sheet) == "Laterne"


def test_an_undo_does_not_carry_what_was_approved_into_another_party(ripe):
    party = parties.found_party(ripe.player, "Dort", systems()[LASTING])
    friend = User.objects.create_user("freundin")
    Member.objects.create(party=party, user=friend, role="co-gm")
    move(ripe.sheet, party)
    told.submit(ripe.sheet)
    told.approve(ripe.sheet, friend)
    told.act(ripe.sheet, "Laterne")
    move(ripe.sheet, ripe.party)
    # In the party that they came from, what was played there is played still.
    assert word_played(ripe.sheet) == ""
    told.act(ripe.sheet, "Seil")
    move(ripe.sheet, party)
    assert told.take_back(ripe.sheet)
    assert word_played(ripe.sheet) == "Laterne"
    move(ripe.sheet, ripe.party)
    assert word_played(ripe.sheet) == "Seil"
    assert list(chain_faults()) == []


def test_an_act_after_an_edit_changes_what_is_played_and_not_what_the_draft_has_of_its_own(ripe):
    told.change(told.fresh(ripe.sheet), "Umbenannt")
    told.act(ripe.sheet, "Seil")
    sheet = told.fresh(ripe.sheet)
    assert sheet.data["fields"]["free_item"]["word"] == "Seil"
    assert (sheet.name, review_status(sheet).state) == ("Umbenannt", "changed")
    assert Character(sheet).name != "Umbenannt"


def test_a_draft_that_the_rules_cannot_read_is_not_what_was_approved(round_):
    told.submit(round_.sheet)
    told.approve(round_.sheet, round_.gm)
    Sheet.objects.filter(pk=round_.sheet.pk).update(data={"life": "viel"})
    assert review_status(told.fresh(round_.sheet)).state == "changed"


def test_later_rules_leave_an_untouched_sheet_approved_under_earlier_ones(round_, monkeypatch):
    round_.change(movement=0)
    told.submit(round_.sheet)
    told.approve(round_.sheet, round_.gm)
    ruleset = systems()["condice"]
    monkeypatch.setitem(systems(), "condice", replace(ruleset, version=ruleset.version + 1))
    # What was kept lacks a field that came with the rules of today.
    kept = review_status(told.fresh(round_.sheet)).revision
    assert kept.data.pop("movement") == 0
    kept.save()
    assert review_status(told.fresh(round_.sheet)).state == "earlier"
    round_.change(movement=1)
    assert review_status(told.fresh(round_.sheet)).state == "changed"
