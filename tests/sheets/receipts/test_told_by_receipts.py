"""Secrets in receipts: figures of opponents that only GMs know, and what was secret of a refused roll."""

import pytest

from rulesets.kit import Refused
from sheets.character import Character
from sheets.models import Event, Receipt, Sheet
from sheets.rolls.widgets import key_of
from tests.support.rulesets.contract import every_system, taken
from tests.support.sheets.acts_with_rolls import Seat
from tests.support.sheets.fight import Fight

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def rolls_of(fight, name):
    """Have somebody make the first rolls that they are offered, against nobody."""
    for offer in [*Character(fight.sheet(name)).rolls()][:4]:
        made = next(taken(offer, 1))
        fight.press(key_of(offer), "gm", name, None, **{key: getattr(made, key) for key in offer.asks})


def read(browser, receipt):
    """Return a receipt as somebody reads it, None if they may not."""
    answer = browser.get(f"/rolls/{receipt.token}.json")
    assert browser.get(f"/rolls/{receipt.token}/").status_code == answer.status_code
    return answer.json() if answer.status_code == 200 else None


@every_system
def test_the_figures_of_an_opponent_that_only_gms_know_are_in_no_receipt_of_its_rolls(django_user_model, ruleset):
    fight = Fight(django_user_model.objects, ruleset.slug)
    fight.bring("Troll", seen_by="private")
    rolls_of(fight, "troll")
    assert Receipt.objects.exists()
    for receipt in Receipt.objects.all():
        assert {*receipt.rolled["parameters"].values()} == {None}
        assert {who for who in fight.browsers if read(fight.browsers[who], receipt)} == {*fight.browsers}
        page = fight.browsers["anna"].get(f"/rolls/{receipt.token}/").text
        assert "The outcome is not proved" in page


@every_system
def test_an_opponent_that_is_hidden_later_takes_the_receipts_that_tell_its_figures_along(django_user_model, ruleset):
    fight = Fight(django_user_model.objects, ruleset.slug)
    fight.bring("Troll", seen_by="party")
    rolls_of(fight, "troll")
    for seen_by, readers in (("party", {"gm", "helper", "anna", "ben"}), ("private", {"gm", "helper"})):
        Sheet.objects.filter(opponent=True).update(seen_by=seen_by)
        for receipt in Receipt.objects.all():
            assert {*receipt.rolled["parameters"].values()} - {None}
            assert {who for who in fight.browsers if read(fight.browsers[who], receipt)} == readers


@pytest.mark.parametrize("act", ["put-away", "summon-minion", "draw-by-card"])
def test_a_refused_draw_tells_its_cards_to_nobody_but_their_owner(django_user_model, monkeypatch, act):
    seat = Seat("battle-dice", act, "table")

    def refuse(*_arguments, **_options):
        raise Refused("no")

    monkeypatch.setattr("sheets.press.perform.announce", refuse)
    seat.press()
    receipt = Receipt.objects.get()
    assert (receipt.event, Event.objects.count()) == (None, 0)
    found = {who: read(browser, receipt) for who, browser in seat.table.browsers.items()}
    assert [who for who, told in found.items() if told] == ["anna"]
    assert found["anna"]["rolled"]["act"] == act
