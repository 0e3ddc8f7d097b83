"""The address of whoever asks, as granian has it with nothing in front."""

import http.client

import pytest

from tests.support.server import PATIENCE, exchange

pytestmark = [pytest.mark.slow, pytest.mark.more]
SPELLINGS = ("X-Forwarded-For", "X_Forwarded_For", "X-Forwarded_For", "x_forwarded_for", "X-Real-IP", "Remote-Addr",
             "REMOTE_ADDR")


def test_without_a_proxy_no_header_however_spelled_makes_somebody_another_address(serve):
    # Else all that does not come by https is led there.
    server = serve(BUDGET="1", TRUSTED_PROXY="", BOGENSCHMIEDE_MODE="development")

    def ask(number):
        forged = dict.fromkeys(SPELLINGS, f"203.0.{number // 250}.{number % 250}")
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        return exchange(line, "GET", "/rules/condice/", headers=forged)[0]

    assert 429 in map(ask, range(3_000))
