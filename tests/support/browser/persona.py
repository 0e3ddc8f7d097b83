"""A person at a phone, whose presses and letters are counted: a second a press, a fifth of a second a letter."""

from playwright.sync_api import Locator, Page

from tests.support.browser.waits import quiet

PRESS, LETTER = 1.0, 0.2
"""Seconds of a person's pace."""
PHONE = 390


class Persona:
    """Somebody who presses and types; a field that has the focus already need not be pressed."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses, self.letters = page, 0, 0

    @property
    def seconds(self) -> float:
        """The time that it took, at a person's pace."""
        return self.presses * PRESS + self.letters * LETTER

    def press(self, what: Locator | str) -> None:
        """Press something that is there to be seen."""
        found = self.page.locator(what) if isinstance(what, str) else what
        found.click()
        self.presses += 1
        quiet(self.page)

    def choose(self, what: str, label: str) -> None:
        """Choose from a list: a press that opens it, and one on what it holds."""
        self.page.locator(what).select_option(label=label)
        self.presses += 2

    def write(self, what: str, text: str) -> None:
        """Write into a field, by way of a press where it has not the focus."""
        field = self.page.locator(what)
        if not field.evaluate("one => one === document.activeElement"):
            self.press(field)
        field.evaluate("one => one.select()")
        self.page.keyboard.type(text)
        self.letters += len(text)
