"""The luck of a scene in its recap: the characters together, and each as far as somebody reads them."""

import html
import re

from sheets.models import Event, Scene, Sheet
from tests.support.sheets.fight import ATTACK

SUCCESS = "roll-success"


def luck(table, who="anna", **headers):
    scene = Scene.objects.order_by("-pk").first()
    answer = table.browsers[who].get(f"/parties/{table.party.pk}/scenes/{scene.uuid}/luck/", headers=headers)
    assert answer.status_code == 200
    told = answer.text.partition('id="luck-told"')[2].partition("</main")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>|^[^>]*>", " ", told)).split())


def throw(table, dice, who, *thrown):
    dice += thrown
    for _one in thrown:
        assert table.press(SUCCESS, "gm" if who == "troll" else who, who, at=None, dice=2).status_code == 302


def test_the_characters_of_a_scene_stand_together_and_each_by_itself(table, dice):
    throw(table, dice, "anna", [6, 6], [6, 5])
    throw(table, dice, "ben", [1, 1])
    told = luck(table)
    assert re.match(r"(Luck|Unluck)ier than \d+ out of 100", told)
    assert "Best roll Anna: Success roll 4 successes" in told
    assert "Worst roll Ben: Success roll 0 successes" in told
    assert "3 rolls count." in told
    assert re.search(r"Anna Luckier than over 99 out of 100 .* Ben Unluckier than \d+ out of 100", told)


def test_opponents_and_the_rolls_of_gms_do_not_count(table, dice):
    throw(table, dice, "anna", [6, 6])
    table.bring("Troll")
    throw(table, dice, "troll", [1, 1])
    dice += [[1, 1]]
    table.do("throw:open", w=SUCCESS, dice=2)
    assert Event.objects.exclude(roll="").count() == 3
    for who in ("anna", "gm"):
        assert "1 roll counts. Each" in luck(table, who)


def test_another_scene_and_what_stands_no_more_do_not_count(table, dice):
    throw(table, dice, "anna", [6, 6])
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Mine"})
    throw(table, dice, "anna", [6, 5], [6, 4])
    Event.objects.filter(pk=Event.objects.latest("pk").pk).update(undone=True)
    assert "1 roll counts. Each" in luck(table)
    assert "3 successes" in luck(table)


def test_nobody_learns_of_the_rolls_of_those_whom_they_do_not_meet(table, dice):
    throw(table, dice, "anna", [6, 6])
    throw(table, dice, "ben", [1, 1])
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(seen_by="private", at_table=False)
    assert "1 roll counts. Each" in luck(table, "anna")
    assert "Ben" not in luck(table, "anna")
    for who in ("ben", "gm"):
        assert "2 rolls count." in luck(table, who)


def test_a_roll_that_met_a_secret_figure_counts_for_gms_alone(table, dice):
    table.bring("Troll")
    table.have("anna", attacks=[{"name": "Keule", "dice": 4, "range": 0, "description": ""}])
    dice += [[6, 6, 6, 6]]
    table.press(ATTACK, at="troll")
    assert "0 rolls count. 1 does not" in luck(table)
    assert "1 roll counts." in luck(table, "gm")


def test_the_recap_unfolds_it(table, dice):
    throw(table, dice, "anna", [6, 6])
    scene = Scene.objects.get()
    address = f"/parties/{table.party.pk}/scenes/{scene.uuid}/"
    assert f'hx-get="{address}luck/"' in table.browsers["anna"].get(address).text
    part = table.browsers["anna"].get(f"{address}luck/", headers={"HX-Request": "true"}).text
    assert part.strip().startswith('<div id="luck-told"')
    assert part.count('id="luck-told"') == 1
