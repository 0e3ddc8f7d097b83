"""No regular expression of ours, or of a library that sees people's text, can be made slow."""

import ast
import importlib
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from time import process_time

import pytest
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core import validators

from rulesets.parsing import BYTES
from tests.support.everyday import MORE
from tests.support.expressions import Expression

ROOT = Path(__file__).parent.parent
USES = {"compile", "match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"}
LOCALS = {"signs": "|¦,;", "width": 60, "which": "accent", "name": "Goblin",
          "stated": r"--accent:\s*(?:light-dark\()?(#[0-9a-fA-F]{6})\b"}
"""What a pattern within a function is made of."""
OURS = {("rulesets.kit.ruleset", r"\s+(.*)$"): "the rules of a system, which are its own file",
        ("rulesets.parsing", r'"?|[\[{]'): "whatever begins ends, with a quotation mark or without, and is passed over"}
"""Expressions that are let be: module and a part of the pattern, and why."""
LIBRARIES = [
    (validators.EmailValidator.user_regex, "match"), (validators.EmailValidator.domain_regex, "match"),
    (validators.URLValidator.regex, "search"), (validators.slug_re, "search"),
    (validators.slug_unicode_re, "search"), (re.compile(UnicodeUsernameValidator.regex), "search"),
]
MOST = 0.05
"""Seconds of the processor that an expression may take with the longest text."""


def _used(trees):
    """Return in which ways compiled expressions are used: {name: uses}."""
    found = defaultdict(set)
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in USES:
            value = node.func.value
            found[getattr(value, "id", None) or getattr(value, "attr", None)].add(node.func.attr)
    return found


def _value(node, space):
    return eval(compile(ast.Expression(node), "pattern", "eval"), space)  # noqa: S307 - the program's own source


def _flags(call, space):
    given = [word.value for word in call.keywords if word.arg == "flags"]
    at = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "finditer": 2, "findall": 2}.get(call.func.attr)
    if at and len(call.args) > at:
        given.append(call.args[at])
    return int(_value(given[0], space)) if given else 0


@cache
def _patterns():
    """Return every expression of the program: (module, pattern, flags, use)."""
    found = []
    files = [file for room in ("builder", "sheets", "rulesets") for file in sorted((ROOT / room).rglob("*.py"))
             if not {"tests", "migrations"} & set(file.parts)]
    trees = {".".join(file.relative_to(ROOT).with_suffix("").parts): ast.parse(file.read_text("utf-8"))
             for file in files}
    used = _used(trees.values())
    for module, tree in trees.items():
        names = {id(node.value): node.targets[0].id for node in ast.walk(tree) if isinstance(node, ast.Assign)
                 and isinstance(node.targets[0], ast.Name)}
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            pattern = next((word.value for word in call.keywords if word.arg == "pattern"), None)
            own = isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "re"
            if pattern is None and not (own and call.func.attr in USES):
                continue
            space = {"self": type("Any", (), {"prefix": "BD"}), **LOCALS, **vars(importlib.import_module(module))}
            text = _value(pattern or call.args[0], space)
            uses = {call.func.attr} if pattern is None else {"search"}
            if uses == {"compile"}:
                name = names.get(id(call))
                uses = used[name] if name else set()
            flags = 0 if pattern is not None else _flags(call, space)
            ways = {use if use in ("match", "fullmatch") else "search" for use in uses or {"search"}}
            found.extend((module, text, flags, way) for way in sorted(ways))
    return found


def _all():
    found = [(module, text, flags, use) for module, text, flags, use in _patterns()
             if not any(module == where and part in str(text) for where, part in OURS)]
    return found + [("django", one.pattern, one.flags, use) for one, use in LIBRARIES]


@pytest.mark.parametrize(("pattern", "use"), [
    (r"\[\s*AP\b|\bLP\s*[:=]?\s*\d", "search"),
    (r"\s*1?\s*[wdWD]\s*(\d{1,3})\s*", "fullmatch"),
    (r"[\s,;]*(?:(?:LP|Lebenspunkte)\s*[:=]?\s*(\S*?)(?=[\s,;\[.]|$)|(\d+)\s*(?:LP|Lebenspunkte)\b)", "search"),
    (r"((?:Ø\s)?[−\d.,]+(?:\s?%)?)\s(.+)", "search"),
    (r"\(\s*(?:NA|N|Nahkampf)\s*[=:]?\s*(?:20|[+-]\s*\d)", "search"),
    (r"([+-]?)0*(\d+)", "fullmatch"), (r"\d+–\d+", "search"),
    (r"(?:.*/shared/)?([\w-]{1,64})/?(?:[?#].*)?", "fullmatch"),
    (r"(a+)+b", "match"), (r"(?:a?b?)*c", "match"), (r"\s+$", "search"),
])
def test_an_expression_that_can_be_made_slow_is_told(pattern, use):
    assert Expression(pattern, use=use).slow


@pytest.mark.parametrize(("pattern", "use"), [
    (r"\bLP\s*(?:[:=]\s*)?\d", "search"), (r"(?<!\d)\d+–\d+", "search"), (r"\s+", "search"), (r"^\s*x", "search"),
    (r"\S+\s*|\s+", "search"), (r"\d+/\d+", "fullmatch"),
    (r"\s{0,5}\s{0,5}x", "search"),
    (r"\s*(?:\d{1,2}\s*(?:,\s*\d{1,2}\s*)*)?", "fullmatch"), (r"\[\s*AP", "search"), (r"\d+x", "match"),
])
def test_an_expression_that_cannot_is_let_be(pattern, use):
    assert not Expression(pattern, use=use).slow


def test_no_expression_has_two_loops_that_share_a_run_of_letters():
    slow = [(module, text, use, told) for module, text, flags, use in _all()
            if (told := Expression(text, flags, use).slow)]
    assert not slow


def test_expressions_are_found_wherever_they_are_compiled():
    found = {module for module, *_rest in _patterns()}
    assert {"rulesets.daemmersturm.line.reading", "rulesets.daemmersturm.texts", "rulesets.kit.words",
            "sheets.api.shapes", "sheets.parties.opponents", "sheets.export.text", "builder.logs"} <= found


@pytest.mark.parametrize("at", [pytest.param(at, marks=MORE) for at in range(8)])
def test_every_expression_is_quick_with_the_longest_runs_of_what_it_takes(at):
    """Of all expressions each eighth."""
    slow = []
    for module, text, flags, use in _all()[at::8]:
        ask, binary = getattr(re.compile(text, flags), use), isinstance(text, bytes)
        if use == "search":
            ask = re.compile(text, flags).findall
        for head, letter in Expression(text, flags, use).runs():
            said = f"{head}{letter * BYTES}\0"
            began = process_time()
            ask(said.encode("latin-1", "replace") if binary else said)
            if process_time() - began > MOST:
                slow.append((module, text, use, head, letter))
    assert not slow
