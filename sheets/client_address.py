"""The address that a request comes from."""

from ipaddress import IPv6Network, ip_address

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

PREFIX = 64
"""The prefix length of the IPv6 network that one customer has; the default of allauth."""


def client_address(request: HttpRequest) -> str:
    """Return the IPv4 address or the IPv6 network that a request comes from; "" if it is not known.

    A request that did not pass the proxy, such as a watcher's, has none.
    """
    try:
        address: str = get_adapter().get_client_ip(request)
    except PermissionDenied:
        return ""
    try:
        written = ip_address(address)
    except ValueError:
        return address
    if written.version == 4:
        return address
    return str(IPv6Network((str(written), PREFIX), strict=False).network_address)
