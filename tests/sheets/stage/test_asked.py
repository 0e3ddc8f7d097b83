"""Rolls that a GM asks players for: at each player's table and sheet with one press, the answers gathered."""

import re
import uuid
from html import unescape

import pytest

from rulesets import systems
from sheets.models import AskedRoll, Event, Scene
from tests.support.guest import text_of
from tests.support.sheets.fight import Fight, table_of

HTMX = {"HX-Request": "true"}


@pytest.fixture
def table(request, django_user_model):
    """A table of Dämmersturm, unless another system is said."""
    return Fight(django_user_model.objects, getattr(request, "param", "daemmersturm"))


def perception(table):
    """The name of the widget of such a roll, which both have."""
    return re.search(r'name="w" value="(roll-perception[\w-]*)"', table.own("anna").text)[1]


def ask(table, who="gm", whom=("anna", "ben"), title="Perception", press=None, headers=None, **fields):
    return table.browsers[who].post(f"{table.address}asked/", {
        "do": "ask", "_roll": title, "_whom": [str(table.sheets[one].pk) for one in whom],
        "_press": str(press or uuid.uuid4()), **fields}, headers=headers)


def settle(table, who="gm"):
    """Want what was asked first no more."""
    return table.browsers[who].post(f"{table.address}asked/", {"do": f"settle:{AskedRoll.objects.first().key}"})


def offered(table):
    """The rolls that the GM may ask for."""
    page = table.browsers["gm"].get(f"{table.address}?tools=ask").text
    form = page.partition('id="ask-roll"')[2].partition("</select>")[0]
    return [unescape(title) for title in re.findall(r"<option>([^<]*)</option>", form)]


def asked(table, who):
    """What is asked of a player, as their table and their sheet say it."""
    return [re.findall(r'<li class="card" id="asked-(\d+)"', page.text) for page in (table.read(who), table.own(who))]


def gathered(table):
    """What the GM's table has gathered."""
    return text_of(table.read()).partition("Perception Die Falle")[2].partition("Log")[0]


def test_a_roll_is_asked_of_chosen_players_where_they_look_in_the_language_of_whoever_reads(table):
    ask(table, whom=("anna",), _note="Die Falle")
    request = AskedRoll.objects.get()
    assert (asked(table, "anna"), asked(table, "ben")) == ([[str(request.pk)]] * 2, [[], []])
    assert ["Die Falle" in table.read(who).text for who in ("anna", "ben")] == [True, False]
    shown = table.read("anna", "de").text.partition('class="landed asked"')[2].partition("</section>")[0]
    assert "Wahrnehmung" in shown
    assert request.titles["de"] != request.titles["en"]


def test_one_press_at_the_sheet_or_the_table_answers_it_unless_it_was_made_before(table, dice):
    dice += [[3], [17], [4]]
    widget = perception(table)
    table.play("anna", widget)
    ask(table, _note="Die Falle")
    assert gathered(table).count("has not rolled yet") == 2
    table.play("anna", widget)
    assert (asked(table, "anna"), len(asked(table, "ben")[0])) == ([[], []], 1)
    assert gathered(table).count("has not rolled yet") == 1
    assert "17" in table.read().text.partition('class="card gathered"')[2].partition("</section>")[0]
    assert table.press(widget, "ben", "ben", None).status_code == 302
    assert Event.objects.latest("pk").sheet == table.sheets["ben"]
    assert asked(table, "ben") == [[], []]


def test_what_somebody_looks_at_learns_of_it_at_the_next_look(table):
    sheet, now = f"/sheets/{table.sheets['anna'].pk}/landed/", table.now("anna")
    assert table.browsers["anna"].get(sheet, {"landings": ""}, headers=HTMX).status_code == 204
    ask(table, whom=("anna",))
    key = AskedRoll.objects.get().pk
    for answer in (table.since("anna", now), table.browsers["anna"].get(sheet, {"landings": ""}, headers=HTMX)):
        assert answer.status_code == 200
        assert f'id="asked-{key}"' in answer.text
    assert table.browsers["anna"].get(sheet, {"landings": f"a{key}"}, headers=HTMX).status_code == 204


def test_a_second_arrival_asks_once_the_next_press_has_its_own_key_and_the_newest_twelve_wait(table):
    press = uuid.uuid4()
    for _time in range(2):
        ask(table, press=press)
    assert AskedRoll.objects.count() == 2
    assert "That was already done at" in text_of(table.look("gm"))
    answer = ask(table, headers=HTMX)
    assert re.search(r'id="ask-press" name="_press" value="[\w-]{36}" hx-swap-oob="true"', answer.text)
    for _number in range(12):
        ask(table, whom=("anna",))
    assert AskedRoll.objects.count() == 12
    assert not AskedRoll.objects.filter(key=press).exists()


def test_what_is_wanted_no_more_and_what_was_asked_in_a_scene_that_ended_is_gone_for_all(table):
    ask(table)
    settle(table)
    assert asked(table, "anna") == asked(table, "ben") == [[], []]
    assert not AskedRoll.objects.exists()
    scene = Scene.objects.create(party=table.party)
    ask(table)
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": f"end:{scene.uuid}"})
    assert not AskedRoll.objects.exists()


def test_players_ask_nobody_and_what_makes_no_sense_asks_nobody_and_says_why(table):
    for fields, told in (({"whom": ()}, "choose at least one"), ({"title": "Fliegen"}, "no longer available"),
                         ({"_note": "x" * 201}, "at most 200 characters")):
        ask(table, **fields)
        assert told in text_of(table.read())
    assert ask(table, "anna").status_code == 404
    assert not AskedRoll.objects.exists()
    assert "ask-them" not in table.read("anna").text
    ask(table)
    assert settle(table, "anna").status_code == 404
    assert AskedRoll.objects.count() == 2


@table_of("dice-rumble")
def test_who_has_no_such_roll_is_named_and_not_asked(table):
    names = {who: {talent["name"] for talent in table.sheets[who].data["talents"]} for who in ("anna", "ben")}
    own = next(title for title in offered(table) if any(name in title for name in names["anna"] - names["ben"]))
    ask(table, title=own)
    assert "Ben has no roll by this name" in text_of(table.read())
    assert [one.sheet for one in AskedRoll.objects.all()] == [table.sheets["anna"]]
    assert asked(table, "anna")[0]


@table_of(*systems())
def test_rolls_of_each_system_can_be_asked_for(table):
    titles = offered(table)
    tried = titles[::len(titles) // 4 + 1]
    for number, title in enumerate(tried, 1):
        ask(table, title=title)
        assert len({*AskedRoll.objects.values_list("key", flat=True)}) == number
    assert len(asked(table, "anna")[0]) + len(asked(table, "ben")[0]) >= len(tried) > 0


def pressed_for(table):
    """What Anna's page posts for the roll that is asked of her, "" where none is."""
    return (re.findall(r'name="w" value="([^"]*)" id="roll-asked-', table.own("anna").text) or [""])[0]


@table_of("dice-rumble")
def test_the_roll_that_was_asked_for_is_meant_wherever_its_row_stands_by_now_and_none_in_its_place(table):
    first, *others = table.sheets["anna"].data["talents"]
    ask(table, whom=("anna",), title=next(title for title in offered(table) if first["name"] in title))
    before = pressed_for(table)
    table.have("anna", talents=[*others, first])
    now = pressed_for(table)
    assert now.partition("~")[0] != before.partition("~")[0] == AskedRoll.objects.get().widget
    # What stands in its place is another roll, and answers nothing.
    table.play("anna", before.partition("~")[0], **{"against.difficulty": "9", "difficulty": "9"})
    assert (Event.objects.count(), pressed_for(table)) == (1, now)
    table.play("anna", now, difficulty="9")
    assert (Event.objects.count(), asked(table, "anna")) == (2, [[], []])
    assert "has not rolled yet" not in table.read().text


@table_of("dice-rumble")
def test_a_roll_of_a_row_that_is_gone_is_asked_no_more_and_one_asked_for_before_is_found_by_its_place(table):
    first, *others = table.sheets["anna"].data["talents"]
    ask(table, whom=("anna",), title=next(title for title in offered(table) if first["name"] in title))
    table.have("anna", talents=others)
    assert pressed_for(table) == ""
    AskedRoll.objects.update(row="")
    assert pressed_for(table).partition("~")[0] == AskedRoll.objects.get().widget
    table.play("anna", pressed_for(table), difficulty="9")
    assert asked(table, "anna") == [[], []]
