"""Sheets played as people play them: pressed by the names of buttons, filled in by labels, told by the log.

What a page says differs by language: a name stands here as "English|Deutsch", or once where both are the same.
"""

import re
from difflib import unified_diff

import pytest
from playwright.sync_api import expect

in_both_languages = pytest.mark.parametrize("language", ["de", "en"])


class Seat:
    """A sheet at the table in one language; the dice of a press are those that it is told."""

    def __init__(self, page, language, dice):
        self.page, self.language, self.dice = page, language, dice

    def word(self, name):
        """A name in the language of the page."""
        english, _bar, german = name.partition("|")
        return german if german and self.language == "de" else english

    def button(self, name, on=""):
        """The buttons of exactly this name (on a roll's card), what is folded away included."""
        # What is hidden from the eye begins a line of its own in a button's name.
        exactly = re.compile(rf"^{re.escape(self.word(name)).replace(':', ' ?:', 1)}$")
        where = self.page.get_by_role("article", name=self.word(on), exact=True) if on else self.page
        return where.get_by_role("button", name=exactly, include_hidden=True)

    def offers(self, name):
        """Whether there is such a button."""
        return self.button(name).count() > 0

    def roll(self, name, answers=(), dice=(), on=""):
        """Press the button of a roll."""
        self.press("|".join(f"{verb}: {self.word(name)}" for verb in ("Roll", "Würfeln")), answers, dice, on)

    def press(self, name, answers=(), dice=(), on=""):
        """Fill in a form by {label: answer}, press its button and wait until the page shows what came of it.

        Of a choice the answer is a part of what it reads, True sets a tick.
        """
        button = self.button(name, on)
        form = self.page.locator("form").filter(has=button)
        shut = form.locator("xpath=ancestor::details[not(@open)]")
        while shut.count():
            shut.first.locator("summary").first.click()
        for label, answer in dict(answers).items():
            field = form.get_by_label(self.word(label), exact=True)
            if not field.count():
                # Of the other side it is asked once for all rolls.
                field = self.page.locator("#against").get_by_label(self.word(label), exact=True)
            elif not field.is_visible():
                form.locator(".fold > summary").click()
            if answer is True:
                field.check()
            elif field.evaluate("one => one.tagName") == "SELECT":
                option = field.get_by_role("option").filter(has_text=self.word(answer))
                field.select_option(option.get_attribute("value"))
            else:
                field.fill(str(answer))
        self.dice[:] = dice
        seen = self.page.locator("[name=_seen]").first
        before = seen.input_value()
        button.click()
        expect(seen).not_to_have_value(before)
        assert not self.dice, f"{name} left {self.dice} on the table"

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
