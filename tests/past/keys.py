"""What the frozen past was signed with and made at: inventions that open nothing anywhere."""

from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMIT = "50aac23"
"""The version that made it."""
KEYS = {"SECRET_KEY": "the-frozen-past-" + "0123456789abcdef" * 4, "REVIEW_KEY": "the-frozen-reviews-" + "fedcba98" * 8}
THEN = datetime(2026, 11, 22, 6, tzinfo=UTC)
"""The moment at which it is read: what waits in its trash is then still there."""
