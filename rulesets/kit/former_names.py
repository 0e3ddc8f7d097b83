"""Former names of class attributes and methods; a system may use them for one more release, with a warning."""

from collections.abc import Mapping
from inspect import getattr_static
from warnings import warn

from pydantic import BaseModel


def accept_former_names(base: type[BaseModel], former: Mapping[str, str]) -> None:
    """Let a class be read under former names {former name: name}, and let its subclasses define them."""
    # Otherwise pydantic would refuse them without an annotation.
    base.__class_vars__ |= former.keys()
    rename_former(base, former)


def rename_former(cls: type[BaseModel], former: Mapping[str, str]) -> None:
    """Give what a class defines under former names its present names too, and the reverse."""
    for old, name in former.items():
        if old in vars(cls):
            warn(f"{cls.__name__}.{old} is called {name}.", DeprecationWarning, stacklevel=3)
            setattr(cls, name, vars(cls)[old])
        setattr(cls, old, getattr_static(cls, name))
