"""A guest's address may store 32 MB in an hour: measured on the disk of the server that production runs."""

import re
from pathlib import Path

import pytest

from tests.support.server import FILE, GUEST
from tests.test_storm import Stranger

pytestmark = [pytest.mark.slow, pytest.mark.database("sqlite")]
DRAFTS, ROWS, EMOJI = 40, 4, "🐐" * 31_000


def test_drafts_filled_with_emoji_end_in_a_refusal_before_the_file_has_grown_by_40_mb(serve):
    # Neither processor time nor the number of drafts is what ends it.
    server = serve(BUDGET="100000")
    file = Path(server.environment["DATABASE_URL"].removeprefix("sqlite:///"))
    assert file.name == FILE

    def size():
        return sum(one.stat().st_size for one in file.parent.glob(f"{FILE}*"))
    before, statuses = size(), []
    stranger = Stranger(server, "203.0.113.7")
    for _draft in range(DRAFTS):
        stranger.session = ""
        made = stranger.ask("POST", "/build/condice/")
        statuses.append(made.status)
        if made.status == 429:
            break
        stranger.session = re.search(f"{GUEST}=[^;]+", "; ".join(made.headers.get_all("Set-Cookie")))[0]
        draft = "/".join(made.headers["Location"].split("/")[:3])
        page = stranger.ask("GET", f"{draft}/attacks/").page
        version = int(re.search(r'name="_version" value="(\d+)"', page)[1])
        steps = [step for n in range(ROWS) for step in ({"do": "add:attacks"}, {f"attacks.{n}.description": EMOJI})]
        for fields in steps:
            statuses.append(stranger.ask("POST", f"{draft}/attacks/", _version=version, **fields).status)
            if statuses[-1] == 429:
                # The other worker may still take what this one refused, but there would be no row for it.
                break
            version += 1
    assert set(statuses) == {302, 429}
    assert size() - before < 40_000_000
