"""A guest's address may store 32 MB in an hour: measured on the disk of the server that production runs."""

from itertools import islice
from pathlib import Path

import pytest

from tests.support.attackers import ROWS, emoji
from tests.support.server import FILE
from tests.support.strangers import Stranger

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.database("sqlite")]
DRAFTS = 40


def test_drafts_filled_with_emoji_end_in_a_refusal_before_the_file_has_grown_by_40_mb(serve):
    # Neither processor time nor the number of drafts is what ends it.
    server = serve(BUDGET="100000")
    file = Path(server.environment["DATABASE_URL"].removeprefix("sqlite:///"))
    assert file.name == FILE

    def size():
        return sum(one.stat().st_size for one in file.parent.glob(f"{FILE}*"))
    before = size()
    # A refused one goes on with the next draft: the other worker may still take what this one does not.
    answers = islice(emoji(Stranger(server.port, "203.0.113.7")), DRAFTS * (2 + 2 * ROWS))
    statuses = [answer.status for answer in answers]
    assert set(statuses) == {200, 302, 429}
    assert size() - before < 40_000_000
