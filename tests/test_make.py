"""What `make` needs beyond Python and itself, it asks for by name."""

import shutil
import subprocess
import sys

import pytest
from django.conf import settings

from tests.support.browser import machine


def make(*words, path="", **environment):
    """Run make where nothing is installed but what lies in `path`; answers its exit code and what it complained of."""
    done = subprocess.run([shutil.which("make"), *words], cwd=settings.BASE_DIR, env={"PATH": path, **environment},
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.splitlines()[0]


@pytest.mark.parametrize(("target", "program", "package"), [
    ("messages", "msgfmt", "gettext"), ("screenshots", "chromium", "chromium")])
def test_a_program_that_is_not_there_is_asked_for_by_name(target, program, package):
    # As if all that pip brings were there.
    assert make("--old-file=.venv/.test", target) == (
        2, f"make {target} needs {program}, which is not installed: apt-get install {package}")


def test_python_is_asked_for_where_there_is_none(tmp_path):
    assert make("install", f"VENV={tmp_path}", f"PYTHON={tmp_path}/python3") == (
        2, f"make {tmp_path}/bin/python needs {tmp_path}/python3, which is not installed: apt-get install python3")


def test_an_old_python_is_told_from_the_one_that_is_needed(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.version_info = (3, 9, 2)\n")
    assert make("install", f"VENV={tmp_path}", f"PYTHON={sys.executable}", PYTHONPATH=str(tmp_path)) == (
        2, "Python 3.11 or newer is needed, this is 3.9: make PYTHON=/path/to/it")


def test_venv_is_asked_for_where_debian_has_left_it_out(tmp_path):
    (tmp_path / "ensurepip.py").write_text("raise ImportError\n")
    assert make("install", f"VENV={tmp_path}", f"PYTHON={sys.executable}", PYTHONPATH=str(tmp_path)) == (
        2, f"make {tmp_path}/bin/python needs Python's venv, which is not installed: apt-get install python3-venv")
    assert not (tmp_path / "bin").exists()


def test_the_browser_its_library_and_its_fonts_are_asked_for_in_one_sentence(monkeypatch):
    monkeypatch.setattr(machine.shutil, "which", lambda name: None)
    monkeypatch.setattr(machine.ctypes.util, "find_library", lambda name: None)
    monkeypatch.setattr(machine, "FOLDERS", [])
    assert machine.asked() == ("The tests in the browser need what is not installed: "
                               "apt-get install chromium fonts-dejavu-core fonts-roboto-unhinted libatomic1")
