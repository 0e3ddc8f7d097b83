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


def phrase(rule, slug, wrong, right):
    """What nobody says, and what is said instead, of a rule."""
    return pytest.param(slug, wrong, right, marks=pytest.mark.rule(rule), id=wrong)


@pytest.mark.parametrize(("slug", "wrong", "right"), [
    phrase("DS-59", "daemmersturm", "Schaden am Leben machte", "Wenn der Treffer Lebenspunkte gekostet hat"),
    phrase("DS-51", "daemmersturm", "Die Kreatur will abwerfen", "Die Kreatur will den Kletterer abwerfen"),
    phrase("DS-52", "daemmersturm", "Viertel des Rundumblicks", "ein Sichtfeld von 90 Grad"),
    phrase("SZ-12", "augen-des-zwielichts", "In die Tat umsetzen", "Ergebnis übernehmen"),
    phrase("SZ-31", "augen-des-zwielichts", "Die Runde in die Tat umsetzen", "Kampfrunde auswerten"),
    phrase("SZ-09c", "augen-des-zwielichts", "“ geht", "Abenteuerfrage: „{word}“ entfernen"),
    phrase("SZ-22", "augen-des-zwielichts", "Zustände gehen", "Du entfernst die letzten zwei Zustände."),
    phrase("SZ-25", "augen-des-zwielichts", "etwa 5,3", "etwa „5,3“ für eine 5 und eine 3"),
    phrase("BD-25", "battle-dice", "Karte für 2 Zeitmana ab", "Wirf diese Karte ab, um 2 Zeitmana zu erhalten."),
    phrase("BD-12", "battle-dice", "kommt herein", "Zeitmana gesammelt, jetzt {n}"),
    phrase("BD-24", "battle-dice", "nachdem du verletzt wurdest",
           "1 Schaden an einem gegnerischen Avatar, nachdem du oder einer deiner Avatare verletzt wurde."),
])
def test_what_nobody_says_was_put_into_words_that_the_table_uses(slug, wrong, right):
    texts = list(german(TEXTS[slug]))
    assert not [text for text in texts if wrong in text]
    assert [text for text in texts if right in text]
