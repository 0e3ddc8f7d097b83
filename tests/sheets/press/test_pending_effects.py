"""What lands at somebody's sheet: applied, changed, dismissed, taken back on both sides."""

import re
import uuid

import pytest

from sheets.models import Event, Party, PendingEffect, Sheet
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import kept, looks

pytestmark = pytest.mark.alike
BARRED = "In this party only sheets approved by a GM can be played; submit this one first."
REPEAT = [{"ability": "wurf-wiederholen", "range": 0}]


def on_sheet(hit, who, at="ben"):
    """Presses at the address of a sheet that what has landed is applied."""
    return hit.browsers[who].post(f"/sheets/{hit.sheets[at].pk}/play/", {
        "do": f"apply:{PendingEffect.objects.get().pk}", "_press": str(uuid.uuid4())})


def test_who_is_hit_sees_what_it_would_change_and_applies_it_by_one_press_however_often_it_arrives(hit):
    assert "Anna hits you Life points 10 → 8 Keule" in text_of(hit.look("ben", "ben", None))
    for _time in range(2):
        hit.settle("apply", number=PendingEffect.objects.get().pk)
    effect = PendingEffect.objects.get()
    assert (hit.life("ben"), effect.state, effect.applied.sheet, effect.applied.who) == (
        8, "applied", hit.sheets["ben"], hit.users["ben"])
    assert Event.objects.filter(act="damage").count() == 1
    assert "2 damage taken, life 8 (Anna: Keule)" in text_of(hit.look("ben", "ben", None))
    assert "2 Schaden erlitten" in text_of(hit.own("ben", language="de"))
    # At the table both are one line.
    log = hit.look("gm", at=None).text.partition('class="event-list"')[2].partition("</ol>")[0]
    assert (log.count("<time"), words_in(log, "Anna", "hits Ben")) == (1, ["Anna", "hits Ben"])


def test_what_landed_is_applied_otherwise_by_whom_it_hit(hit):
    hit.settle("change", points=1, against="nothing")
    assert (hit.life("ben"), PendingEffect.objects.get().filled) == (9, {"points": 2, "against": "nothing"})


@pytest.mark.parametrize("who", ["ben", "anna"])
def test_what_landed_is_dismissed_or_called_off_by_who_attacked_and_then_no_more_to_be_applied(hit, who):
    assert "Cancel it" in text_of(hit.look("anna"))
    hit.settle("dismiss", who)
    hit.settle("apply")
    assert (hit.life("ben"), PendingEffect.objects.get().state) == (10, "dismissed")
    assert "already been settled" in text_of(hit.look("ben", "ben", None))


def test_who_attacked_does_not_apply_it_and_a_gm_decides_for_everybody(hit):
    assert hit.settle("apply", "anna").status_code == 404
    assert hit.settle("change", "anna", points=1).status_code == 404
    assert hit.life("ben") == 10
    hit.settle("apply", "helper")
    assert hit.life("ben") == 8


@pytest.mark.parametrize("who", ["anna", "ben", "gm", "sheet"])
def test_either_side_takes_it_back_at_the_table_or_the_sheet_and_it_is_open_again(hit, who):
    hit.settle("apply")
    if who == "sheet":
        hit.play("ben", "undo", _event=Event.objects.get(act="damage").pk)
    else:
        page = hit.look(who, "ben" if who == "ben" else "anna", None)
        hit.settle("back", who, re.search(r"back:(\d+)", page.text)[1])
    effect = PendingEffect.objects.get()
    assert (hit.life("ben"), effect.state, effect.applied) == (10, "open", None)
    assert Event.objects.get(act="damage").undone
    hit.settle("apply")
    assert hit.life("ben") == 8


def test_what_something_followed_on_is_not_taken_back(hit):
    hit.settle("apply")
    first = Event.objects.get(act="damage")
    hit.play("ben", "act-damage", points=1, against="nothing")
    hit.settle("back", "anna", first.pk)
    assert (hit.life("ben"), PendingEffect.objects.get().state) == (7, "applied")


@pytest.mark.rule("CD-49")
@pytest.mark.parametrize("trust", [None, "sheet", "table"])
def test_a_repeat_calls_off_what_came_of_it_and_lands_anew_applied_at_once_where_the_party_trusts(hit, dice, trust):
    hit.have("anna", abilities=REPEAT)
    hit.settle("apply")
    if trust:
        hit.settle("trust", "gm", "on")
    dice += [[6, 6, 6, 6]]
    if trust == "table":
        hit.press("act-repeat")
    else:
        hit.play("anna", "act-repeat")
    first, second = PendingEffect.objects.order_by("pk")
    assert (first.state, second.state, second.filled["points"]) == ("dismissed", "applied" if trust else "open", 6)
    assert hit.life("ben") == (4 if trust else 10)
    hit.settle("apply")
    assert hit.life("ben") == 4


def test_who_is_hit_sees_it_on_the_own_sheet_hears_of_it_there_and_applies_it_there(hit):
    page = hit.own("ben")
    assert "Anna hits you Life points 10 → 8 Keule" in text_of(page)
    look = looks(hit, "ben")
    assert look().status_code == 204
    assert on_sheet(hit, "ben")["Location"].startswith(f"/sheets/{hit.sheets['ben'].pk}/")
    assert (hit.life("ben"), PendingEffect.objects.get().state) == (8, "applied")
    assert f"apply:{PendingEffect.objects.get().pk}" not in hit.own("ben").text
    answer = look()
    # Life is another by now, and so all of the page is drawn.
    assert (answer.status_code, 'id="figure-life"' in answer.text) == (200, True)
    assert f"apply:{PendingEffect.objects.get().pk}" not in answer.text


def test_others_settle_nothing_at_a_sheet_and_see_nothing_to_decide_there(hit):
    for who in ("gm", "anna"):
        page = hit.own("ben", who)
        assert (page.status_code, words_in(page, 'id="landings"', 'id="seen"')) == (200, [])
        assert on_sheet(hit, who).status_code == 404
    assert on_sheet(hit, "anna", "anna").status_code == 404
    assert hit.life("ben") == 10


def test_who_is_private_is_named_to_nobody_who_does_not_read_that_sheet(hit, dice):
    """Neither as a target, nor as whom something came from, at the table or on the sheet that it hit."""
    Sheet.objects.filter(pk=hit.sheets["ben"].pk).update(seen_by="private", name="Cleopatra")
    hit.bring(seen_by="party", data=hit.sheet("ben").data | {"defence": 2})
    Event.objects.all().delete()
    for who, by, at in (("gm", "troll", "ben"), ("ben", "ben", "troll")):
        dice += [[6, 5, 4, 1]]
        assert hit.press(who=who, by=by, at=at).status_code == 302
        hit.settle("apply", "gm")
    for page in (hit.look("anna"), hit.own("troll", "anna")):
        assert words_in(page, "Troll", "Cleopatra") == ["Troll"]
    assert "hits Cleopatra" in hit.look("gm", "troll", None).text
    assert "→ Troll" in hit.look("ben", "ben", None).text


def test_a_sheet_that_is_not_approved_spends_no_fate_on_a_throw(struck):
    Party.objects.update(approval=True)
    before = kept()
    struck.settle("rethrow")
    assert kept() == before
    assert BARRED in text_of(struck.look("ben", "ben", None))
