"""A press on a page from before the database was put back: the page says so, is drawn anew, and goes on."""

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from playwright.sync_api import expect

from rulesets.condice.examples import EXAMPLES
from sheets.models import Event, Receipt, RollKey
from sheets.receipts import services
from sheets.receipts.keys import BITS, EXPONENT
from tests.support.browser.sheet_actions import lines
from tests.support.browser.wizard_actions import seated

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def new_keys(monkeypatch):
    made = iter([generate_private_key(EXPONENT, BITS) for _number in range(2)])
    monkeypatch.setattr(services.keys, "make", lambda: next(made))


def test_a_roll_that_is_gone_is_said_where_one_looks_and_the_next_press_rolls(visit):
    page = seated(visit, EXAMPLES["juan"], locale="en")
    button = page.locator("#press-button-roll-attack-attacks-0")
    for number in (1, 2, 3):
        button.click()
        expect(lines(page)).to_have_count(number)
    # The last piece of a press says what the page knows of, not the page as it was opened.
    assert "~3~" in page.locator("#known-roll").input_value()
    Event.objects.filter(receipt__number=3).delete()
    Receipt.objects.filter(number=3).delete()
    visit.expect("409")
    button.click()
    expect(page.locator("#messages .note.error")).to_contain_text("put back to an earlier state")
    expect(lines(page)).to_have_count(2)
    assert "~2~" in page.locator("#known-roll").input_value()
    expect(page.locator("#refused")).to_be_hidden()
    button.click()
    expect(lines(page)).to_have_count(3)
    assert [one.number for one in Receipt.objects.order_by("number")] == [1, 2, 3]
    assert RollKey.objects.filter(ended="put-back").count() == 1
