"""A sheet with more rolls than a table shows: each of the others is named there, fetched by its name, and leads on."""

import re

import pytest

from sheets.models import Event
from sheets.rolls.rows import ROLLS_PER_PAGE
from tests.support.sheets.fight import table_of

SWORD = {"name": "Schwert", "kind": "one-handed", "hands": 2, "damage": "1-10", "reload_actions": 0}
GRENADE = {"name": "Granate", "kind": "explosive", "hands": 1, "damage": "1-6", "reload_actions": 0, "w": 10,
           "targets": "1-4"}
THROWN = "roll-w-roll-weapons-12"


@pytest.fixture
def armed(table):
    """Anna has a dozen swords and a grenade."""
    table.have("anna", weapons=[{**SWORD, "name": f"Schwert {n}"} for n in range(12)] + [GRENADE])
    return table


def rows(page):
    return re.findall(r'id="w-(roll-[^"]*)"', page)


@table_of("daemmersturm")
@pytest.mark.rule("DS-27")
@pytest.mark.parametrize("htmx", [False, True])
def test_what_a_table_has_no_room_for_is_named_there_fetched_and_rolled_and_leads_on(armed, dice, htmx):
    page = armed.look().text
    named = dict(re.findall(r'href="([^"]*&amp;w=([^"#]*)#w-[^"]*)"', page))
    assert (len(rows(page)), THROWN in named.values()) == (ROLLS_PER_PAGE, True)
    assert not {*named.values()} & {*rows(page)}
    assert {"roll-cover", "roll-perception", "roll-exhaustion"} <= {*named.values()} | {*rows(page)}
    address = next(one for one, key in named.items() if key == THROWN).replace("&amp;", "&").partition("#")[0]
    fetched = armed.browsers["anna"].get(f"{armed.address}{address}").text
    assert rows(fetched)[-1] == THROWN
    assert re.search(r'<details class="rare" id="further" open>', fetched)
    dice += [[19]]
    armed.press(THROWN, htmx=htmx)
    assert (Event.objects.get().outcome, dice) == ("success", [])
    # Its row stays while something follows from it.
    assert f'id="tray-roll-targets-{THROWN}"' in armed.look().text
    assert rows(armed.look().text)[-1] == THROWN


@table_of("daemmersturm")
def test_a_sheet_of_few_rolls_names_none_apart(table):
    table.have("anna", weapons=[])
    page = table.look().text
    assert ("named-rolls" in page, len(rows(page)) <= ROLLS_PER_PAGE) == (len(rows(page)) == ROLLS_PER_PAGE, True)
