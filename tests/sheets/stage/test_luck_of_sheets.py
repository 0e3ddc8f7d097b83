"""The luck of a sheet: which of its rolls count, for whom, and what is said of them."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from sheets.models import Event, Receipt, Sheet
from tests.support.sheets.fight import ATTACK
from tests.support.sheets.table_people import browser_of

SUCCESS = "roll-success"
FULL, POOR = [6, 6], [1, 1]
"""Two dice with four successes, as in 1 of 36 rolls, and without any, as in 9 of 36."""


def luck(table, who="anna", of="anna", **headers):
    """The luck of somebody's sheet as somebody reads it, as words."""
    answer = table.browsers[who].get(f"/sheets/{table.sheets[of].pk}/luck/", headers=headers)
    assert answer.status_code == 200
    told = answer.text.partition('<div class="luck"')[2].partition("</main")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>|^[^>]*>", " ", told)).split())


def throw(table, dice, *thrown):
    """Anna makes rolls of two dice."""
    dice += thrown
    for _one in thrown:
        table.press(SUCCESS, at=None, dice=2)


def test_without_rolls_nothing_is_said_of_luck(table):
    assert luck(table).startswith("No roll counts yet. Each roll scores")


def test_a_single_roll_stands_where_its_odds_say(table, dice):
    throw(table, dice, FULL)
    assert luck(table).startswith("Luckier than 99 out of 100 people making the same rolls. Best roll "
                                  "Success roll 4 successes as good or better in 3 of 100 rolls 1 roll counts.")


def test_a_log_has_a_course_its_best_and_its_worst_roll_and_links_to_their_receipts(table, dice):
    throw(table, dice, POOR, [4, 6], FULL, [1, 4], POOR)
    told = luck(table)
    for words in ("Best roll Success roll 4 successes as good or better in 3 of 100 rolls",
                  "Worst roll Success roll 0 successes as bad or worse in 25 of 100 rolls", "5 rolls count.",
                  "Two in three end within the inner band"):
        assert words in told
    page = table.browsers["anna"].get(f"/sheets/{table.sheets['anna'].pk}/luck/").text
    assert 'aria-label="Luck over 5 rolls: highest after roll 3, lowest after roll 1"' in page
    best, worst = re.findall(r'href="/rolls/of/(\d+)/"', page)
    assert [Event.objects.get(pk=one).faces for one in (best, worst)] == [FULL, POOR]
    # Of several that are as rare the newest is named.
    assert int(worst) == Event.objects.latest("pk").pk


def test_bad_luck_is_told_from_the_other_side_and_in_german(table, dice):
    throw(table, dice, *[POOR] * 6)
    assert luck(table).startswith("Unluckier than over 99 out of 100 people making the same rolls.")
    assert luck(table, **{"Accept-Language": "de"}).startswith(
        "Weniger Glück, als über 99 von 100 Leuten bei diesen Würfen hätten.")


def test_a_roll_that_was_undone_rerolled_or_hidden_does_not_count(table, dice):
    throw(table, dice, POOR, FULL, FULL, FULL)
    undone, hidden, first, second = Event.objects.order_by("pk")
    Event.objects.filter(pk=undone.pk).update(undone=True)
    Event.objects.filter(pk=hidden.pk).update(hidden=True)
    Event.objects.filter(pk=second.pk).update(again=first)
    for who in ("anna", "gm"):
        assert "1 roll counts." in luck(table, who)
        assert f"/rolls/of/{second.pk}/" in table.browsers[who].get(f"/sheets/{table.sheets['anna'].pk}/luck/").text
    Event.objects.filter(pk=second.pk).update(undone=True)
    assert "1 roll counts." in luck(table)


def test_dice_that_lay_there_from_another_roll_are_no_new_luck(table, dice):
    throw(table, dice, FULL, POOR)
    receipt = Receipt.objects.latest("number")
    Receipt.objects.filter(pk=receipt.pk).update(rolled=receipt.rolled | {"again": 1, "kept": [0]})
    assert "1 roll counts. Each" in luck(table)


def test_a_roll_without_a_signature_does_not_count(table, dice):
    throw(table, dice, POOR, FULL)
    Receipt.objects.filter(number=1).update(key=None, signature=None, nonce="")
    assert "1 roll counts. Each" in luck(table)


def test_a_roll_that_nobody_is_lucky_in_is_counted_apart(table, dice):
    throw(table, dice, FULL)
    dice += [[3]]
    table.press("roll-attribute-loss", at=None)
    assert "1 roll counts. 1 does not: none of its outcomes is better than another" in luck(table)


@pytest.fixture
def aimed(table, dice):
    """Anna has hit an opponent, whose defence only the GMs know."""
    table.bring("Troll")
    dice += [[6, 6, 6, 6]]
    table.have("anna", attacks=[{"name": "Keule", "dice": 4, "range": 0, "description": ""}])
    assert table.press(ATTACK, at="troll").status_code == 302
    return table


def test_a_roll_that_met_a_secret_figure_counts_for_those_alone_who_know_it(aimed):
    for who in ("anna", "ben"):
        assert luck(aimed, who).startswith("No roll counts yet. 0 rolls count. 1 does not"), who
    assert "1 roll counts." in luck(aimed, "gm")
    Sheet.objects.filter(pk=aimed.sheets["troll"].pk).update(seen_by="public")
    assert "1 roll counts." in luck(aimed, "anna")


def test_a_secret_roll_counts_for_its_owner_alone(table, dice, monkeypatch):
    throw(table, dice, FULL)
    monkeypatch.setattr(table.ruleset.rolls["success"], "secret", True)
    monkeypatch.setitem(vars(table.ruleset), "secretive", True)
    assert "1 roll counts." in luck(table)
    for who in ("ben", "gm"):
        assert "1 roll counts." not in luck(table, who), who


def test_who_reads_the_log_reads_the_luck_and_nobody_else(table, dice):
    throw(table, dice, FULL)
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(seen_by="public")
    _user, stranger = browser_of(table.users["gm"].__class__.objects, "stranger")
    for browser, status in ((table.browsers["ben"], 200), (stranger, 404), (Client(), 404)):
        assert browser.get(f"/sheets/{table.sheets['anna'].pk}/luck/").status_code == status
        assert ("/luck/" in browser.get(f"/sheets/{table.sheets['anna'].pk}/").text) == (status == 200)


def test_the_sheet_unfolds_its_luck_and_leads_there_without_scripts(table, dice):
    throw(table, dice, FULL)
    address = f"/sheets/{table.sheets['anna'].pk}/luck/"
    fold = re.search(r'<details class="luck-fold".*?</details>', table.own("anna").text, re.DOTALL)[0]
    assert f'hx-get="{address}"' in fold
    assert f'<a href="{address}">' in fold
    part = table.browsers["anna"].get(address, headers={"HX-Request": "true"})
    assert part.text.strip().startswith('<div class="luck" id="luck-told"')
    assert part.headers["Cache-Control"].endswith("private")


def test_only_the_newest_rolls_are_read_by_few_questions(table, dice, monkeypatch):
    monkeypatch.setattr("sheets.stage.luck.MAX_ROLLS_COUNTED", 5)
    throw(table, dice, POOR)
    with CaptureQueriesContext(connection) as first:
        luck(table)
    throw(table, dice, POOR, *[FULL] * 5)
    with CaptureQueriesContext(connection) as more:
        assert "5 rolls count." in luck(table)
    assert "Worst" not in luck(table)
    assert len(more) == len(first) <= 12
