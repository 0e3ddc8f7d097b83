"""What people look for is found, and names stand in the order of German dictionaries."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.folding import matches, order_key, search_terms, search_text
from tests.support.folding import NAMES, SEARCHES


@pytest.mark.parametrize(("query", "name", "found"), SEARCHES)
def test_a_search_finds_what_people_mean_by_it(query, name, found):
    assert matches(query, name) == found


def test_names_stand_in_the_order_of_german_dictionaries():
    mixed = [*NAMES]
    random.Random(7).shuffle(mixed)  # noqa: S311 - an order, no secret
    assert sorted(mixed, key=order_key) == NAMES
    assert len(NAMES) == 40


@given(st.text(max_size=40))
def test_every_name_is_found_by_itself_and_has_one_place(text):
    assert matches(text, text)
    assert search_text(text) == search_text(text.casefold()) or "ß" in text.lower() or matches(text.casefold(), text)
    assert order_key(text) == order_key(f" {text} ")
    assert all(word for word in search_terms(text))
