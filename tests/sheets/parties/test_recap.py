"""A scene told to whoever was not there: by rounds, in sentences, and to each no more than their log tells."""

import html
import json
import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sheets.models import Event, Handout, Member, PendingEffect, Scene, Sheet
from sheets.parties import scenes
from tests.support.sheets.fight import ATTACK, CLUB, table_of

pytestmark = pytest.mark.alike
SUCCESS = "roll-success"
FOLD = '<details class="luck-fold"'
"""The luck of the scene, which stands below its recap."""


def begin(table):
    """A GM begins a scene."""
    answer = table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Mine"})
    assert answer.status_code == 302


@pytest.fixture
def evening(table, dice):
    """Anna hits Ben down in the first round and misses him in the second; before and after she rolls by herself."""
    table.have("ben", **table.sheets["anna"].data | {"defence": 2, "life": 2})
    table.have("anna", attacks=CLUB)
    begin(table)
    for faces in ([6, 6], None, [6, 6, 6, 6], None, [1, 1, 1, 1], None, [1, 1]):
        if faces is None:
            table.settle("turn", "gm", "begin" if not table.scene.round else "end" if table.scene.round > 1 else "next")
            while table.scene.round and table.on == ["Ben"]:
                table.settle("turn", "gm", "next")
            continue
        dice += [faces]
        table.press(SUCCESS if len(faces) == 2 else ATTACK, at=None if len(faces) == 2 else "ben", dice=len(faces))
        if faces[0] == 6 and len(faces) == 4:
            table.settle("apply")
    return table


def told(table, who="anna", form="", **headers):
    """The newest scene as somebody reads it."""
    newest = Scene.objects.order_by("-pk").first()
    rest = f"log.{form}" if form else ""
    return table.browsers[who].get(f"/parties/{table.party.pk}/scenes/{newest.uuid}/{rest}", headers=headers)


def recap(table, who="anna", **headers):
    """The text of it, without what surrounds it and the links to receipts."""
    page = told(table, who, **headers).content.decode().partition('class="recap">')[2]
    page = page.partition("</main")[0].partition(FOLD)[0]
    page = re.sub(r'<a [^>]*href="/rolls/.*?</a>', "", page, flags=re.S)
    return " ".join(html.unescape(re.sub("<[^>]*>", "", page)).split())


def test_a_scene_is_told_by_rounds_in_sentences_with_who_fell_and_what_was_done_outside_of_fights(evening):
    text = re.sub(r" \d\d:\d\d( – \d\d:\d\d)?", "", recap(evening, "ben"))
    assert text == (
        "2 rounds · Down: Ben Outside a fight Anna Success roll: 4 successes "
        "Round 1 Anna hits Ben: 8 successes, 6 damage Keule Anna: Movement is still available "
        "Ben: 6 damage taken, life 0 Ben goes down "
        "Round 2 Anna misses Ben: 0 successes, 0 damage Keule Anna: Movement is still available "
        "Outside a fight Anna Success roll: 0 successes")


def test_a_recap_is_german_to_whoever_reads_german(evening):
    text = recap(evening, **{"Accept-Language": "de"})
    for words in ("Außerhalb eines Kampfes", "Kampfrunde 1", "Anna trifft Ben", "Ben geht zu Boden", "2 Kampfrunden"):
        assert words in text, words


def test_dice_are_on_demand_and_nothing_of_a_recap_can_be_pressed(evening):
    page = told(evening, "gm").text.partition('class="recap">')[2].partition("</main")[0].partition(FOLD)[0]
    assert page.count("<details") == 4
    assert 'class="die' in page
    assert "<form" not in page
    assert "<details open" not in page


def test_what_was_taken_back_is_not_told_and_stands_in_the_file_of_all_rows(table):
    begin(table)
    table.play("anna", "act-damage", against="nothing", points=99)
    assert "Anna goes down" in recap(table)
    table.settle("back", "anna", Event.objects.get(act="damage").pk)
    assert recap(table) == "Nothing has happened yet."
    assert [one["undone"] for one in json.loads(told(table, form="json").getvalue())["log"]] == [True]


def test_the_text_to_take_along_tells_it_in_the_same_words(evening):
    Handout.objects.create(key=uuid.uuid4(), party=evening.party, by=evening.users["gm"], title="Ein Brief",
                           text="Komm allein.", for_all=True)
    text = re.sub(r" \(\d\d\\?:\d\d( – \d\d\\?:\d\d)?\)", "", told(evening, form="md").text)
    assert "## Round 1\n\n- **Anna** hits Ben  \n  6, 6, 6, 6  \n  8 successes, 6 damage  \n" in text
    assert "  \n  **Ben** goes down\n" in text
    assert "- **gm** hands out: **Ein Brief**\n" in text
    assert "Komm allein." in text


def test_each_reads_what_is_for_them_and_nothing_that_is_not(evening):
    evening.do("throw:hidden", w=SUCCESS, dice=3)
    said = {"do": "say", "_text": "Gurkenzauber", "_to": str(evening.users["anna"].pk), "_press": str(uuid.uuid4())}
    evening.browsers["ben"].post(f"{evening.address}messages/", said)
    made = Handout.objects.create(key=uuid.uuid4(), party=evening.party, by=evening.users["gm"], title="Ein Brief")
    made.readers.create(member=Member.objects.get(user=evening.users["anna"]))
    Sheet.objects.filter(pk=evening.sheets["anna"].pk).update(seen_by="private", at_table=False)
    texts = {who: recap(evening, who) + told(evening, who, "md").text for who in ("gm", "helper", "anna", "ben")}
    assert [who for who, text in texts.items() if "hidden" in text] == ["gm", "helper"]
    assert [who for who, text in texts.items() if "Ein Brief" in text] == ["gm", "helper", "anna"]
    assert [who for who, text in texts.items() if "Anna hits" in text] == ["gm", "helper", "anna"]
    assert [who for who, text in texts.items() if "goes down" in text] == ["gm", "helper", "anna", "ben"]
    assert not [who for who, text in texts.items() if "Gurkenzauber" in text]


def test_how_a_private_sheet_is_and_that_it_fell_is_told_to_nobody_else(evening):
    Sheet.objects.filter(pk=evening.sheets["ben"].pk).update(seen_by="private", at_table=False)
    evening.party.members.filter(user=evening.users["anna"]).update(role="player")
    assert [who for who in ("gm", "anna", "ben") if "goes down" in recap(evening, who)] == ["gm", "ben"]
    assert "life 0" not in recap(evening, "anna")


def test_who_has_left_reads_nothing_and_nothing_is_read_of_them(evening):
    evening.browsers["anna"].post(f"/parties/{evening.party.pk}/leave/", {"do": "leave"})
    evening.party.members.filter(user=evening.users["anna"]).delete()
    Sheet.objects.filter(pk=evening.sheets["anna"].pk).update(party=None)
    assert [told(evening, form=form).status_code for form in ("", "md", "json")] == [404] * 3
    assert "Anna hits" not in recap(evening, "ben")


def test_what_the_end_of_a_turn_does_to_how_somebody_is_is_told_and_nothing_else_of_it(table):
    table.settle("turn", "gm", "begin")
    before = {"on": [], "round": 1}
    turn = Event.objects.create(party=table.party, scene=table.scene, who=table.users["gm"], key=uuid.uuid4(),
                                widget="turn", title="Weiter", turn={"before": before, "after": before, "of": []})
    for who, play, text in (("anna", {"life": 0}, "Anna brennt"), ("ben", {}, "Ben kommt später")):
        Event.objects.create(party=table.party, scene=table.scene, sheet=table.sheets[who], key=uuid.uuid4(),
                             act="damage", before={}, text=text, title="Schaden", step_of=turn)
        Sheet.objects.filter(pk=table.sheets[who].pk).update(play=play)
    text = recap(table)
    assert "Anna: Anna brennt Anna goes down" in text
    assert "Ben" not in text


def test_fights_of_a_scene_are_counted_where_there_are_several(evening, dice):
    evening.settle("turn", "gm", "begin")
    dice += [[1, 1, 1, 1]]
    evening.press()
    assert re.findall(r"Fight \d, Round \d", recap(evening)) == ["Fight 1, Round 1", "Fight 1, Round 2",
                                                                 "Fight 2, Round 1"]


def test_a_scene_that_begins_within_a_fight_begins_in_its_round(table, dice):
    table.have("anna", attacks=CLUB)
    table.settle("turn", "gm", "begin")
    begin(table)
    dice += [[1, 1, 1, 1]]
    table.press()
    assert "Round 1" in recap(table)


def test_a_recap_asks_as_often_however_long_the_scene_is(evening, monkeypatch):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            assert told(evening, "ben").status_code == 200
        return len(queries)

    before = asked()
    first = Event.objects.filter(act="damage").get()
    for _time in range(30):
        Event.objects.create(party=evening.party, scene=evening.scene, sheet=first.sheet, key=uuid.uuid4(),
                             act="damage", before={"life": 1}, title="Schaden", who=first.who)
    assert asked() == before <= 22
    monkeypatch.setattr(scenes, "MOST", 5)
    assert recap(evening, "ben").count("Schaden") == 5


@pytest.mark.parametrize("who", ["gm", "anna"])
def test_the_table_leads_to_the_recap_of_what_is_played_or_was_played_last(table, who):
    now = f"/parties/{table.party.pk}/scenes/now/"
    assert f'<a href="{now}">Log</a>' in table.read(who).text
    assert table.browsers[who].get(now).url == f"/parties/{table.party.pk}/scenes/"
    begin(table)
    assert table.browsers[who].get(now).url == f"/parties/{table.party.pk}/scenes/{Scene.objects.get().uuid}/"
    Scene.objects.update(ended=timezone.now())
    assert table.browsers[who].get(now).url == f"/parties/{table.party.pk}/scenes/{Scene.objects.get().uuid}/"


@table_of("dice-rumble")
def test_what_all_roll_as_a_round_begins_is_not_told_and_neither_is_what_the_deed_says_already(table, dice):
    dice += [[4], [7], [2, 9]]
    begin(table)
    table.settle("turn", "gm", "begin")
    table.press("roll-duel-damage", weapon=0)
    for number in PendingEffect.objects.values_list("pk", flat=True):
        table.settle("apply", number=number)
    text = recap(table, "ben")
    assert "Initiative" not in text
    hit = r"Anna hits Ben: 2 against 9: win, 7 damage Duel with bare hands 29.* Ben: 7 damage taken, life \d+$"
    assert re.search(hit, text), text
