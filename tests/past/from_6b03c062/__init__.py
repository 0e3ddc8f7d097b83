"""The past of commit 6b03c062: an evening open, a fight going on, hits that wait, and names of every oddity."""

from datetime import UTC, datetime

from tests.past.pasts import Past

PAST = Past("6b03c062", datetime(2026, 11, 26, 6, tzinfo=UTC))
