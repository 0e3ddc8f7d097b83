"""Other presses at the size limit, and presses that are refused: what they throw is in a log, and nothing else."""

import re
import uuid

import pytest
from django.utils import timezone

from builder import rate_limit
from rulesets.kit import Offer
from sheets.character import Character
from sheets.models import Event, Party, PendingEffect, Receipt, Sheet
from sheets.optimistic_lock import TRIES
from sheets.press.prepare import Seats
from sheets.rolls.widgets import key_of
from sheets.scenes.order import turn_token
from tests.support.rulesets.contract import every_system, taken
from tests.support.sheets.acts_with_rolls import EACH, FULL, Seat, assert_logged, fill_up

pytestmark = pytest.mark.django_db
SAID = re.compile('class="note [^"]*(error|warn)')
"""The messages of refused presses."""


def plain_form(act):
    """Return a roll's or an act's parameters as a form sends them."""
    return {key: value for key, value in act.model_dump(mode="json").items() if value is not None}


@every_system
def test_each_roll_of_a_sheet_at_its_size_limit_and_of_gms_for_all_or_hidden_is_logged(fallen, ruleset):
    seat = Seat(ruleset.slug, where="table", full=True)
    offers = {key_of(one): one for one in Character(seat.sheet).rolls()}
    for widget, offer in offers.items():
        made = next(taken(offer, 1))
        page = seat.press(widget, **{key: getattr(made, key) for key in offer.asks})
        # Where a result is open, another roll must first take it, which there is no room for.
        assert Receipt.objects.filter(event__widget=widget).count() == 1 or SAID.search(page.text), widget
    assert_logged(fallen)
    for slug, roll in ruleset.rolls.items():
        made = next(taken(Offer(roll, ""), 1))
        for how in ("open", "hidden"):
            seat.table.do(f"throw:{how}", w=f"roll-{slug}", **plain_form(made))
    assert_logged(fallen)
    assert Receipt.objects.filter(event__hidden=True).count() > len(ruleset.rolls) / 2
    assert Receipt.objects.filter(event=None).count() == 0


@pytest.mark.parametrize(("slug", "act"), EACH)
def test_what_a_gm_has_all_do_at_once_at_the_size_limit_is_logged_for_each(fallen, slug, act):
    seat = Seat(slug, act, "table", full=True)
    Sheet.objects.filter(name="Ben").update(
        data=seat.sheet.data, play=seat.sheet.play, notes=seat.sheet.notes + "x" * len("Ben"))
    seat.table.do("round", w=seat.widget, **seat.given)
    assert Receipt.objects.count() == len(fallen)
    assert_logged(fallen)


@every_system
def test_turns_at_the_size_limit_throw_nothing_that_is_not_logged(fallen, ruleset):
    seat = Seat(ruleset.slug, where="table", full=True)
    fill_up(seat.table.sheets["ben"])
    for word in ("begin", *["next"] * 5, "end"):
        scene, before = seat.table.stored.scene, Event.objects.count()
        page = seat.table.browsers["gm"].post(f"{seat.table.address}play/", {
            "do": f"turn:{word}", "_press": uuid.uuid4(), "_turn": turn_token(scene) if scene else ""}, follow=True)
        assert Event.objects.count() > before or page.status_code == 404 or SAID.search(page.text), word
    assert_logged(fallen)


REPEATS = {
    "condice": ({"abilities": [{"ability": "wurf-wiederholen", "range": 0}]}, "roll-attack-attacks-0"),
    "dice-rumble": ({}, "act-roll-initiative"),
}
"""{system: (what the sheet has, what is pressed first)}."""


@pytest.mark.parametrize("slug", REPEATS)
def test_a_repeat_at_the_size_limit_is_logged(fallen, slug):
    data, first = REPEATS[slug]
    seat = Seat(slug, where="table")
    seat.sheet.data = seat.sheet.data | data
    seat.sheet.save()
    seat.press(first, defence="0", extra_dice="0")
    seat.sheet.refresh_from_db()
    fill_up(seat.sheet)
    page = seat.press("act-repeat")
    assert len(fallen) == 2
    assert Receipt.objects.filter(event=None).exists() == (FULL in page.text)
    assert_logged(fallen)


@pytest.mark.parametrize("full", [("anna",), ("ben",), ("anna", "ben")])
def test_what_begins_a_game_of_two_at_the_size_limit_is_logged(fallen, full):
    seat = Seat("battle-dice", where="table")
    seat.press("act-challenge", _at=str(seat.table.sheets["ben"].pk), order="first")
    for who in full:
        fill_up(seat.table.sheet(who))
    page = seat.table.browsers["ben"].post(f"{seat.table.address}play/", {
        "do": f"apply:{PendingEffect.objects.get().pk}", "_press": uuid.uuid4()}, follow=True)
    assert (bool(fallen), FULL in page.text) == (True, True)
    assert not Event.objects.filter(act__in=("accept-game", "take-seat")).exists()
    assert_logged(fallen)


def barred(seat):
    Party.objects.update(approval=True)


def thrown_away(seat):
    Sheet.objects.filter(pk=seat.sheet.pk).update(deleted=timezone.now())


def elsewhere(seat):
    seat.table.party.members.filter(user=seat.table.users["anna"]).delete()
    Sheet.objects.filter(pk=seat.sheet.pk).update(owner=seat.table.users["ben"], seen_by="private")


BEFORE = [(barred, {}, 200), (thrown_away, {}, 404), (elsewhere, {}, 404), (None, {"widget": "act-gone"}, 200),
          (None, {"_press": "x"}, 400), (None, {"who": "ben"}, 404)]


@pytest.mark.parametrize("where", ["sheet", "table"])
@pytest.mark.parametrize(("change", "fields", "status"), BEFORE)
@every_system
def test_a_press_that_is_refused_before_its_dice_fall_throws_and_logs_nothing(
        fallen, ruleset, change, fields, status, where):
    seat = Seat(ruleset.slug, next(one for slug, one in EACH if slug == ruleset.slug), where)
    if change:
        change(seat)
    page = seat.press(**fields)
    assert (page.status_code, fallen, Receipt.objects.exists()) == (status, [], False)
    assert status != 200 or SAID.search(page.text)


@pytest.fixture
def tight(settings, monkeypatch):
    """Makes any request use up the time of whoever sends it, once it is called."""
    monkeypatch.setitem(rate_limit.WRITTEN_AT_ONCE, rate_limit.WORK, 0)
    rate_limit.forget()
    yield lambda: setattr(settings, "BUDGET", 1e-9)
    rate_limit.forget()


@pytest.mark.parametrize("where", ["sheet", "table"])
@every_system
def test_a_press_beyond_the_rate_limit_throws_and_logs_nothing_and_one_before_it_is_logged(
        fallen, tight, ruleset, where):
    seat = Seat(ruleset.slug, next(one for slug, one in EACH if slug == ruleset.slug), where)
    tight()
    seat.press()
    before = len(fallen)
    assert (before > 0, Receipt.objects.count()) == (True, before)
    page = seat.press()
    assert (page.status_code, len(fallen), Receipt.objects.count()) == (429, before, before)
    assert "has used too much computing time" in page.text
    assert_logged(fallen)


@every_system
def test_a_press_that_comes_twice_or_while_all_changes_is_one_roll(fallen, monkeypatch, ruleset):
    seat = Seat(ruleset.slug, next(one for slug, one in EACH if slug == ruleset.slug), "table")
    locked, tries = Seats.lock, []

    def late(self, *arguments, **new):
        tries.append(None)
        return len(tries) > TRIES and locked(self, *arguments, **new)

    monkeypatch.setattr(Seats, "lock", late)
    key = uuid.uuid4()
    assert [seat.press(key=key).status_code for _time in range(2)] == [200, 200]
    assert len(tries) > TRIES
    assert (Receipt.objects.count(), Event.objects.filter(key=key).count()) == (1, 1)
    assert_logged(fallen[:1])
