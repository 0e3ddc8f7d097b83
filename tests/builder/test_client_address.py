"""Which address a request comes from, as limits and budgets count it."""

import pytest

from builder.accounts import AccountAdapter


@pytest.mark.parametrize(("written", "address"), [
    ("::ffff:10.0.0.1", "10.0.0.1"), ("10.0.0.1", "10.0.0.1"), ("2001:db8::1", "2001:db8::1"),
])
def test_an_address_of_ipv4_that_a_proxy_writes_as_ipv6_is_itself(rf, written, address):
    assert AccountAdapter().get_client_ip(rf.get("/", REMOTE_ADDR=written)) == address
