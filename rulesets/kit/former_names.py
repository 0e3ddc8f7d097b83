"""Former names of attributes, methods and arguments; a system may use them for one more release, with a warning."""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import getattr_static
from operator import attrgetter
from typing import Any, TypeVar
from warnings import warn

from pydantic import BaseModel

_Class = TypeVar("_Class")


def accept_former_names(base: type[BaseModel], former: Mapping[str, str]) -> None:
    """Let attributes of a class be read under former names {former name: name}, and be defined so by subclasses."""
    # Otherwise pydantic would refuse them without an annotation.
    base.__class_vars__ |= former.keys()
    rename_former(base, former)


def rename_former(cls: type[BaseModel], former: Mapping[str, str]) -> None:
    """Let all that a class defines under a former or a present name be found under both names."""
    for old, name in former.items():
        if old in vars(cls):
            warn(f"{cls.__name__}.{old} is called {name}.", DeprecationWarning, stacklevel=3)
            setattr(cls, name, vars(cls)[old])
        setattr(cls, old, getattr_static(cls, name))


def accept_former_arguments(former: Mapping[str, str]) -> Callable[[type[_Class]], type[_Class]]:
    """Let a dataclass take arguments, and have attributes, under former names {former name: name} as well."""

    def accept(cls: type[_Class]) -> type[_Class]:
        make = cls.__init__

        @wraps(make)
        def make_renamed(self: _Class, *args: Any, **named: Any) -> None:
            for old in former.keys() & named.keys():
                warn(f"{old} of a {cls.__name__} is called {former[old]}.", DeprecationWarning, stacklevel=2)
                named[former[old]] = named.pop(old)
            make(self, *args, **named)

        cls.__init__ = make_renamed  # type: ignore[assignment]
        for old, name in former.items():
            setattr(cls, old, property(attrgetter(name)))
        return cls

    return accept
