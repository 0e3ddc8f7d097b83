"""A budget holds over all processes of the server that production runs."""

import pytest

from tests.support.server import Server

pytestmark = pytest.mark.slow


class Frugal(Server):
    """One whose addresses may use a second within five minutes."""

    def start(self):
        self.environment["BUDGET"] = "1"
        super().start()


@pytest.fixture
def server(tmp_path, transactional_db):
    running = Frugal(tmp_path)
    yield running
    running.stop()
    assert "Traceback" not in running.log.read_text()


def test_whoever_has_used_up_the_time_is_refused_by_every_worker_and_health_still_answers(server):
    # Cheap requests are added up in each worker; it takes a while until both know.
    refused = served = 0
    while refused < 30 and served < 3_000:
        status, _page = server.send("GET", "/rules/condice/")
        refused, served = (refused + 1, served) if status == 429 else (0, served + 1)
    assert refused == 30
    assert served > 10
    assert server.send("GET", "/health/") == (200, "ok")
    assert server.send("GET", "/api/v1/rulesets")[0] == 429
