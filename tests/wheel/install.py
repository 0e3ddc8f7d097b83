"""Wheel and sdist from a clean copy of what git tracks; the wheel installed into an empty environment runs.

`make wheel-test` runs it; it is no part of the other targets, as it installs all packages anew.
"""

import http.client
import os
import subprocess
import sys
import tarfile
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.server import ROOT, free_port, until

PACKAGES, BESIDE = ("builder/", "sheets/", "rulesets/"), ("templates/", "static/", "locale/")
BUILD = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"


def tracked():
    words = ["/usr/bin/env", "git", "ls-files", "-z"]
    listed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The folder of an empty virtual environment, with setuptools for the build."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def built(environment, tmp_path_factory):
    """The wheel and the sdist."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    with (ROOT / "pyproject.toml").open(encoding="utf-8") as file:
        [needed] = [line.split('"')[1] for line in file if line.startswith("requires = ")]
    subprocess.run([environment / "bin/pip", "install", "--quiet", needed], check=True)
    for kind in ("sdist", "wheel"):
        subprocess.run([environment / "bin/python", "-c", BUILD.format(kind), made], cwd=source, check=True,
                       stdout=subprocess.DEVNULL)
    [wheel], [sdist] = made.glob("*.whl"), made.glob("*.tar.gz")
    return wheel, sdist


def test_the_wheel_and_the_sdist_have_whatever_the_program_reads(built):
    wheel, sdist = built
    needed = [name for name in tracked() if name.startswith((*PACKAGES, *BESIDE)) and "/tests/" not in name]
    within = {f"builder/beside/{name}" if name.startswith(BESIDE) else name for name in needed}
    with zipfile.ZipFile(wheel) as file:
        assert sorted(within - set(file.namelist())) == []
        assert [name for name in file.namelist() if name.startswith("tests/")] == []
    with tarfile.open(sdist) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert sorted({*needed, "setup.py", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"} - names) == []


def answer(port, address):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as line:
        line.request("GET", address)
        got = line.getresponse()
        return got.status, got.read()


def test_the_installed_wheel_serves_pages_styles_and_pdfs_from_a_folder_of_its_own(environment, built, tmp_path):
    subprocess.run([environment / "bin/pip", "install", "--quiet", built[0]], check=True)
    port, log = free_port(), tmp_path / "log"
    plain = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ} | {"HOME": str(tmp_path)}
    with log.open("w") as said:
        server = subprocess.Popen([environment / "bin/bogenschmiede", "run", "--port", str(port)], cwd=tmp_path,
                                  env=plain, stdout=said, stderr=said)
    try:
        status, home = until(lambda: answer(port, "/"), log.read_text)
        assert (status, b"<p>Bogenschmiede " in home) == (200, True)
        for address in ("/static/base.css", "/rules/condice/", "/samples/condice/juan/"):
            assert answer(port, address)[0] == 200, address
        status, paper = answer(port, "/rules/condice/blank.pdf")
        assert (status, paper[:5]) == (200, b"%PDF-")
        assert "spieler" in log.read_text()
        until(lambda: answer(port + 1, "/"))
        data = Path(tmp_path, ".local/share/bogenschmiede")
        assert {".secret", ".review-key", "development.sqlite3"} <= {one.name for one in data.iterdir()}
        assert data.stat().st_mode & 0o077 == 0
    finally:
        server.terminate()
        server.wait(timeout=60)
    with pytest.raises(OSError, match="refused"):
        answer(port + 1, "/")
