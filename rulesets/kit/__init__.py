"""The kit: the base classes of which a system consists, and the code that reads them."""

from typing import TYPE_CHECKING
from warnings import warn

from rulesets.kit.asks import Ask, Data, Step
from rulesets.kit.checked_parts import CheckedPart, Entry, stated
from rulesets.kit.concepts import Concept, Draw, between, one_of, row_from, some_of, text_from
from rulesets.kit.contests import ENDS, Contest, ContestOdds, PositiveLife, by_rounds, by_turns, target_slots
from rulesets.kit.crossings import KEY, NAME, Crossing, Effects, SheetKey
from rulesets.kit.faces import Face
from rulesets.kit.fields import (
    FROM_FORM,
    HIGHEST,
    ROWS,
    Count,
    Kind,
    Misplaced,
    Name,
    Part,
    Points,
    Slot,
    Text,
    blank,
    field,
    path,
    rows,
    slots,
    tag_of,
    target_figures_of,
    title_at,
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
from rulesets.kit.free_roll import FreeRoll
from rulesets.kit.gauges import Gauge, Nudge, Place
from rulesets.kit.group import Table
from rulesets.kit.ledger import POINTS, Ledger, Spent, Unit
from rulesets.kit.lists import RemoveRow, row, with_row, without_row
from rulesets.kit.marks import Ambiguity, Derived, ParsedSheet, Reading, derived, rule
from rulesets.kit.measures import MEAN_DAMAGE, Measure, best, mean_of, survival_chance
from rulesets.kit.offers import Automatic, Offer
from rulesets.kit.own import OwnHouse, OwnPlay, OwnSheet, Thrown
from rulesets.kit.party_entries import EntryFields, EntryKey, entry_data, entry_key, entry_keys, open_lists
from rulesets.kit.responses import FORGO, Response
from rulesets.kit.rolls import ATTACK_PHRASES, Extreme, Luck, Roll
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
    cached_text,
    decimal,
    numeral,
    parse_whole_number,
    percent,
    short,
    shown,
    signed,
    size,
)

FORMER = {
    "BLOW": "ATTACK_PHRASES", "TYPED": "FROM_FORM", "Doubt": "Ambiguity", "Itself": "Automatic", "Lands": "Effects",
    "Passage": "ParsedSheet", "Prospect": "ContestOdds", "Spoken": "CheckedPart", "Vital": "PositiveLife",
    "added": "with_row", "called": "title_at", "few": "between", "one": "one_of", "opened": "redacted",
    "remembered": "cached_text", "some": "some_of", "stands": "survival_chance", "targets": "target_slots",
    "targets_of": "target_figures_of", "told": "row_from", "whole": "parse_whole_number", "without": "without_row",
    "word": "text_from",
}
"""{former name: name}; a system may import the former ones for one more release, with a warning."""

__all__ = [
    "ATTACK_PHRASES", "DROP", "ENDS", "FORGO", "FROM_FORM", "HIGHEST", "KEY", "MEAN_DAMAGE", "MINUS", "NAME",
    "POINTS", "ROWS", "SEVERITIES", "Act", "Ambiguity", "Ask", "Automatic", "CheckedPart", "Concept", "Contest",
    "ContestOdds", "Count", "Crossing", "Data", "Derived", "Draw", "Effects", "Entry", "EntryFields", "EntryKey",
    "Extreme", "Face", "Finding", "Fix", "FreeRoll", "Gauge", "House", "Kind", "Lasting", "Ledger", "Luck", "Measure",
    "Mend", "Misplaced", "Name", "Nudge", "Offer", "OwnHouse", "OwnPlay", "OwnSheet", "ParsedSheet", "Part", "Place",
    "Play", "Points", "PositiveLife", "Reading", "Refused", "RemoveRow", "Response", "Roll", "RuleText", "Ruleset",
    "Seated", "Sheet", "SheetKey", "Slot", "Spent", "Step", "Table", "Text", "Thrown", "Turns", "Unit", "Verdict",
    "Wording", "approval", "best", "between", "blank", "by_rounds", "by_turns", "cached_text", "decimal", "derived",
    "entry_data", "entry_key", "entry_keys", "error", "field", "join", "mean_of", "numeral", "one_of", "open_lists",
    "parse_whole_number", "parts", "patched", "path", "percent", "redacted", "row", "row_from", "rows", "rule",
    "secretive", "shape_message", "short", "shown", "signed", "size", "slots", "some_of", "stated", "survival_chance",
    "tag_of", "target_figures_of", "target_slots", "text_from", "title_at", "warning", "with_row", "without_row",
]

if not TYPE_CHECKING:
    # Hidden from mypy, which would otherwise accept every name.
    def __getattr__(former: str) -> object:
        if former not in FORMER:
            raise AttributeError(f"module {__name__!r} has no attribute {former!r}")
        warn(f"rulesets.kit.{former} is called {FORMER[former]}.", DeprecationWarning, stacklevel=2)
        return globals()[FORMER[former]]
