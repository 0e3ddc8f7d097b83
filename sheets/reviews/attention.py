"""Points of a submitted sheet that the GM should look at first, the most serious before all others."""

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

MAX_FINDINGS = 60
"""The most findings shown; those that need a reason for an exception are always shown."""


@dataclass(frozen=True)
class Attention:
    """A point to look at: its kind, title and text, and the rule and the path that it is about."""

    kind: str
    title: str
    text: str = ""
    detail: str = ""
    """The text of the row that it is about, for exceptions and own entries."""
    rule: str | None = None
    path: str = ""
    name: str = ""
    """The key of an exception in `PendingDecision.asking`, under which its reason is given; "" for other kinds."""
    reason: str = ""
    fixes: tuple[Any, ...] = ()

    @property
    def tone(self) -> str:
        """The tone in the style sheet."""
        return {"error": "error", "exception": "ask"}.get(self.kind, "")

    @property
    def id(self) -> str:
        """The HTML id of the place that it is about, "" for the whole sheet."""
        return f"v-{element_id(self.path)}" if self.path else ""


def attention(ruleset: Ruleset, data: Data, pending: PendingDecision, outline: Outline,
              measures: Iterable[PartyMeasure], comments: Iterable[Comment], reasons: Mapping[str, str],
              granted: Mapping[tuple[str, str], str]) -> list[Attention]:
    """Return the points: errors, exceptions, own entries, the party's highest figures, unspent points, open comments.

    `reasons` are those being written, {key in `asking`: text}; `granted` those of the last approval,
    {(rule, path): text}.
    """
    errors = [one for one in pending.verdict.findings if one.severity == "error"][:MAX_FINDINGS]
    exception_paths = {one.path for one in pending.asking.values()}
    texts = {entry.path: entry.text for section in outline.sections for entry in section.entries}
    return [
        *(Attention("error", "", one.message, rule=one.rule, path=one.path, fixes=one.fixes) for one in errors),
        *(Attention("exception", "", one.message, texts.get(one.path, ""), one.rule, one.path, name,
                    reasons.get(name, granted.get((one.rule or "", one.path), "")), one.fixes)
          for name, one in pending.asking.items()),
        *(replace(one, detail=texts.get(one.path, "")) for one in own_entries(ruleset, data)
          if one.path not in exception_paths),
        *(_ahead_of_party(one) for one in measures if one.ahead),
        *([Attention("unspent", _("Unspent"), outline.ledger.text("left_sentence"))]
          if outline.ledger and outline.ledger.left > 0 else []),
        *(Attention("open", one.title, one.text, path=one.at) for one in comments if not one.done),
    ]


def _ahead_of_party(party_measure: PartyMeasure) -> Attention:
    """Return the point for a figure that is higher than all others of the party."""
    figure, source = party_measure.measure, str(party_measure.measure.source)
    comparison = _("{figure}, the party has {others}").format(figure=figure.shown, others=party_measure.range)
    text = f"{figure.short or figure.title}: {comparison}" if source else comparison
    return Attention("high", source or str(figure.title), text, path=figure.path)


def own_entries(ruleset: Ruleset, data: Data) -> Iterator[Attention]:
    """Yield a point for each row that a player has made up, in lists that have a catalogue."""
    shape = ruleset.sheet.model_validate(data)
    for key, slot in slots(ruleset.sheet).items():
        if slot.kind != "rows":
            continue
        known = {label.casefold() for rows in slot.ask.preset_groups.values() for label in map(str, rows)}
        for index, row in enumerate(getattr(shape, key)):
            own = row.own if isinstance(row, Entry) else bool(known) and str(row.label).casefold() not in known
            if own:
                yield Attention("own", str(row.label), _("custom entry, not in the catalogue"), path=f"{key}.{index}")


def hints_of(findings: Iterable[Finding]) -> list[Finding]:
    """Return the warnings among findings, which are shown apart from the points."""
    return [one for one in findings if one.severity == "warning"][:MAX_FINDINGS]
