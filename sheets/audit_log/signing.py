"""Signatures of entries and revisions: macs that only a holder of REVIEW_KEY can make."""

import hashlib
import hmac
from datetime import UTC
from typing import Any

from django.conf import settings

from rulesets.document import canonical
from sheets.models import Revision

MIGRATED, STORED = 1, 2
"""When a revision was signed: later, by the migration to signed revisions, or when it was stored."""


def mac(*parts: Any) -> str:
    """Return the mac of these parts, which only a holder of the key can make."""
    return hmac.new(settings.REVIEW_KEY.encode(), canonical(parts), hashlib.sha256).hexdigest()


def pseudonym(pk: int | None) -> str:
    """Return the HMAC pseudonym of a user."""
    return "" if pk is None else mac("person", str(pk))[:32]


def mac_of_revision(revision: Revision) -> str:
    """Return the mac of a revision's metadata and its seal; the seal covers the content and is compared separately."""
    return mac("revision", revision.signed, str(revision.sheet_id), revision.number, revision.version, revision.kind,
               revision.person, revision.made.astimezone(UTC).isoformat(), revision.rules, revision.seal)


def sign_revision(revision: Revision, origin: int) -> None:
    """Write into a revision its mac and the pseudonym of whoever stored it, which outlasts the account."""
    revision.signed, revision.person = origin, pseudonym(revision.author_id)
    revision.mac = mac_of_revision(revision)


def signature(number: int, last_mac: str) -> str:
    """Return the signature of the head for the number and the mac of the last entry."""
    return mac("head", number, last_mac)
