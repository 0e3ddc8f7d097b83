"""Signatures of entries and revisions: macs under REVIEW_KEY, without which nobody can make one."""

import hashlib
import hmac
from datetime import UTC
from typing import Any

from django.conf import settings

from rulesets.document import canonical
from sheets.models import Revision

MIGRATED, KEPT = 1, 2
"""The origins of a revision's signature: the migration to signed revisions, or the moment when it was kept."""


def mac(*parts: Any) -> str:
    """Return the mac of these parts, which only the key can make."""
    return hmac.new(settings.REVIEW_KEY.encode(), canonical(parts), hashlib.sha256).hexdigest()


def person(pk: int | None) -> str:
    """Return the HMAC pseudonym of a user."""
    return "" if pk is None else mac("person", str(pk))[:32]


def mac_of_revision(revision: Revision) -> str:
    """Return the mac of all that a revision says; its content is covered by the seal, which is compared separately."""
    return mac("revision", revision.signed, str(revision.sheet_id), revision.number, revision.version, revision.kind,
               revision.person, revision.made.astimezone(UTC).isoformat(), revision.rules, revision.seal)


def sign_revision(revision: Revision, how: int) -> None:
    """Write into a revision the pseudonym of who kept it, which outlasts the account, and the mac."""
    revision.signed, revision.person = how, person(revision.author_id)
    revision.mac = mac_of_revision(revision)


def signature(number: int, last: str) -> str:
    """Return the signature of a head that ends at an entry."""
    return mac("head", number, last)
