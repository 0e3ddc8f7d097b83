"""What the tests of Augen des Zwielichts share: documents, rolls with written faces, acts at the table."""

from functools import partial

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.play.state import Word
from rulesets.dice import LoadedTray, thrown
from rulesets.document import canonical, read, read_tree
from rulesets.kit import Seated
from tests.support.rulesets import changed as examples
from tests.support.rulesets import table as shared

roll, chances, fell = (partial(one, RULESET) for one in (shared.roll, shared.chances, shared.told))
SHEET = read_tree(next(iter(RULESET.examples.values()))).sheet
NAMES = ("Aki", "Bo", "Chi")
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
        offer = next(one for one in self.now.roll_offers(self.play) if key in (one.key, one.cls.slug))
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


class Group:
    """Characters at one table, who share what the party counts as the program has them do."""

    def __init__(self, *plays, sheets=(), **table):
        self.table, self.sheets = RULESET.table(**table), [*sheets, *[SHEET] * (len(plays) - len(sheets))]
        self.plays = [self.common(RULESET.play(**play)) for play in plays]

    def common(self, play):
        return play.model_copy(update={key: getattr(self.table, key) for key in RULESET.shared})

    @property
    def seats(self):
        return [Seated(NAMES[number], sheet, self.common(play))
                for number, (sheet, play) in enumerate(zip(self.sheets, self.plays, strict=True))]

    def offer(self, slug):
        return next((one for one in self.table.rounds(self.seats) if one.cls.slug == slug), None)

    def do(self, slug, *faces, **answers):
        """Everybody to whom it is offered does it, with a die each."""
        offer, left, told = self.offer(slug), list(faces), []
        for number, seat in enumerate(self.seats):
            if offer.cls.takes_part(seat.sheet, self.seats[number].play):
                told.append(self.apply(number, offer.take(**answers), left))
        assert left == []
        return told

    def press(self, number, slug, *faces, **answers):
        """One of them does what is offered first on the own sheet."""
        seat = self.seats[number]
        return self.apply(number, next(RULESET.acts[slug].offered(seat.sheet, seat.play)).take(**answers), list(faces))

    def risk(self, number, white="5"):
        """One of them has taken a risk, and won unless stated otherwise."""
        return self.apply(number, RULESET.acts["settle"](move="risk", white=white), [])

    def apply(self, number, act, faces):
        """Do an act of one, which may change the party as well, with the next of some dice where it takes any."""
        seat = self.seats[number]
        wanted = act.roll(seat.sheet, seat.play)
        outcome = thrown(wanted.throw, LoadedTray(*faces.pop(0)))[0] if wanted else None
        after = self.plays[number] = act.apply(seat.sheet, seat.play, outcome)
        self.table = self.table.model_copy(update={key: getattr(after, key) for key in RULESET.shared})
        return act.tell(seat.sheet, after)

    def settle_turns(self, *faces):
        """A round whose turns are over: who has not thrown throws, then the table does what a round ends with."""
        self.do("throw-combat-die", *faces)
        offer, = self.table.round_ends(self.seats)
        return [self.apply(number, offer.take(), []) for number, seat in enumerate(self.seats)
                if offer.cls.takes_part(seat.sheet, seat.play)]
