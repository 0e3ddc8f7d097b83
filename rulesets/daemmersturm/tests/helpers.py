"""What the tests of this system share: small documents, rolls with written faces, chances counted by hand."""

from functools import partial

from rulesets.daemmersturm import RULESET
from rulesets.dice import LoadedTray, thrown
from rulesets.document import read_tree
from rulesets.kit import patched
from tests.support.rulesets import table as shared

roll, chances = partial(shared.roll, RULESET), partial(shared.chances, RULESET)
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


def fell(slug, *faces, **parameters):
    """The outcome when these faces fall."""
    return shared.told(RULESET, slug, *faces, **parameters)[0]


def told(slug, *faces, **parameters):
    """The outcome in words when these faces fall."""
    return shared.told(RULESET, slug, *faces, **parameters)[1]


def follows(slug, *faces, **parameters):
    """The rolls that follow when these faces fall, as {slug: what is filled}, the first of each."""
    made = roll(slug, **parameters)
    outcome, _tray = thrown(made.throw, LoadedTray(*faces))
    offers = {}
    for offer in made.follow(outcome):
        offers.setdefault(offer.cls.slug, dict(offer.filled))
    return offers


class Table(shared.Table):
    """The character of a document at the table."""

    ruleset = RULESET

    def __init__(self, document, **state):
        super().__init__(document.sheet, **state)

    @property
    def left(self):
        """Life and points left."""
        return {gauge.key: gauge.current for gauge in self.play.gauges(self.sheet)}
