"""Messages for data of the wrong shape, in place of pydantic's."""

import re

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic_core import ErrorDetails

from rulesets.kit.words import shown

_SHAPES = {
    "missing": _("This is required but missing."),
    "extra_forbidden": _("There is no such field here; remove it or check the spelling."),
    "int_type": _("{input} is not a whole number."),
    "int_from_float": _("{input} is not a whole number."),
    "int_parsing": _("{input} is not a whole number."),
    "string_type": _("{input} is not a text."),
    "bool_type": _("{input} is neither true nor false."),
    "list_type": _("{input} is not a list."),
    "dict_type": _("{input} is not an object."),
    "model_type": _("{input} is not an object."),
    "model_attributes_type": _("{input} is not an object."),
    "greater_than_equal": _("{input} is too small; the minimum is {ge}."),
    "less_than_equal": _("{input} is too large; the maximum is {le}."),
    "literal_error": _("{input} is not one of: {expected}."),
    "union_tag_invalid": _("{input} is not one of: {expected}."),
    "union_tag_not_found": _("This is required but missing."),
    "string_pattern_mismatch": _("{input} is not in the right format."),
}
_LONG_TEXT = ngettext_lazy(
    "The text is longer than {max_length} character.", "The text is longer than {max_length} characters.", "max_length"
)
_LONG_LIST = ngettext_lazy(
    "There are {actual_length} entries; the maximum is {max_length}.",
    "There are {actual_length} entries; the maximum is {max_length}.", "max_length",
)


def shape_message(error: ErrorDetails) -> str:
    """Return the message for an error of pydantic: what was found, and what is allowed."""
    kind, context = error["type"], dict(error.get("ctx", {}))
    if kind == "string_too_long":
        return str(_LONG_TEXT.format(**context))
    if kind == "too_long" and isinstance(context.get("actual_length"), int):
        return str(_LONG_LIST.format(**context))
    if kind in ("value_error", "assertion_error"):
        return str(context["error"])
    if kind not in _SHAPES:
        return error["msg"]
    if kind == "literal_error":
        context["expected"] = ", ".join(re.findall(r"'[^']*'|[^', ]+", context["expected"].replace(" or ", ", ")))
    found = error["input"]
    if kind == "union_tag_invalid":
        context["expected"] = context["expected_tags"]
        found = found[context["discriminator"].strip("'")]
    return str(_SHAPES[kind].format(input=shown(found), **context))
