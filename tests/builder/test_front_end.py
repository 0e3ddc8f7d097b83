"""Templates, style sheets and scripts as they are written."""

import re

import pytest
from django.conf import settings

ROOT = settings.BASE_DIR
TEMPLATES = sorted([*(ROOT / "templates").rglob("*.html"), *ROOT.glob("rulesets/*/templates/**/*.html")])
SCRIPTS = sorted([*(ROOT / "static").rglob("*.js"), *ROOT.glob("rulesets/*/static/**/*.js")])
WORDS = {path: path.read_text(encoding="utf-8") for path in (*TEMPLATES, *SCRIPTS)}


def test_every_script_of_a_page_is_a_module():
    tags = {tag for path in TEMPLATES for tag in re.findall("<script[^>]*>", WORDS[path])}
    assert tags
    assert not [tag for tag in tags if not tag.startswith('<script type="module" src="')]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_share_nothing_but_what_they_import(path):
    script = re.sub("^ *//.*", "", WORDS[path], flags=re.MULTILINE)
    assert not re.findall(r"(?:window|globalThis|self)\.\w+ *\??=[^=>]|\bvar ", script)
    for name in re.findall('from "([^"]*)"', script):
        assert (path.parent / name).resolve() in SCRIPTS
