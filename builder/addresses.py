"""Where a request comes from: an address of IPv4, or a network of IPv6, and the wider networks that it is in."""

from functools import lru_cache
from ipaddress import IPv6Network

from allauth.core.internal.ratelimit import get_ip
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from builder.refusals import NETWORKS


def address_of(request: HttpRequest) -> str:
    """Return the address, or the network of IPv6, from which a request comes."""
    try:
        return get_ip(request)
    except PermissionDenied:
        # Who asks without the proxy, as a watcher does, has no address of its own.
        return ""


@lru_cache(10_000)
def networks(address: str) -> tuple[str, ...]:
    """Return the wider networks of IPv6 around one, as a customer of a provider has it whole; of IPv4 there is none."""
    try:
        return tuple(f"{name} {IPv6Network((address, bits), strict=False).network_address}"
                     for name, bits in NETWORKS.items())
    except ValueError:
        return ()
