"""A hand that plays by phones: what a fight asks of Django's test client is read and pressed on a page of 390 px."""

import re
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.support.browser.sheet_actions import TAKE_BACK, unfold
from tests.support.browser.waits import quiet, until

NARROW = 390
TABLE = re.compile(r"(/parties/[^/]+/table/)(play/)?")
SHEET = re.compile(r"(/sheets/[^/]+/)play/")
SEATS = "li[id^=seat-]"
READ = """(seats) => Object.fromEntries(seats.filter((one) => one.checkVisibility()).map((one) => [
  one.id.replace("seat-", ""),
  Object.fromEntries([...one.querySelectorAll(".gauges dl > div, .place")].map((figure) => [
    figure.querySelector("dt, .hidden").innerText, figure.querySelector("strong, .figure").innerText]))]))"""
"""{key of a seat: {title: figure}} as the page shows it."""
GAUGES = """(rows) => Object.fromEntries(rows.filter((one) => one.checkVisibility()).map((one) => [
  one.querySelector("dt")?.innerText, parseInt(one.querySelector("dd")?.innerText)]))"""
"""{title: figure} of a sheet's own page."""
PANE = """(button) => {
  const pane = button.closest("[class*=pane-]");
  return pane?.checkVisibility() ? "" : pane?.className.match(/pane-(\\w+)/)[1];
}"""
"""The name of the tab behind which a button is."""


def answer(status, text=""):
    """Return what a test client would have answered."""
    return SimpleNamespace(status_code=status, text=text)


class Phone:
    """Somebody's phone in the place of their test client, by which goes only what is no part of the table."""

    def __init__(self, page, client):
        self.page, self.client = page, client

    def get(self, address, *_data, **more):
        """Return the page as it stands, once it shows by itself what is so now."""
        if not TABLE.fullmatch(urlsplit(address).path):
            return self.client.get(address, **more)
        self.turns_to(address)
        self.hears_the_news()
        return answer(200, self.page.content())

    def post(self, address, data, **more):
        """Press the button that sends this; whoever finds none gets what a request for it would get."""
        if own := SHEET.fullmatch(urlsplit(address).path):
            return self.at_sheet(own[1], data)
        # An order is dragged.
        if not TABLE.fullmatch(urlsplit(address).path) or data.get("do", "").startswith("place:"):
            return self.client.post(address, data, **more)
        self.turns_to(address)
        button = self.button(data)
        if not button.count():
            self.hears_the_news()
        if not button.count():
            return answer(404)
        return self.presses(button, self.fields(data))

    @staticmethod
    def fields(data):
        """What is answered by whoever presses, beside what a page knows."""
        return {name: value for name, value in data.items() if name not in ("do", "w") and not name.startswith("_")}

    def at_sheet(self, address, data):
        """Press a button of a sheet's own page, of its board, tray or rows, which comes there by itself in time."""
        if urlsplit(self.page.url).path != address:
            self.page.goto(address)
            quiet(self.page)
        which, fields = data["w"], self.fields(data)
        board = self.page.locator(f'[id^="board-{which}-"]')
        for name, value in fields.items():
            # What is not asked there is as it is on the board.
            given = board.and_(self.page.locator(f'form:has([type=hidden][name="{name}"][value="{value}"]) button'))
            board = given if given.count() else board
        rest = self.page.locator(TAKE_BACK if which == "undo" else f"#tray-press-{which}, #press-button-{which}")
        board.or_(rest).first.wait_for(state="attached")
        button, fields = (board.first, {}) if board.count() else (rest.first, fields)
        if pane := button.evaluate(PANE):
            self.page.locator(f'a[href="#tab-{pane}"]').click()
        return self.presses(button, fields)

    def presses(self, button, fields):
        """Answer what is asked, and press."""
        unfold(self.page, button)
        form = button.locator("xpath=ancestor::form")
        for name, value in fields.items():
            self.fill(form, name, value)
        with self.page.expect_response(lambda one: one.request.method == "POST") as heard:
            button.click()
        quiet(self.page)
        # It lies over what is pressed next.
        if self.page.locator("#turn-menu[open]").count():
            self.page.locator("#turn-menu > summary").click()
        return answer(302 if heard.value.status < 400 else heard.value.status)

    def button(self, data):
        """The button that sends a word, or rolls or does something of a sheet; in the tray where one stands there."""
        if "do" in data:
            form = f'form:has(input[name="w"][value="{data["w"]}"]) ' if data.get("w") else ""
            return self.page.locator(f'{form}button[name="do"][value="{data["do"]}"]').first
        tray = self.page.locator(f'#tray-press-{data["w"]}')
        return tray if tray.count() else self.page.locator(f'#press-button-{data["w"]}')

    def fill(self, form, name, value):
        """Answer one question of a form."""
        field = form.locator(f'[name="{name}"]')
        unfold(self.page, field)
        if not field.is_visible():
            form.locator(".fold > summary").click()
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))

    def turns_to(self, address):
        """Go to the table if somewhere else, and press who acts and at whom it is aimed."""
        parts = urlsplit(address)
        table, wanted = TABLE.fullmatch(parts.path)[1], parse_qs(parts.query)
        if urlsplit(self.page.url).path != table:
            self.page.goto(table)
            expect(self.page.locator("html")).to_have_attribute("data-live", "true")
        for name, verb in (("_by", "by"), ("_at", "at")):
            for key in wanted.get(name, ()):
                self.seats(name, f"#{verb}-{key}", f"#seat-{verb}-{key}", key)

    def seats(self, name, chip, entry, key):
        """Press a chip, or the entry in somebody's menu where there is no chip."""
        seated = self.page.locator(f"#seats [name={name}]")
        if seated.input_value() == key:
            return
        chip = self.page.locator(chip)
        if chip.count() and chip.is_visible():
            chip.click()
        else:
            self.page.locator(f"#press-{key}").click()
            self.page.locator(entry).click()
        expect(seated).to_have_value(key)
        quiet(self.page)

    def hears_the_news(self):
        """Wait until the page knows by itself whatever its reader would be answered now."""
        fresh = self.client.get(self.page.url.partition("#")[0]).text
        expect(self.page.locator("#newest")).to_have_attribute("data-word", re.search(r'data-word="([^"]*)"', fresh)[1])
        quiet(self.page)


class Phones:
    """Phones of the GM and of both heroes; each shows without being loaded anew what the referee says."""

    visit = None

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.phones = {who: Phone(self.visit(client=self.browsers[who], width=NARROW, locale="en"), self.browsers[who])
                       for who in ("gm", *self.heroes)}
        self.browsers |= self.phones

    def check(self):
        super().check()
        for who, phone in self.phones.items():
            if "/table/" in phone.page.url:
                self.shows(who, phone)

    def shows(self, who, phone):
        """The page shows the round, whose turn it is, and the figures of all that its reader may know."""
        phone.hears_the_news()
        page, referee = phone.page, self.referee
        turns = page.locator("#turns")
        said = turns.inner_text().partition("·")[0].strip() if turns.count() else ""
        assert (said == f"Round {referee.round}") == bool(referee.round), (who, said)
        on = page.locator(".turn-order > [aria-current] .called").all_inner_texts() if referee.round else []
        assert {one.lower() for one in on} == referee.on & referee.there, who
        found = page.locator(SEATS).evaluate_all(READ)
        for name in referee.there:
            figures = found.get(str(self.sheets[name].pk), {})
            # How an opponent stands is for the GM.
            if figures or who == "gm" or name not in referee.opponents:
                shown = {title: str(figure).replace("-", "−") for title, figure in referee.figures(name).items()}
                assert shown.items() <= figures.items(), (who, name, shown, figures)

    def asks_of(self, name, at, may, before):
        """Whoever is asked sees it first on the page."""
        number = super().asks_of(name, at, may, before)
        page = self.phones[self.player(at)].page
        page.evaluate("scrollTo(0, 0)")
        expect(page.locator(f"#question-{number} button").first).to_be_in_viewport()
        return number


class OwnPages:
    """Phones of two who play each other, each at the own sheet."""

    phones: dict[str, Phone] = {}

    def sit_down(self, visit):
        """Both take their phones."""
        self.phones = {who: Phone(visit(client=self.browsers[who], width=NARROW, locale="en"), self.browsers[who])
                       for who in self.referee.mages}
        for who, phone in self.phones.items():
            phone.page.goto(f"/sheets/{self.sheets[who].pk}/")
        self.browsers |= self.phones

    def check(self):
        """Both pages show by themselves what the referee says."""
        super().check()
        for who, phone in self.phones.items():
            self.shows(phone.page, self.referee.mages[who])

    @staticmethod
    def shows(page, mage):
        """The page comes to show how somebody stands."""
        said, rows = {"Life": mage.life, "Time mana": mage.mana}, page.locator("dl > div")
        until(page, lambda: said.items() <= rows.evaluate_all(GAUGES).items())


def by_phones(visit):
    """Return the hand whose phones this opens."""
    return type("ByPhones", (Phones,), {"visit": staticmethod(visit)})
