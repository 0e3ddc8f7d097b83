"""What tests of any system share: rolls by their slug, a character at the table, dice as they are written."""

from rulesets.dice import LoadedTray, thrown
from rulesets.kit import Lasting


def roll(ruleset, slug, **parameters):
    """A roll of a system."""
    return ruleset.rolls[slug](**parameters)


def chances(ruleset, slug, **parameters):
    """Its exact chances."""
    return dict(roll(ruleset, slug, **parameters).odds().chances)


def told(ruleset, slug, *faces, **parameters):
    """(outcome, its sentence) when these faces fall; every face is used."""
    asked = roll(ruleset, slug, **parameters)
    outcome, tray = thrown(asked.throw, LoadedTray(*faces))
    assert tray.left == []
    return outcome.value, asked.tell(outcome)


def after(sheet, play, *acts, faces=()):
    """The state after the acts; those that roll take the faces in turn."""
    tray = LoadedTray(*faces)
    for act in acts:
        asked = act.roll(sheet, play)
        play = act.apply(sheet, play, asked and thrown(asked.throw, tray)[0])
    assert not tray.left
    return play


class Table:
    """A character at the table: acts are done by their slug, with written faces for their rolls."""

    ruleset = None

    def __init__(self, sheet, **state):
        self.sheet, self.play, self.revisions = sheet, self.ruleset.play(**state), 0

    def offers(self, slug):
        """The forms of an act on offer now."""
        return list(self.ruleset.acts[slug].offered(self.sheet, self.play))

    def do(self, slug, *faces, key="", **answers):
        """One act that is on offer, and what it says."""
        offer = next(one for one in self.offers(slug) if one.key == key)
        return self.take(offer.take(**answers), *faces)

    def take(self, act, *faces):
        """An act, and what it says; every face is used."""
        asked, outcome, before, tray = act.roll(self.sheet, self.play), None, self.sheet, LoadedTray(*faces)
        if asked:
            outcome, tray = thrown(asked.throw, tray)
        assert tray.left == []
        after_ = act.apply(self.sheet, self.play, outcome)
        if isinstance(after_, Lasting):
            self.revisions += 1
            self.sheet = self.ruleset.sheet.model_validate(after_.data).under(self.sheet.house)
            after_ = after_.play
        self.play = self.ruleset.play.model_validate(after_.model_dump())
        return act.tell(before, self.play)

    @property
    def now(self):
        """The sheet as it is now."""
        return self.play.effective(self.sheet)

    @property
    def notices(self):
        """The rules of what the moment brings."""
        return [finding.rule for finding in self.play.notices(self.sheet)]
