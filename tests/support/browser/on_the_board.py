"""A sheet played on its board alone: what is pressed is seen there, or unfolds where it stands."""

from playwright.sync_api import expect

from tests.support.browser.sheet_actions import lines
from tests.support.browser.waits import quiet


class OnTheBoard:
    """The page of a sheet, and the dice that fall there."""

    def __init__(self, page, dice):
        self.page, self.dice = page, dice

    def press(self, button, dice=(), told=1, **answers):
        """Answer what its form asks, press a button that is seen, and wait for its lines in the log."""
        form = button.locator("xpath=ancestor::form")
        for name, value in answers.items():
            field = form.locator(f"[name={name}]")
            if field.evaluate("one => one.tagName") == "SELECT":
                option = field.get_by_role("option").filter(has_text=value)
                field.select_option(option.get_attribute("value"))
            elif value is True:
                field.check()
            else:
                field.fill(value)
        self.dice[:] = dice
        before = lines(self.page).count()
        expect(button).to_be_visible()
        button.click()
        expect(lines(self.page)).to_have_count(before + told)
        quiet(self.page)
        assert not self.dice, f"{self.dice} are left on the table"

    def roll(self, key, dice, **answers):
        """Press the button of a roll's row, unfolded first where something is asked that is not seen."""
        if answers and not all(self.page.locator(f"#w-roll-{key} [name={name}]").is_visible() for name in answers):
            self.page.locator(f"#fold-roll-{key} > summary").click()
        self.press(self.page.locator(f"#press-button-roll-{key}"), dice, **answers)

    def act(self, key, dice=(), **answers):
        """Press the button of an act, unfolded first where it asks something."""
        fold = self.page.locator(f"#fold-act-{key}:not([open]) > summary")
        if fold.count():
            fold.click()
        self.press(self.page.locator(f"#press-button-act-{key}"), dice, **answers)

    def follow(self, name, dice=(), **answers):
        """Press what follows in the tray, unfolded first where something is answered."""
        form = self.page.locator("#tray form").filter(has_text=name)
        if answers:
            form.locator("summary").click()
        self.press(form.locator("button"), dice, **answers)

    def figure(self, key):
        """What the strip says now."""
        return self.page.locator(f"#figure-{key} .figure").text_content()
