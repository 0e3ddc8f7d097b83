"""The address that a request comes from."""

from ipaddress import IPv6Network, ip_address

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

PREFIX = 64
"""Bits of the network of IPv6 that one customer has, as allauth counts them by default."""


def client_address(request: HttpRequest) -> str:
    """Return the address of IPv4 or the network of IPv6 that a request comes from; "" where none is known.

    A request that does not come by the proxy, as a watcher's, has none.
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
