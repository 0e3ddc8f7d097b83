"""The address of whoever asks, as granian has it with nothing in front."""

import http.client

import pytest

from tests.support.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.more]
SPELLINGS = ("X-Forwarded-For", "X_Forwarded_For", "X-Forwarded_For", "x_forwarded_for", "X-Real-IP", "Remote-Addr",
             "REMOTE_ADDR")


class Bare(Server):
    """One that nothing stands before, and whose addresses may use a second within five minutes."""

    def start(self):
        del self.environment["TRUSTED_PROXY"]
        # Else all that does not come by https is led there.
        self.environment |= {"BUDGET": "1", "BOGENSCHMIEDE_MODE": "development"}
        super().start()


@pytest.fixture
def server(tmp_path, transactional_db):
    running = Bare(tmp_path)
    yield running
    running.stop()


def test_without_a_proxy_no_header_however_spelled_makes_somebody_another_address(server):
    def ask(number):
        caller = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        forged = dict.fromkeys(SPELLINGS, f"203.0.{number // 250}.{number % 250}")
        caller.request("GET", "/rules/condice/", headers=forged)
        status = caller.getresponse().status
        caller.close()
        return status

    assert 429 in {ask(number) for number in range(3_000)}
