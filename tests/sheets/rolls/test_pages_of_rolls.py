"""The rolls of a sheet that has more of them than a page shows: which page is shown, and what holds on all of them."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from sheets.models import Event, Sheet
from sheets.rolls.rows import ROLLS_PER_PAGE
from tests.support.guest import Guest, example, inputs_of, inside

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def guest():
    """Somebody with sixty attacks, whose link shows the table."""
    document = example()
    attacks = [{"name": f"a{n}", "dice": 2, "range": 0, "description": ""} for n in range(60)]
    made = Guest({**document, "data": document["data"] | {"attacks": attacks}})
    Sheet.objects.filter(pk=made.pk).update(share="t" * 20, share_play=True)
    return made


def page(guest, **query):
    return guest.client.get(f"/sheets/{guest.pk}/", query)


def attacks(answer, row="w"):
    """The numbers of the attacks whose rows an answer shows."""
    return [int(number) for number in re.findall(rf'id="{row}-roll-attack-attacks-(\d+)"', answer.text)]


def with_odds(answer):
    """The numbers of the attacks whose odds an answer shows."""
    return attacks(answer, "promise")


def links(answer):
    """[(address, whether it is the page that is shown)] of the pages of the rolls."""
    nav = re.search(r'<div id="roll-pages".*?</div>', answer.text, re.S)[0]
    return [(link.replace("&amp;", "&"), bool(here))
            for link, here in re.findall(r'<a href="([^"]*)"( aria-current="page")?>', nav)]


def press(guest, answer, which, *, htmx=False, **more):
    """Presses a row as the page has it, with what its browser sends along."""
    action = re.search(r'<form method="post" action="(/sheets/[^"]*/play/[^"]*)"', answer.text)[1].replace("&amp;", "&")
    said = {"w": which, "_press": str(uuid4()), "defence": "0"}
    if htmx:
        kept = ("_seen", "_rolls", "against.defence")
        said |= {key: value for key, value in inputs_of(answer).items() if key in kept}
    return guest.client.post(action, said | more, headers=HTMX if htmx else {})


@pytest.mark.parametrize(("asked", "first"), [
    (None, 0), ("1", 0), ("2", ROLLS_PER_PAGE), ("3", 2 * ROLLS_PER_PAGE), ("99", 2 * ROLLS_PER_PAGE),
    ("-1", 2 * ROLLS_PER_PAGE), ("x", 0), ("9" * 5_000, 0), ("", 0),
])
def test_a_page_shows_its_rolls_and_leads_to_the_others(guest, asked, first):
    shown = page(guest, **({} if asked is None else {"_rolls": asked}))
    assert attacks(shown) == [n for n in range(60) if first <= n < first + ROLLS_PER_PAGE]
    assert [here for _link, here in links(shown)] == [one == first // ROLLS_PER_PAGE + 1 for one in (1, 2, 3)]
    assert inputs_of(shown)["_rolls"] == str(first // ROLLS_PER_PAGE + 1)


def test_what_is_asked_for_and_what_was_rolled_last_say_which_page_it_is(guest):
    assert ROLLS_PER_PAGE in attacks(page(guest, w=f"roll-attack-attacks-{ROLLS_PER_PAGE}", defence="1"))
    press(guest, page(guest, _rolls=3), "roll-attack-attacks-50")
    assert 50 in attacks(page(guest))
    assert 0 in attacks(page(guest, _rolls=1))


@pytest.mark.parametrize("htmx", [False, True])
def test_another_page_of_the_rolls_is_against_the_same_figures(guest, htmx):
    asked = {"_rolls": "1", "against.defence": "7"}
    shown = guest.client.get(f"/sheets/{guest.pk}/", asked, headers=HTMX) if htmx else page(guest, **asked)
    there = links(shown)[1][0]
    assert {"against.defence=7", "_rolls=2"} <= set(re.split("[?&#]", there))
    assert inputs_of(guest.client.get(there))["against.defence"] == "7"


def test_a_reader_by_the_link_turns_pages_too(guest):
    reader = Client()
    there = links(reader.get(f"/shared/{'t' * 20}/", {"against.defence": "7"}))[2][0]
    assert attacks(reader.get(there)) == list(range(2 * ROLLS_PER_PAGE, 60))


def test_other_figures_ask_for_the_odds_of_the_page_that_is_shown(guest):
    answer = guest.client.get(f"/sheets/{guest.pk}/", {"_rolls": "2", "against.defence": "9"}, headers=HTMX)
    assert with_odds(answer) == [*range(ROLLS_PER_PAGE, 2 * ROLLS_PER_PAGE)]
    one = {"_rolls": "2", "w": "roll-attack-attacks-30", "defence": "9"}
    alone = guest.client.get(f"/sheets/{guest.pk}/", one, headers=HTMX)
    assert (with_odds(alone), "roll-pages" in alone.text) == ([30], False)


def test_an_act_leaves_the_page_of_the_rolls_and_the_figures_as_they_are(guest):
    press(guest, page(guest), "roll-attack-attacks-0")
    shown = page(guest, _rolls="2", **{"against.defence": "7"})
    answer = press(guest, shown, "act-add-item", name="Seil", effect="")
    assert answer["Location"].endswith("#w-act-add-item")
    after = guest.client.get(answer["Location"])
    assert (attacks(after)[0], inputs_of(after)["against.defence"]) == (ROLLS_PER_PAGE, "7")
    # A page that is not as the sheet was is drawn as a whole, against what was typed since.
    answer = press(guest, page(guest, _rolls="2"), "act-add-item", htmx=True, name="Haken", effect="",
                   **{"_seen": "", "against.defence": "8"})
    assert 'id="table"' in answer.text
    assert (attacks(answer)[0], inputs_of(answer)["against.defence"]) == (ROLLS_PER_PAGE, "8")


def test_an_act_that_changes_all_rolls_draws_those_of_the_page_that_is_shown(guest):
    press(guest, page(guest), "roll-attack-attacks-50")
    shown = page(guest, _rolls="2")
    answer = press(guest, shown, "act-change-attributes-others", htmx=True, name="Wut", attributes="attack", by="2",
                   rounds="2")
    assert 'id="table"' not in answer.text
    assert attacks(answer) == list(range(ROLLS_PER_PAGE, 2 * ROLLS_PER_PAGE))
    answer = press(guest, page(guest, _rolls="2"), "roll-attack-attacks-30", htmx=True)
    assert ("promise-roll-attack-attacks-30" in inside(answer), attacks(answer)) == (True, [])
    assert Event.objects.count() == 3
