"""Ranges and dice as people type them."""

import pytest
from pydantic import TypeAdapter, ValidationError

from rulesets.daemmersturm.texts import OpenRange, Range
from rulesets.kit import FROM_FORM


@pytest.mark.parametrize("kind", [Range, OpenRange])
@pytest.mark.parametrize("typed", ["1W8", " w8 ", "1 w 8", "\t1  W\t8\n", "1-8", f"{' ' * 90}1w8"])
def test_one_die_is_its_range(kind, typed):
    assert TypeAdapter(kind).validate_python(typed, context=FROM_FORM) == "1-8"


@pytest.mark.parametrize("kind", [Range, OpenRange])
@pytest.mark.parametrize("typed", [f"1{' ' * 65_000}w", "1" * 65_000, "1 w" * 20_000, f"w{' ' * 65_000}8"])
def test_a_text_that_is_too_long_is_refused_by_its_length(kind, typed):
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(kind).validate_python(typed, context=FROM_FORM)
    assert [error["type"] for error in refused.value.errors()] == ["string_too_long"]
