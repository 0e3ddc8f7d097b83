"""What the tests of this system share: small documents, rolls with written faces, chances counted by hand."""

from rulesets.daemmersturm import RULESET
from rulesets.dice import LoadedTray, thrown
from rulesets.document import read_tree
from rulesets.kit import patched

SKILLS, POINTS = {"N": "20+3|15", "F": "20-3|12", "Z": "20+0|10"}, {"AP": 6, "FP": 0, "MP": 0}
LINE = (f"Hans-Peter: ({', '.join(f'{key}={value}' for key, value in SKILLS.items())}) LP 20, "
        f"Besondere Fähigkeiten: Sprinten\n[{' | '.join(f'{key}: {value}' for key, value in POINTS.items())}]")
"""The profile by which the source shows the form, put together from its figures."""


def profile(patch=None, start="hans-peter", name=None):
    """The document of an example, changed by a patch {path in its data: value}."""
    tree = RULESET.examples[start]
    name = tree["name"] if name is None else name
    return read_tree({**tree, "name": name, "data": patched(tree["data"], patch or {})})


def found(document):
    """The findings as (rule, severity, path)."""
    return [(one.rule, one.severity, one.path) for one in document.check().findings]


def roll(slug, **parameters):
    return RULESET.rolls[slug](**parameters)


def chances(slug, **parameters):
    return dict(roll(slug, **parameters).odds().chances)


def fell(slug, *faces, **parameters):
    """The outcome when these faces fall; every face is used."""
    tray = LoadedTray(*faces)
    outcome, tray = thrown(roll(slug, **parameters).throw, tray)
    assert tray.left == []
    return outcome.value


def told(slug, *faces, **parameters):
    """The outcome in words when these faces fall."""
    made = roll(slug, **parameters)
    return made.tell(thrown(made.throw, LoadedTray(*faces))[0])


def follows(slug, *faces, **parameters):
    """The rolls that follow when these faces fall, as {slug: what is filled}, the first of each."""
    made = roll(slug, **parameters)
    outcome, _tray = thrown(made.throw, LoadedTray(*faces))
    offers = {}
    for offer in made.follow(outcome):
        offers.setdefault(offer.cls.slug, dict(offer.filled))
    return offers


class Table:
    """A character at the table: acts are done by their slug, with written faces for their rolls."""

    def __init__(self, document, **state):
        self.sheet, self.play = document.sheet, RULESET.play(**state)

    def offers(self, slug):
        """The forms of an act on offer now."""
        return list(RULESET.acts[slug].offered(self.sheet, self.play))

    def do(self, slug, *faces, key="", **answers):
        """One act that is on offer, and what it says."""
        offer = next(one for one in self.offers(slug) if one.key == key)
        act = offer.take(**answers)
        roll_ = act.roll(self.sheet, self.play)
        outcome = None
        if roll_:
            outcome, tray = thrown(roll_.throw, LoadedTray(*faces))
            assert tray.left == []
        self.play = act.apply(self.sheet, self.play, outcome)
        return act.tell(self.sheet, self.play)

    @property
    def now(self):
        """The sheet as it is now."""
        return self.play.effective(self.sheet)

    @property
    def notices(self):
        """The rules of what the turn brings."""
        return [finding.rule for finding in self.play.notices(self.sheet)]

    @property
    def left(self):
        """Life and points left."""
        return {gauge.key: gauge.left for gauge in self.play.gauges(self.sheet)}
