"""How the project hangs together, beside the direction of imports (tests/builder/test_structure.py)."""

import ast
import re

from django.conf import settings

from rulesets import systems

ROOT = settings.BASE_DIR
LAZY = {"gettext_lazy", "ngettext_lazy", "pgettext_lazy", "npgettext_lazy"}
AT_ONCE = ("{path} takes {names} of Django. The rules take lazy texts alone, read in the language of the moment: "
           "gettext_lazy and pgettext_lazy; with a number ngettext_lazy and .format, as in "
           'ngettext_lazy("{{n}} point", "{{n}} points", "n").format(n=2).')
# What is remembered of a text is remembered in each language; the property that locks nothing, and what a lazy text is
# known by.
KNOWN = {"django.utils.translation": LAZY | {"get_language"},
         "django.utils.functional": {"cached_property", "Promise", "_StrOrPromise"}}
LINES = 300


def sources(*folders, kinds=(".py", ".html", ".css", ".js")):
    for folder in folders:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in kinds)


def test_the_rules_take_only_lazy_texts_of_django():
    for path in sources("rulesets", kinds=[".py"]):
        if "tests" in path.relative_to(ROOT).parts:
            continue  # the tests of a system may ask for a language
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not [alias.name for alias in node.names if alias.name.split(".")[0] == "django"], path
            elif isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "django":
                more = sorted({alias.name for alias in node.names} - KNOWN.get(node.module, set()))
                assert not more, AT_ONCE.format(path=path, names=", ".join(more))


def test_every_file_can_be_read_at_one_sitting():
    long = [str(path) for path in sources("builder", "sheets", "rulesets", "templates", "static", "tests")
            if "migrations" not in path.parts and len(path.read_text(encoding="utf-8").splitlines()) > LINES]
    assert not long, "make each a package of the same name"


def test_only_the_rules_know_the_systems_by_name():
    names = {name for slug in systems() for name in (slug, slug.replace("-", "_"), slug.replace("-", ""))}
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(names)))})(?![\w-])", re.I)
    for path in sources("builder", "sheets", "templates", "static"):
        found = pattern.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path} names {found[0]}"
