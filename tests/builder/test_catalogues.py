import ast
import re
from collections import defaultdict
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = settings.BASE_DIR
CATALOGUES = sorted(path / "de/LC_MESSAGES/django.po" for path in settings.LOCALE_PATHS)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{[^{}]*\}")
CALLS = {"_": 0, "gettext": 0, "gettext_lazy": 0, "ngettext": 0, "ngettext_lazy": 0, "pgettext": 1, "pgettext_lazy": 1,
         "npgettext": 1, "npgettext_lazy": 1}
"""{what marks a text: which of its arguments the text is}"""


def entries(path):
    return {(entry.msgctxt, entry.msgid): entry for entry in polib.pofile(path) if not entry.obsolete}


def texts_of(entry):
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_german_catalogue_is_complete_certain_compiled_and_fills_in_what_the_english_texts_do(path):
    for entry in entries(path).values():
        assert entry.translated(), f"not translated, or fuzzy: {entry.msgid!r}"
        asked = set(PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
        for text in texts_of(entry):
            assert set(PLACEHOLDER.findall(text)) == asked, entry.msgid
    compiled = {(entry.msgctxt, entry.msgid): texts_of(entry) for entry in polib.mofile(path.with_suffix(".mo"))}
    assert compiled == {key: texts_of(entry) for key, entry in entries(path).items()}, "run `make messages`"


def test_one_english_text_has_one_german_text_everywhere():
    """Django merges all catalogues into one, so that of two texts one would be shown in both places."""
    said = defaultdict(dict)
    for path in CATALOGUES:
        for key, entry in entries(path).items():
            said[key][tuple(texts_of(entry))] = path.relative_to(ROOT)
    differing = [f"{msgid!r}: " + ", ".join(f"{texts} in {path}" for texts, path in told.items())
                 for (_context, msgid), told in said.items() if len(told) > 1]
    assert not differing, 'make them one text, or tell them apart by pgettext_lazy("…", …):\n' + "\n".join(differing)


def texts_in_python(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            text = node.args[CALLS[node.func.id]] if len(node.args) > CALLS[node.func.id] else None
            if isinstance(text, ast.Constant):
                yield text.value


def texts_in_template(path):
    source = templatize(path.read_text(encoding="utf-8"))
    for literal in re.findall(r"""\b(?:_|n?gettext)\(u?('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")""", source):
        yield ast.literal_eval(literal)


def sources():
    for folder in ("builder", "sheets", "rulesets", "templates"):
        yield from sorted(path for path in Path(ROOT / folder).rglob("*.*") if path.suffix in {".py", ".html"})


def test_every_text_in_the_source_stands_in_a_catalogue():
    known = {msgid for path in CATALOGUES for _context, msgid in entries(path)}
    missing = {
        f"{path.relative_to(ROOT)}: {text!r}"
        for path in sources()
        for text in (texts_in_python(path) if path.suffix == ".py" else texts_in_template(path))
        if text not in known
    }
    assert not missing, "run `make messages` and translate:\n" + "\n".join(sorted(missing))
