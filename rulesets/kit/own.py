"""Type aliases of the kit's methods, in place of which a system names its own classes."""

from typing import Any, TypeAlias

OwnSheet: TypeAlias = Any
"""A sheet of the system's class."""
OwnPlay: TypeAlias = Any
"""A state of play of the system's class."""
OwnHouse: TypeAlias = Any
"""House rules of the system's class."""
Thrown: TypeAlias = Any
"""The Outcome of an act's roll; None for an act without one, which does not use it."""
