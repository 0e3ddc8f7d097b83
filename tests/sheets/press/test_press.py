"""What htmx is shown of a press: what it has changed, each piece with the id of the one that it takes the place of."""

import re
from uuid import uuid4

import pytest

from sheets.models import Event, Sheet
from sheets.press.log import LOG
from tests.support.guest import Guest, example, text_of, top, words_in
from tests.support.sheets.pieces import Player, answers, ids, piece_by_piece, plain, presses, swapped

ATTACK = "roll-attack-attacks-0"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def juan(db):
    return Player()


def test_a_roll_brings_its_outcome_its_line_a_key_for_its_form_and_says_itself(juan):
    old = juan.keys[ATTACK]
    answer = juan.press(ATTACK, defence="0", extra_dice="0")
    assert ids(answer) == {"messages", "seen", "known-roll", "log-entries", "tray", f"press-{ATTACK}",
                           f"head-{ATTACK}", f"promise-{ATTACK}"}
    assert all("hx-swap-oob" in attributes for _tag, attributes in top(answer))
    assert answer["HX-Reswap"] == "none"
    event = Event.objects.get()
    assert answer.text.count('class="fallen ') == len(event.faces)
    assert len(re.findall('class="(?:hope|rest) fell" d="M', answer.text)) == 1
    assert juan.keys[ATTACK] != old
    assert re.search(r'<p class="hidden">(.*?)</p>', answer.text)[1].startswith(f"{event.title}: ")
    # Each form has a key of its own, so that what one spends is no other's.
    assert len(set(juan.keys.values())) == len(juan.keys) > 3
    for which in ("roll-attack-attacks-1", ATTACK):
        juan.press(which, defence="0", extra_dice="0")
    assert Event.objects.count() == 3


def test_a_press_that_arrives_twice_is_one_roll_and_the_second_answer_is_the_whole_table(juan):
    key, seen = juan.keys[ATTACK], juan.seen
    juan.press(ATTACK, defence="0", extra_dice="0")
    for seen_then in (seen, juan.seen):
        juan.keys[ATTACK], juan.seen = key, seen_then
        answer = juan.press(ATTACK, defence="0", extra_dice="0")
        assert ('id="table"' in answer.text, "HX-Reswap" in answer) == (True, False)
    assert Event.objects.count() == 1


def test_an_act_brings_the_figures_the_acts_and_the_rolls_that_it_has_changed_and_no_others(juan):
    answer = juan.press("act-damage", against="nothing", points="3")
    # That life can be raised again is new.
    assert ids(answer) == {"messages", "seen", "log-entries", "tray", "values-now", "state", "undo", "act-list"}
    assert "Take back" in text_of(answer)
    figures = {f"figure-{key}" for key in ("life", "defence", "mental_resistance", "movement")}
    answer = juan.press("act-damage", against="nothing", points="1")
    assert ids(answer) == {"messages", "seen", "log-entries", "tray", "state", "undo", "w-act-damage", *figures}
    answer = juan.press("act-change-attributes-others", name="Wut", attributes="attack", by="2", rounds="2")
    assert {f"w-{ATTACK}", "w-roll-attack-attacks-1", "state", "act-list", *figures} <= ids(answer)
    assert "w-roll-defence" not in ids(answer)
    assert not {"table", "roll-list"} & ids(answer)
    assert "Wut" in text_of(answer)


def test_what_happened_elsewhere_meanwhile_is_shown_with_the_next_press(juan):
    juan.press("act-damage", against="nothing", points="3")
    address, hurt = f"/sheets/{juan.pk}/play/", {"w": "act-damage", "against": "nothing", "points": "1"}
    for change in (
            lambda: juan.client.post(address, {**hurt, "_press": str(uuid4())}),
            lambda: juan.client.post(address, {"w": "undo", "_event": Event.objects.exclude(act="").latest("pk").pk}),
            lambda: juan.post("values", life="6"),
            lambda: Sheet.objects.filter(pk=juan.pk).update(house={"budget": 40}),
            lambda: juan.client.cookies.load({"django_language": "de"})):
        seen = juan.seen
        change()
        assert 'id="table"' in juan.press(ATTACK, defence="0", extra_dice="0").text
        assert juan.seen != seen
        assert 'id="table"' not in juan.press(ATTACK, defence="0", extra_dice="0").text


def test_an_answer_that_makes_no_sense_is_shown_with_its_fault_and_the_fault_goes_with_the_next_press(juan):
    answer = juan.press(ATTACK, defence="x", extra_dice="0")
    assert (answer.status_code, 'aria-invalid="true"' in answer.text, Event.objects.exists()) == (200, True, False)
    assert words_in(juan.press(ATTACK, defence="1", extra_dice="0"), 'id="table"', "aria-invalid") == ['id="table"']
    assert Event.objects.get().given["defence"] == 1


def test_a_button_at_a_gauge_leaves_what_is_typed_in_the_act_that_it_does(juan):
    juan.press("act-damage", against="nothing", points="3")
    key = juan.keys["less-life"]
    answer = juan.press("act-damage", _press=key, _nudge="less-life", against="nothing", points="1")
    assert "w-act-damage" not in ids(answer)
    assert {"press-less-life", "figure-life"} <= ids(answer)
    assert juan.keys["less-life"] != key
    assert re.search(r'id="figure-life".*?class="figure">6<', answer.text, re.S)


def test_who_is_hurt_or_healed_is_seen_at_the_figure_alone_and_taking_back_strikes_the_line_out(juan):
    reading = r'class="reading([^"]*)" id="figure-life"'
    juan.press("act-damage", against="nothing", points="3")
    event = Event.objects.get()
    answer = juan.press("undo", _event=event.pk)
    assert ids(answer) == {"messages", "seen", f"event-{event.pk}", "tray", "values-now", "state", "undo", "act-list"}
    assert f'id="event-{event.pk}" hx-swap-oob="true" class="undone"' in answer.text
    assert juan.sheet.play == {}
    for points in ("3", "1"):
        answer = juan.press("act-damage", against="nothing", points=points)
        assert (re.search(reading, answer.text)[1], answer.text.count("hurt")) == (" hurt", 1)
    answer = juan.press("undo", _event=Event.objects.latest("pk").pk)
    assert re.search(reading, answer.text)[1] == " healed"
    assert re.search(reading, juan.anew())[1] == ""


def test_odds_that_are_asked_for_are_all_that_comes(juan):
    juan.press(ATTACK, defence="0", extra_dice="0")
    answer = juan.client.get(f"/sheets/{juan.pk}/", {"w": ATTACK, "defence": "3", "extra_dice": "0"}, headers=HTMX)
    assert ids(answer) == {f"odds-{ATTACK}", f"head-{ATTACK}", f"promise-{ATTACK}"}
    assert words_in(answer, "72.0", 'class="rolled"') == ["72.0"]
    # What is asked of the other side redraws the promise of each roll against it, and no other.
    answer = juan.client.get(f"/sheets/{juan.pk}/", {"against.defence": "3", "against.mental_resistance": "2"},
                             headers=HTMX)
    assert {f"promise-{ATTACK}", "promise-roll-attack-attacks-1"} <= ids(answer)
    assert "promise-roll-healing-abilities-2" not in ids(answer)
    assert "28" in text_of(answer)
    assert 'name="defence" value="3"' not in answer.text


def test_what_follows_is_rolled_within_the_tray_that_it_lies_in(db):
    knight = Player("knight", "daemmersturm")
    attack = "roll-attack-weapons-0"
    while not any(key.startswith("roll-damage") and key.endswith(attack) for key in knight.keys):
        knight.press(attack, defence="0", criticals="20", fumbles="1")
    before = Event.objects.count()
    answer = knight.press(f"roll-damage-{attack}", critical="0", rolls="1")
    assert ids(answer) == {"messages", "seen", "known-roll", "log-entries", "tray"}
    assert Event.objects.count() == before + 1
    assert answer.text.count('class="fallen ') == len(Event.objects.latest("pk").faces)
    assert answer.text.count("hx-swap-oob") == 5


@piece_by_piece
@pytest.mark.usefixtures("seeded")
def test_a_page_that_was_changed_piece_by_piece_is_what_it_would_be_anew(db, slug, rounds):
    player, pieces = Player(None, slug), 0
    page = player.page
    for which in presses(page, rounds):
        if f'id="w-{which}"' in page and Event.objects.count() < LOG:
            player.keys = dict(re.findall(r'id="press-([^"]*)" name="_press" value="([^"]*)"', page))
            answer = player.press(which, **answers(page, which)).text
            whole = 'id="table"' in answer
            # Pieces have no token but the page's, which htmx sends.
            assert whole or all("hx-post" in form for form in re.findall(r'<form [^>]*method="post"[^>]*>', answer))
            pieces += not whole
            page = swapped(page, answer, "table")
            if 'aria-invalid="true"' in page or not player.seen:
                page = player.anew()
            assert plain(page, "table") == plain(player.client.get(f"/sheets/{player.pk}/").text, "table"), which
    assert pieces, "whatever was pressed, the whole table came"


def test_what_was_pressed_is_called_in_the_readers_language_whoever_pressed_it(db):
    guest, german = Guest(example()), {"Accept-Language": "de"}
    address = f"/sheets/{guest.pk}/"
    for which, more in (("act-change-size", {"size": "grow"}), ("act-end-effect-effects-0", {})):
        given = {"w": which, "_press": str(uuid4()), **more}
        assert guest.client.post(f"{address}play/", given, headers=german).status_code == 302
    assert "End “Grown”" in text_of(guest.client.get(address))
    assert "„Vergrößert“ beenden" in text_of(guest.client.get(address, headers=german))
    Event.objects.update(titles={})
    # What was written before stays as it was.
    assert "„Vergrößert“ beenden" in text_of(guest.client.get(address))
