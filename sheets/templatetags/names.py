"""Template filters for names within sentences; every template has them."""

from typing import Any

from django.template import Library

from rulesets import names

register = Library()


@register.filter
def isolated(name: Any) -> Any:
    """Return a name as it stands within a sentence, whose other words it cannot turn round."""
    return names.isolated(str(name)) if name else name
