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
def test_a_refused_draw_tells_its_cards_to_their_owner_alone_and_only_after_the_game(
        django_user_model, monkeypatch, act):
    seat = Seat("battle-dice", act, "table")

    def refuse(*_arguments, **_options):
        raise Refused("no")

    monkeypatch.setattr("sheets.press.perform.announce", refuse)
    seat.press()
    receipt = Receipt.objects.get()
    assert (receipt.event, Event.objects.count()) == (None, 0)
    assert not any(read(browser, receipt) for browser in seat.table.browsers.values())
    Sheet.objects.filter(pk=seat.sheet.pk).update(play={})
    found = {who: read(browser, receipt) for who, browser in seat.table.browsers.items()}
    assert [who for who, told in found.items() if told] == ["anna"]
    assert found["anna"]["rolled"]["act"] == act


def test_nobody_reads_the_receipt_of_a_draw_before_the_game_is_over_and_its_owner_alone_reads_it_then(duel):
    duel.begin()

    def readers(event):
        return {who for who, browser in duel.browsers.items() if read(browser, event.receipt)}

    draws = [*Event.objects.exclude(roll="").order_by("pk")]
    assert {one.sheet.name for one in draws} == {"Anna", "Ben"}
    assert [readers(one) for one in draws] == [set(), set()]
    [own] = [one for one in draws if one.sheet == duel.sheets["anna"]]
    page = duel.browsers["anna"].get(f"/rolls/of/{own.pk}/")
    assert "Nobody can read the receipt of a draw before the game is over." in page.text
    assert duel.browsers["ben"].get(f"/rolls/of/{own.pk}/").status_code == 404
    duel.do("anna", "act-lose")
    assert readers(own) == {"anna"}
    assert duel.browsers["anna"].get(f"/rolls/of/{own.pk}/").status_code == 302
    # The receipts of a game that is over stay open while the next one is played.
    duel.do("anna", "act-end-game")
    duel.do("anna", "act-start-game", order="first")
    assert (readers(own), readers(duel.last("anna"))) == ({"anna"}, set())
