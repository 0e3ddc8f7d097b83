"""By night a page is the same in other colours: what is measured by day holds then too."""

from pathlib import Path

from django.conf import settings


def test_no_style_and_no_script_asks_for_the_scheme_so_that_only_colours_are_others():
    sources = [one for end in ("css", "js") for one in Path(settings.BASE_DIR).glob(f"**/static/**/*.{end}")
               if ".venv" not in one.parts]
    assert len(sources) > 20
    assert [one.name for one in sources if "prefers-color-scheme" in one.read_text()] == []
