"""The tray: what it says of a roll and of an act, its dice, how rare that is, what follows, what others do not see."""

import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.utils.translation import override

from rulesets import systems
from rulesets.kit import numeral
from sheets.models import Event
from sheets.rolls.stored import MAX_SINGLE_DICE, fallen_dice
from sheets.rolls.tray import tray_of
from tests.support.sheets.rolling import do, html, rolled, shown, tray_on

pytestmark = pytest.mark.usefixtures("english")
SYSTEMS = systems()
ATTACK = "roll-attack-weapons-0"
RISK = {"move": "risk", "attribute": "white"}
HIT = {"bonus": 4, "defence": 12}


@pytest.fixture
def sheet(anna_s):
    return anna_s("knight", "daemmersturm")


@pytest.mark.parametrize(("slug", "roll", "faces", "given", "outcome", "detail"), [
    # A short sentence of a number is written large, a long one stands below it.
    ("condice", "attack", (6, 5, 4, 2), {"dice": 4, "defence": 3}, "4 successes, 1 damage", ()),
    ("battle-dice", "battle", (6, 6, 6, 2, 2, 1), {"attack_dice": 3, "defence_dice": 3}, "3 damage",
     ("AD 6 6 6 against DD 2 2 1",)),
    # Of a word the word is large, the sentence stands below, and what stands large is not said once more in it.
    ("daemmersturm", "attack", (17,), HIT, "Hit", ("17 + 4 = 21, needed 13",)),
    ("dice-rumble", "test", (3,), {"threshold": 9}, "Success", ("3 against 9, margin 6",)),
    # The second reading of a throw is said with the first.
    ("augen-des-zwielichts", "move", (5, 3), RISK, "Done", ("5–6, no condition (black 3 against white 5)",)),
    ("augen-des-zwielichts", "move", (3, 5), RISK, "Done, with a condition", ("5–6, black 5 against white 3",)),
])
def test_what_came_of_a_roll_is_large_and_the_rest_below(slug, roll, faces, given, outcome, detail):
    tray = shown(slug, roll, *faces, **given)
    assert (tray.outcome, tray.detail) == (outcome, detail)


@pytest.mark.rule("DR-12")
@pytest.mark.parametrize(("faces", "large", "below"), [
    ((3, 9), "Win, 6 damage", "3 against 9"), ((9, 3), "Lose", "9 against 3, difference 6"),
    ((8, 9), "Nobody wins", "8 against 9"), ((1, 8), "Win, 7 damage", "1 against 8 (critical success)"),
])
def test_a_duel_says_large_who_wins_and_how_below(faces, large, below):
    tray = shown("dice-rumble", "duel-damage", *faces, threshold=6, opponent=6)
    assert (tray.outcome, tray.detail[0]) == (large, below)


@pytest.mark.parametrize(("slug", "roll", "face", "given", "words"), [
    ("dice-rumble", "test", 3, {"threshold": 9}, "The GM says what comes of it."),
    ("daemmersturm", "attack", 9, {"bonus": 3, "defence": 12}, "That was your action; go on to the next turn."),
    ("daemmersturm", "attack", 10, {"bonus": 3, "defence": 12}, ""),
])
def test_what_leads_on_to_nothing_says_what_comes_then(slug, roll, face, given, words):
    tray = shown(slug, roll, face, **given)
    assert (tray.afterwards, f'<p class="tray-then">{words}</p>' in html(tray)) == (words, bool(words))


def test_cards_that_were_drawn_lie_there_as_backs_and_not_as_dice():
    tray = shown("battle-dice", "draw", 3, 1, cards=8, draws=2)
    assert [(die.card, die.face) for pool in tray.dice for die in pool] == [(True, 0)] * 2
    assert (html(tray).count('class="back"'), "cube" in html(tray)) == (2, False)


def test_dice_that_count_for_nothing_lie_there_as_such_and_those_that_count_twice_too():
    tray = shown("condice", "attack", 6, 5, 4, 2, dice=4, defence=3, title="Unicorn piranhas")
    assert tray.title == "Unicorn piranhas · against Defence 3"
    assert [(die.face, die.worth) for pool in tray.dice for die in pool] == [(6, 2), (5, 1), (4, 1), (2, 0)]
    assert html(tray).count(">2×</small>") == html(tray).count(" idle") == 1
    [[die]] = shown("daemmersturm", "attack", 17, **HIT).dice
    assert die.worth is None


@pytest.mark.parametrize(("face", "extreme", "word"), [(1, "critical", "Critical!"), (10, "fumble", "Fumble!"),
                                                       (4, "", "")])
def test_an_extreme_outcome_looks_it_and_says_so(face, extreme, word):
    tray = shown("dice-rumble", "test", face, threshold=5)
    page = html(tray)
    assert (tray.extreme, tray.extreme_text, "tray-word" in page) == (extreme, word, bool(word))
    assert (f'class="tray {extreme}"' if extreme else 'class="tray"') in page
    assert word in tray.spoken_text


def dice_of(slug, roll, *faces, **given):
    return fallen_dice(SYSTEMS[slug].rolls[roll].model_validate(given), faces)


@pytest.mark.parametrize(("slug", "roll", "faces", "given", "pools"), [
    # Of the kind that the throw asks for, of none where there is none such.
    ("daemmersturm", "damage", (7, 3, 4), {"range": "1-10", "rolls": 2, "critical": 1}, ["7d10 3d10 4d5"]),
    ("daemmersturm", "light", (0,), {"bonus": 3}, ["0d0"]),
    # Pools lie apart as they fell, and those of the other side are marked.
    ("condice", "mental-attack", (1, 6, 3, 5), {"dice": 3, "resistance": 1}, ["1d6 6d6 3d6", "5d6 theirs"]),
    ("augen-des-zwielichts", "move", (3, 5), RISK, ["3d6 white", "5d6 black"]),
    # What this version would not throw is shown all the same.
    ("condice", "success", (4, 9), {"dice": 1}, ["4d6 9d0"]),
])
def test_dice_lie_there_as_they_fell(slug, roll, faces, given, pools):
    assert [" ".join(" ".join(filter(None, (f"{die.face}d{die.sides}", die.colour, "" if die.own else "theirs")))
                     for die in pool) for pool in dice_of(slug, roll, *faces, **given)] == pools


@pytest.mark.parametrize("count", [MAX_SINGLE_DICE, MAX_SINGLE_DICE + 1, 900])
def test_many_dice_are_heaps_that_hold_each_of_them(count):
    faces = [1 + number % 6 for number in range(count)]
    dice = [die for pool in dice_of("condice", "success", *faces, dice=count) for die in pool]
    assert len(dice) <= MAX_SINGLE_DICE
    assert sum(die.times for die in dice) == count
    assert {die.face: die.times for die in dice if die.times > 1} == (
        {} if count == MAX_SINGLE_DICE else {face: faces.count(face) for face in range(1, 7)})


def test_many_single_dice_become_heaps_too():
    pools = dice_of("dice-rumble", "initiative-order", *[7] * 60, fighters=60)
    assert [(die.face, die.times, die.own) for pool in pools for die in pool] == [(7, 1, True), (7, 59, False)]


def test_dice_are_drawn_as_cubes_and_solids_that_only_eyes_see_and_say_whose_they_are():
    page = html(shown("condice", "attack", 6, 1, dice=2, defence=0))
    assert re.findall(r'class="fallen d6 (f\d)(?: idle)?"', page) == ["f6", "f1"]
    assert re.search(r'<p class="tray-dice" aria-hidden="true">', page)
    assert "style=" not in page
    assert re.search(r'class="fallen d20".*<text[^>]*>17</text>', html(shown("daemmersturm", "attack", 17, **HIT)))
    assert "fallen d6 f2 theirs" in html(shown("condice", "mental-attack", 6, 2, dice=1, resistance=1))
    for tray, names in ((shown("battle-dice", "battle", 6, 4, attack_dice=1, defence_dice=1), ["AD", "DD"]),
                        (shown("dice-rumble", "duel", 3, 9, threshold=6, opponent=6), ["Opponent"])):
        assert re.findall(r'class="whose">([^<]+)', html(tray)) == names


def test_nothing_has_fallen_is_a_small_tray():
    assert tray_of(SYSTEMS["condice"], None) is None
    assert ('class="tray empty"' in html(None), "<form" in html(None)) == (True, False)


def test_an_act_says_what_it_did_and_is_taken_back_from_there():
    event = Event(pk=7, title="Take damage", act="damage", text="3 damage taken, life 7")
    tray = tray_of(SYSTEMS["condice"], event, undo=event)
    assert (tray.title, tray.outcome, tray.dice, tray.rarity) == ("Take damage", "3 damage taken, life 7", (), "")
    assert 'name="_event" value="7"' in html(tray, mine=True)
    assert "<form" not in html(tray, mine=False)
    # An older one is not taken back from a younger roll.
    assert tray_of(SYSTEMS["condice"], rolled("condice", "healing", 4), undo=event).undo is None


def test_what_was_taken_back_says_so_and_leads_to_the_one_before():
    event = Event(pk=8, title="Take damage", act="damage", text="3 damage taken, life 7", undone=True)
    page = html(tray_of(SYSTEMS["condice"], event, undo=Event(pk=7, title="Be healed", act="heal")), mine=True)
    assert [one in page for one in ("Taken back", "Take back: Be healed", "3 damage taken")] == [True, True, False]


def test_a_roll_of_a_system_that_has_lost_it_shows_its_outcome():
    tray = tray_of(SYSTEMS["condice"], Event(pk=1, title="Old", roll="gone", outcome=3, faces=[3]))
    assert (tray.title, tray.outcome, tray.dice) == ("Old", "3", ())


def test_others_never_see_what_a_secret_roll_threw():
    event = rolled("battle-dice", "draw", 5, cards=8, draws=1, title="Draw a card")
    event.sheet_id = uuid4()
    assert event.faces == [5]
    others = tray_of(SYSTEMS["battle-dice"], event.for_others(SYSTEMS["battle-dice"]))
    assert (others.dice, others.rarity, others.detail, others.follows) == ((), "", (), ())
    assert "5" not in others.spoken_text
    assert numeral(5) not in re.sub(r"<svg.*?</svg>", "", html(others))


def test_a_shot_names_the_defence_that_it_meets(sheet):
    bow = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 0, "w": None, "targets": None}
    sheet.data = {**sheet.data, "weapons": [bow]}
    sheet.save()
    shot = do(sheet, "roll-attack-weapons-0-shot", 17, defence=12)
    assert tray_on(sheet, shot).title == "Bogen · against Defence against shots 12"


@pytest.mark.rule("DS-20")
@pytest.mark.parametrize(("skill", "named"), [
    ("melee", "Defence against melee 10"), ("ranged", "Defence against shots 10"),
    ("magic", "Defence against magic 10")])
def test_whoever_reads_the_roll_of_another_reads_the_name_of_the_figure_that_it_met(skill, named):
    tray = shown("daemmersturm", "attack", 17, bonus=0, defence=10, skill=skill)
    assert tray.title.endswith(f"against {named}")


def test_a_hit_leads_on_and_what_is_left_of_it_stays_in_reach(sheet):
    def tray(event):
        found = tray_on(sheet, event)
        return [[card.widget.slug for card in cards] for cards in (found.follows, found.remaining)]

    hit = do(sheet, ATTACK, 17, defence=12)
    assert tray(hit) == [["shield", "damage"], []], "what protects comes first (DS-40), cover not in melee"
    hit.aimed_at = {"1": "Sünder"}
    assert tray(hit) == [["damage", "shield"], []], "whom it is aimed at throws for itself"
    for face, follows in ((18, []), (2, ["damage"])):
        assert tray(do(sheet, f"roll-shield-{ATTACK}", face, bonus=0, target=14))[0] == follows
    harm = do(sheet, f"roll-damage-{ATTACK}", 5, rolls=1, critical=0)
    assert tray(harm) == [["armour"], ["shield"]]
    harm.undone = True
    harm.save()
    assert tray(harm) == [["damage"], ["shield"]], "what was taken back may be done once more"


def test_what_follows_is_drawn_once_for_all_but_for_presses_addresses_and_the_language(sheet):
    hit = do(sheet, ATTACK, 17, defence=12)
    found, said = tray_on(sheet, hit), {"mine": True, "against": ""}
    one, two = (html(found, **said, press=press, play_url=url) for press, url in (("one", "/a/"), ("two", "/b/")))
    assert set(re.findall(r'name="_press" value="(\w+)"', one)) == {"one"}
    assert one.replace("/a/", "/b/").replace('"one"', '"two"') == two
    with override("de"):
        assert "Folgen" in html(found, **said, press="one", play_url="/a/")
    hit.undone = True
    taken_back = tray_of(SYSTEMS["daemmersturm"], hit, [], undo=hit)
    assert "tray-undo" in html(taken_back, **said, press="one", play_url="/a/")


@pytest.mark.parametrize("slug", SYSTEMS)
def test_white_on_the_deep_colour_of_each_system_reads_well_by_day_and_by_night(slug):
    stylesheet = finders.find(SYSTEMS[slug].stylesheet)
    deep = re.search(r"--deep: light-dark\((#\w{6}), (#\w{6})\)", Path(stylesheet).read_text())
    assert deep, "a system's style sheet says `--deep: light-dark(#…, #…);`, a ground for white text"

    def luminance(colour):
        parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    for said in deep.groups():
        colour = [int(said[at:at + 2], 16) / 255 for at in (1, 3, 5)]
        # The quieter text on the ground, and what stands on a button under the pointer, by how much of each is white.
        for text, ground in ((0.84, 0), (1, 0.24)):
            light, dark = (luminance([white + part * (1 - white) for part in colour]) for white in (text, ground))
            assert (light + 0.05) / (dark + 0.05) >= 4.5
