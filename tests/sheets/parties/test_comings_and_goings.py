"""Somebody leaves, loses a right or goes elsewhere between a look and a press, or between what came and its answer."""

import re
import uuid

import pytest
from django.utils import timezone

from sheets.models import PLAYER, PRIVATE, Event, PendingEffect, Sheet
from sheets.parties import services as parties
from sheets.press import prepare as services
from tests.support.guest import text_of
from tests.support.sheets.fight import kept

pytestmark = pytest.mark.alike


def drop(table, who):
    parties.drop_sheet(table.stored, table.sheet(who), table.users["gm"])


@pytest.mark.parametrize("leave", [
    drop, lambda table, who: Sheet.objects.filter(pk=table.sheets[who].pk).update(deleted=timezone.now())])
@pytest.mark.parametrize("word", ["next", "hold"])
def test_the_turn_of_whoever_is_gone_goes_on_to_who_would_have_come_and_without_anybody_the_fight_is_over(
        table, leave, word):
    for name in ("Carl", "Dora"):
        table.bring(name)
    table.do(f"place:{table.sheets['anna'].pk}:0")
    for then in ("begin", "next"):
        table.settle("turn", "gm", then)
    assert table.on == ["Ben"]
    for gone, then, round_ in (("ben", "carl", 1), ("carl", "dora", 1), ("dora", "anna", 2)):
        leave(table, gone)
        if leave is not drop:
            # Whoever is dropped passes the turn on at once.
            table.settle("turn", "gm", word)
        assert (table.on, table.scene.round) == ([then.title()], round_)
    leave(table, "anna")
    if leave is not drop:
        table.settle("turn", "gm", word)
    assert (table.on, table.scene.round) == ([], 0)


@pytest.mark.parametrize(("who", "change"), [
    ("helper", lambda hit: hit.party.members.filter(user=hit.users["helper"]).update(role=PLAYER)),
    ("anna", lambda hit: Sheet.objects.filter(pk=hit.sheets["ben"].pk).update(seen_by=PRIVATE)),
])
def test_what_one_may_not_do_any_more_when_a_press_is_prepared_is_not_done(hit, monkeypatch, who, change):
    """Act for another as a GM, or hit whom one sees."""
    titles, left, before = services.titles, [change], kept()

    def disturbed(*arguments):
        if left:
            left.pop()(hit)
        return titles(*arguments)

    monkeypatch.setattr(services, "titles", disturbed)
    assert hit.press(who=who).status_code == 404
    assert (kept(), left) == (before, [])


def test_the_dice_of_whoever_is_gone_do_not_fall_again(struck):
    number = PendingEffect.objects.get().pk
    drop(struck, "anna")
    before = kept()
    assert f'"rethrow:{number}"' not in struck.look("ben", "ben", None).text
    assert struck.settle("rethrow").status_code == 302
    assert kept() == before
    struck.settle("apply")
    assert struck.life("ben") == struck.full("ben") - 7


def test_what_landed_in_one_party_is_not_taken_to_another(hit):
    other = parties.found_party(hit.users["ben"], "Andere", hit.ruleset)
    other.approval = False
    other.save()
    number = hit.wait(2)[1]
    hit.settle("apply", number=number - 1)
    event, sheet = Event.objects.get(act="damage"), f"/sheets/{hit.sheets['ben'].pk}/"
    drop(hit, "ben")
    parties.bring_sheet(other, hit.sheet("ben"), hit.users["ben"])
    for who in ("anna", "gm"):
        assert hit.settle("back", who, event.pk).status_code == 404
    assert hit.life("ben") == 8
    # Nor is it at home, and nothing of what is open waits there.
    hit.play("ben", "undo", _event=event.pk)
    assert hit.life("ben") == 8
    there, key = f"/parties/{other.pk}/table/", str(uuid.uuid4())
    for address in (sheet, there, f"{there}waiting/"):
        assert f"apply:{number}" not in hit.browsers["ben"].get(address).text
    for address in (f"{sheet}play/", f"{there}play/", f"{hit.address}play/"):
        answer = hit.browsers["ben"].post(address, {"do": f"apply:{number}", "_press": key})
        assert answer.status_code in (302, 404)
    assert (hit.life("ben"), PendingEffect.objects.get(pk=number).state) == (8, "open")


def test_who_acts_for_somebody_that_is_gone_sees_the_table_and_presses_in_vain(hit):
    key = hit.bring().pk
    page = hit.look("gm", "troll", "ben")
    assert "Troll" in text_of(page)
    assert hit.make(f"out:{key}").status_code == 302
    before = kept()
    address = re.search(r'hx-get="([^"]*since=[^"]*)"', page.text)[1]
    answer = hit.browsers["gm"].get(f"{address}&{hit.seats('troll', 'ben')}", headers={"HX-Request": "true"})
    assert answer.status_code == 200
    for at in ("ben", "troll", None):
        assert hit.look("gm", "troll", at).status_code == 200
        assert hit.press(who="gm", by="troll", at=at).status_code == 404
    assert hit.press(who="gm", by="anna", at="troll").status_code == 404
    assert kept() == before
