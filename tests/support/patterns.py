"""Every regular expression of the program, and of the libraries that see people's text, with the way it is used.

What pydantic matches (`pattern=` of a field) is left out: it does so in Rust, by automata, in linear time.
"""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django import forms
from django.apps import apps
from django.core.validators import EmailValidator, RegexValidator
from django.db import models
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import get_converters

ROOT = Path(__file__).parents[2]
USES = {"compile", "match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"}
FLAGS_AT = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "finditer": 2, "findall": 2}
LOCALS = {"signs": "|¦,;", "width": 60, "which": "accent", "name": "Goblin",
          "stated": r"--accent:\s*(?:light-dark\()?(#[0-9a-fA-F]{6})\b"}
"""What a pattern within a function is made of."""
PACKAGES = (
    "allauth", "django.contrib.auth", "django.contrib.messages", "django.contrib.sessions", "django.core.handlers",
    "django.core.mail", "django.core.signing", "django.core.validators", "django.forms", "django.http",
    "django.middleware", "django.template.defaultfilters", "django.urls", "django.utils", "django.views", "django_htmx",
    "ninja", "pypdf", "segno", "whitenoise",
)
MODULES = (
    "PIL.Image", "PIL.ImageFile", "PIL.JpegImagePlugin", "PIL.PngImagePlugin", "PIL.TiffImagePlugin",
    "PIL.WebPImagePlugin", "email._encoded_words", "email._header_value_parser", "email.header",
    "email.headerregistry", "email.message", "email.policy", "email.utils", "html", "http.cookies", "json.decoder",
    "json.encoder", "json.scanner", "urllib.parse", "uuid",
)
"""What sees what people send: forms, headers, addresses, files, mails that name people."""


class Pattern(NamedTuple):
    """An expression: the module that has it, what it says, and how it is asked (`match`, `fullmatch` or `search`)."""

    where: str
    text: str | bytes
    flags: int
    use: str


def sources() -> dict[str, Path]:
    """Return the files of builder, sheets and rulesets: {module: file}."""
    return {".".join(file.relative_to(ROOT).with_suffix("").parts): file for room in ("builder", "sheets", "rulesets")
            for file in sorted((ROOT / room).rglob("*.py")) if not {"tests", "migrations"} & set(file.parts)}


@cache
def ours() -> tuple[Pattern, ...]:
    """Every expression of builder, sheets and rulesets, wherever it is compiled."""
    trees = {module: _nodes(file) for module, file in sources().items()}
    used = _used(trees.values())
    return tuple(_each(pattern for module, nodes in trees.items() for pattern in _compiled(module, nodes, used)))


@cache
def theirs() -> tuple[Pattern, ...]:
    """Every expression of the libraries: validators, addresses, and what their modules compile."""
    # To resolve an address imports all that answers one.
    found = [*addresses(), *validators()]
    modules = {name: importlib.import_module(name) for name in MODULES}
    modules |= {name: importlib.import_module(name) for name in loaded() if name.startswith(PACKAGES)}
    files = {name: Path(getattr(module, "__file__", None) or "") for name, module in modules.items()}
    trees = {name: _nodes(file) for name, file in files.items() if file.suffix == ".py"}
    used = _used(trees.values())
    for name, nodes in trees.items():
        found += [*_kept(name, used), *_compiled(name, nodes, used, computed=False)]
    return tuple(_each(found))


def loaded() -> list[str]:
    """Return the modules that the program has once it can answer any address, whatever tests have imported beside."""
    program = ("import sys, django; django.setup(); from django.urls import get_resolver; get_resolver().url_patterns; "
               "print(*sorted(sys.modules))")
    settings = {"DJANGO_SETTINGS_MODULE": "builder.settings", "BOGENSCHMIEDE_MODE": "development"}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env={**os.environ, **settings}, text=True,
                          capture_output=True, check=True)
    return done.stdout.split()


def _each(found) -> Iterator[Pattern]:
    """Each once, in the first module that has it."""
    return iter({one[1:]: one for one in reversed([*found])}.values())


def _ways(uses) -> list[str]:
    return sorted({use if use in ("match", "fullmatch") else "search" for use in uses or {"search"}})


def _nodes(file: Path) -> list[ast.AST]:
    """What of a file may have to do with expressions: calls, names that are given, and attributes."""
    return [node for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Call | ast.Assign | ast.Attribute)]


def _used(trees):
    """Return in which ways compiled expressions are used: {name: uses}."""
    found = defaultdict(set)
    for node in (node for nodes in trees for node in nodes if isinstance(node, ast.Attribute)):
        if node.attr in USES:
            found[getattr(node.value, "id", None) or getattr(node.value, "attr", None)].add(node.attr)
    return found


def _value(node, space):
    return eval(compile(ast.Expression(node), "pattern", "eval"), space)  # noqa: S307 - the source itself


def _flags(call, space) -> int:
    given = [word.value for word in call.keywords if word.arg == "flags"]
    at = FLAGS_AT.get(getattr(call.func, "attr", "compile"))
    if at and len(call.args) > at:
        given.append(call.args[at])
    return int(_value(given[0], space)) if given else 0


def _compiled(module: str, nodes: list[ast.AST], used, *, computed=True) -> Iterator[Pattern]:
    """Yield what calls of `re` compile; of libraries not what they compute, which their modules keep."""
    names = {id(node.value): node.targets[0].id for node in nodes if isinstance(node, ast.Assign)
             and isinstance(node.targets[0], ast.Name)}
    for call in (node for node in nodes if isinstance(node, ast.Call) and node.args):
        own = isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "re"
        if not own or call.func.attr not in USES or not (computed or isinstance(call.args[0], ast.Constant)):
            continue
        space = {**LOCALS, "self": type("Any", (), {"prefix": "BD"}), **vars(importlib.import_module(module))}
        uses = {call.func.attr}
        if uses == {"compile"}:
            name = names.get(id(call))
            uses = used[name] if name else set()
        for way in _ways(uses):
            yield Pattern(module, _value(call.args[0], space), _flags(call, space), way)


def _kept(module: str, used) -> Iterator[Pattern]:
    """Yield the expressions that a module and its classes keep under a name."""
    space = vars(sys.modules[module])
    classes = [one for one in space.values() if inspect.isclass(one) and one.__module__ == module]
    for name, value in ((name, value) for one in (space, *map(vars, classes)) for name, value in one.items()):
        many = value if isinstance(value, list | tuple) else value.values() if type(value) is dict else [value]
        # Django's lazy ones say that they are one, too.
        for one in (one for one in many if isinstance(one, re.Pattern)):
            yield from (Pattern(module, one.pattern, one.flags, way) for way in _ways(used[name]))


def validators() -> Iterator[Pattern]:
    """Yield the expressions of all validators of models' fields, of forms, and of kinds of fields."""
    kinds = [*_below(forms.Field), *_below(models.Field)]
    fields = [field for model in apps.get_models() for field in model._meta.get_fields()]
    fields += [field for form in _below(forms.BaseForm) for field in getattr(form, "base_fields", {}).values()]
    checks = [check for one in kinds for check in one.default_validators]
    checks += [check for one in fields for check in getattr(one, "validators", ())]
    for check in checks:
        if isinstance(check, RegexValidator):
            yield Pattern("validators", check.regex.pattern, check.regex.flags, "search")
        if isinstance(check, EmailValidator):
            for one in (check.user_regex, check.domain_regex, check.literal_regex):
                yield Pattern("validators", one.pattern, one.flags, "match")


def _below(kind: type) -> Iterator[type]:
    yield kind
    for one in kind.__subclasses__():
        yield from _below(one)


def addresses() -> Iterator[Pattern]:
    """Yield the expressions of all addresses and of what stands in them."""
    for converter in get_converters().values():
        yield Pattern("addresses", converter.regex, 0, "fullmatch")
    for regex in _routes(get_resolver()):
        yield Pattern("addresses", regex.pattern, regex.flags, "search")


def _routes(route: URLPattern | URLResolver) -> Iterator[re.Pattern]:
    yield route.pattern.regex
    for one in getattr(route, "url_patterns", ()):
        yield from _routes(one)
