"""The kit: the base classes of which a system consists, and the code that reads them."""

from typing import TYPE_CHECKING
from warnings import warn

from rulesets.kit.asks import Ask, Data, Step
from rulesets.kit.checked_parts import CheckedPart, Entry, stated
from rulesets.kit.concepts import Concept, Draw, few, one, some, told, word
from rulesets.kit.contests import ENDS, Contest, Prospect, Vital, by_rounds, by_turns, targets
from rulesets.kit.crossings import KEY, NAME, Crossing, Effects, SheetKey
from rulesets.kit.faces import Face
from rulesets.kit.fields import (
    HIGHEST,
    ROWS,
    TYPED,
    Count,
    Kind,
    Misplaced,
    Name,
    Part,
    Points,
    Slot,
    Text,
    blank,
    called,
    field,
    path,
    rows,
    slots,
    tag_of,
    targets_of,
)
from rulesets.kit.findings import (
    DROP,
    SEVERITIES,
    Finding,
    Fix,
    Mend,
    approval,
    error,
    join,
    parts,
    patched,
    warning,
)
from rulesets.kit.gauges import Gauge, Nudge, Place
from rulesets.kit.group import Table
from rulesets.kit.ledger import POINTS, Ledger, Spent, Unit
from rulesets.kit.lists import RemoveRow, added, row, without
from rulesets.kit.marks import Derived, Doubt, Passage, Reading, derived, rule
from rulesets.kit.measures import MEAN_DAMAGE, Measure, best, mean_of, stands
from rulesets.kit.offers import Itself, Offer
from rulesets.kit.own import OwnHouse, OwnPlay, OwnSheet, Thrown
from rulesets.kit.responses import FORGO, Response
from rulesets.kit.rolls import BLOW, Extreme, Luck, Roll
from rulesets.kit.ruleset import Ruleset, RuleText, Verdict
from rulesets.kit.secrets import redacted, secretive
from rulesets.kit.shape_messages import shape_message
from rulesets.kit.shapes import (
    Act,
    House,
    Lasting,
    Play,
    Refused,
    Sheet,
)
from rulesets.kit.turns import Seated, Turns
from rulesets.kit.words import (
    MINUS,
    Wording,
    decimal,
    numeral,
    percent,
    remembered,
    short,
    shown,
    signed,
    size,
    whole,
)

FORMER = {"Lands": "Effects", "Spoken": "CheckedPart", "opened": "redacted"}
"""{former name: name}; a system may import the former ones for one more release, with a warning."""

__all__ = [
    "BLOW", "DROP", "ENDS", "FORGO", "HIGHEST", "KEY", "MEAN_DAMAGE", "MINUS", "NAME", "POINTS", "ROWS", "SEVERITIES",
    "TYPED", "Act", "Ask", "CheckedPart", "Concept", "Contest", "Count", "Crossing", "Data", "Derived", "Doubt", "Draw",
    "Effects", "Entry", "Extreme", "Face", "Finding", "Fix", "Gauge", "House", "Itself", "Kind", "Lasting", "Ledger",
    "Luck", "Measure", "Mend", "Misplaced", "Name", "Nudge", "Offer", "OwnHouse", "OwnPlay", "OwnSheet", "Part",
    "Passage", "Place", "Play", "Points", "Prospect", "Reading", "Refused", "RemoveRow", "Response", "Roll", "RuleText",
    "Ruleset", "Seated", "Sheet", "SheetKey", "Slot", "Spent", "Step", "Table", "Text", "Thrown", "Turns", "Unit",
    "Verdict", "Vital", "Wording", "added", "approval", "best", "blank", "by_rounds", "by_turns", "called", "decimal",
    "derived", "error", "few", "field", "join", "mean_of", "numeral", "one", "parts", "patched", "path", "percent",
    "redacted", "remembered", "row", "rows", "rule", "secretive", "shape_message", "short", "shown", "signed", "size",
    "slots", "some", "stands", "stated", "tag_of", "targets", "targets_of", "told", "warning", "whole", "without",
    "word",
]

if not TYPE_CHECKING:
    # Hidden from mypy, which would otherwise accept every name.
    def __getattr__(former: str) -> object:
        if former not in FORMER:
            raise AttributeError(f"module {__name__!r} has no attribute {former!r}")
        warn(f"rulesets.kit.{former} is called {FORMER[former]}.", DeprecationWarning, stacklevel=2)
        return globals()[FORMER[former]]
