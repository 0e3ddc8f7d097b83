"""A table in browsers: a GM and three players, of whom one keeps her sheet to herself."""

import re

from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.models import Sheet
from sheets.parties import services as parties
from tests.support.browser.waits import quiet
from tests.support.party import browser
from tests.support.sheets.fight import Fight


class Browsers(Fight):
    """The table with three players, some of them in browsers, whose presses are counted."""

    def __init__(self, visit, dice, slug, data, opponent, seated):
        """All play with this data, against an opponent as its form makes it."""
        super().__init__(User.objects, slug)
        self.dice, self.pages, self.pressed = dice, {}, {}
        self.users["cleo"] = User.objects.create_user("cleo")
        self.browsers["cleo"] = browser(self.users["cleo"])
        parties.join_party(self.party, self.users["cleo"])
        data = self.sheets["anna"].data | data
        for who in ("anna", "ben"):
            Sheet.objects.filter(pk=self.sheets[who].pk).update(data=data)
        self.sheets["cleo"] = Sheet.objects.create(
            owner=self.users["cleo"], party=self.party, ruleset=slug, name="Cleopatra", data=data)
        made = self.browsers["gm"].post(f"/parties/{self.party.pk}/opponents/", {
            "do": "copy", "sheet": self.sheets["anna"].pk, "_name": "Troll", "_count": "1", **opponent})
        assert made.status_code == 302
        self.sheets["troll"] = Sheet.objects.filter(opponent=True).first()
        for who in seated:
            self.pages[who] = visit(self.address, client=self.browsers[who])

    def click(self, who, button, dice=()):
        """A press of somebody's; it is counted, and waited for."""
        self.dice[:] = dice
        page = self.pages[who]
        self.pressed[who] = self.pressed.get(who, 0) + 1
        # Neither a look by itself nor odds that are asked for are its answer.
        with page.expect_response(lambda one: "/table/" in one.url and not re.search(r"[?&](since|w)=", one.url)):
            page.locator(button).click()
        quiet(page)
        assert not self.dice, f"{self.dice} were left by {button}"

    def attack(self, who, by, at, presses):
        """Somebody aims and attacks."""
        if by != who:
            self.click(who, f"#by-{self.sheets[by].pk}")
        self.click(who, f"#at-{self.sheets[at].pk}")
        expect(self.pages[who].locator("#aim-title")).to_contain_text(self.sheets[at].name)
        for button, dice in presses:
            self.click(who, button, dice)

    def raw(self, who):
        """The table as the server answers it to somebody, to the letter."""
        return self.read(who, "de").text
