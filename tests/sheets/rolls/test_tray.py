"""The tray: what it says of a roll and of an act, its dice, how rare that is, what follows, what others do not see."""

import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.translation import override

from rulesets import systems
from rulesets.dice import LoadedTray, thrown
from rulesets.kit import numeral
from sheets.character import Character
from sheets.models import Event
from sheets.play.event_log import last_events
from sheets.rolls.fallen_dice import MOST, fallen_dice
from sheets.rolls.followups import roll_cards
from sheets.rolls.tray import tray_of
from sheets.secrets import for_others
from tests.sheets.rolls.test_followups import ATTACK, do, sheet  # noqa: F401 - a fixture

SYSTEMS = systems()


def rolled(slug, roll, *faces, title="A roll", **given):
    """The event of a roll whose faces are written out."""
    made = SYSTEMS[slug].rolls[roll].model_validate(given)
    outcome, tray = thrown(made.throw, LoadedTray(*faces))
    return Event(pk=1, key=uuid4(), widget=f"roll-{roll}", title=title, roll=roll, given=made.model_dump(),
                 faces=tray.fallen, outcome=outcome.value, figures=dict(outcome.figures))


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def shown(slug, roll, *faces, **given):
    return tray_of(SYSTEMS[slug], rolled(slug, roll, *faces, **given))


def html(tray, **more):
    return render_to_string("rolls/_tray.html", {"tray": tray, "play_url": "/play/", **more})


def test_a_short_sentence_of_a_number_is_written_large():
    tray = shown("condice", "attack", 6, 5, 4, 2, dice=4, defence=3, title="Unicorn piranhas")
    assert (tray.title, tray.outcome, tray.detail) == (
        "Unicorn piranhas · against Defence 3", "4 successes, 1 damage", ())


def test_of_a_word_the_word_is_large_and_the_sentence_stands_below():
    tray = shown("daemmersturm", "attack", 17, bonus=4, defence=12)
    assert (tray.outcome, tray.detail) == ("Hit", ("17 + 4 = 21, needed 13",))


def test_a_long_sentence_of_a_number_stands_below_it():
    tray = shown("battle-dice", "battle", 6, 6, 6, 2, 2, 1, attack_dice=3, defence_dice=3)
    assert (tray.outcome, tray.detail) == ("3 damage", ("AD 6 6 6 against DD 2 2 1",))


def test_the_second_reading_of_a_throw_is_said_with_the_first():
    given = {"move": "risk", "attribute": "white"}
    assert shown("augen-des-zwielichts", "move", 3, 5, **given).outcome.endswith(", with a condition")
    assert "condition" not in shown("augen-des-zwielichts", "move", 5, 3, **given).outcome


def test_what_stands_large_is_not_said_once_more_in_the_sentence_below_it():
    tray = shown("augen-des-zwielichts", "move", 5, 3, move="risk", attribute="white")
    assert tray.outcome == "Done"
    assert tray.detail == ("5–6, no condition (black 3 against white 5)",)
    tray = shown("augen-des-zwielichts", "move", 3, 5, move="risk", attribute="white")
    assert tray.outcome == "Done, with a condition"
    assert tray.detail == ("5–6, black 5 against white 3",)
    tray = shown("dice-rumble", "test", 3, threshold=9)
    assert (tray.outcome, tray.detail) == ("Success", ("3 against 9, margin 6",))


@pytest.mark.parametrize(("slug", "roll", "face", "given", "words"), [
    ("dice-rumble", "test", 3, {"threshold": 9}, "The GM says what comes of it."),
    ("daemmersturm", "attack", 9, {"bonus": 3, "defence": 12}, "That was the action; go on with the next turn."),
    ("daemmersturm", "attack", 10, {"bonus": 3, "defence": 12}, ""),
])
def test_what_leads_on_to_nothing_says_what_comes_then(slug, roll, face, given, words):
    tray = shown(slug, roll, face, **given)
    assert tray.afterwards == words
    assert bool(words) == (f'<p class="tray-then">{words}</p>' in html(tray))


def test_cards_that_were_drawn_lie_there_as_backs_and_not_as_dice():
    tray = shown("battle-dice", "draw", 3, 1, cards=8, draws=2)
    assert [(die.card, die.face) for pool in tray.dice for die in pool] == [(True, 0)] * 2
    assert html(tray).count('class="back"') == 2
    assert "cube" not in html(tray)


def test_dice_that_count_for_nothing_lie_there_as_such_and_those_that_count_twice_too():
    tray = shown("condice", "attack", 6, 5, 4, 2, dice=4, defence=3)
    assert [(die.face, die.worth) for pool in tray.dice for die in pool] == [(6, 2), (5, 1), (4, 1), (2, 0)]
    drawn = html(tray)
    assert drawn.count(">2×</small>") == drawn.count(" idle") == 1
    [[die]] = shown("daemmersturm", "attack", 17, bonus=4, defence=12).dice
    assert die.worth is None


@pytest.mark.parametrize(("slug", "roll", "faces", "given", "extreme", "word"), [
    ("dice-rumble", "test", [1], {"threshold": 5}, "critical", "Critical!"),
    ("dice-rumble", "test", [10], {"threshold": 5}, "fumble", "Fumble!"),
    ("dice-rumble", "test", [4], {"threshold": 5}, "", ""),
])
def test_an_extreme_outcome_looks_it_and_says_so(slug, roll, faces, given, extreme, word):
    tray = shown(slug, roll, *faces, **given)
    assert (tray.extreme, tray.word) == (extreme, word)
    page = html(tray)
    assert bool(word) == ("tray-word" in page)
    assert (f'class="tray {extreme}"' if extreme else 'class="tray"') in page
    assert word in tray.said


def dice_of(slug, roll, *faces, **given):
    made = SYSTEMS[slug].rolls[roll].model_validate(given)
    return fallen_dice(made, faces)


def test_dice_are_of_the_kind_that_the_throw_asks_for():
    pools = dice_of("daemmersturm", "damage", 7, 3, 4, range="1-10", rolls=2, critical=1)
    assert [(die.face, die.sides) for pool in pools for die in pool] == [(7, 10), (3, 10), (4, 5)]
    assert [die.sides for pool in dice_of("daemmersturm", "light", 0, bonus=3) for die in pool] == [0]


def test_pools_lie_apart_as_they_fell_and_those_of_the_other_side_are_marked():
    own, theirs = dice_of("condice", "mental-attack", 1, 6, 3, 5, dice=3, resistance=1)
    assert ([die.face for die in own], [die.face for die in theirs]) == ([1, 6, 3], [5])
    assert {die.own for die in own} == {True}
    assert {die.own for die in theirs} == {False}


def test_coloured_dice_keep_their_colour():
    pools = dice_of("augen-des-zwielichts", "move", 3, 5, move="risk", attribute="white")
    assert [(die.face, die.colour) for pool in pools for die in pool] == [(3, "white"), (5, "black")]


def test_dice_that_this_version_would_not_throw_are_shown_all_the_same():
    dice = [(die.face, die.sides) for pool in dice_of("condice", "success", 4, 9, dice=1) for die in pool]
    assert dice == [(4, 6), (9, 0)]


@pytest.mark.parametrize("count", [MOST, MOST + 1, 900])
def test_many_dice_are_heaps_that_hold_each_of_them(count):
    faces = [1 + number % 6 for number in range(count)]
    dice = [die for pool in dice_of("condice", "success", *faces, dice=count) for die in pool]
    assert len(dice) <= MOST
    assert sum(die.times for die in dice) == count
    assert {die.face: die.times for die in dice if die.times > 1} == (
        {} if count == MOST else {face: faces.count(face) for face in range(1, 7)})


def test_many_single_dice_become_heaps_too():
    pools = dice_of("dice-rumble", "initiative-order", *[7] * 60, fighters=60)
    assert [(die.face, die.times, die.own) for pool in pools for die in pool] == [(7, 1, True), (7, 59, False)]


def test_dice_are_drawn_as_cubes_and_solids_that_only_eyes_see():
    page = html(shown("condice", "attack", 6, 1, dice=2, defence=0))
    assert re.findall(r'class="fallen d6 (f\d)(?: idle)?"', page) == ["f6", "f1"]
    assert re.search(r'<p class="tray-dice" aria-hidden="true">', page)
    assert "style=" not in page
    page = html(shown("daemmersturm", "attack", 17, bonus=4, defence=12))
    assert re.search(r'class="fallen d20".*<text[^>]*>17</text>', page)
    theirs = html(shown("condice", "mental-attack", 6, 2, dice=1, resistance=1))
    assert "fallen d6 f2 theirs" in theirs


def test_nothing_has_fallen_is_a_small_tray():
    assert tray_of(SYSTEMS["condice"], None) is None
    page = html(None)
    assert 'class="tray empty"' in page
    assert "<form" not in page


def test_an_act_says_what_it_did_and_is_taken_back_from_there():
    event = Event(pk=7, title="Take damage", act="damage", text="3 suffered, life 7")
    tray = tray_of(SYSTEMS["condice"], event, undo=event)
    assert (tray.title, tray.outcome, tray.dice, tray.rarity) == ("Take damage", "3 suffered, life 7", (), "")
    assert 'name="_event" value="7"' in html(tray, mine=True)
    assert "<form" not in html(tray, mine=False)


def test_an_older_act_is_not_taken_back_from_a_younger_roll():
    roll = rolled("condice", "healing", 4)
    assert tray_of(SYSTEMS["condice"], roll, undo=Event(pk=7, act="damage")).undo is None


def test_what_was_taken_back_says_so_and_leads_to_the_one_before():
    event = Event(pk=8, title="Take damage", act="damage", text="3 suffered, life 7", undone=True)
    tray = tray_of(SYSTEMS["condice"], event, undo=Event(pk=7, title="Be healed", act="heal"))
    assert "Taken back" in html(tray, mine=True)
    assert "Take back: Be healed" in html(tray, mine=True)
    assert "3 suffered" not in html(tray, mine=True)


def test_a_roll_of_a_system_that_has_lost_it_shows_its_outcome():
    tray = tray_of(SYSTEMS["condice"], Event(pk=1, title="Old", roll="gone", outcome=3, faces=[3]))
    assert (tray.title, tray.outcome, tray.dice) == ("Old", "3", ())


def test_others_never_see_what_a_secret_roll_threw():
    event = rolled("battle-dice", "draw", 5, cards=8, draws=1, title="Draw a card")
    event.sheet_id = uuid4()
    assert event.faces == [5]
    others = tray_of(SYSTEMS["battle-dice"], for_others(SYSTEMS["battle-dice"], event))
    assert (others.dice, others.rarity, others.detail, others.follows) == ((), "", (), ())
    assert "5" not in others.said
    assert numeral(5) not in re.sub(r"<svg.*?</svg>", "", html(others))


@pytest.mark.django_db
def test_a_shot_names_the_defence_that_it_meets(sheet):  # noqa: F811 - the fixture
    bow = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0, "w": None, "targets": None}
    sheet.data = {**sheet.data, "weapons": [bow]}
    sheet.save()
    shot = do(sheet, "roll-attack-weapons-0-shot", 17, defence=12)
    character = Character(sheet)
    cards = roll_cards(character.ruleset, character.rolls(), last_events(sheet))
    assert tray_of(character.ruleset, shot, cards).title == "Bogen · against Defence against shots 12"


@pytest.mark.django_db
def test_a_hit_leads_on_and_what_is_left_of_it_stays_in_reach(sheet):  # noqa: F811 - the fixture
    def tray(event, key):
        cards = roll_cards(character.ruleset, character.rolls(), last_events(sheet))
        found = tray_of(character.ruleset, event, cards)
        return [card.widget.slug for card in found.follows], [card.widget.slug for card in found.remaining]

    hit = do(sheet, ATTACK, 17, defence=12)
    character = Character(sheet)
    assert tray(hit, ATTACK) == (["shield", "damage"], []), "what protects comes first (DS-40), cover not in melee"
    hit.aimed_at = {"1": "Sünder"}
    assert tray(hit, ATTACK) == (["damage", "shield"], []), "whom it is aimed at throws for itself"
    for face, follows in ((2, ["damage"]), (18, [])):
        stopped = do(sheet, f"roll-shield-{ATTACK}", face, bonus=0, target=14)
        assert tray(stopped, ATTACK)[0] == follows
    harm = do(sheet, f"roll-damage-{ATTACK}", 5, rolls=1, critical=0)
    follows, remaining = tray(harm, ATTACK)
    assert follows == ["armour"]
    assert remaining == ["shield"]
    harm.undone = True
    harm.save()
    assert tray(harm, ATTACK) == (["damage"], ["shield"]), "what was taken back may be done once more"


@pytest.mark.django_db
def test_what_follows_is_drawn_once_for_all_but_for_presses_addresses_and_the_language(sheet):  # noqa: F811 - as above
    hit = do(sheet, ATTACK, 17, defence=12)
    character = Character(sheet)
    found = tray_of(character.ruleset, hit, roll_cards(character.ruleset, character.rolls(), last_events(sheet)))
    said = {"mine": True, "against": ""}
    one, two = (html(found, **said, press=press, play_url=url) for press, url in (("one", "/a/"), ("two", "/b/")))
    assert set(re.findall(r'name="_press" value="(\w+)"', one)) == {"one"}
    assert one.replace("/a/", "/b/").replace('"one"', '"two"') == two
    with override("de"):
        assert "Was folgt" in html(found, **said, press="one", play_url="/a/")
    hit.undone = True
    taken_back = tray_of(character.ruleset, hit, [], undo=hit)
    assert "tray-undo" in html(taken_back, **said, press="one", play_url="/a/")


@pytest.mark.parametrize("slug", SYSTEMS)
def test_white_on_the_deep_colour_of_each_system_reads_well_by_day_and_by_night(slug):
    stylesheet = finders.find(SYSTEMS[slug].stylesheet)
    deep = re.search(r"--deep: light-dark\((#\w{6}), (#\w{6})\)", Path(stylesheet).read_text())
    assert deep, "a system's style sheet says `--deep: light-dark(#…, #…);`, a ground for white text"

    def luminance(colour):
        parts = (int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5))
        return sum(weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
                   for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    def mixed(colour, part):
        """So much of white in a colour."""
        return "#" + "".join(f"{round(255 * part + int(colour[at:at + 2], 16) * (1 - part)):02x}" for at in (1, 3, 5))

    for colour in deep.groups():
        # The quieter text on the ground itself, and what stands on a button under the pointer.
        for text, ground in ((mixed(colour, 0.84), colour), ("#ffffff", mixed(colour, 0.24))):
            assert (luminance(text) + 0.05) / (luminance(ground) + 0.05) >= 4.5
