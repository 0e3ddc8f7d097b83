"""Model fields derived from a row's texts on each save, for sorting by name and for searching."""

from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models import Q

from rulesets.folding import order_key, search_terms, search_text


class Called(models.BinaryField):
    """A sort key made of the row's `name`, in German order."""

    def pre_save(self, model_instance: models.Model, add: bool) -> bytes:  # noqa: FBT001 - Django's own
        """Return and set the sort key of the current name."""
        found = order_key(getattr(model_instance, "name"))  # noqa: B009 - of whatever model
        setattr(model_instance, self.attname, found)
        return found


class Sought(models.TextField):
    """The searchable form of the texts named in `SOUGHT`."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:  # noqa: FBT001 - Django's own
        """Return and set the searchable form of the current texts."""
        found = search_text(*(getattr(model_instance, key) for key in SOUGHT))
        setattr(model_instance, self.attname, found)
        return found


SOUGHT = ("name", "notes")
"""The fields of a row that a search looks in."""
DERIVED_COLUMNS = {"name": {"called", "sought"}, "notes": {"sought"}}
"""{field: the columns derived from it}."""


def with_columns(model: type[models.Model], update_fields: Iterable[str] | None) -> set[str] | None:
    """Return `update_fields` with the columns derived from them; None, which means all fields, stays None."""
    if update_fields is None:
        return None
    fields = {*update_fields}
    return fields.union(one for made_of in fields & {*DERIVED_COLUMNS} for one in DERIVED_COLUMNS[made_of]
                        if hasattr(model, one))


def by_name(rows: Iterable[Any]) -> list[Any]:
    """Return rows sorted by name, then by key, in Python: for models without a `Called` column."""
    return sorted(rows, key=lambda one: (order_key(one.name), one.pk))


def holding(query: str, column: str = "sought") -> Q:
    """Return the condition that a row contains all words of a search query."""
    found = Q()
    for word in search_terms(query):
        one: Any = Q()
        for way in word:
            one |= Q(**{f"{column}__contains": way})
        found &= one
    return found
