"""Verdicts in words, as commands, the validator and the import show them."""

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
"""The most findings that a page shows; a sheet may have several for each of its rows."""
SEVERITIES = {"error": _("Error"), "approval": _("For approval"), "warning": _("Warning")}


FIGURES = {"cost": _("Points"), "range": _("Range")}
"""{key of a derived value: title} for keys that are no fields; the range is the total, not only the bought part."""


def untold(more: int) -> str:
    """Return a text for the number of findings that a page does not show; "" if `more` is not positive."""
    return ngettext("{n} more appears here once some of these are fixed.",
                    "{n} more appear here once some of these are fixed.", more).format(n=more) if more > 0 else ""


def without_hints(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings for all readers: without hints (warnings), which only the owner and the GMs see."""
    return [one for one in findings if one.severity != "warning"]


def findings_for_others(verdict: Verdict) -> dict[str, Any]:
    """Return the context of a verdict for other readers: its findings without hints, and the number not shown."""
    told = without_hints(verdict.findings)
    return {"findings": told[:NOTED], "untold": untold(len(told) - NOTED)}


def derived_lines(sheet: type[Sheet], key: str, value: Any) -> list[str]:
    """Return a derived figure as lines of text, one for each row of a list; rows name their fields by title."""
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
    """Return a row as text: the title of its kind, then each figure with its title."""
    part = slot.member(row.get(slot.tag)) if slot and slot.parts else None
    known = slots(part) if part else {}
    # An entry of a catalogue states its title.
    words = [str(getattr(part, "title", ""))] if part and slot and slot.tag else []
    words += [f"{FIGURES.get(key) or (known[key].ask.title if key in known else key)} {yes_or_no(value)}"
              for key, value in row.items() if not (slot and key == slot.tag)]
    return ", ".join(words)


def fix_digest(fix: Fix) -> str:
    """Return a digest of a sheet's data after a fix."""
    return hashlib.sha256(canonical(fix.data)).hexdigest()[:16]
