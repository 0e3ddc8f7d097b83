"""A verdict in words, as commands, validator and import show it."""

import hashlib
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from rulesets.document import canonical
from rulesets.kit import Finding, Fix, Sheet, Slot, Verdict, slots
from sheets.outline import yes_or_no

VERDICTS = {
    "legal": _("legal"),
    "needs-approval": _("needs approval"),
    "illegal": _("illegal"),
    "unreadable": _("unreadable"),
}
NOTED = 30
"""Findings that a page tells; a sheet may have several at each of its rows."""
SEVERITIES = {"error": _("Error"), "approval": _("For approval"), "warning": _("Warning")}


FIGURES = {"cost": _("Points"), "range": _("Range")}
"""The columns of derived values beyond the fields of their list; a range is the whole, not what was bought of it."""


def untold(more: int) -> str:
    """Return how many more things are to be mended than a page tells, "" if that is all."""
    return ngettext("{n} more appears here once some of these are fixed.",
                    "{n} more appear here once some of these are fixed.", more).format(n=more) if more > 0 else ""


def without_hints(findings: Iterable[Finding]) -> list[Finding]:
    """Return what the rules say for all to read: hints, such as at a weaker attack, are the owner's and the GMs'."""
    return [one for one in findings if one.severity != "warning"]


def findings_for_others(verdict: Verdict) -> dict[str, Any]:
    """Return what a page tells others of a verdict: its findings without hints, and how many more there are."""
    told = without_hints(verdict.findings)
    return {"findings": told[:NOTED], "untold": untold(len(told) - NOTED)}


def derived_lines(sheet: type[Sheet], key: str, value: Any) -> list[str]:
    """Return a derived figure in words, a line for each row of a list; in rows fields are called by their titles."""
    if isinstance(value, list):
        slot = slots(sheet).get(key)
        return [_row(slot, row) if isinstance(row, dict) else str(row) for row in value] or ["–"]
    if isinstance(value, dict):
        return [", ".join(f"{name} {'–' if one is None else yes_or_no(one)}" for name, one in value.items()) or "–"]
    if value is None:
        return ["–"]
    if isinstance(value, bool):
        return [yes_or_no(value)]
    return str(value).replace("-", "−", 1).splitlines() if isinstance(value, int) else str(value).splitlines() or [""]


def _row(slot: Slot | None, row: dict) -> str:
    """Return a row as its list has it: by its kind, then each figure with its title."""
    part = slot.member(row.get(slot.tag)) if slot and slot.parts else None
    known = slots(part) if part else {}
    # An entry of a catalogue states its title.
    words = [str(getattr(part, "title", ""))] if part and slot and slot.tag else []
    words += [f"{FIGURES.get(key) or (known[key].ask.title if key in known else key)} {yes_or_no(value)}"
              for key, value in row.items() if not (slot and key == slot.tag)]
    return ", ".join(words)


def fix_digest(fix: Fix) -> str:
    """Return a digest of a sheet after a mend."""
    return hashlib.sha256(canonical(fix.data)).hexdigest()[:16]
