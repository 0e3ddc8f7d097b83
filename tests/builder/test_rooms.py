"""The order of the rooms, as import-linter holds it: a planted circle and a planted upward import do not pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.support.everyday import everyday

ROOT = settings.BASE_DIR


@pytest.fixture
def project(tmp_path):
    """A copy of what the contracts speak of."""
    for name in ("builder", "sheets", "rulesets"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "locale", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(project):
    """What `make lint` says of the rooms: (exit code, words)."""
    done = subprocess.run([Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"], cwd=project,
                          env={"PATH": os.environ["PATH"], "PYTHONPATH": str(project)}, capture_output=True,
                          encoding="utf-8", timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def plant(project, module, line):
    with (project / module).open("a", encoding="utf-8") as file:
        file.write(f"\n\n{line}\n")


@pytest.mark.parametrize(("module", "line", "said"), everyday([
    ("sheets/access.py", "from sheets.parties.services import gms",
     "sheets.access is not allowed to import sheets.parties"),
    ("sheets/cellar.py", "", "cellar"),
    ("sheets/models/__init__.py", "from builder.drafts import tidy", "sheets is not allowed to import builder"),
    ("rulesets/dice.py", "from sheets.access import owns", "rulesets is not allowed to import sheets"),
    ("builder/drafts.py", "from builder.wizard.steps import steps",
     "builder.drafts is not allowed to import builder.wizard"),
    # A circle of two rooms that stand beside each other in the order.
    ("sheets/outline.py", "from sheets.verdicts import VERDICTS",
     "sheets.outline is not allowed to import sheets.verdicts"),
    # Hidden in a function it is one all the same.
    ("sheets/status/reviews.py", "def later():\n    from sheets.reviews.services import submit\n    return submit",
     "sheets.status is not allowed to import sheets.reviews"),
    ("sheets/reviews/views/queue.py", "from sheets.reviews.views.verify import verified",
     "sheets.reviews.views.queue is not allowed to import sheets.reviews.views.verify"),
    ("sheets/pages/views/samples.py", "from sheets.faces.views import portrait",
     "sheets.pages.views is not allowed to import sheets.faces.views"),
], 2))
@pytest.mark.slow
def test_the_rooms_are_in_one_order_and_what_is_planted_against_it_fails(project, module, line, said):
    code, words = lint(project)
    assert code == 0, words
    plant(project, module, line)
    code, words = lint(project)
    assert code == 1, words
    assert said in " ".join(words.split())
