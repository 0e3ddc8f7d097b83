"""Who is in a party and who is its GM, from its founding to its end."""

import pytest
from django.db import IntegrityError, transaction

from rulesets import systems
from sheets.models import CO_GM, GM, PLAYER, Member, Notification, Party, Sheet
from sheets.parties import services as parties
from tests.support.guest import example

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(django_user_model):
    """A GM and three others."""
    return [django_user_model.objects.create_user(name) for name in ("gm", "anna", "ben", "cleo")]


@pytest.fixture
def party(people):
    """A party of all four, joined in this order."""
    made = parties.found_party(people[0], "Die Runde", systems()["condice"])
    for user in people[1:]:
        assert parties.join_party(made, user)
    return made


def sheet_of(user, party=None, **more):
    document = example()
    return Sheet.objects.create(owner=user, ruleset="condice", name="Juan", data=document["data"], party=party, **more)


def roles(party):
    return {one.user.username: one.role for one in party.members.select_related("user")}


def part(party, user):
    return party.members.get(user=user)


def told(user):
    return list(user.notifications.order_by("pk").values_list("kind", flat=True))


def test_who_founds_a_party_is_its_gm_and_who_joins_a_player(party):
    assert roles(party) == {"gm": GM, "anna": PLAYER, "ben": PLAYER, "cleo": PLAYER}


def test_nobody_is_in_a_party_twice(party, people):
    assert not parties.join_party(party, people[1])
    assert party.members.count() == 4
    with pytest.raises(IntegrityError), transaction.atomic():
        Member.objects.create(party=party, user=people[1])


def test_no_party_has_two_gms(party, people):
    with pytest.raises(IntegrityError), transaction.atomic():
        party.members.update(role=GM)


def test_a_party_that_is_handed_over_has_one_gm_all_the_time(party, people):
    parties.hand_over(part(party, people[0]), part(party, people[2]))
    assert roles(party) == {"gm": CO_GM, "anna": PLAYER, "ben": GM, "cleo": PLAYER}
    assert told(people[2]) == [GM]


def test_the_co_gm_inherits_before_players_who_were_there_earlier(party, people):
    parties.appoint(part(party, people[3]), CO_GM, people[0])
    parties.leave_party(part(party, people[0]))
    assert roles(party) == {"anna": PLAYER, "ben": PLAYER, "cleo": GM}


def test_without_a_co_gm_the_player_who_joined_first_inherits(party, people):
    parties.leave_party(part(party, people[0]))
    assert roles(party) == {"anna": GM, "ben": PLAYER, "cleo": PLAYER}
    assert told(people[1]) == [GM, "left"]


def test_the_party_ends_with_its_last_member_and_the_sheets_stay(party, people):
    sheet = sheet_of(people[3])
    parties.bring_sheet(party, sheet, people[3])
    for user in people:
        parties.leave_party(part(party, user))
    assert not Party.objects.exists()
    sheet.refresh_from_db()
    assert sheet.party is None


def test_who_leaves_takes_their_sheets_along_thrown_away_ones_too_and_nobody_elses(party, people):
    mine, thrown, other = sheet_of(people[1]), sheet_of(people[1]), sheet_of(people[2])
    for one in (mine, thrown, other):
        parties.bring_sheet(party, one, one.owner)
    Sheet.objects.filter(pk=thrown.pk).update(deleted="2026-01-01T00:00Z")
    parties.leave_party(part(party, people[1]))
    assert list(party.sheets.all()) == [other]


def test_a_sheet_goes_by_the_partys_house_rules_and_keeps_them_when_it_goes(party, people):
    party.house = {"budget": 35}
    sheet = sheet_of(people[1], house={"budget": 28}, seen_by="party")
    parties.bring_sheet(party, sheet, people[1])
    assert Sheet.objects.get().house == {"budget": 35}
    party.save()
    parties.drop_sheet(party, sheet, people[1])
    sheet.refresh_from_db()
    assert (sheet.house, sheet.party, sheet.seen_by) == ({"budget": 35}, None, "private")


def test_a_public_sheet_stays_public_when_it_leaves_its_party(party, people):
    sheet = sheet_of(people[1], party, seen_by="public")
    parties.drop_sheet(party, sheet, people[1])
    assert Sheet.objects.get().seen_by == "public"


def test_an_account_that_ends_leaves_each_party_with_a_gm(party, people, django_user_model):
    second = parties.found_party(people[0], "Noch eine", systems()["condice"])
    parties.join_party(second, people[3])
    sheet = sheet_of(people[0])
    parties.bring_sheet(party, sheet, people[0])
    people[0].delete()
    assert roles(party) == {"anna": GM, "ben": PLAYER, "cleo": PLAYER}
    assert roles(second) == {"cleo": GM}
    assert not Sheet.objects.exists()
    assert not Notification.objects.exclude(who=None).filter(kind="left").exists()


def test_the_last_account_of_a_party_ends_it(people):
    parties.found_party(people[0], "Allein", systems()["condice"])
    parties.leave_all(people[0])
    assert not Party.objects.exists()
    assert type(people[0]).objects.filter(pk=people[0].pk).exists()


def test_a_party_that_its_gm_ends_gives_every_sheet_back_and_tells_the_others(party, people):
    sheet = sheet_of(people[1], party, seen_by="party")
    parties.end_party(party, people[0])
    sheet.refresh_from_db()
    assert (sheet.party, sheet.seen_by) == (None, "private")
    assert [told(user)[-1:] for user in people[1:]] == [["ended"]] * 3
    assert told(people[0]) == ["joined"] * 3


@pytest.mark.parametrize(("limit", "doing"), [
    ("MEMBERS", lambda party, users: parties.join_party(party, users[4])),
    ("PARTIES", lambda party, users: parties.found_party(users[1], "x", systems()["condice"])),
    ("PARTIES", lambda party, users: parties.join_party(Party.objects.create(name="x", ruleset="condice"), users[1])),
    ("SHEETS", lambda party, users: parties.bring_sheet(party, sheet_of(users[1]), users[1])),
])
def test_no_more_comes_in_than_there_is_room_for(party, people, django_user_model, monkeypatch, limit, doing):
    monkeypatch.setattr(parties, limit, 1)
    sheet_of(people[2], party)
    members = Member.objects.count()
    with pytest.raises(parties.Full, match="1 "):
        doing(party, [*people, django_user_model.objects.create_user("dora")])
    assert (Member.objects.count(), party.sheets.count()) == (members, 1)
