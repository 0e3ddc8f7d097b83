"""Type aliases in the signatures of the kit; a system writes its own classes in their place."""

from typing import Any, TypeAlias

OwnSheet: TypeAlias = Any
"""A sheet of the system's class."""
OwnPlay: TypeAlias = Any
"""A state of play of the system's class."""
OwnHouse: TypeAlias = Any
"""House rules of the system's class."""
Thrown: TypeAlias = Any
"""The Outcome of an act's roll; None for an act without a roll."""
