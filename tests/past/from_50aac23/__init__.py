"""The past of commit 50aac23: everything pressed and approved in each system, before there were evenings or fights."""

from datetime import UTC, datetime

from tests.past.pasts import Past

PAST = Past("50aac23", datetime(2026, 11, 22, 6, tzinfo=UTC), {
    # A condition that waits for its word counts already; what is stored is as it was.
    "53797890-39d2-4c72-9183-f0e524b1a473": {"conditions": 2},
    "7e2296bc-5f2d-459f-9759-b63789833d0e": {"conditions": 4},
})
