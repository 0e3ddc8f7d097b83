"""What `newsystem` refuses; what it lays down is tested in tests/rulesets/test_toy.py."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from builder.management.commands import newsystem
from rulesets import systems
from tests.support.builder.held import lacking


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(newsystem, "HOME", tmp_path)
    return tmp_path


@pytest.mark.parametrize(("name", "options", "said"), [
    *((name, {}, "no name of a folder|there already") for name in (
        "Drachen", "class", "../drachen", "_drachen", "drachen-feuer", "1drachen", "größe", "dice", "kit")),
    *((name, {}, rf"^{name} is the name of {there}.* already; call the .*\.$") for name, there in (
        ("test", "a module"), ("random", "a module"), ("django", "a module"), ("sheets", "a module"),
        ("tests", "a module"), ("base", "a style sheet"), ("forms", "a style sheet"))),
    *((name, {}, f"manage.py newsystem {other}$") for name, other in (
        ("Flussherz", "flussherz"), ("Größe & Ehre", "groesse_ehre"), ("drachen-feuer", "drachen_feuer"),
        ("1Élan", "elan"))),
    *(("flussherz", options, None) for options in (
        {"prefix": "qx"}, {"prefix": "Q"}, {"prefix": next(iter(systems().values())).prefix}, {"title": 'Das "Herz"'})),
])
def test_what_can_be_no_system_of_its_own_is_refused_in_one_sentence_and_nothing_is_written(home, name, options, said):
    with pytest.raises(CommandError, match=said):
        call_command("newsystem", name, **options)
    assert not list(home.iterdir())


def test_any_other_word_is_laid_down_and_its_prefix_and_its_title_may_be_said(home):
    call_command("newsystem", "flussherz", prefix="QX", title="Das Flußherz")
    stated = (home / "flussherz" / "__init__.py").read_text(encoding="utf-8")
    assert lacking(stated, 'prefix="QX"', 'title="Das Flußherz"') == []
    assert "### QX-00" in (home / "flussherz" / "rules.en.md").read_text(encoding="utf-8")
    call_command("newsystem", "drachen_feuer")
    assert (home / "drachen_feuer" / "static" / "drachen-feuer.css").is_file()


@pytest.mark.parametrize("ruleset", systems().values(), ids=lambda ruleset: ruleset.slug)
def test_the_prefix_of_a_new_system_is_no_others(ruleset):
    assert newsystem.free_prefix(f"{ruleset.prefix}x".lower()) not in {one.prefix for one in systems().values()}
