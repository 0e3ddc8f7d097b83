"""Template filters for names within sentences; every template has them."""

from collections.abc import Iterable
from typing import Any

from django.template import Library

from rulesets import names
from sheets.models import called

register = Library()


@register.filter
def isolated(name: Any) -> Any:
    """Return a name for use within a sentence, isolated so that it cannot reverse the direction of other words."""
    return names.isolated(str(name)) if name else name


@register.filter
def by_name(rows: Iterable[Any]) -> list[Any]:
    """Return rows sorted by name, in German order."""
    return called.by_name(rows)
