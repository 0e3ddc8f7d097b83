"""Sheets played as people play them: pressed by the names of buttons, filled in by labels, told by the log.

What a page says differs by language: a name stands here as "English|Deutsch", or once where both are the same.
"""

import re
from difflib import unified_diff

from playwright.sync_api import expect

from tests.support.browser.sheet_actions import unfold
from tests.support.browser.waits import quiet

ROLL, DO = "Roll|Würfeln", "Do it|Ausführen"
"""What stands before the name on the button of a roll, and in the tray on that of an act that asks something."""


class Seat:
    """A sheet at the table in one language; the dice of a press are those that it is told."""

    def __init__(self, page, language, dice):
        self.page, self.language, self.dice = page, language, dice

    def word(self, name):
        """A name in the language of the page."""
        english, _bar, german = name.partition("|")
        return german if german and self.language == "de" else english

    def button(self, name, on="", verb=DO):
        """The buttons of exactly this name, what is folded away included; `on` a roll those of what follows from it.

        In the tray stands what follows, and what throws once more.
        """
        title = self.word(name)
        name, verb = re.escape(title), self.word(verb)
        tray = self.page.locator("#tray form")
        if on:
            row = self.page.get_by_role("article", name=self.word(on), exact=True)
            tray = self.page.locator(f"#tray form[id$='{row.get_attribute('id').removeprefix('w')}']")
        # What is hidden from the eye begins a line of its own in a button's name; a note stands in it behind its title.
        noted = tray.locator(f'xpath=.//button[span[small and normalize-space(text()[1])="{title}"]]')
        within = tray.get_by_role("button", name=re.compile(rf"^({verb} ?: )?{name}$"), include_hidden=True).or_(noted)
        if on:
            return within
        exactly = re.compile(rf"^{name}$" if verb == self.word(DO) else rf"^{verb} ?: {name}$")
        return within.or_(self.page.locator("form:not(.tray-follow)").get_by_role(
            "button", name=exactly, include_hidden=True))

    def offers(self, name):
        """Whether there is such a button."""
        return self.button(name).count() > 0

    def roll(self, name, answers=(), dice=(), on="", against=()):
        """Press the button of a roll."""
        self.press(name, answers, dice, on, against, ROLL)

    def press(self, name, answers=(), dice=(), on="", against=(), verb=DO):
        """Fill in a form by {label: answer}, press its button and wait until the page shows what came of it.

        Of a choice the answer is a part of what it reads, True sets a tick. What is asked of the other side stands
        `against`, once for all. Of two buttons the one in the tray is pressed, else the one that is seen.
        """
        button = self.button(name, on, verb)
        if button.count() > 1:
            within = button.and_(self.page.locator("#tray button"))
            button = within if within.count() else button.locator("visible=true").first
        unfold(self.page, button)
        for where, asked in ((button.locator("xpath=ancestor::form"), answers),
                             (self.page.locator("#against"), against)):
            for label, answer in dict(asked).items():
                self.fill(where, label, answer)
        self.dice[:] = dice
        seen = self.page.locator("[name=_seen]").first
        before = seen.input_value()
        button.click()
        expect(seen).not_to_have_value(before)
        # What is unfolded while htmx still settles what it has swapped in is folded again.
        quiet(self.page)
        assert not self.dice, f"{name} left {self.dice} on the table"

    def fill(self, form, label, answer):
        """Answer one question of a form as `press` does, unfolded first where it is folded away."""
        field = form.get_by_label(self.word(label), exact=True)
        assert field.count() == 1, f"{self.word(label)} is asked {field.count()} times"
        unfold(self.page, field)
        if not field.is_visible():
            form.locator(".fold > summary").click()
        if answer is True:
            field.check()
        elif field.evaluate("one => one.tagName") == "SELECT":
            option = field.get_by_role("option").filter(has_text=self.word(answer))
            field.select_option(option.get_attribute("value"))
        else:
            field.fill(str(answer))

    def undo(self, what):
        """Take the last act back, which the button names."""
        self.press("|".join(f"{verb}: {self.word(what)}" for verb in ("Take back", "Zurücknehmen")))

    def log(self):
        """The lines of the log, the oldest first, each with its dice and without its time."""
        lines = self.page.get_by_role("list", name=self.word("Log|Verlauf"), exact=True).get_by_role("listitem")
        return [re.sub(r"^\d\d:\d\d ", "", " ".join(line.split())) for line in reversed(lines.all_inner_texts())]

    def tells(self, *lines):
        """Check the whole log, word for word; each line is (English, German)."""
        told, log = [german if self.language == "de" else english for english, german in lines], self.log()
        assert log == told, "\n".join(unified_diff(told, log, "expected", "log", lineterm=""))

    def figure(self, title):
        """The number in the tile of this title."""
        tile = self.page.locator("dl > div").filter(has=self.page.get_by_text(self.word(title), exact=True)).first
        return int(re.search(r"\d+", tile.get_by_role("definition").first.inner_text())[0])

    def says(self):
        """All that the page says, in one line."""
        return " ".join(self.page.get_by_role("main").inner_text().split())
