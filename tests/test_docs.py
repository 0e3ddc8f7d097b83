"""What README, CONTRIBUTING and the pages of docs name is there, and what is there is named."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest
from django.conf import settings
from django.core.management import get_commands

ROOT = Path(settings.BASE_DIR)
GUIDES = ("README.md", "CONTRIBUTING.md", "docs/operating.md")
PAGES = (*GUIDES, *(f"docs/{name}.md" for name in ("commands", "gms", "players", "translating")),
         *sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/deploy/*.md")))
TOLD = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
SETTINGS = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in GUIDES)
"""What is typed by the commands of docs/deploy has names of its own."""
OURS = {name for name, app in get_commands().items() if app in {"builder", "sheets"}}
ELSEWHERE = {"LOCALAPPDATA", "SHARED_BY_TESTS", "DJANGO_SETTINGS_MODULE", "SHOTS"}
"""Django's own, what the processes of a run share, and where a test of the browser leaves pictures."""
READ = (r"(?:environ(?:\.get\(|\.setdefault\(|\[)|"
        r"\b(?:flag|number|choice|secret|site|required|networks|contacts|origins|vapid_key)\()"
        r'"([A-Z][A-Z_]+)"')


def read_settings():
    """The names that the program, its tests and make read from the environment."""
    sources = [*ROOT.glob("builder/**/*.py"), *ROOT.glob("sheets/**/*.py"), *ROOT.glob("tests/support/*.py")]
    found = {name for path in sources for name in re.findall(READ, path.read_text(encoding="utf-8"))}
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    return (found | set(re.findall(r"\$\$\{([A-Z]+):-", make))) - ELSEWHERE


def targets():
    return set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


def test_every_setting_is_told_and_every_one_told_is_read():
    told = set(re.findall(r"`([A-Z]{2,}(?:_[A-Z]+)*)(?:=[^`]*)?`", SETTINGS)) - {"RULESET", "EXAMPLES", "OFFENDERS"}
    assert told == read_settings()


def test_every_command_is_told_and_every_one_told_is_there():
    told = set(re.findall(r"manage\.py ([a-z_]+)", TOLD))
    assert not OURS - {"makemessages"} - told, "nobody is told of these"  # make messages runs it
    assert not told - set(get_commands())


def test_every_target_of_make_is_told_and_every_one_told_is_there():
    told = set(re.findall(r"(?:`|^    )(?:PORT=\d+ )?make ([a-z-]+)", TOLD, re.M))
    assert told == targets() - {"help"}


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_linked_or_named_is_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / page).parent.joinpath(link).exists(), link
    for name in re.findall(r"`((?:builder|sheets|tests|rulesets|docs|\.ci)/[\w./]+)`", text):
        assert (ROOT / name).exists() or "NAME" in name, name


WALKS = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("## The way of")[2].partition("\n## ")[0]
"""The ways of a request, from room to room."""


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_/]+\.(?:html|py|js))`", WALKS))))
def test_a_file_that_a_request_comes_by_is_there(name):
    assert {*ROOT.glob(name), *ROOT.glob(f"sheets/{name}"), *ROOT.glob(f"templates/parties/table/{name}")}


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?!\w+\.(?:html|py|js)`)[a-z_]+(?:\.\w+)+)`", WALKS))))
def test_a_name_that_a_request_comes_by_is_there(name):
    def found(whole):
        try:
            return resolve_name(whole)
        except (ImportError, AttributeError):
            return None
    assert found(f"sheets.{name}") or found(f"builder.{name}") or found(name)
