"""Who is in a party and who is its GM, from its founding to its end."""

import pytest
from django.db import IntegrityError, transaction

from rulesets import systems
from sheets.models import CO_GM, GM, PLAYER, Member, Notification, Party, Sheet
from sheets.parties import services as parties


def roles(party):
    return {one.user.username: one.role for one in party.members.select_related("user")}


def part(run, who):
    return run.party.members.get(user=run.users[who])


def test_nobody_is_in_a_party_twice_and_no_party_has_two_gms(run):
    """Neither by what is done nor by what the database takes."""
    assert roles(run.party) == {"gm": GM, "second": CO_GM, "anna": PLAYER, "ben": PLAYER}
    assert not parties.join_party(run.party, run.users["anna"])
    with pytest.raises(IntegrityError), transaction.atomic():
        Member.objects.create(party=run.party, user=run.users["anna"])
    with pytest.raises(IntegrityError), transaction.atomic():
        run.party.members.update(role=GM)
    assert run.party.members.count() == 4


@pytest.mark.parametrize(("co_gm", "heir"), [("ben", "ben"), (None, "second")])
def test_the_co_gm_inherits_before_players_who_were_there_earlier_and_else_who_joined_first(run, co_gm, heir):
    run.party.members.exclude(role=GM).update(role=PLAYER)
    if co_gm:
        parties.appoint(part(run, co_gm), CO_GM, run.users["gm"])
    parties.leave_party(part(run, "gm"))
    assert roles(run.party) == {"second": PLAYER, "anna": PLAYER, "ben": PLAYER, heir: GM}
    assert run.told(heir)[-2:] == [GM, "left"]


def test_who_inherits_which_party_is_asked_for_all_at_once(run, django_assert_num_queries):
    gm = run.users["gm"]
    parties.found_party(gm, "Allein", systems()["condice"])
    parties.join_party(parties.found_party(gm, "Noch eine", systems()["condice"]), run.users["ben"])
    with django_assert_num_queries(1):
        found = parties.heirs(gm)
    assert {one.party.name: one.user.username for one in found.values()} == {"Die Runde": "second", "Noch eine": "ben"}
    assert found == {one.party_id: parties.heir(one) for one in gm.memberships.all() if parties.heir(one)}


def test_who_leaves_takes_their_sheets_along_thrown_away_ones_too_and_the_party_ends_with_its_last_member(run):
    run.sheet("anna")
    run.sheet("anna", deleted="2026-01-01T00:00Z")
    other = run.sheet("ben")
    parties.leave_party(part(run, "anna"))
    assert list(run.party.sheets.all()) == [other]
    for who in ("gm", "second", "ben"):
        parties.leave_party(part(run, who))
    assert not Party.objects.exists()
    assert list(Sheet.objects.values_list("party", flat=True)) == [None] * 3


def test_an_account_that_ends_leaves_each_party_with_a_gm_or_ends_it(run):
    gm, second = run.users["gm"], parties.found_party(run.users["gm"], "Noch eine", systems()["condice"])
    parties.join_party(second, run.users["ben"])
    parties.found_party(gm, "Allein", systems()["condice"])
    run.sheet("gm")
    gm.delete()
    assert {party.name: roles(party) for party in Party.objects.all()} == {
        "Die Runde": {"second": GM, "anna": PLAYER, "ben": PLAYER}, "Noch eine": {"ben": GM}}
    assert not Sheet.objects.exists()
    assert not Notification.objects.exclude(who=None).filter(kind="left").exists()
    parties.leave_all(run.users["ben"])
    assert {party.name: roles(party) for party in Party.objects.all()} == {"Die Runde": {"second": GM, "anna": PLAYER}}
    assert type(gm).objects.filter(username="ben").exists()


@pytest.mark.parametrize(("limit", "doing"), [
    ("MEMBERS", lambda run, dora: parties.join_party(run.party, dora)),
    ("PARTIES", lambda run, _dora: parties.found_party(run.users["anna"], "x", systems()["condice"])),
    ("PARTIES", lambda run, _dora: parties.join_party(Party.objects.create(name="x", ruleset="condice"),
                                                      run.users["anna"])),
    ("SHEETS", lambda run, _dora: parties.bring_sheet(run.party, run.sheet("anna", inside=False), run.users["anna"])),
])
def test_no_more_comes_in_than_there_is_room_for(run, django_user_model, monkeypatch, limit, doing):
    monkeypatch.setattr(parties, limit, 1)
    run.sheet("ben")
    with pytest.raises(parties.Full, match="1 "):
        doing(run, django_user_model.objects.create_user("dora"))
    assert (Member.objects.count(), run.party.sheets.count()) == (4, 1)
