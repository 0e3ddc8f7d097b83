"""What a press is known by."""

from collections.abc import Mapping
from uuid import UUID

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _


def press_key(post: Mapping[str, str]) -> UUID:
    """The key of a press, by which a second arrival of the same form is known (`BadRequest` without one)."""
    try:
        return UUID(post.get("_press", ""))
    except ValueError:
        raise BadRequest(_("The form does not say which press this is; load the page anew.")) from None
