"""Columns by which rows are found and put in order, kept by themselves beside what they are made of."""

from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models import Q

from rulesets.folding import order_key, sought, ways


class Called(models.BinaryField):
    """The place of a row's name in German order."""

    def pre_save(self, model_instance: models.Model, add: bool) -> bytes:  # noqa: FBT001 - Django's own
        """Return the place of the name that is stored just now."""
        found = order_key(getattr(model_instance, "name"))  # noqa: B009 - of whatever model
        setattr(model_instance, self.attname, found)
        return found


class Sought(models.TextField):
    """All that a row is found by: its name and, where it has any, its notes."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:  # noqa: FBT001 - Django's own
        """Return what is found in the texts that are stored just now."""
        found = sought(*(getattr(model_instance, key) for key in SOUGHT))
        setattr(model_instance, self.attname, found)
        return found


SOUGHT = ("name", "notes")
"""The texts of a row that one looks in."""
KEPT = {"name": {"called", "sought"}, "notes": {"sought"}}
"""{what is stored: the columns that are made of it}."""


def with_columns(model: type[models.Model], update_fields: Iterable[str] | None) -> set[str] | None:
    """Return the fields to be stored, with the columns that are made of them."""
    if update_fields is None:
        return None
    fields = {*update_fields}
    return fields.union(one for made_of in fields & {*KEPT} for one in KEPT[made_of] if hasattr(model, one))


def by_name(rows: Iterable[Any]) -> list[Any]:
    """Return a few rows, which keep no column for that, in the order of their names."""
    return sorted(rows, key=lambda one: order_key(one.name))


def holding(query: str, column: str = "sought") -> Q:
    """Return the condition that a row has all words of what somebody looks for."""
    found = Q()
    for word in ways(query):
        one: Any = Q()
        for way in word:
            one |= Q(**{f"{column}__contains": way})
        found &= one
    return found
