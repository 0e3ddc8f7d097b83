"""A duel aimed at somebody is against what one chooses of the other side, whose figures stay secret where they are."""

import re

import pytest

from sheets.models import PRIVATE, Event, Sheet
from tests.support.sheets.fight import table_of

DUEL = "roll-duel"
TALENTS = {"talents": [{"name": "Nahkampf", "attribute": "strength", "points": 4},
                       {"name": "Wahrnehmung", "attribute": "mind", "points": 6},
                       {"name": "Sternenkunde", "attribute": "mind", "points": 5}]}
pytestmark = [pytest.mark.rule("DR-12"), pytest.mark.alike]


def choices(table, who, by="anna", language="de", **at):
    """What the duel lets one choose for the other side, {word: label}."""
    page = table.look(who, by, accept_language=language, **at).text
    asked = re.search(r'<select[^>]*name="opponent"[^>]*>(.*?)</select>', page, re.DOTALL)[1]
    return {word: re.sub(r"\s+", " ", label).strip() for word, label in re.findall(
        r'<option value="([^"]*)"[^>]*>(.*?)</option>', asked, re.DOTALL)}


@table_of("dice-rumble")
def test_the_figure_of_the_other_side_is_chosen_among_its_talents(table, dice):
    table.have("ben", **table.sheets["ben"].data | TALENTS)
    there = choices(table, "anna", at="ben")
    word = next(word for word, label in there.items() if label.startswith("Sternenkunde: "))
    dice += [[3, 9]]
    table.press(DUEL, threshold=5, opponent=word)
    event = Event.objects.get()
    assert there[word] == f"Sternenkunde: {event.parameters['opponent']}"
    assert event.aimed_at


@table_of("dice-rumble")
def test_of_an_opponent_of_the_gm_a_player_reads_names_that_everybody_knows_and_no_figure(table, dice):
    table.bring("Troll", data=table.sheets["ben"].data | TALENTS)
    there = choices(table, "anna", at="troll")
    assert not any(letter.isdigit() for label in there.values() for letter in label)
    assert "Sternenkunde" not in there.values()
    seen = choices(table, "gm", at="troll")
    assert any(label.startswith("Sternenkunde: ") for label in seen.values())
    word = next(word for word, label in there.items() if label == "Wahrnehmung")
    own = next(word for word in seen if word.startswith("own-"))
    for chosen, figure in ((word, seen[word].rpartition(" ")[2]), ("own-nothing", seen["usual"].rpartition(" ")[2])):
        dice += [[3, 9]]
        table.press(DUEL, at="troll", threshold=5, opponent=chosen)
        event = Event.objects.latest("pk")
        assert (str(event.parameters["opponent"]), event.given.get("opponent")) == (figure, None)
    # Whether a word of the troll's own is understood tells nobody that it has the talent.
    dice += [[3, 9]]
    assert table.press(DUEL, at="troll", threshold=5, opponent=own).status_code == 302
    assert Event.objects.count() == 3


@table_of("dice-rumble")
def test_whoever_sees_the_figures_at_the_table_alone_reads_no_talent_of_the_sheet(table):
    table.have("ben", **table.sheets["ben"].data | TALENTS)
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(seen_by=PRIVATE, at_table=True)
    there = choices(table, "anna", at="ben")
    assert not any(letter.isdigit() for label in there.values() for letter in label)
    assert "Sternenkunde" not in there.values()
    assert any(label.startswith("Sternenkunde: ") for label in choices(table, "gm", at="ben").values())
