"""Whoever is attacked is asked on top of their page, answers by one press, and both see what falls then."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Event, Party, Question, Sheet
from tests.support.browser.fighters import Browsers
from tests.support.sheets.fight import Fight
from tests.support.sheets.rumble_referee import Fighter, blow, duel

pytestmark = pytest.mark.browser


@pytest.fixture
def table(transactional_db, settings, streams):
    """A table of Dice Rumble that waits for responses; Ben has a die left."""
    settings.LIVE_PORT = streams
    fight = Fight(User.objects, "dice-rumble")
    Sheet.objects.filter(pk=fight.sheets["ben"].pk).update(play={"initiative": 4})
    Party.objects.filter(pk=fight.party.pk).update(waits=True)
    return fight


def test_who_is_attacked_answers_on_a_phone_by_one_press_and_both_see_what_falls(table, visit):
    anna = visit(f"{table.address}?{table.seats()}", client=table.browsers["anna"], locale="en")
    ben = visit(f"{table.address}?{table.seats('ben', None)}", client=table.browsers["ben"], locale="en",
                width=390)
    for page in (anna, ben):
        expect(page.locator("html")).to_have_attribute("data-live", "true")
    anna.locator("#w-roll-attack-unarmed button.roll").click()
    expect(anna.get_by_text("Ben is asked first.")).to_be_in_viewport()
    expect(anna.get_by_text("waiting for Ben")).to_be_visible()
    dodge = ben.get_by_role("button", name="Dodge: Akrobatik")
    expect(dodge).to_be_in_viewport()
    # What is asked of somebody stands out from what waits for others.
    expect(ben.locator("[id^=respond-]").first).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    dodge.click()
    for page in (anna, ben):
        # If it hits, its damage waits for Ben as well.
        expect(page.locator("#questions")).to_have_count(0)
        expect(page.locator("#table-lines")).to_contain_text("Anna")
    assert [one.roll or one.act for one in Event.objects.order_by("pk")] == ["spend-die", "dodge-duel"]


class Round(Browsers):
    """A fight of Dice Rumble that waits for responses, by presses alone: a GM's troll, and three with the same data."""

    def __init__(self, visit, dice):
        side = systems()["dice-rumble"].crossing.side(threshold=6, weapon=2, life=18).model_dump()
        super().__init__(visit, dice, "dice-rumble", {}, {"do": "figures", **side}, ("gm", "anna", "ben"))
        self.fighters = {name: Fighter(self.sheet(name).data) for name in self.sheets}

    def asks(self, who, by, at):
        """Somebody attacks bare-handed, which asks first; the number of the question."""
        self.attack(who, by, at, [("#press-button-roll-attack-unarmed", [])])
        expect(self.pages[who].locator("#questions")).to_be_visible()
        assert not Event.objects.filter(roll__in=["attack", "counter-duel"], sheet=self.sheets[by].pk).exists()
        return Question.objects.latest("pk").pk

    def answers(self, who, number, key, title, dice):
        """Whoever is asked presses the response that is called so."""
        button = self.pages[who].locator(f"#respond-{number}-{key}")
        expect(button).to_contain_text(title)
        self.click(who, f"#respond-{number}-{key}", dice)
        for page in self.pages.values():
            expect(page.locator("#questions")).to_have_count(0)

    def takes(self, who, name, points):
        """Apply what landed by itself, and assert that it is so much."""
        before, number = self.life(name), self.newest_effect().pk
        expect(self.pages[who].locator(f"#landed-{number}")).to_be_visible()
        self.click(who, f"#apply-{number}")
        assert self.life(name) == before - points

    def on_is(self, name):
        """Everybody sees whose turn it is."""
        for page in self.pages.values():
            expect(page.locator(".turn-order > [aria-current] .called")).to_have_text(name)


def test_a_whole_round_is_fought_in_which_who_is_attacked_is_asked_first(visit, transactional_db, dice):
    table = Round(visit, dice)
    gm, ben = table.pages["gm"], table.fighters["ben"]
    gm.locator("details:has(#waits) > summary").click()
    table.click("gm", "#waits")
    gm.reload()
    table.click("gm", "#turn-begin", [2, 4, 7, 9])
    for name in ("troll", "anna"):
        table.do(f"place:{table.sheets[name].pk}:0")
    table.on_is("Anna")

    # The GM lets the first attack come, and keeps the troll's die.
    number = table.asks("anna", "anna", "troll")
    table.answers("gm", number, "forgo", "", [3])
    table.takes("gm", "troll", blow(3, *table.fighters["anna"].arm()))
    table.click("anna", "#turn-next")
    table.on_is("Troll")

    # Ben strikes back at the troll, and wins: his die is spent, and with it his turn.
    number = table.asks("gm", "troll", "ben")
    threshold, weapon = ben.arm(0)
    assert duel(5, 2, 6, threshold) is False
    table.answers("ben", number, "weapon-0", f"({threshold})", [5, 2])
    table.takes("gm", "troll", 5 - 2 + weapon)
    assert "initiative" not in {key for key, value in table.sheet("ben").play.items() if value is not None}
    gm.reload()
    table.click("gm", "#turn-next")
    # Hers is a private sheet, of which the GM alone sees whose turn it is.
    expect(gm.locator(".turn-order > [aria-current] .called")).to_have_text("Cleopatra")
    table.click("gm", "#turn-next", [9, 7, 4, 2])
    for page in table.pages.values():
        expect(page.locator("#turns")).to_have_text("Kampfrunde 2")
