"""A party's catalogue: rows that equal an entry need no approval, in every list of which a rule asks for one."""

from copy import deepcopy

import pytest
from django.utils import timezone

from rulesets import systems
from rulesets.kit import blank, entry_data, open_lists
from sheets.documents import sealable
from sheets.models import PartyEntry
from sheets.reviews.services import check_content
from tests.support.party import Round

OWN = {
    "condice": ("abilities", {"ability": "custom", "name": "Nebelwand", "cost": 4, "description": "Nebel."}),
    "battle-dice": ("cards", {"card": "custom", "name": "Nachtschicht", "cost": 2, "effects": [],
                              "keywords": [{"keyword": "angriff", "value": 2}]}),
    "daemmersturm": ("abilities", {"name": "Nebelwand", "cost": "1 AP", "focus_points": 3, "text": "Nebel."}),
}
"""{system: a row of its own that asks for approval}."""
pytestmark = pytest.mark.django_db
each_system = pytest.mark.parametrize("slug", OWN)


def with_row(slug):
    """A round whose sheet has the row, and the entry that the row equals, which is not stored yet."""
    here = Round(slug)
    here.sheet.data = deepcopy(here.sheet.data)
    place, row = OWN[slug]
    where, part = next((one, part) for one, part in open_lists(systems()[slug].sheet).items() if one[0] == place)
    *others, last = here.sheet.data[place]
    whole = {**blank(part), **{key: last[key] for key in ("copies",) if key in last}, **row}
    here.sheet.data[place] = [*(others if slug == "battle-dice" else ()), whole]
    here.sheet.save()
    return here, PartyEntry(party=here.party, place=place, tag=where[1], row=entry_data(part, whole))


def asked(here):
    """How many of the findings ask for approval of the last row."""
    here.party.__dict__.pop("_catalogue", None)
    place = OWN[here.sheet.ruleset][0]
    found = check_content(here.sheet, sealable(here.sheet)).findings
    return sum(one.severity == "approval" and one.path.startswith(place) for one in found)


@each_system
def test_a_row_that_equals_an_entry_needs_no_approval_and_one_that_differs_does(slug):
    here, entry = with_row(slug)
    before = asked(here)
    entry.save()
    assert (before, asked(here)) == (1, 0)
    other = {str: "x", int: 5, list: []}
    for key in entry.row:
        changed = deepcopy(here.sheet.data)
        if changed[entry.place][-1][key] == []:
            continue
        changed[entry.place][-1][key] = other[type(entry.row[key])]
        here.sheet.data, kept = changed, here.sheet.data
        assert asked(here) == 1, key
        here.sheet.data = kept


@each_system
def test_a_row_that_differs_does_not_hide_behind_one_of_the_same_name_that_is_agreed(slug):
    here, entry = with_row(slug)
    entry.save()
    another = deepcopy(here.sheet.data[entry.place][-1])
    another["cost"] = {str: "x", int: 0}[type(another["cost"])]
    here.sheet.data[entry.place].append(another)
    assert asked(here) >= 1


@each_system
def test_a_withdrawn_entry_counts_for_sheets_that_were_approved_while_it_stood(slug):
    here, entry = with_row(slug)
    entry.save()
    here.approve()
    entry.withdrawn = timezone.now()
    entry.save()
    assert asked(here) == 0
    PartyEntry.objects.update(made=timezone.now())
    assert asked(here) == 1
