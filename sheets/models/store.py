"""Changing a stored row: fields of it are set and saved, and nothing else of it."""

from typing import Any

from django.db.models import Model


def store(row: Model, *others: str, **new: Any) -> None:
    """Set fields of a stored row, and save these and those named in `others`, which were set before."""
    for name, value in new.items():
        setattr(row, name, value)
    row.save(update_fields=[*others, *new])
