"""One word for one thing: names that were given up stay gone, and a word with two meanings keeps the one it has."""

import ast
import re
from collections import Counter
from functools import cache

import polib
import pytest
from django.conf import settings

ROOT = settings.BASE_DIR
RETIRED = {
    "landing": "pending effect", "landings": "pending effects", "landed": "pending effect",
    "lands": "effects on target",
    "recoils": "effects on actor", "recoiling": "actor offers", "passes": "forwarded", "aiming": "target picker",
    "acting": "actor", "hold as read": "lock if unchanged", "hold rows": "lock rows", "reader word": "reader token",
    "owner word": "owner token", "own word": "own token", "change word": "change token", "throw into": "record dice",
    "thrown by": "roll of", "keep act": "record act",
    "fell so": "matches signature", "spreads": "allows more targets", "covers": "allows more area targets",
    "meeting": "with target figures", "taking back": "restored counters",
    "typed here": "remaining invalid texts", "asks otherwise": "has new inputs", "asked first": "question url",
    "undo here": "undo line", "left steps": "visited steps", "is sought": "matches query",
    "told to end": "catch end signals", "checked once": "check constraints once",
    "which stay": "not undoable", "what stays": "undo failures",
    "met by": "seen at table", "met in": "named sheets", "meets not all": "sees not all", "teller": "message writer",
    "framed": "with problem responses",
    "author": "user", "who": "user, bucket or sender", "kept": "revision, cached or saved",
}
"""{words in a name that was given up: words that say it now}."""
MEANINGS = {
    "budget": ("the points of a sheet", {"builder.wizard.live.budget"}),
    "word": ("a word of a text, and neither what a button posts nor what tells of news", {
        "builder.wizard.edits._put_word", "sheets.diff.comparison._word", "sheets.export.pdf.word"}),
    "said": ("what somebody wrote in a review, a report or a message, or is read out", {
        "sheets.audit_log", "sheets.diff.changes", "sheets.press.record_events",
        "sheets.reports", "sheets.reviews", "sheets.stage.messages", "sheets.status.stamp",
        "templates/parties/table/_said.html", "templates/play/_approval_said.html"}),
    "hold": ("to wait with a turn; a row is locked", {"sheets.press.turns.hold_back"}),
    "fallen": ("dice that lie on the table; those that fall in a press are thrown", {
        "sheets.rolls", "sheets.stage.pieces", "sheets.templatetags.dice"}),
}
"""{word that once meant several things: what it means, and the rooms or names that it may be part of}."""
GERMAN = {
    "Lesende": "Sichtbarkeit", "Wer ihn liest": "Sichtbarkeit", "der Tisch sagt": "entscheidet ihr",
    "sagt der Tisch": "entscheidet ihr", "der Tisch sieht": "seht ihr am Tisch", "sieht der Tisch": "seht ihr am Tisch",
    "zählt der Tisch": "zählt ihr", "der Tisch trägt": "tragt ihr", "macht der Tisch": "macht ihr am Tisch",
    " gefallen": "gewürfelt", "nachsehen": "neu laden, prüfen",
    "hereinkomm": "mitbringen", "hineinbring": "mitbringen", "Reihum": "Kampf beginnen", "Auf der Bühne": "Im Spiel",
    "Auf die Bühne": "Ins Spiel bringen", "auf einen Druck": "mit einem Klick", "Drück ": "Klick ",
    "drückst": "klickst", "Figur ": "Charakter", "Figuren": "Charaktere", "Spielleiter ": "Spielleitung",
    "Spielleiters": "Spielleitung",
    "Was bisher geschah": "Verlauf", "im Log": "im Verlauf", "einer Gruppe": "einer Runde", "ausgelegt": "angeboten",
    "Befund": "Regelhinweis", "Neu nachsehen": "Neu laden", "Tabletop": "Rollenspiel", "Gekaufte Reichweite":
    "Zusätzliche Reichweite", "Unsere Lesart": "So legen wir es aus", "Von selbst": "Automatisch",
    "Kampfwort": "Wort, das für den Kampf geeignet ist", "Patzereskalation": "Eskalationswurf",
    "wenn es gilt, bis": "wenn die Wirkung anhält, bis", "Zaubernden": "Zauberer",
    "in Ohnmacht liegt": "ohnmächtig ist", "auf der Starthand": "in der Starthand",
    "Wurf des kritischen": "W6 für den kritischen", "Unterschrift": "Signatur", "Protokoll": "Verlauf",
    " Mail ": "E-Mail", "so, wie es liegt": "so, wie es ist", "nichts sonst": "sonst nichts",
    "Ansicht der anderen": "was andere sehen", "1&1": "zwei Einsen", "mit denselben Würfen": "bei diesen Würfen",
}
"""{German that nobody says at a gaming table: what they say}."""
OPENERS = {"Land", "Lands", "Landed", "Hold", "Holds", "Held", "Kept", "Word", "Recoil", "Aim"}
"""First words of a docstring that belong to names that were given up."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def words_of(name):
    """The words of a name, in lower case: `apply_effect` and `ApplyEffect` are both "apply effect"."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)).lower()


def named(tree):
    """Yield the names of a module's classes, functions and parameters."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, *FUNCTIONS)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


def with_word(word, words):
    """Return True if a name's words have one, or several in a row."""
    return f" {word} " in f" {words} "


def within(where, place):
    """Return True if a name is a place, or in it."""
    return f"{where}.".startswith(f"{place}.")


def modules():
    """Yield (module, path) of the program, without the systems' own rooms: each game has words of its own."""
    for room in ("builder", "sheets", "rulesets"):
        for path in (ROOT / room).rglob("*.py"):
            inside = path.relative_to(ROOT)
            if not {"migrations", "tests"} & {*inside.parts} and (
                    room != "rulesets" or len(inside.parts) == 2 or inside.parts[1] == "kit"):
                yield ".".join(inside.with_suffix("").parts), path


@cache
def parsed():
    """Return {module: what Python reads in it}, which no process needs that only looks for tests."""
    return {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in modules()}


TEMPLATES = [path.relative_to(ROOT) for path in (ROOT / "templates").rglob("*.html")]


def names():
    """Yield (where, name) of all modules and templates, and of the classes, functions and parameters in them."""
    for module, tree in parsed().items():
        yield module, module.rpartition(".")[2]
        yield from ((f"{module}.{name}", name) for name in named(tree))
    yield from ((str(path), path.stem) for path in TEMPLATES)


@cache
def known():
    """Return {(where, words of a name)} of all names."""
    return {(where, words_of(name)) for where, name in names()}


@pytest.mark.parametrize("word", RETIRED)
def test_no_name_has_a_word_that_was_given_up(word):
    assert sorted(where for where, words in known() if with_word(word, words)) == [], f"say {RETIRED[word]}"


@pytest.mark.parametrize("word", MEANINGS)
def test_a_word_that_meant_several_things_is_in_no_other_name_than_those_that_mean_the_one(word):
    meaning, places = MEANINGS[word]
    found = {where for where, words in known() if where.split(".")[0] != "rulesets" and with_word(word, words)}
    assert {where for where in found if not any(within(where, place) for place in places)} == set(), \
        f"{word} means {meaning}"
    assert {place for place in places if not any(within(where, place) for where in found)} == set(), "gone"


@cache
def german():
    """Every German text of the program: (where it stands, what it says)."""
    found = [(path, text) for room in ("", "rulesets/**/") for path in sorted(ROOT.glob(f"{room}locale/de/**/*.po"))
             for entry in polib.pofile(path) for text in (entry.msgstr, *entry.msgstr_plural.values())]
    found += [(path, line) for name in ("rules.de.md", "concepts.de.toml")
              for path in sorted(ROOT.glob(f"rulesets/**/{name}")) for line in path.read_text("utf-8").splitlines()]
    return [(str(path.relative_to(ROOT)), text) for path, text in found]


@pytest.mark.parametrize("phrase", GERMAN)
def test_no_german_text_says_what_nobody_says_at_a_gaming_table(phrase):
    assert [f"{where}: {text}" for where, text in german() if phrase in text] == [], f"say {GERMAN[phrase]}"


def test_no_english_text_has_a_space_before_a_percent_sign_nor_the_german_sign_of_an_average():
    found = [entry.msgid for path in sorted(ROOT.glob("**/locale/de/**/*.po")) if ".venv" not in path.parts
             for entry in polib.pofile(path)]
    found += [line for path in sorted(ROOT.glob("rulesets/**/rules.en.md"))
              for line in path.read_text("utf-8").splitlines()]
    assert len(found) > 4000
    assert [text for text in found if re.search(r"[\d}]\s%(?!\()|Ø", text)] == []


def test_no_docstring_begins_with_a_word_that_was_given_up():
    found = [f"{module}: {text.splitlines()[0]}" for module, tree in parsed().items() for node in ast.walk(tree)
             if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) and (text := ast.get_docstring(node))
             and text.split()[0].strip(".,:;") in OPENERS]
    assert found == []


def test_no_two_classes_of_the_program_have_one_name():
    """The same name in two modules is two things with one word, but where Django asks for it."""
    found = Counter(node.name for module, tree in parsed().items() if module.split(".")[0] != "rulesets"
                    and module != "sheets.api.shapes" for node in tree.body if isinstance(node, ast.ClassDef)
                    and not node.name.startswith("_"))
    assert {name for name, times in found.items() if times > 1} <= {"Command", "Meta"}


def test_a_name_that_comes_back_is_found():
    tree = ast.parse("class LandingPage: ...\ndef apply_landing(kept, word_count): ...\nasync def hold_as_read(): ...")
    assert [*named(tree)] == ["LandingPage", "apply_landing", "hold_as_read", "kept", "word_count"]
    assert all(with_word(word, words_of(name)) for word, name in (
        ("landing", "LandingPage"), ("landing", "apply_landing"), ("hold as read", "hold_as_read"), ("kept", "kept")))
    assert not with_word("land", words_of("LandingPage"))
    assert not with_word("hold as read", words_of("hold_rows"))
