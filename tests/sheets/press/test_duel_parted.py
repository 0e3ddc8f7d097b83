"""A game of two of which one has left the party: over for both, and for good."""

import pytest
from django.utils import timezone

from sheets.models import Event, Sheet
from sheets.parties import services as parties
from sheets.parties.opponents import take_out
from tests.support.guest import text_of
from tests.support.sheets.duel import to_battle

LEFT, LEFT_ALONE = "Left the table; the game is over", "Your opponent has left the table; the game is over"


def phases(duel):
    return duel.state("anna").phase, duel.state("ben").phase


def drop(duel, who="anna"):
    """Somebody takes the own sheet out of the party."""
    duel.browsers[who].post(f"/sheets/{duel.sheets[who].pk}/place/", {"do": "drop"})
    assert duel.sheet(who).party is None


def bring(duel, who="anna"):
    duel.browsers[who].post(f"/sheets/{duel.sheets[who].pk}/place/", {"do": "bring", "party": duel.party.pk})
    assert duel.sheet(who).party == duel.party



@pytest.mark.parametrize("leave", [
    drop,
    lambda duel: parties.leave_party(duel.party.members.get(user=duel.users["anna"])),
    lambda duel: parties.remove_member(duel.party.members.get(user=duel.users["anna"]), duel.users["gm"]),
    lambda duel: parties.leave_all(duel.users["anna"]),
    lambda duel: parties.end_party(duel.stored, duel.users["gm"]),
    lambda duel: take_out(duel.party.members.get(user=duel.users["gm"]), duel.sheet("anna")),
], ids=["drop", "leave", "remove", "account", "end", "take-out"])
def test_whoever_leaves_the_party_ends_the_game_of_two_for_both(begun, leave, request):
    leave(begun)
    assert phases(begun) == ("none", "none")
    assert [begun.state(who).versus for who in ("anna", "ben")] == [False, False]
    assert [begun.last(who).titles["en"] for who in ("anna", "ben")] == [
        LEFT, LEFT if request.node.callspec.id == "end" else LEFT_ALONE]


def test_the_log_of_who_stays_says_so_and_nothing_that_is_taken_back_goes_on_with_the_game(begun):
    to_battle(begun)
    drop(begun)
    assert LEFT_ALONE in text_of(begun.look("ben", "ben", None))
    assert LEFT_ALONE in text_of(begun.own("ben"))
    bring(begun)
    assert begun.character("ben").foe is None
    for event in Event.objects.exclude(act="").order_by("-pk"):
        who = "ben" if event.sheet == begun.sheets["ben"] else "anna"
        begun.settle("back", who, event.pk)
    assert "take-back" not in begun.own("anna").text + begun.own("ben").text
    assert (phases(begun), Event.objects.filter(undone=True).count()) == (("none", "none"), 0)
    begun.begin()
    assert begun.character("anna").foe.sheet == begun.sheets["ben"]


def test_the_game_is_over_for_one_whose_sheet_lies_in_the_trash_meanwhile(begun):
    Sheet.objects.filter(pk=begun.sheets["ben"].pk).update(deleted=timezone.now())
    drop(begun)
    assert phases(begun) == ("none", "none")


def test_who_plays_alone_plays_on_outside(duel):
    duel.do("anna", "act-start-game", order="first")
    before = duel.sheet("anna").play
    drop(duel)
    assert duel.sheet("anna").play == before != {}


def test_a_game_that_is_over_is_not_ended_once_more(begun):
    begun.do("ben", "act-lose")
    drop(begun)
    assert phases(begun) == ("won", "lost")
