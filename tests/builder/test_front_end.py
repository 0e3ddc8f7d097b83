"""Templates, style sheets and scripts as they are written."""

import re

import pytest
from django.conf import settings

from builder.static_files import without_comments

ROOT = settings.BASE_DIR
TEMPLATES = sorted([*(ROOT / "templates").rglob("*.html"), *ROOT.glob("rulesets/*/templates/**/*.html")])
SCRIPTS = sorted([*(ROOT / "static").rglob("*.js"), *ROOT.glob("rulesets/*/static/**/*.js")])
SHEETS = sorted([*(ROOT / "static").rglob("*.css"), *ROOT.glob("rulesets/*/static/**/*.css"),
                 *ROOT.glob("rulesets/kit/new_system/static/*.css")])
WORDS = {path: path.read_text(encoding="utf-8") for path in (*TEMPLATES, *SCRIPTS, *SHEETS)}
LONGEST = 160


@pytest.mark.parametrize("folder", sorted({path.parent for path in TEMPLATES}), ids=lambda path: path.name)
def test_no_line_of_a_template_is_longer_than_one_reads(folder):
    lines = [(path.name, number) for path in folder.iterdir() if path.is_file()
             for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if len(line) > LONGEST]
    assert lines == []


def test_all_heads_are_one():
    assert [path.name for path in TEMPLATES if "<head>" in WORDS[path] and '"_head.html"' not in WORDS[path]] == []
    assert [path.name for path in TEMPLATES if "base.css" in WORDS[path]] == ["_head.html"]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_every_style_sheet_is_in_a_layer_of_the_one_order(path):
    stated = re.findall(r"^@layer ([\w, ]+);$", WORDS[path], re.MULTILINE)
    assert stated == (["frame, rooms"] if path.name == "base.css" else [])
    rest = re.sub(r"/\*.*?\*/|@layer [\w, ]+;", "", WORDS[path], flags=re.DOTALL).strip()
    layer = "frame" if path.name in {"base.css", "forms.css"} else "rooms"
    assert rest.startswith(f"@layer {layer} {{")
    # Nothing stands behind it, where it would be above all layers.
    depth = [rest[:at].count("{") - rest[:at].count("}") for at, one in enumerate(rest) if one == "}"]
    assert depth.count(1) == 1


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_a_style_sheet_is_sent_without_comments_and_with_all_else(path):
    rules = [one.partition("*/")[2] for one in f"*/{WORDS[path]}".split("/*")]
    assert [one for one in rules if one.count('"') % 2] == [], "a comment begins in a string"
    assert without_comments(WORDS[path]).split() == "".join(rules).split()


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


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_nothing_moves_for_those_who_have_asked_for_less_motion(path):
    moving, depth, calm = [], 0, 0
    for line in re.sub(r"/\*.*?\*/", "", WORDS[path], flags=re.DOTALL).splitlines():
        # The depth at which what is for the others alone began, 0 outside of it.
        if "prefers-reduced-motion: no-preference" in line:
            calm = depth + 1
        if not calm and re.search(r"\b(animation|transition|scroll-behavior)\b[\w-]*:", line):
            moving.append(line.strip())
        depth += line.count("{") - line.count("}")
        calm = calm if depth >= calm else 0
    assert moving == []
