"""Several open scenes of a party: who sits where, whose turn it is in each, and where what is rolled is numbered."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from sheets.models import Event, Party, Receipt, Scene, Sheet
from sheets.parties.scenes import PAGE
from tests.support.guest import text_of
from tests.support.sheets.fight import ATTACK, table_of


def press(table, do, who="gm", scene=None, **fields):
    """Press a button of the page of scenes, or with a scene that of its settings."""
    address = f"/parties/{table.party.pk}/scenes/{f'{scene.uuid}/settings/' if scene else ''}"
    return table.browsers[who].post(address, {"do": do, **fields})


def scene(name):
    return Scene.objects.get(name=name)


def at(table, name, who="gm", **headers):
    """The table of a scene as somebody reads it."""
    return table.browsers[who].get(f"{table.address}?_scene={scene(name).uuid}", headers=headers)


def turn(table, word, name, who="gm"):
    return table.browsers[who].post(f"{table.address}play/?_scene={scene(name).uuid}", {
        "do": f"turn:{word}", "_press": str(uuid.uuid4())})


def there(answer):
    """The names of those who are at a table."""
    return sorted(re.findall(r'<h3>([^<]*)</h3><span class="seat-note', answer.text))


@pytest.fixture
def two(table):
    """Beside the scene in which the others are Ben is in one of his own."""
    press(table, "begin", name="Die Furt")
    press(table, "another", name="Der Turm", seat=table.sheets["ben"].pk)
    return table


def test_a_party_with_one_open_scene_sees_no_list_and_no_scene_in_its_addresses(table):
    press(table, "begin", name="Die Furt")
    for who in ("gm", "anna"):
        page = table.read(who).text
        assert "open-scenes" not in page
        assert "_scene" not in page.partition("<main")[2]


def test_of_two_open_scenes_each_has_a_table_with_those_who_are_in_it_and_a_log_of_its_own(two):
    assert there(at(two, "Die Furt")) == ["Anna"]
    assert there(at(two, "Der Turm")) == ["Ben"]
    for who in ("anna", "ben"):
        two.play(who, ATTACK, defence=0)
        two.play(who, ATTACK, defence=0)
    found = Event.objects.exclude(roll="").order_by("pk").values_list("sheet__name", "scene__name", "number")
    assert [*found] == [("Anna", "Die Furt", 1), ("Anna", "Die Furt", 2),
                        ("Ben", "Der Turm", 1), ("Ben", "Der Turm", 2)]
    assert {one.log for one in Receipt.objects.all()} == {f"scene:{scene(name).uuid}" for name in (
        "Die Furt", "Der Turm")}
    told = [set(re.findall(r"<strong>(Anna|Ben)</strong>", at(two, name).text.partition('id="table-lines"')[2]))
            for name in ("Die Furt", "Der Turm")]
    assert told == [{"Anna"}, {"Ben"}]
    page = at(two, "Der Turm", "anna")
    assert "Die Furt" in text_of(page)
    assert f"_scene={scene('Die Furt').uuid}" in page.text


def test_what_a_gm_rolls_without_a_sheet_belongs_to_the_scene_at_whose_table_it_is_rolled(two):
    two.browsers["gm"].post(f"{two.address}?_scene={scene('Die Furt').uuid}", {
        "do": "throw:open", "w": "roll-success", "dice": "3", "_press": str(uuid.uuid4())})
    assert Event.objects.get().scene == scene("Die Furt")
    told = ["<strong>gm</strong>" in at(two, name).text for name in ("Die Furt", "Der Turm")]
    assert told == [True, False]


def test_turns_go_on_in_each_scene_by_themselves(two):
    for name in ("Die Furt", "Der Turm"):
        assert turn(two, "begin", name).status_code == 302
    turn(two, "next", "Der Turm")
    turn(two, "next", "Der Turm", "ben")
    assert [(scene(name).round, len(scene(name).on)) for name in ("Die Furt", "Der Turm")] == [(1, 1), (3, 1)]
    assert turn(two, "next", "Die Furt", "ben").status_code == 404
    passed = Event.objects.filter(turn__isnull=False, scene=scene("Der Turm")).latest("pk")
    two.browsers["gm"].post(f"{two.address}play/", {"do": f"turn:back:{passed.pk}"})
    assert [scene(name).round for name in ("Die Furt", "Der Turm")] == [1, 2]


def test_nobody_is_aimed_at_across_scenes(two):
    assert two.press(by="anna", at="ben").status_code == 404
    assert two.press(by="anna", at=None).status_code == 302
    assert not Event.objects.exclude(aimed_at={}).exists()


def test_whoever_is_seated_in_another_scene_leaves_theirs_and_their_turn_passes_on(two):
    turn(two, "begin", "Die Furt")
    assert scene("Die Furt").on == [str(two.sheets["anna"].pk)]
    troll = two.bring()
    assert there(at(two, "Die Furt")) == ["Anna", troll.name]
    page = two.browsers["gm"].get(f"/parties/{two.party.pk}/scenes/{scene('Der Turm').uuid}/settings/")
    assert "now in “Die Furt”, which they leave" in re.sub("[\u2066-\u2069]", "", text_of(page))
    press(two, "seat", scene=scene("Der Turm"), seat=[two.sheets["anna"].pk])
    assert there(at(two, "Der Turm")) == ["Anna"]
    # Ben was no longer ticked.
    assert there(at(two, "Die Furt")) == ["Ben", troll.name]
    assert str(two.sheets["anna"].pk) not in scene("Die Furt").on
    two.play("anna", ATTACK, defence=0)
    assert Event.objects.exclude(roll="").get().scene == scene("Der Turm")


def test_as_the_main_scene_ends_the_oldest_that_is_left_is_that_for_everybody(two):
    press(two, f"end:{scene('Die Furt').uuid}")
    left = scene("Der Turm")
    assert (left.ended, left.apart) == (None, False)
    assert there(two.read("gm")) == ["Anna", "Ben"]
    assert "open-scenes" not in two.read("gm").text
    two.play("anna", ATTACK, defence=0)
    assert Event.objects.get().scene == left


def test_as_another_scene_ends_or_is_called_off_its_seats_are_in_the_main_one(two):
    press(two, f"end:{scene('Der Turm').uuid}")
    assert there(two.read("gm")) == ["Anna", "Ben"]
    press(two, "another", name="Das Tor", seat=two.sheets["ben"].pk)
    press(two, f"call-off:{scene('Das Tor').uuid}")
    assert there(two.read("gm")) == ["Anna", "Ben"]
    assert not Sheet.objects.exclude(scene=None).exists()


def test_a_scene_that_goes_on_has_those_in_it_who_were_in_it_last(two):
    press(two, f"end:{scene('Der Turm').uuid}")
    press(two, f"go-on:{scene('Der Turm').uuid}")
    assert there(at(two, "Der Turm")) == ["Ben"]
    assert there(at(two, "Die Furt")) == ["Anna"]
    press(two, f"call-off:{scene('Die Furt').uuid}")
    assert (scene("Der Turm").apart, there(two.read("gm"))) == (False, ["Anna", "Ben"])


def test_a_page_that_names_no_scene_shows_that_of_whoever_acts_else_the_newest(two):
    assert there(two.read("anna")) == ["Ben"]
    assert there(two.look("anna", "anna", None)) == ["Anna"]
    assert there(two.browsers["gm"].get(f"{two.address}?_scene=x&_by=y")) == ["Ben"]


def test_a_look_at_a_table_stays_in_its_scene(two):
    page = at(two, "Die Furt").text
    address = re.search(r'id="table-live" hx-get="([^"]+)"', page)[1].replace("&amp;", "&")
    assert f"_scene={scene('Die Furt').uuid}" in address
    two.play("ben", ATTACK, defence=0)
    answer = two.browsers["gm"].get(address, headers={"HX-Request": "true"})
    assert (answer.status_code, "Anna" in answer.text, "seat-{}".format(two.sheets["ben"].pk) in answer.text) == (
        200, True, False)


@table_of("battle-dice")
def test_two_who_play_each_other_change_scenes_together(table):
    press(table, "begin", name="Die Furt")
    table.press("act-challenge", at="ben")
    table.settle("apply")
    press(table, "another", name="Der Turm", seat=table.sheets["ben"].pk)
    assert {one.scene for one in Sheet.objects.filter(opponent=False)} == {scene("Der Turm")}


def test_players_seat_nobody_and_in_an_ended_scene_nobody_is_seated(two):
    for who, do in (("anna", "another"), ("ben", "another")):
        assert press(two, do, who, name="x").status_code == 404
    assert press(two, "seat", "anna", scene("Der Turm"), seat=two.sheets["anna"].pk).status_code == 404
    ended = scene("Der Turm")
    press(two, f"end:{ended.uuid}")
    assert press(two, "seat", "gm", ended, seat=two.sheets["ben"].pk).status_code == 422
    assert two.sheet("ben").scene is None
    assert press(two, "seat", "gm", scene("Die Furt"), seat=["x", str(uuid.uuid4())]).status_code == 302


def test_a_name_is_changed_and_one_that_is_too_long_is_sent_back(two):
    furt = scene("Die Furt")
    answer = press(two, "save", "gm", furt, name="x" * 201)
    assert (answer.status_code, "at most 200 characters" in answer.text) == (422, True)
    press(two, "save", "gm", furt, name="Die Brücke")
    assert Scene.objects.get(pk=furt.pk).name == "Die Brücke"


def test_a_sheet_that_leaves_the_party_sits_in_no_scene_of_it(two):
    two.browsers["ben"].post(f"/parties/{two.party.pk}/", {"do": f"drop:{two.sheets['ben'].pk}"})
    assert (two.sheet("ben").party, two.sheet("ben").scene) == (None, None)


def test_home_shows_the_scene_in_which_it_is_ones_turn(two):
    turn(two, "begin", "Die Furt")
    page = two.browsers["anna"].get("/").text
    assert f"{two.address}?_scene={scene('Die Furt').uuid}" in page


def test_ten_thousand_scenes_are_shown_a_page_at_a_time_with_as_few_queries(table, django_assert_max_num_queries):
    long_ago = timezone.now() - timedelta(days=9000)
    Scene.objects.bulk_create(Scene(party=table.party, name=f"Szene {n}", begun=long_ago + timedelta(hours=n),
                                    ended=long_ago + timedelta(hours=n, minutes=30)) for n in range(10_000))
    address = f"/parties/{table.party.pk}/scenes/"
    with django_assert_max_num_queries(20):
        page = table.browsers["gm"].get(address).text
    shown = re.findall(r">(Szene \d+)</a>", page)
    assert shown == [f"Szene {n}" for n in range(9_999, 9_999 - PAGE, -1)]
    deep = Scene.objects.get(name="Szene 24")
    with django_assert_max_num_queries(20):
        page = table.browsers["gm"].get(f"{address}?before={deep.uuid}").text
    assert re.findall(r">(Szene \d+)</a>", page) == [f"Szene {n}" for n in range(23, -1, -1)]
    assert "?before=" not in page.partition("<main")[2]
    assert Party.objects.get(pk=table.party.pk).scene is None
