"""How a difference is told on the page."""

import pytest
from django.utils.html import escape
from hypothesis import given
from hypothesis import strategies as st

from sheets.diff.changes import Figure
from tests.support.sheets.states import CAPTAIN, became, page

HOSTILE = "<script>alert(1)</script> & \"quoted\" 'too'"


pytestmark = pytest.mark.usefixtures("english")


def test_of_a_text_what_was_changed_stands_between_what_was_not():
    text = "Rosa und hungrig."
    found = became("condice", "juan", {"attacks.0.description": "Rosa und satt,\nmeistens."},
                   {"attacks.0.description": text})
    change, = found.changes
    assert change.said == []
    assert change.texts[0].reworded == ("Rosa und ", "hungrig.", "satt,\nmeistens.", "")
    assert "Rosa und <span" in page(found)
    assert "<ins>satt,<br>meistens.</ins>" in page(found)
    assert Figure("Text", "a b c", "a c", long=True).reworded == ("a ", "b ", "", "c")
    assert Figure("Text", "a a", "a a a", long=True).reworded == ("a ", "", "a ", "a")
    assert Figure("Text", None, "a", long=True).reworded == ("", "", "a", "")


@given(st.text("ab \n", max_size=12), st.text("ab \n", max_size=12))
def test_what_is_said_of_a_text_holds_both_texts(before, after):
    head, old, new, tail = Figure("", before, after, long=True).reworded
    assert (head + old + tail, head + new + tail) == (before, after)


def test_texts_are_inert_on_the_page():
    found = became("condice", "juan", {"attacks.0.name": HOSTILE, "attacks.1.description": HOSTILE},
                   name=HOSTILE)
    html = page(found)
    assert "<script" not in html
    assert html.count(escape(HOSTILE)) >= 3


def test_the_page_says_all_of_it():
    found = became("dice-rumble", "captain", {"talents.2.points": 6}, CAPTAIN)
    html = page(found, rules_url="/rules/dice-rumble/")
    for said in ("Nahkampf", "<del>8</del>", "<ins>9</ins>", "Now not legal.", "Entermesser",
                 '<a href="/rules/dice-rumble/#DR-02">DR-02</a>', "41 of 40 points"):
        assert said in html
    assert "style=" not in html
    assert "No differences." in page(became("dice-rumble", "captain", {}))
