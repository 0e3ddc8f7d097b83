"""A sixth system is one new folder: `newsystem` lays one down in a copy of the project, and nothing else is touched."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter

import polib
import pytest
from django.conf import settings
from setuptools import find_namespace_packages

from rulesets import systems
from tests.support import migrated
from tests.support.rulesets.toy_rows import ROWS, with_rows

pytestmark = pytest.mark.slow
ROOT = settings.BASE_DIR
TREE = ("builder", "sheets", "rulesets", "templates", "static", "locale", "tests", "docs", "Makefile", "README.md",
        "CONTRIBUTING.md", "manage.py", "pyproject.toml")
BY_HTTP = tuple(f"tests/sheets/{name}.py" for name in (
    "api/test_api", "api/test_openapi", "pages/test_compare", "export/test_export_and_import", "export/test_text",
    "validator/test_page", "diff/test_comparison"))
BOARD = "tests/sheets/stage/test_board.py"
SHAPE = ("tests/builder/test_structure.py", "tests/builder/test_catalogues.py", "tests/rulesets/test_imports.py")
PICKED = "toy or test_structure or test_imports or (test_catalogues and not locale)"
"""What is about the new system, and what is about the project as a whole."""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Give a copy of the project with one folder more."""
    home = tmp_path_factory.mktemp("project")
    for name in TREE:
        if (ROOT / name).is_dir():
            # With what is compiled already.
            shutil.copytree(ROOT / name, home / name)
        else:
            shutil.copy(ROOT / name, home / name)
    # To migrate anew takes as long as all else; the tables hold what this key has signed.
    if (ROOT / ".review-key").exists() and migrated.path().exists():
        for kept in (ROOT / ".review-key", migrated.path()):
            (there := home / kept.relative_to(ROOT)).parent.mkdir(exist_ok=True)
            shutil.copy(kept, there)
    made = manage(home, "newsystem", "toy")
    assert made.returncode == 0, made.stderr
    return home


def run(project, *command, given=""):
    # What coverage or a test run of the outer project set up is none of the copy's business.
    # A database of its own: the test database of the outer run may be in use.
    kept = {key: value for key, value in os.environ.items() if key in {"PATH", "HOME", "SYSTEMROOT"}}
    return subprocess.run([sys.executable, *command], cwd=project, env=kept, input=given, capture_output=True,
                          encoding="utf-8", timeout=300, check=False)


def manage(project, *command, given=""):
    return run(project, "manage.py", *command, given=given)


@pytest.fixture(scope="module")
def tested(project):
    """Give the tests of the copy that have passed and failed, {path: names}, all of one run, and all that it said.

    The system has a board of its own meanwhile, and a test that fails.
    """
    own = project / "rulesets/toy"
    planted = {
        own / "templates/toy/board.html":
            '{% extends "play/_board.html" %}{% block board %}<p>planted</p>{% endblock %}',
        own / "static/toy-board.css": ".planted { color: inherit; }",
        own / "tests/test_planted.py": "def test_planted():\n    assert False\n"}
    (own / "templates/toy").mkdir(parents=True)
    for path, text in planted.items():
        path.write_text(text)
    contract = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests/rulesets").glob("test_contract*.py"))
    done = run(project, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "-k", PICKED, "rulesets/toy", *contract,
               "tests/rulesets/test_crowds.py", "tests/rulesets/test_german.py", *BY_HTTP, BOARD, *SHAPE)
    for path in planted:
        path.unlink()
    shutil.rmtree(own / "templates")
    found = re.findall(r"^(PASSED|FAILED|ERROR) ([\w/.]+)(?:::(\w+))?", done.stdout, re.M)
    passed = Counter(path for outcome, path, _name in found if outcome == "PASSED")
    return passed, [(path, name) for outcome, path, name in found if outcome != "PASSED"], done.stdout + done.stderr


@pytest.mark.more
def test_the_new_system_keeps_the_contract_and_the_project_its_shape(tested):
    passed, _failed, said = tested
    assert sum(number for path, number in passed.items() if path.startswith("tests/rulesets/test_contract")) > 30, said
    assert all(passed[path] for path in ("tests/rulesets/test_crowds.py", "tests/rulesets/test_german.py", *SHAPE))


@pytest.mark.more
def test_its_own_tests_run_with_all_others_and_fail_where_they_should(project, tested):
    passed, failed, said = tested
    assert failed == [("rulesets/toy/tests/test_planted.py", "test_planted")], said
    assert passed["rulesets/toy/tests/test_rules.py"] > 5
    options = tomllib.loads((project / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert options["testpaths"] == ["tests", "rulesets"]


@pytest.mark.more
def test_the_new_system_goes_out_and_in_answers_by_http_and_has_a_board_by_its_being_there(tested):
    passed, _failed, said = tested
    assert sum(passed[path] for path in BY_HTTP) > 15, said
    # What is drawn for all, and the template and the style that it alone has.
    assert passed[BOARD] >= 4, said


@pytest.mark.more
def test_a_press_means_a_row_of_the_new_system_though_its_author_wrote_nothing_of_that(project):
    own = project / "rulesets/toy"
    before = {own / name: (own / name).read_text() for name in ROWS}
    for path, text in before.items():
        path.write_text(with_rows(path.name, text))
    done = run(project, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "-k", "toy",
               "tests/sheets/press/test_moved_rows.py")
    for path, text in before.items():
        path.write_text(text)
    assert (done.returncode, done.stdout.count("\nPASSED")) == (0, 4), done.stdout


def test_the_system_that_the_page_for_authors_builds_keeps_the_contract(project):
    page = (ROOT / "docs/systems.md").read_text(encoding="utf-8")
    assert manage(project, "newsystem", "kobolds").returncode == 0
    written = re.findall(r"\*\*`(rulesets/kobolds/[\w./]+)`\*\*\n\n```\w+\n(.*?)```\n", page, re.DOTALL)
    assert len(written) == page.count("\n```\n") == 8
    for path, text in written:
        (project / path).write_text(text, encoding="utf-8")
    contract = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests/rulesets").glob("test_contract*.py"))
    done = run(project, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "-k", "kobolds", "rulesets/kobolds", *contract)
    linted = run(project, "-m", "ruff", "check", "--no-cache", "rulesets/kobolds")
    shutil.rmtree(project / "rulesets/kobolds")
    assert (done.returncode, linted.returncode) == (0, 0), done.stdout + linted.stdout
    assert done.stdout.count("\nPASSED") > 40


def test_its_own_tests_are_linted_as_tests_and_not_installed(project):
    assert run(project, "-m", "ruff", "check", "--no-cache", "rulesets/toy").returncode == 0
    found = tomllib.loads((project / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    packages = find_namespace_packages(str(project), found["exclude"], found["include"])
    assert "rulesets.toy" in packages
    assert not [name for name in packages if "tests" in name]


def test_its_texts_are_gathered_in_its_own_folder(project):
    """Without its `locale/` too; what is asked for is new, not guessed from texts that look alike."""
    site, own = project / "locale/de/LC_MESSAGES/django.po", project / "rulesets/toy/locale"
    elsewhere = ["builder", "sheets", "templates", "static", "tests", "docs",
                 *(slug.replace("-", "_") for slug in systems())]
    gather = ["makemessages", "--locale", "de", "--no-obsolete", "--add-location", "file",
              *(option for name in elsewhere for option in ("--ignore", name))]
    before, kept = site.read_bytes(), own.rename(project / "kept")
    try:
        done = manage(project, *gather)
        assert done.returncode == 0, done.stderr
        found = polib.pofile(own / "de/LC_MESSAGES/django.po")
        assert {"Smith", "Grow tired"} <= {entry.msgid for entry in found}
        assert not found.metadata_is_fuzzy
        assert "Grow tired" not in site.read_text(encoding="utf-8")
        (project / "rulesets/toy/more.py").write_text(
            'from django.utils.translation import gettext_lazy as _\n\nTEXT = _("Grow tireder")\n')
        found.find("Grow tired").msgstr = "Ermüden"
        found.save()
        assert manage(project, *gather).returncode == 0
        again = polib.pofile(own / "de/LC_MESSAGES/django.po")
        assert again.find("Grow tireder").msgstr == ""
        assert not [entry.msgid for entry in again if entry.fuzzy]
    finally:
        (project / "rulesets/toy/more.py").unlink(missing_ok=True)
        shutil.rmtree(own, ignore_errors=True)
        kept.rename(own)
        site.write_bytes(before)


def test_the_commands_know_the_new_system(project):
    first = manage(project, "generate", "toy", "--count", "3", "--seed", "5").stdout.splitlines()[0]
    assert json.loads(first)["ruleset"] == "toy"
    checked = manage(project, "validate", "-", "--format", "json", given=first)
    assert (checked.returncode, json.loads(checked.stdout)[0]["verdict"]) == (0, "legal")
    odds = manage(project, "odds", "toy", "test", "luck=2", "--lang", "de")
    assert "Glück gehabt" in odds.stdout, odds.stderr


def test_nothing_else_names_the_new_system(project):
    own = project / "rulesets/toy"
    for folder in ("builder", "sheets", "rulesets", "templates", "static", "locale"):
        for path in sorted((project / folder).rglob("*")):
            if path.is_file() and own not in path.parents:
                assert not re.search(rb"\btoy\b", path.read_bytes()), path
