"""A filter for the options that a page passes to the browser when it asks for a passkey."""

import json
from typing import Any

from django.template import Library

register = Library()


@register.filter
def as_json(options: Any) -> str:
    """Return the options of a passkey as JSON, for an HTML attribute."""
    return json.dumps(options)
