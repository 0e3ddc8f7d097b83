"""Scenes of a party: begun and ended by its GMs, with what the system does then, and kept as a log to take along."""

import json
import re
import uuid

import pytest

from sheets.models import Event, Scene, Sheet
from sheets.parties import scenes
from sheets.rolls.stored import MAX_SINGLE_DICE
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike
HURT = {"w": "act-damage", "against": "nothing", "points": 1}


def press(table, do, who="gm", *, follow=False, **fields):
    """Presses a button of the page of scenes; `{}` in its word is the key of the newest."""
    newest = Scene.objects.order_by("-pk").first()
    return table.browsers[who].post(f"/parties/{table.party.pk}/scenes/",
                                    {"do": do.format(newest.uuid if newest else ""), **fields}, follow=follow)


def page(table, who="gm", rest=""):
    return table.browsers[who].get(f"/parties/{table.party.pk}/scenes/{rest}")


def log(table, who="gm", form="", scene=None):
    """The log of the newest scene, or of another."""
    scene = scene or Scene.objects.order_by("-pk").first()
    return page(table, who, f"{scene.uuid}/{form and f'log.{form}'}")


def test_a_scene_holds_what_happened_in_it_and_nothing_else_and_goes_with_its_party(table):
    for who, then in (("anna", "begin"), ("ben", "end:{}")):
        table.play(who, "roll-attack-attacks-0", defence=0)
        press(table, then, name="Die Mine")
    table.play("anna", "roll-attack-attacks-0", defence=0)
    told = json.loads(log(table, form="json").getvalue())
    assert [one["who"] for one in told["log"]] == ["Ben"]
    assert (told["format"], told["name"], told["ruleset"], told["party"]) == (
        "bogenschmiede.scene", "Die Mine", "condice", "Die Runde")
    assert told["begun"] < told["log"][0]["at"] < told["ended"]
    assert "Die Mine" in page(table, "anna").text
    table.party.delete()
    assert not Scene.objects.exists()


def test_what_ends_with_a_scene_is_done_for_all_only_where_the_gm_wants_it_and_taken_back_with_it(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(play={"life": 2})
    press(table, "begin")
    assert "act-end-adventure" in page(table).text
    assert "Anna" in text_of(page(table))
    press(table, "end:{}")
    assert table.sheet("anna").play == {"life": 2}
    press(table, "go-on:{}")
    press(table, "end:{}", also="act-end-adventure")
    assert table.sheet("anna").play == {}
    assert [line["what"] for line in json.loads(log(table, form="json").getvalue())["log"]] == ["End the adventure"]
    press(table, "go-on:{}")
    scene = Scene.objects.get()
    assert (table.sheet("anna").play, scene.ended, scene.closed) == ({"life": 2}, None, [])
    assert Event.objects.get().undone
    # Whoever did something since keeps it and is named.
    press(table, "end:{}", also="act-end-adventure")
    table.play("anna", **HURT)
    assert "Anna did something else afterwards, so it stays." in text_of(press(table, "go-on:{}", follow=True))


@pytest.mark.rule("DR-06")
@table_of("dice-rumble")
def test_a_beginning_is_taken_back_and_there_was_no_scene(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(play={"fate_spent": 2})
    press(table, "begin", also="act-new-adventure")
    assert table.sheet("anna").play == {}
    press(table, "call-off:{}")
    assert (table.sheet("anna").play, Scene.objects.count()) == ({"fate_spent": 2}, 0)


def test_one_scene_lasts_at_a_time_and_a_second_press_changes_nothing(table):
    press(table, "begin", name="Eins")
    press(table, "begin", name="Zwei")
    assert Scene.objects.get().name == "Eins"
    press(table, "end:{}")
    ended = Scene.objects.get().ended
    press(table, "end:{}", also="act-end-adventure")
    press(table, "call-off:{}")
    assert (Scene.objects.get().ended, Event.objects.count()) == (ended, 0)
    press(table, "begin", name="Zwei")
    press(table, f"go-on:{Scene.objects.get(name='Eins').pk}")
    assert Scene.objects.get(name="Eins").ended == ended


def test_players_begin_and_end_nothing_and_a_name_that_is_too_long_is_sent_back_with_what_is_wrong(table):
    answer = press(table, "begin", name="x" * 201)
    assert answer.status_code == 422
    assert "at most 200 characters" in answer.text
    assert not Scene.objects.exists()
    press(table, "begin")
    for do in ("begin", "end:{}", "go-on:{}", "call-off:{}"):
        assert press(table, do, "anna").status_code == 404, do
    assert 'name="do"' not in page(table, "anna").text.partition("<main")[2]


def test_the_scene_of_another_party_is_none(table):
    press(table, "begin")
    other = Scene.objects.create(party=type(table.party).objects.create(name="Andere", ruleset="condice"))
    for form in ("", "md", "json"):
        assert log(table, form=form, scene=other).status_code == 404
    assert press(table, f"end:{other.pk}").status_code == 404
    assert log(table, form="xml").status_code == 404


def test_a_log_leaves_out_what_is_not_for_whoever_takes_it_along(table):
    Sheet.objects.update(seen_by="private")
    press(table, "begin")
    table.play("anna", **HURT)
    table.do("throw:hidden", w="roll-success", dice=3)
    told = {who: [json.loads(log(table, who, "json").getvalue())["log"], log(table, who, "md").text,
                  log(table, who).text] for who in ("gm", "anna", "ben")}
    assert [len(told[who][0]) for who in ("gm", "anna", "ben")] == [2, 1, 0]
    assert all("Anna" not in text for text in told["ben"][1:])


@pytest.mark.rule("SZ-09b")
@table_of("augen-des-zwielichts")
def test_what_is_asked_for_at_the_end_is_answered_with_sense_first(table):
    press(table, "begin")
    answer = press(table, "end:{}", also="act-end-session", **{"act-end-session.chosen": "alle"})
    assert answer.status_code == 422
    assert "has not been filled in yet" in text_of(answer)
    assert Scene.objects.get().ended is None
    assert press(table, "end:{}", also="act-end-session", **{"act-end-session.chosen": 2}).status_code == 302
    assert [table.sheet(who).play["section_points"] for who in ("anna", "ben")] == [2, 2]


def test_markdown_holds_text_alone(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(name="**A** <b>")
    press(table, "begin", name="# [x](http://y)")
    table.play("anna", **HURT)
    text = log(table, form="md").text
    assert "<b>" not in text
    assert re.match(r"# Die Runde: \\# \\\[x\\\]\(http\\:\u200b//y\)\n", text)


def test_many_dice_are_heaps_and_the_log_of_a_scene_costs_little_whatever_fell(table):
    press(table, "begin")
    many = {"roll": "success", "given": {"dice": 999}, "faces": [6] * 600 + [1] * 399, "outcome": 600}
    Event.objects.bulk_create(Event(party=table.party, scene=table.scene, who=table.users["gm"],
                                    key=uuid.uuid4(), **many)
                              for _one in range(20))
    answers = {form: log(table, form=form) for form in ("", "md", "json")}
    sizes = {form: answer.getvalue() for form, answer in answers.items()}
    assert answers[""].text.count('class="die') == 2 * 20
    assert "×\u00a0600" in answers[""].text.replace("&nbsp;", "\u00a0")
    assert answers["md"].text.count("600 × 6, 399 × 1") == 20
    line = json.loads(sizes["json"])["log"][0]
    assert (line["dice"], line["faces"]) == ([], [{"face": 6, "times": 600}, {"face": 1, "times": 399}])
    # What an event has of a page or a file is less than a die each would be.
    press(table, "end:{}")
    press(table, "begin")
    for form, answer in sizes.items():
        assert len(answer) - len(log(table, form=form).getvalue()) < 20 * 999


def test_the_log_of_a_scene_shows_the_newest_events_with_no_more_than_so_many_dice(table, monkeypatch):
    press(table, "begin")
    monkeypatch.setattr(scenes, "DICE", 2 * MAX_SINGLE_DICE)
    for number, dice in enumerate((1, 999, 999)):
        Event.objects.create(party=table.party, scene=table.scene, who=table.users["gm"], key=uuid.uuid4(),
                             roll="success", title=f"Wurf {number}", given={"dice": dice}, faces=[6] * dice,
                             outcome=dice)
    assert [sum(one["times"] for one in line["faces"])
            for line in json.loads(log(table, form="json").getvalue())["log"]] == [999, 999]
    monkeypatch.setattr(scenes, "DICE", 2 * MAX_SINGLE_DICE + 1)
    assert len(json.loads(log(table, form="json").getvalue())["log"]) == 3


def test_a_gms_export_says_of_a_hidden_roll_that_it_was_hidden(table):
    press(table, "begin")
    of = {"party": table.party, "scene": table.scene, "who": table.users["gm"], "roll": "success",
          "given": {"dice": 2}, "faces": [6, 1], "outcome": 1}
    Event.objects.bulk_create(Event(key=uuid.uuid4(), hidden=hidden, **of) for hidden in (False, True))
    told = json.loads(log(table, form="json").getvalue())["log"]
    assert sorted(one["hidden"] for one in told) == [False, True]
    assert log(table, form="md").text.count("(hidden)") == 1
