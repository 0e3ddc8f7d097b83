"""A verdict in words: what commands, validator and import show of it."""

import hashlib
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.document import canonical
from rulesets.kit import Fix

VERDICTS = {
    "legal": _("legal"),
    "needs-approval": _("needs approval"),
    "illegal": _("illegal"),
    "unreadable": _("unreadable"),
}
SEVERITIES = {"error": _("Error"), "approval": _("For approval"), "warning": _("Warning")}


def shown(value: Any) -> str:
    """A derived figure in one line."""
    if isinstance(value, list):
        return "; ".join(map(shown, value)) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key} {shown(one)}" for key, one in value.items()) or "-"
    return str(value)


def digest(fix: Fix) -> str:
    """A short name of what a mend makes of the sheet."""
    return hashlib.sha256(canonical(fix.data)).hexdigest()[:16]
