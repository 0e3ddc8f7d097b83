"""The IPv6 networks around an address."""

from functools import lru_cache
from ipaddress import IPv6Network

from builder.refusals import NETWORKS


@lru_cache(10_000)
def networks(address: str) -> tuple[str, ...]:
    """Return the buckets of the networks around an IPv6 address that one customer may own whole; () for IPv4."""
    try:
        return tuple(f"{name} {IPv6Network((address, bits), strict=False).network_address}"
                     for name, bits in NETWORKS.items())
    except ValueError:
        return ()
