"""What vouches for entries and revisions: macs under REVIEW_KEY, without which nobody can make one."""

import hashlib
import hmac
from datetime import UTC
from typing import Any

from django.conf import settings

from rulesets.document import canonical
from sheets.models import Revision

MIGRATED, KEPT = 1, 2
"""How a revision was signed: as it stood when the migration to signed revisions came by, or the moment it was kept."""


def mac(*parts: Any) -> str:
    """What only the key can make of these parts."""
    return hmac.new(settings.REVIEW_KEY.encode(), canonical(parts), hashlib.sha256).hexdigest()


def person(pk: int | None) -> str:
    """HMAC pseudonym of a user."""
    return "" if pk is None else mac("person", str(pk))[:32]


def mac_of_revision(kept: Revision) -> str:
    """What vouches for all that a revision says; its content by the seal, which is compared with it apart."""
    return mac("revision", kept.signed, str(kept.sheet_id), kept.number, kept.version, kept.kind, kept.person,
               kept.made.astimezone(UTC).isoformat(), kept.rules, kept.seal)


def sign_revision(kept: Revision, how: int) -> None:
    """Writes into a revision who kept it, in a word that outlasts the account, and what vouches for it."""
    kept.signed, kept.person = how, person(kept.author_id)
    kept.mac = mac_of_revision(kept)


def signature(number: int, last: str) -> str:
    """What vouches for a head that ends at an entry."""
    return mac("head", number, last)
