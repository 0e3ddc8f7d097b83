"""The version: pyproject.toml and CHANGELOG.md state the same, and all who ask are told it."""

import re
import tomllib
from datetime import date
from ipaddress import ip_network

import pytest
from django.conf import settings as project
from django.core.management import call_command

from builder.version import VERSION

ROOT = project.BASE_DIR


def test_the_newest_version_of_the_changelog_is_the_one_that_runs():
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    heads = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    versions = [re.fullmatch(r"([\d.]+(?:(?:a|b|rc)\d+)?) \((\d{4}-\d\d-\d\d)\)", head).groups() for head in heads]
    days = [date.fromisoformat(day) for _version, day in versions]
    assert (versions[0][0], stated, days) == (VERSION, VERSION, sorted(days, reverse=True))


@pytest.mark.django_db
@pytest.mark.alike
def test_pages_checks_and_figures_say_the_version(client, settings, capsys):
    settings.METRICS = [ip_network("127.0.0.1")]
    foot = client.get("/").text.partition("<footer")[2]
    assert f"<p>Bogenschmiede {VERSION}</p>" in foot
    assert client.get("/health/ready/")["Bogenschmiede-Version"] == VERSION
    assert f'bogenschmiede_info{{version="{VERSION}"}} 1.0' in client.get("/metrics/").text
    call_command("doctor")
    assert f"ok    Bogenschmiede {VERSION}\n" in capsys.readouterr().out
