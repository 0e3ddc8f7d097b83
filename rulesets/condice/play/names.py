"""The names of characters who hold somebody or are held."""

from django.utils.translation import pgettext_lazy

from rulesets.kit import Wording

_UNNAMED = pgettext_lazy("whoever holds or is held", "Somebody")


def name_or_somebody(name: str) -> Wording:
    """Return a name; "Somebody" if it is empty."""
    return name.strip() or _UNNAMED
