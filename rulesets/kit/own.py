"""Types that each system narrows: the kit's methods take any, a system's name their own class instead."""

from typing import Any, TypeAlias

OwnSheet: TypeAlias = Any
"""A sheet of the system's own class."""
OwnPlay: TypeAlias = Any
"""A state of play of the system's own class."""
OwnHouse: TypeAlias = Any
"""House rules of the system's own class."""
Thrown: TypeAlias = Any
"""The Outcome of the roll that was made for an act, where it has one; else None, which no act of that kind reads."""
