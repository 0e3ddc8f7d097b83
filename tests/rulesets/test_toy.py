"""A sixth system is one new folder: `newsystem` lays one down in a copy of the project, and nothing else is touched."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import polib
import pytest
from django.conf import settings
from setuptools import find_namespace_packages

pytestmark = pytest.mark.slow
ROOT = settings.BASE_DIR
TREE = ("builder", "sheets", "rulesets", "templates", "static", "locale", "tests", "docs", "Makefile", "README.md",
        "CONTRIBUTING.md", "manage.py", "pyproject.toml")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with one folder more."""
    home = tmp_path_factory.mktemp("project")
    for name in TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, home / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, home / name)
    made = manage(home, "newsystem", "toy")
    assert made.returncode == 0, made.stderr
    return home


def run(project, *command, given=""):
    # What coverage or a test run of the outer project set up is none of the copy's business.
    # A database of its own: the test database of the outer run may be in use.
    kept = {key: value for key, value in os.environ.items() if key in {"PATH", "HOME", "SYSTEMROOT"}}
    return subprocess.run([sys.executable, *command], cwd=project, env={**kept, "PYTHONDONTWRITEBYTECODE": "1"},
                          input=given, capture_output=True, encoding="utf-8", timeout=300, check=False)


def manage(project, *command, given=""):
    return run(project, "manage.py", *command, given=given)


def test_the_new_system_keeps_the_contract_and_its_own_rules(project):
    tests = sorted({*(ROOT / "tests/rulesets").glob("test_*.py")} - {Path(__file__)})
    done = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "toy", "rulesets/toy",
               *(str(path.relative_to(ROOT)) for path in tests))
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 30


def test_its_own_tests_run_with_all_others_and_fail_where_they_should(project):
    planted = project / "rulesets/toy/tests/test_planted.py"
    planted.write_text("def test_planted():\n    assert False\n")
    try:
        done = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                   "-k", "test_planted or test_tiredness_takes_strength_until_one_rests")
        assert done.returncode == 1, done.stdout + done.stderr
        assert re.search(r"1 failed, 1 passed", done.stdout), done.stdout
    finally:
        planted.unlink()


def test_its_own_tests_are_linted_as_tests_and_not_installed(project):
    assert run(project, "-m", "ruff", "check", "--no-cache", "rulesets/toy").returncode == 0
    found = tomllib.loads((project / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    packages = find_namespace_packages(str(project), found["exclude"], found["include"])
    assert "rulesets.toy" in packages
    assert not [name for name in packages if "tests" in name]


def test_its_texts_are_gathered_in_its_own_folder(project):
    """Without its `locale/` too; what is asked for is new, not guessed from texts that look alike."""
    site, own = project / "locale/de/LC_MESSAGES/django.po", project / "rulesets/toy/locale"
    before, kept = site.read_bytes(), own.rename(project / "kept")
    try:
        done = manage(project, "makemessages", "--locale", "de", "--no-obsolete", "--add-location", "file",
                      "--ignore", "tests/*")
        assert done.returncode == 0, done.stderr
        found = polib.pofile(own / "de/LC_MESSAGES/django.po")
        assert {"Smith", "Grow tired"} <= {entry.msgid for entry in found}
        assert not found.metadata_is_fuzzy
        assert "Grow tired" not in site.read_text(encoding="utf-8")
        (project / "rulesets/toy/more.py").write_text(
            'from django.utils.translation import gettext_lazy as _\n\nTEXT = _("Grow tireder")\n')
        found.find("Grow tired").msgstr = "Ermüden"
        found.save()
        assert manage(project, "makemessages", "--locale", "de", "--ignore", "tests/*").returncode == 0
        again = polib.pofile(own / "de/LC_MESSAGES/django.po")
        assert again.find("Grow tireder").msgstr == ""
        assert not [entry.msgid for entry in again if entry.fuzzy]
    finally:
        (project / "rulesets/toy/more.py").unlink(missing_ok=True)
        shutil.rmtree(own, ignore_errors=True)
        kept.rename(own)
        site.write_bytes(before)


def test_the_new_system_goes_out_and_in_and_answers_by_http(project):
    files = ("api/test_api", "api/test_openapi", "play/test_compare", "export/test_export_and_import",
             "export/test_text", "validator/test_page", "diff/test_comparison")
    done = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "toy",
               *(f"tests/sheets/{name}.py" for name in files))
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 15


def test_the_project_keeps_its_shape_with_the_new_system(project):
    done = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "toy or not locale",
               "tests/builder/test_structure.py", "tests/builder/test_catalogues.py", "tests/rulesets/test_imports.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_board_of_its_own_is_drawn_by_its_being_there(project):
    drawn, style = project / "rulesets/toy/templates/toy/board.html", project / "rulesets/toy/static/toy-board.css"
    drawn.parent.mkdir(parents=True)
    drawn.write_text('{% extends "play/_board.html" %}{% block board %}<p>planted</p>{% endblock %}')
    style.write_text(".planted { color: inherit; }")
    try:
        done = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "toy",
                   "tests/sheets/play/test_board.py")
        assert done.returncode == 0, done.stdout + done.stderr
        assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 2
    finally:
        shutil.rmtree(project / "rulesets/toy/templates")
        style.unlink()


def test_the_commands_know_the_new_system(project):
    made = manage(project, "generate", "toy", "--count", "3", "--seed", "5")
    first = made.stdout.splitlines()[0]
    assert json.loads(first)["ruleset"] == "toy"
    checked = manage(project, "validate", "-", "--format", "json", given=first)
    assert (checked.returncode, json.loads(checked.stdout)[0]["verdict"]) == (0, "legal")
    odds = manage(project, "odds", "toy", "test", "luck=2", "--lang", "de")
    assert "Glück gehabt" in odds.stdout, odds.stderr
    assert json.loads(manage(project, "roll", "toy", "throw", "dice=2", "--format", "json").stdout)["outcome"] >= 2


def test_nothing_else_names_the_new_system(project):
    own = project / "rulesets/toy"
    for folder in ("builder", "sheets", "rulesets", "templates", "static", "locale"):
        for path in sorted((project / folder).rglob("*")):
            if path.is_file() and own not in path.parents:
                assert not re.search(rb"\btoy\b", path.read_bytes()), path
