"""Somebody leaves, loses a right or goes elsewhere between a look and a press, or between what came and its answer."""

import re
import uuid

import pytest
from django.utils import timezone

from sheets.models import PLAYER, PRIVATE, Event, Landing, Sheet
from sheets.parties import services as parties
from sheets.play import services
from tests.sheets.parties.test_landings_by_system import duel
from tests.sheets.parties.test_landings_hostile import kept
from tests.support.guest import text_of
from tests.support.sheets.fight import hit, table

pytestmark = pytest.mark.django_db
__all__ = ["duel", "hit", "table"]


@pytest.fixture
def turns(table):
    """A fight of four in the order of their names; it is Ben's turn."""
    for name in ("Carl", "Dora"):
        table.sheets[name.lower()] = Sheet.objects.create(
            owner=table.users["gm"], party=table.party, opponent=True, ruleset="condice", name=name,
            data=table.sheets["anna"].data)
    for word in ("begin", "next"):
        table.settle("turn", "gm", word)
    assert table.stored.turn == table.sheets["ben"].pk
    return table


def drop(table, who):
    parties.drop_sheet(table.stored, table.sheet(who), table.users["gm"])


def throw_away(table, who):
    Sheet.objects.filter(pk=table.sheets[who].pk).update(deleted=timezone.now())


@pytest.mark.parametrize("leave", [drop, throw_away])
@pytest.mark.parametrize("word", ["next", "hold"])
def test_after_whoever_had_the_turn_and_is_gone_comes_who_would_have_come(turns, leave, word):
    leave(turns, "ben")
    turns.settle("turn", "gm", word)
    assert (turns.stored.turn, turns.stored.round) == (turns.sheets["carl"].pk, 1)


def test_after_the_last_who_is_gone_the_next_round_begins(turns):
    for _turn in range(2):
        turns.settle("turn", "gm", "next")
    drop(turns, "dora")
    turns.settle("turn", "gm", "next")
    assert (turns.stored.turn, turns.stored.round) == (turns.sheets["anna"].pk, 2)


def test_where_nobody_is_left_the_fight_is_over(turns):
    for name in ("anna", "ben", "carl", "dora"):
        drop(turns, name)
    turns.settle("turn", "gm", "next")
    assert (turns.stored.turn, turns.stored.round) == (None, 0)


def meanwhile(monkeypatch, change):
    """Something happens once while the dice fall."""
    fall, left = services.cast, [change]

    def disturbed(*arguments):
        if left:
            left.pop()()
        return fall(*arguments)

    monkeypatch.setattr(services, "cast", disturbed)


def test_whoever_is_no_gm_any_more_when_the_dice_have_fallen_does_not_act_for_another(hit, monkeypatch):
    before = kept()
    meanwhile(monkeypatch, lambda: hit.party.members.filter(user=hit.users["helper"]).update(role=PLAYER))
    assert hit.press(who="helper").status_code == 404
    assert kept() == before


def test_whom_one_may_not_see_any_more_when_the_dice_have_fallen_is_not_hit(hit, monkeypatch):
    before = kept()
    meanwhile(monkeypatch, lambda: Sheet.objects.filter(pk=hit.sheets["ben"].pk).update(seen_by=PRIVATE))
    assert hit.press().status_code == 404
    assert kept() == before


def test_the_dice_of_whoever_is_gone_do_not_fall_again(duel):
    number = Landing.objects.get().pk
    drop(duel, "anna")
    before = kept()
    assert f'"rethrow:{number}"' not in duel.look("ben", "ben", None).text
    assert duel.settle("rethrow").status_code == 302
    assert kept() == before
    duel.settle("apply")
    assert duel.life("ben") == duel.full("ben") - 7


def test_what_landed_in_one_party_is_not_taken_to_another(hit, django_user_model):
    other = parties.found_party(hit.users["ben"], "Andere", hit.ruleset)
    other.approval = False
    other.save()
    hit.settle("apply")
    event, sheet = Event.objects.get(act="damage"), f"/sheets/{hit.sheets['ben'].pk}/"
    drop(hit, "ben")
    parties.bring_sheet(other, hit.sheet("ben"), hit.users["ben"])
    for who in ("anna", "gm"):
        assert hit.settle("back", who, event.pk).status_code == 404
    assert hit.life("ben") == 8
    # At home it is taken back all the same, and nothing of it waits there.
    hit.play("ben", "undo", _event=event.pk)
    assert hit.life("ben") == 10
    there, key, number = f"/parties/{other.pk}/table/", str(uuid.uuid4()), Landing.objects.get().pk
    for address in (sheet, there, f"{there}waiting/"):
        assert f"apply:{number}" not in hit.browsers["ben"].get(address).text
    for address in (f"{sheet}play/", f"{there}play/", f"{hit.address}play/"):
        answer = hit.browsers["ben"].post(address, {"do": f"apply:{number}", "_press": key})
        assert answer.status_code in (302, 404)
    assert (hit.life("ben"), Landing.objects.get().state) == (10, "open")


def test_who_acts_for_somebody_that_is_gone_sees_the_table_and_presses_in_vain(hit):
    troll = Sheet.objects.create(owner=hit.users["gm"], party=hit.party, opponent=True, ruleset="condice",
                                 name="Troll", data=hit.sheet("anna").data)
    hit.sheets["troll"] = troll
    page = hit.look("gm", "troll", "ben")
    assert "Troll" in text_of(page)
    assert hit.browsers["gm"].post(f"/parties/{hit.party.pk}/opponents/", {"do": f"out:{troll.pk}"}).status_code == 302
    before = kept()
    address = re.search(r'hx-get="([^"]*since=[^"]*)"', page.text)[1]
    answer = hit.browsers["gm"].get(f"{address}&{hit.seats('troll', 'ben')}", headers={"HX-Request": "true"})
    assert answer.status_code == 200
    for at in ("ben", "troll", None):
        assert hit.look("gm", "troll", at).status_code == 200
        assert hit.press(who="gm", by="troll", at=at).status_code == 404
        assert hit.press(who="gm", by="anna", at="troll").status_code == 404
    assert kept() == before
