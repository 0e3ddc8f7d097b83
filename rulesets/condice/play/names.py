"""The names of those who hold somebody or are held, as sheets say them."""

from django.utils.translation import pgettext_lazy

from rulesets.kit import Wording

_UNNAMED = pgettext_lazy("whoever holds or is held", "Somebody")


def named(name: str) -> Wording:
    """Return a name, or what stands in for an empty one."""
    return name.strip() or _UNNAMED
