"""A sheet, a draft and a table as a screen reader is given them: their parts in order, and the names of these.

Each reading is written down as the browser gives it on, in Playwright's words for it; what is left out there may be
there as well. It is one system's, and in English.
"""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import expect

from rulesets import systems
from rulesets.condice.examples import EXAMPLES
from sheets.models import Member, Sheet
from sheets.parties import services as parties
from tests.support.browser.wizard_actions import drafted, saved, seated

pytestmark = pytest.mark.browser
ENGLISH = "en-GB"

SHEET = """
- heading "Juan" [level=1]
- link "Edit"
- link "Print"
- term:
  - link "Life points"
- definition:
  - group: /10 \\/ 10/
  - 'button "One less: Life points"'
- term:
  - link "Defence"
- definition:
  - group: /^4/
- region "Roll":
  - heading "Roll" [level=2]
  - textbox "Defence"
  - heading "Attacks" [level=3]
  - article /Einhornpiranhas/:
    - paragraph:
      - strong: /\\d+%/
      - text: /hit/
    - button /Roll.*Einhornpiranhas/
- region "At the table":
  - heading "At the table" [level=2]
- region "Latest rolls"
- region "Log":
  - heading "Log" [level=2]
"""
"""The name, what is left, the rolls with their odds, what can be done, the latest roll, the log."""

FALLEN = """
- status:
  - paragraph: /Einhornpiranhas.* \\d success/
- region "Log":
  - list "Log":
    - listitem:
      - time
      - text: /Einhornpiranhas/
      - strong: /\\d success/
"""

BUILDER = """
- navigation "Steps":
  - list:
    - listitem:
      - link /Character/
    - listitem:
      - link /Values \\d+ Points/
    - listitem:
      - link /Attacks \\d+ Points/
    - listitem:
      - link /Abilities/
    - listitem:
      - link "Finish"
- heading "Values" [level=1]
- 'button "Defence: one less"'
- textbox "Defence": "4"
- 'button "Defence: one more"'
- paragraph: /Each point/
- 'button "Life: one less"'
- textbox "Life"
- 'button "Life: one more"'
- complementary "Budget and problems":
  - paragraph: /0 of 30 points left/
  - list:
    - listitem: /Attacks/
- button /Back.*Character/
- 'button "Next: Attacks"'
- status
"""
"""The steps and how they stand, what is asked with what it does, what all of it costs, and how one goes on."""

WRONG = """
- textbox "Life" [invalid=true]: viel
- complementary "Budget and problems"
"""

TABLE = """
- heading "Friday" [level=1]
- paragraph:
  - link "Scenes"
  - link "Handouts"
- status
- region "Turns":
  - heading "Turns" [level=2]
  - list:
    - listitem:
      - link /Juan 10\\/10/
  - button "Start the fight"
- region "Juan":
  - heading "Juan" [level=2]
  - list "Choose as target":
    - listitem:
      - link /Guardian/
    - listitem:
      - link "self"
  - heading "Attacks" [level=3]
  - article /Einhornpiranhas/:
    - button /Roll.*Einhornpiranhas/
- region "At the table":
  - heading "At the table" [level=2]
  - list:
    - listitem:
      - group:
        - heading "Guardian" [level=3]
      - term: Life points
      - definition:
        - strong: /\\d+/
- region "Latest rolls"
- region "Log"
"""
"""The turn, who acts and whom they aim at, their rolls, those at the table with their figures, the log."""


def reads(page, reading):
    """Check what a page's content is read as."""
    expect(page.locator("main")).to_match_aria_snapshot(reading)


def test_a_sheet_is_read_as_who_it_is_what_is_left_what_one_rolls_and_what_happened(visit):
    page = seated(visit, EXAMPLES["juan"], locale=ENGLISH)
    reads(page, SHEET)


def test_what_fell_is_read_out_once_and_stands_in_the_log(visit):
    page = seated(visit, EXAMPLES["juan"], locale=ENGLISH)
    page.get_by_role("button", name=re.compile("Roll.*Einhornpiranhas")).first.click()
    expect(page.get_by_role("list", name="Log").get_by_role("listitem")).to_have_count(1)
    reads(page, FALLEN)


def test_a_step_of_the_builder_is_read_as_where_one_is_what_is_asked_and_what_it_costs(visit):
    page = visit("/", locale=ENGLISH)
    page.goto(drafted(page) + "values/")
    reads(page, BUILDER)
    page.get_by_role("textbox", name="Life", exact=True).fill("viel")
    saved(page)
    reads(page, WRONG)


def test_a_table_is_read_as_whose_turn_it_is_who_acts_on_whom_and_who_is_there(visit):
    gm = get_user_model().objects.create_user("gm")
    party = parties.found_party(gm, "Friday", systems()["condice"])
    made = {}
    for name in ("juan", "guardian"):
        player = get_user_model().objects.create_user(name)
        Member.objects.create(party=party, user=player)
        made[name] = Sheet.objects.create(owner=player, party=party, ruleset="condice", name=name.title(),
                                          seen_by="party", data=EXAMPLES[name]["data"])
    client = Client()
    client.force_login(gm)
    reads(visit(f"/parties/{party.pk}/table/?_by={made['juan'].pk}", client=client, locale=ENGLISH), TABLE)
