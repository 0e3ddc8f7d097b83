"""Points of a sheet that waits which need a look first, the gravest before all else."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from rulesets.kit import Data, Entry, Finding, Ruleset, slots
from sheets.forms.inputs import element_id
from sheets.outline import Outline
from sheets.reviews.comments import Comment
from sheets.reviews.party_measures import PartyMeasure
from sheets.reviews.services import PendingDecision

NOTED = 60
"""The most findings shown; those that ask for a reason are always shown."""


@dataclass(frozen=True)
class Attention:
    """One thing to look at: its kind, a word for it, what there is to say, the rule and the place it is about."""

    kind: str
    title: str
    text: str = ""
    detail: str = ""
    """The text of the row that it is about, if nobody at the table knows that yet."""
    rule: str | None = None
    path: str = ""
    name: str = ""
    """Where the reason of an exception is given, the name of `PendingDecision.asking`; "" for all else."""
    reason: str = ""
    fixes: tuple[Any, ...] = ()

    @property
    def tone(self) -> str:
        """Its tone as the style sheet knows it."""
        return {"error": "error", "exception": "ask"}.get(self.kind, "")

    @property
    def id(self) -> str:
        """The id of the place that it is about, "" for the whole."""
        return f"v-{element_id(self.path)}" if self.path else ""


def attention(ruleset: Ruleset, data: Data, found: PendingDecision, read: Outline,
              beside: Iterable[PartyMeasure], said: Iterable[Comment], reasons: Mapping[str, str],
              known: Mapping[tuple[str, str], str]) -> list[Attention]:
    """Return what needs a look: what is forbidden, exceptions, own entries, figures, points, remarks that are open.

    `reasons` are those that are being written, by name; `known` those that were given once, by rule and path.
    """
    errors = [one for one in found.verdict.findings if one.severity == "error"][:NOTED]
    asked = {one.path for one in found.asking.values()}
    texts = {entry.path: entry.text for section in read.sections for entry in section.entries}
    return [
        *(Attention("error", "", one.message, rule=one.rule, path=one.path, fixes=one.fixes) for one in errors),
        *(Attention("exception", "", one.message, texts.get(one.path, ""), one.rule, one.path, name,
                    reasons.get(name, known.get((one.rule or "", one.path), "")), one.fixes)
          for name, one in found.asking.items()),
        *(replace(one, detail=texts.get(one.path, "")) for one in own_entries(ruleset, data) if one.path not in asked),
        *(_high(one) for one in beside if one.ahead),
        *([Attention("unspent", _("Not spent"), read.ledger.told("left"))]
          if read.ledger and read.ledger.left > 0 else []),
        *(Attention("open", one.title, one.text, path=one.at) for one in said if not one.done),
    ]


def _high(one: PartyMeasure) -> Attention:
    """Return what is to be said of a figure above all others of the party."""
    measure, source = one.measure, str(one.measure.source)
    said = _("{figure}, the party has {others}").format(figure=measure.shown, others=one.range)
    text = f"{measure.short or measure.title}: {said}" if source else said
    return Attention("high", source or str(measure.title), text, path=measure.path)


def own_entries(ruleset: Ruleset, data: Data) -> Iterator[Attention]:
    """Yield what a player has entered beside a catalogue, in the lists that have one."""
    shape = ruleset.sheet.model_validate(data)
    for key, slot in slots(ruleset.sheet).items():
        if slot.kind != "rows":
            continue
        known = {label.casefold() for rows in slot.ask.known.values() for label in map(str, rows)}
        for index, row in enumerate(getattr(shape, key)):
            own = row.own if isinstance(row, Entry) else bool(known) and str(row.label).casefold() not in known
            if own:
                yield Attention("own", str(row.label), _("own entry, in no catalogue"), path=f"{key}.{index}")


def hints_of(findings: Iterable[Finding]) -> list[Finding]:
    """Return the mere hints among findings, which stand apart from what needs a look."""
    return [one for one in findings if one.severity == "warning"][:NOTED]
