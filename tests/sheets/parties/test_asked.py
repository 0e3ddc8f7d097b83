"""Rolls that a GM asks players for: at each player's table and sheet with one press, the answers gathered."""

import re
import uuid
from html import unescape

import pytest

from sheets.models import AskedRoll, Evening, Event
from tests.support.guest import text_of
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def table(django_user_model):
    """A party whose players both have a first attack."""
    return RoundTable(django_user_model.objects, "daemmersturm")


def roll_of(table, word="perception"):
    """(name of the widget, title) of such a roll that both have."""
    widget = re.search(rf'name="w" value="(roll-{word}[\w-]*)"', table.browsers["anna"].get(
        f"/sheets/{table.sheets['anna'].pk}/").text)[1]
    return widget, {"perception": "Perception"}[word]


def ask(table, who="gm", whom=("anna", "ben"), title="Perception", press=None, **fields):
    return table.browsers[who].post(f"{table.address}asked/", {
        "do": "ask", "_roll": title, "_whom": [str(table.sheets[one].pk) for one in whom],
        "_press": str(press or uuid.uuid4()), **fields})


def offered(table):
    """The rolls that the GM may ask for."""
    form = table.read().text.partition('id="ask-roll"')[2].partition("</select>")[0]
    return [unescape(title) for title in re.findall(r"<option>([^<]*)</option>", form)]


def asked(table, who):
    """What is asked of somebody, as their table and their sheet say it."""
    found = [table.read(who).text]
    if who in table.sheets:
        found.append(table.browsers[who].get(f"/sheets/{table.sheets[who].pk}/").text)
    return [re.findall(r'<li class="card" id="asked-(\d+)"', page) for page in found]


def gathered(table):
    """What the GM's table has gathered."""
    return text_of(table.read()).partition("Perception Die Falle")[2].partition("What happened")[0]


def test_a_roll_is_asked_of_chosen_players_and_stands_at_their_table_and_their_sheet(table):
    ask(table, whom=("anna",), _note="Die Falle")
    key = str(AskedRoll.objects.get().pk)
    assert (asked(table, "anna"), asked(table, "ben")) == ([[key], [key]], [[], []])
    assert "Die Falle" in table.read("anna").text
    assert "Die Falle" not in table.read("ben").text


def test_one_press_answers_it_and_the_gm_sees_who_has_rolled(table, dice):
    dice += [[17]]
    ask(table, _note="Die Falle")
    assert gathered(table).count("has not rolled yet") == 2
    widget, _title = roll_of(table)
    table.play("anna", widget)
    assert (asked(table, "anna"), len(asked(table, "ben")[0])) == ([[], []], 1)
    assert gathered(table).count("has not rolled yet") == 1
    assert "17" in table.read().text.partition('class="card gathered"')[2].partition("</section>")[0]


def test_it_is_rolled_from_the_table_too(table, dice):
    dice += [[3]]
    ask(table, whom=("ben",))
    widget, _title = roll_of(table)
    answer = table.browsers["ben"].post(f"{table.address}play/", {
        "w": widget, "_by": str(table.sheets["ben"].pk), "_press": str(uuid.uuid4())})
    assert answer.status_code == 302
    assert Event.objects.get().sheet == table.sheets["ben"]
    assert asked(table, "ben") == [[], []]


def test_a_roll_from_before_answers_nothing(table, dice):
    dice += [[3]]
    widget, _title = roll_of(table)
    table.play("anna", widget)
    ask(table, whom=("anna",))
    assert len(asked(table, "anna")[0]) == 1


def test_what_somebody_looks_at_learns_of_it_at_the_next_look(table):
    sheet = f"/sheets/{table.sheets['anna'].pk}/landed/"
    now = table.now("anna")
    assert table.browsers["anna"].get(sheet, {"known": ""}, headers=HTMX).status_code == 204
    ask(table, whom=("anna",))
    key = AskedRoll.objects.get().pk
    for answer in (table.since("anna", now), table.browsers["anna"].get(sheet, {"known": ""}, headers=HTMX)):
        assert answer.status_code == 200
        assert f'id="asked-{key}"' in answer.text
    assert table.browsers["anna"].get(sheet, {"known": f"a{key}"}, headers=HTMX).status_code == 204


def test_a_second_arrival_asks_once_and_the_next_press_has_a_key_of_its_own(table):
    press = uuid.uuid4()
    ask(table, press=press)
    ask(table, press=press)
    assert AskedRoll.objects.count() == 2
    answer = table.browsers["gm"].post(f"{table.address}asked/", {
        "do": "ask", "_roll": "Perception", "_whom": str(table.sheets["anna"].pk), "_press": str(uuid.uuid4())},
        headers=HTMX)
    assert re.search(r'id="ask-press" name="_press" value="[\w-]{36}" hx-swap-oob="true"', answer.text)


def test_what_is_wanted_no_more_is_gone_for_all(table):
    ask(table)
    table.browsers["gm"].post(f"{table.address}asked/", {"do": f"settle:{AskedRoll.objects.first().key}"})
    assert asked(table, "anna") == asked(table, "ben") == [[], []]
    assert not AskedRoll.objects.exists()


def test_the_end_of_an_evening_ends_what_was_asked_in_it(table):
    evening = Evening.objects.create(party=table.party)
    ask(table)
    table.browsers["gm"].post(f"/parties/{table.party.pk}/evenings/", {"do": f"end:{evening.pk}"})
    assert not AskedRoll.objects.exists()


def test_at_most_twelve_requests_wait_the_newest(table):
    for _number in range(14):
        ask(table, whom=("anna",))
    assert AskedRoll.objects.count() == 12


@pytest.mark.parametrize("who", ["anna", "ben"])
def test_players_ask_nobody(table, who):
    assert ask(table, who).status_code == 404
    assert "ask-them" not in table.read(who).text
    ask(table)
    assert table.browsers[who].post(f"{table.address}asked/", {
        "do": f"settle:{AskedRoll.objects.first().key}"}).status_code == 404
    assert AskedRoll.objects.count() == 2


@pytest.mark.parametrize(("fields", "told"), [
    ({"whom": ()}, "choose at least one"), ({"title": "Fliegen"}, "no longer offered"),
    ({"_note": "x" * 201}, "at most 200 characters")])
def test_what_makes_no_sense_asks_nobody_and_says_why(table, fields, told):
    ask(table, **fields)
    assert told in text_of(table.read())
    assert not AskedRoll.objects.exists()


def test_who_has_no_such_roll_is_named_and_not_asked(django_user_model):
    table = RoundTable(django_user_model.objects, "dice-rumble")
    names = {who: {talent["name"] for talent in table.sheets[who].data["talents"]} for who in ("anna", "ben")}
    own = next(title for title in offered(table) if any(name in title for name in names["anna"] - names["ben"]))
    ask(table, title=own)
    assert "Ben has no roll of this name" in text_of(table.read())
    assert [one.sheet for one in AskedRoll.objects.all()] == [table.sheets["anna"]]
    assert asked(table, "anna")[0]


def test_a_request_speaks_the_language_of_whoever_reads_it(table):
    ask(table, whom=("anna",))
    shown = table.read("anna", "de").text.partition('class="landed asked"')[2].partition("</section>")[0]
    assert "Wahrnehmung" in shown
    assert AskedRoll.objects.get().titles["de"] != AskedRoll.objects.get().titles["en"]


@pytest.mark.parametrize("slug", ["condice", "dice-rumble", "daemmersturm", "augen-des-zwielichts", "battle-dice"])
def test_each_roll_of_each_system_can_be_asked_for(django_user_model, slug):
    table = RoundTable(django_user_model.objects, slug)
    titles = offered(table)
    assert titles
    for number, title in enumerate(titles[:8], 1):
        ask(table, title=title)
        assert len({*AskedRoll.objects.values_list("key", flat=True)}) == number
    assert len(asked(table, "anna")[0]) + len(asked(table, "ben")[0]) >= len(titles[:8])
