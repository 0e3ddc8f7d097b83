"""What the tests of Augen des Zwielichts share: documents, rolls with written faces, acts at the table."""

from functools import partial

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.play.state import Word
from rulesets.dice import LoadedTray, thrown
from rulesets.document import canonical, read
from tests.support.rulesets import changed as examples
from tests.support.rulesets import table as shared

roll, chances, fell = (partial(one, RULESET) for one in (shared.roll, shared.chances, shared.told))
FIVE = [Word(word=word) for word in ("Müde", "Zornig", "Verletzt", "Traurig", "Verloren")]


def changed(start="ferrywoman", patch=None, name=None, house=None):
    """A copy of an example with one thing changed."""
    return examples.changed(RULESET, start, patch, name, house)


def check(document):
    """The verdict on a document as if it came from outside."""
    return read(canonical(document)).check()


def found(document) -> list[tuple]:
    """Findings as (rule, severity, path)."""
    return [(one.rule, one.severity, one.path) for one in check(document).findings]


class Table(shared.Table):
    """An example at the table."""

    ruleset = RULESET

    def __init__(self, start="ferrywoman", patch=None, house=None, **state):
        self.document = read(canonical(changed(start, patch)))
        super().__init__(self.document.sheet.under(RULESET.house.model_validate(house or {})), **state)

    def keys(self, slug):
        """Their keys."""
        return [offer.key for offer in self.offers(slug)]

    @property
    def on_offer(self):
        """The acts that are on offer at all."""
        return {slug for slug in RULESET.acts if self.offers(slug)}

    def roll(self, key, *faces, **answers):
        """A widget of the sheet as it is now with written faces: the outcome, and the acts that it leads to."""
        offer = next(one for one in self.now.widgets(self.play) if key in (one.key, one.cls.slug))
        asked = offer.take(**answers)
        outcome, tray = thrown(asked.throw, LoadedTray(*faces))
        assert tray.left == []
        return outcome, list(offer.leads(asked, outcome)) if offer.leads else []

    @property
    def words(self):
        """The conditions after the demon."""
        return [one.word for one in self.play.conditions]


def settled(move, white="", black="", table=None, **more):
    """A table after a result was entered."""
    table = table or Table()
    table.take(RULESET.acts["settle"](move=move, white=white, black=black, **more))
    return table
