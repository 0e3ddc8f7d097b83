import ast

import pytest
from django.conf import settings

ALLOWED = {"builder": {"builder", "sheets", "rulesets"}, "sheets": {"sheets", "rulesets"}, "rulesets": {"rulesets"}}


def imports(path):
    """Yield the dotted name of every module that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are written out"
            yield node.module


def files(folder):
    return [(path, module) for path in sorted((settings.BASE_DIR / folder).rglob("*.py")) for module in imports(path)]


@pytest.mark.parametrize("folder", ALLOWED)
def test_imports_run_one_way(folder):
    for path, module in files(folder):
        assert module.split(".")[0] not in ALLOWED.keys() - ALLOWED[folder], f"{path} imports {module}"


def test_the_rules_know_nothing_of_django_but_how_to_translate_and_to_keep_what_was_reckoned():
    # The latter because Python's own cached_property locks, before 3.12.
    known = ("django.utils.translation", "django.utils.functional")
    for path, module in files("rulesets"):
        assert not module.startswith("django") or module.startswith(known), f"{path}: {module}"


def test_no_system_knows_another():
    home = settings.BASE_DIR / "rulesets"
    systems = {path.name for path in home.iterdir() if path.is_dir() and path.name != "kit"}
    for path, module in files("rulesets"):
        own, others = path.relative_to(home).parts[0], systems
        imported = module.split(".")[1] if module.startswith("rulesets.") else ""
        assert imported not in others - {own}, f"{path} imports {module}"
