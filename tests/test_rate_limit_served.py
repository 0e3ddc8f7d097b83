"""The rate limit holds over all processes of the server that production runs."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.alike]


def test_whoever_has_used_up_the_time_is_refused_by_every_worker_and_health_still_answers(serve):
    server, served, refused = serve(BUDGET="1"), 0, 0
    # Cheap requests are added up in each worker; it takes a while until both know.
    while refused < 30 and served < 3_000:
        status, _page = server.send("GET", "/rules/condice/")
        refused, served = (refused + 1, served) if status == 429 else (0, served + 1)
    assert refused == 30
    assert served > 10
    assert server.send("GET", "/health/") == (200, "ok")
    assert server.send("GET", "/api/v1/rulesets")[0] == 429
