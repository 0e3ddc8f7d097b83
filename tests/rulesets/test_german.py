"""German of every system as one reads it: its own quotation marks, real minus signs."""

import re
from importlib import import_module
from pathlib import Path

import polib
import pytest

from rulesets import systems

TEXTS = {slug: Path(import_module(ruleset.package).__file__).parent for slug, ruleset in systems().items()}
MINUS = re.compile(r"(?<![\w/)\]|+-])-\d")
"""A hyphen before a figure that is no range ("1-10") and no part of a profile line ("20-3")."""


def german(folder):
    """Every German text of a system."""
    yield from (folder / "rules.de.md").read_text(encoding="utf-8").splitlines()
    for entry in polib.pofile(folder / "locale/de/LC_MESSAGES/django.po"):
        yield from entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]


@pytest.mark.parametrize("slug", TEXTS)
def test_german_texts_have_german_quotation_marks_and_minus_signs(slug):
    for text in german(TEXTS[slug]):
        assert not re.search('["”]', text), text
        assert text.count("„") == text.count("“"), text
        assert not MINUS.search(text), text
