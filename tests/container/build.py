"""The image of `Containerfile`, built by buildah upon a Debian of debootstrap, and run as its page says.

`make container-test` runs it as root; it is no part of the other targets, as it fetches Debian and all packages anew.
Chroots stand for containers: they have the host's network, and nothing limits what they may do.
"""

import gzip
import http.client
import json
import lzma
import os
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.past.keys import KEYS
from tests.support.server import ROOT, SECRET, VOUCHER, exchange, free_port, until

IMAGE, BASE = "localhost/bogenschmiede-test", "localhost/bogenschmiede-base"
PAST = ROOT / "tests/past/from_6b03c062/past.backup.xz"
HOST = "sheets.example.org"


def buildah(*words):
    """Run buildah and return what it prints."""
    done = subprocess.run(["/usr/bin/buildah", *map(str, words)], cwd=ROOT, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-4_000:]
    return done.stdout


@pytest.fixture(scope="module", autouse=True)
def image(tmp_path_factory):
    """Build the image; where pip of this machine has its packages from elsewhere, the build has them from there."""
    storage = tmp_path_factory.mktemp("storage")
    os.environ |= {"STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot",
                   "CONTAINERS_STORAGE_CONF": str(storage / "storage.conf")}
    (storage / "storage.conf").write_text(
        f'[storage]\ndriver = "vfs"\nrunroot = "{storage}/run"\ngraphroot = "{storage}/graph"\n')
    root = storage / "debian"
    subprocess.run(["/usr/sbin/debootstrap", "--variant=minbase", "--include=python3,python3-venv,ca-certificates",
                    "bookworm", root], check=True, stdout=subprocess.DEVNULL)
    base = buildah("from", "scratch").strip()
    buildah("add", "--quiet", base, root, "/")
    buildah("commit", "--quiet", base, BASE)
    shutil.rmtree(root)
    volumes = [word for path in ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt", "/opt/pypi", "/opt/pypi-more",
                                 "/opt/wheels") if Path(path).exists() for word in ("--volume", f"{path}:{path}:ro")]
    buildah("build", "--quiet", "--format", "docker", "--pull-never", "--build-arg", f"BASE={BASE}", *volumes,
            "--tag", IMAGE, ".")


class Container:
    """A container of the image with a volume."""

    def __init__(self, volume):
        self.volume = volume
        self.name = buildah("from", "--pull-never", IMAGE).strip()
        self.port = free_port()

    def words(self, *words, **environment):
        environment = {"ALLOWED_HOSTS": HOST, "SITE_URL": f"https://{HOST}", "TRUSTED_PROXY": "1"} | environment
        given = [word for key, value in environment.items() for word in ("--env", f"{key}={value}")]
        return ["/usr/bin/buildah", "run", "--volume", f"{self.volume}:/data", *given, self.name, "--",
                "bogenschmiede", *words]

    def run(self, *words, **environment):
        """Run a command of the program, and return (exit code, what it said)."""
        done = subprocess.run(self.words(*words, **environment), text=True, capture_output=True, check=False)
        return done.returncode, done.stdout + done.stderr

    @contextmanager
    def served(self):
        """Serve, on loopback."""
        live = str(free_port())
        process = subprocess.Popen(self.words("serve", "--host", "127.0.0.1", "--port", str(self.port), LIVE_PORT=live),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            until(lambda: self.get("/health/ready/")[0] == 200,
                  lambda: str(self.run("health", "--port", str(self.port))))
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()

    def get(self, address):
        """Return (status, text) of a page, asked for as the proxy does."""
        status, _headers, page = exchange(http.client.HTTPConnection("127.0.0.1", self.port), "GET", address, headers={
            "Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}.items())
        return status, page


@pytest.fixture
def container(tmp_path):
    """A container whose volume is empty, and its program's."""
    volume = tmp_path / "data"
    volume.mkdir(mode=0o700)
    os.chown(volume, 10001, 10001)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    return Container(volume)


def test_the_image_is_not_root_has_a_health_check_and_no_secret(container):
    made = json.loads(buildah("inspect", "--type", "image", IMAGE))["Docker"]["config"]
    assert made["User"] == "10001:10001"
    assert made["Healthcheck"]["Test"] == ["CMD", "bogenschmiede", "health"]
    assert not any("KEY" in line or "PASSWORD" in line for line in made["Env"])
    assert container.run("health", "--port", "1")[0] == 1


@pytest.mark.parametrize(("environment", "said"), [
    ({"BOGENSCHMIEDE_MODE": "development"}, "BOGENSCHMIEDE_MODE is for developers"),
    ({"ALLOWED_HOSTS": "*", "SECRET_KEY": SECRET, "REVIEW_KEY": VOUCHER}, "ALLOWED_HOSTS is *"),
    ({}, "SECRET_KEY is not set")])
def test_it_does_not_serve_as_for_developers_for_any_host_or_without_secrets(container, environment, said):
    code, words = container.run("serve", **environment)
    assert code
    assert said in words


def test_it_serves_is_backed_up_and_restored_with_all_that_an_earlier_version_had(container, tmp_path):
    assert container.run("secrets") == (0, "")
    secrets = sorted((container.volume / "secrets").iterdir())
    assert [(one.name, one.stat().st_mode & 0o777, one.stat().st_uid) for one in secrets] == [
        ("review_key", 0o600, 10001), ("secret_key", 0o600, 10001)]
    kept = [one.read_text() for one in secrets]
    assert container.run("secrets") == (0, "")
    assert kept == [one.read_text() for one in secrets]
    with container.served():
        assert "Bogenschmiede" in container.get("/")[1]
        assert container.get("/dice/condice/")[0] == 200
        (container.volume / "past.gz").write_bytes(gzip.compress(lzma.decompress(PAST.read_bytes())))
        code, words = container.run("manage", "restore", "/data/past.gz", "--replace")
        assert code == 0, words
        code, words = container.run("manage", "backup", "/data/now.gz")
        assert code == 0, words
    again = Container(container.volume)
    with again.served():
        # The approvals in that backup are proved by the key of its time.
        assert again.run("manage", "doctor", **KEYS)[0] == 0
        assert rows(again.run("manage", "backup", "/data/again.gz")[1]) == rows(words)


def rows(said):
    """Return how many rows a backup says that it has."""
    return said.split("rows")[0].split()[-1]
