"""What the tests of Augen des Zwielichts share: documents, rolls with written faces, acts at the table."""

import json

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.play.state import Word
from rulesets.dice import LoadedTray, thrown
from rulesets.document import canonical, read
from rulesets.kit import Lasting, patched

FIVE = [Word(word=word) for word in ("Müde", "Zornig", "Verletzt", "Traurig", "Verloren")]


def changed(start="ferrywoman", patch=None, name=None, house=None) -> dict:
    """A copy of an example: `patch` {path in its data: value}, another name, house rules."""
    document = json.loads(canonical(RULESET.examples[start])) | ({"house": house} if house else {})
    document["data"] = patched(document["data"], patch or {})
    return document if name is None else document | {"name": name}


def check(document):
    """The verdict on a document as if it came from outside."""
    return read(canonical(document)).check()


def found(document) -> list[tuple]:
    """Findings as (rule, severity, path)."""
    return [(one.rule, one.severity, one.path) for one in check(document).findings]


def roll(slug, **parameters):
    return RULESET.rolls[slug](**parameters)


def fell(slug, *faces, **parameters):
    """The outcome of faces that are written out, and what is told of it."""
    asked = roll(slug, **parameters)
    outcome, tray = thrown(asked.throw, LoadedTray(*faces))
    assert tray.left == []
    return outcome.value, asked.tell(outcome)


def chances(slug, **parameters):
    return dict(roll(slug, **parameters).odds().chances)


class Table:
    """A character at the table: acts are done by their slug, with written faces for their rolls."""

    def __init__(self, start="ferrywoman", patch=None, house=None, **state):
        self.document = read(canonical(changed(start, patch)))
        self.sheet = self.document.sheet.under(RULESET.house.model_validate(house or {}))
        self.play = RULESET.play(**state)
        self.revisions = 0

    def offers(self, slug):
        """The forms of an act on offer now."""
        return list(RULESET.acts[slug].offered(self.sheet, self.play))

    def keys(self, slug):
        """Their keys."""
        return [offer.key for offer in self.offers(slug)]

    @property
    def on_offer(self):
        """The acts that are on offer at all."""
        return {slug for slug in RULESET.acts if self.offers(slug)}

    def do(self, slug, *faces, key="", **answers):
        """One act that is on offer, and what it says."""
        offer = next(one for one in self.offers(slug) if one.key == key)
        return self.take(offer.take(**answers), *faces)

    def take(self, act, *faces):
        """An act, and what it says."""
        asked, outcome, before = act.roll(self.sheet, self.play), None, self.sheet
        if asked:
            outcome, tray = thrown(asked.throw, LoadedTray(*faces))
            assert tray.left == []
        after = act.apply(self.sheet, self.play, outcome)
        if isinstance(after, Lasting):
            self.revisions += 1
            self.sheet = RULESET.sheet.model_validate(after.data).under(self.sheet.house)
            after = after.play
        self.play = RULESET.play.model_validate(after.model_dump())
        return act.tell(before, self.play)

    def roll(self, key, *faces, **answers):
        """A widget of the sheet as it is now with written faces: the outcome, and the acts that it leads to."""
        offer = next(one for one in self.now.widgets(self.play) if key in (one.key, one.cls.slug))
        asked = offer.take(**answers)
        outcome, tray = thrown(asked.throw, LoadedTray(*faces))
        assert tray.left == []
        return outcome, list(offer.leads(asked, outcome)) if offer.leads else []

    @property
    def now(self):
        """The sheet as it is now."""
        return self.play.effective(self.sheet)

    @property
    def words(self):
        """The conditions after the demon."""
        return [one.word for one in self.play.conditions]

    @property
    def notices(self):
        """The rules of what the moment brings."""
        return [finding.rule for finding in self.play.notices(self.sheet)]


def settled(move, white="", black="", table=None, **more):
    """A table after a result was entered."""
    table = table or Table()
    table.take(RULESET.acts["settle"](move=move, white=white, black=black, **more))
    return table
