"""What `newsystem` refuses; what it lays down is tested in tests/rulesets/test_toy.py."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from builder.management.commands import newsystem
from rulesets import systems


@pytest.mark.parametrize("name", [
    "Drachen", "class", "../drachen", "_drachen", "drachen-feuer", "1drachen", "größe", "dice", "kit"])
def test_what_can_be_no_folder_of_its_own_is_refused_and_nothing_is_written(name, tmp_path, monkeypatch):
    monkeypatch.setattr(newsystem, "HOME", tmp_path)
    with pytest.raises(CommandError, match=r"no name of a folder|there already"):
        call_command("newsystem", name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "there"), [
    ("test", "a module"), ("random", "a module"), ("django", "a module"), ("sheets", "a module"), ("tests", "a module"),
    ("base", "a style sheet"), ("forms", "a style sheet")])
def test_what_is_the_name_of_something_else_is_refused_in_one_sentence(name, there, tmp_path, monkeypatch):
    monkeypatch.setattr(newsystem, "HOME", tmp_path)
    with pytest.raises(CommandError, match=rf"^{name} is the name of {there}.* already; call the .*\.$"):
        call_command("newsystem", name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "other"), [
    ("Flussherz", "flussherz"), ("Größe & Ehre", "groesse_ehre"), ("drachen-feuer", "drachen_feuer"),
    ("1Élan", "elan")])
def test_a_name_that_is_no_folder_is_answered_with_the_one_nearest_to_it(name, other, tmp_path, monkeypatch):
    monkeypatch.setattr(newsystem, "HOME", tmp_path)
    with pytest.raises(CommandError, match=f"manage.py newsystem {other}$"):
        call_command("newsystem", name)


def test_its_prefix_and_its_title_may_be_said(tmp_path, monkeypatch):
    monkeypatch.setattr(newsystem, "HOME", tmp_path)
    call_command("newsystem", "flussherz", prefix="QX", title="Das Flußherz")
    stated = (tmp_path / "flussherz" / "__init__.py").read_text(encoding="utf-8")
    assert 'prefix="QX"' in stated
    assert 'title="Das Flußherz"' in stated
    assert "### QX-00" in (tmp_path / "flussherz" / "rules.en.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("said", [
    {"prefix": "qx"}, {"prefix": "Q"}, {"prefix": next(iter(systems().values())).prefix}, {"title": 'Das "Herz"'}])
def test_a_prefix_or_a_title_that_cannot_be_is_refused(said, tmp_path, monkeypatch):
    monkeypatch.setattr(newsystem, "HOME", tmp_path)
    with pytest.raises(CommandError):
        call_command("newsystem", "flussherz", **said)
    assert not list(tmp_path.iterdir())


def test_any_other_word_is_laid_down(tmp_path, monkeypatch):
    monkeypatch.setattr(newsystem, "HOME", tmp_path)
    call_command("newsystem", "drachen_feuer")
    assert (tmp_path / "drachen_feuer" / "static" / "drachen-feuer.css").is_file()


@pytest.mark.parametrize("ruleset", systems().values(), ids=lambda ruleset: ruleset.slug)
def test_the_prefix_of_a_new_system_is_no_others(ruleset):
    assert newsystem.prefix(f"{ruleset.prefix}x".lower()) not in {one.prefix for one in systems().values()}
