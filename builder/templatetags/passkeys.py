"""The options of passkeys in pages."""

import json
from typing import Any

from django.template import Library

register = Library()


@register.filter
def as_json(options: Any) -> str:
    """Return options as JSON, for an attribute."""
    return json.dumps(options)
