"""Changing fields of a stored row without saving its other fields."""

from typing import Any

from django.db.models import Model


def store(row: Model, *others: str, **new: Any) -> None:
    """Set fields of a stored row; save only these and the fields named in `others`, which were set before."""
    for name, value in new.items():
        setattr(row, name, value)
    row.save(update_fields=[*others, *new])
