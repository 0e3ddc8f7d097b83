"""The wider networks that an address is in."""

from functools import lru_cache
from ipaddress import IPv6Network

from builder.refusals import NETWORKS


@lru_cache(10_000)
def networks(address: str) -> tuple[str, ...]:
    """Return the wider networks of IPv6 around one, as a customer of a provider has it whole; of IPv4 there is none."""
    try:
        return tuple(f"{name} {IPv6Network((address, bits), strict=False).network_address}"
                     for name, bits in NETWORKS.items())
    except ValueError:
        return ()
