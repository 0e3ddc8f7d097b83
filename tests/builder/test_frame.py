"""What every page has: dates in one style, its shortcuts, a way to say in which language, who runs the site."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils.translation import override

from tests.support.builder.held import lacking

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
STYLES = ("DATE_FORMAT", "SHORT_DATE_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT")


@pytest.mark.parametrize(("language", "day"), [("de", "03.11.2026"), ("en", "3 Nov 2026")])
def test_a_date_is_written_in_one_style_whatever_asks_for_it(language, day):
    moment = datetime(2026, 11, 3, 20, 5, tzinfo=UTC)
    with override(language):
        said = [Template(f'{{{{ it|date:"{style}" }}}}').render(Context({"it": moment})) for style in STYLES]
    assert said == [day, day, f"{day}, 21:05", f"{day}, 21:05"]


@pytest.mark.parametrize("address", ["/", "/sheets/", "/rules/condice/", "/compare/condice/", "/samples/condice/juan/"])
def test_shortcuts_are_listed_on_every_page_and_open_without_scripts(client, address):
    shown = client.get(address).text
    assert lacking(shown, 'popovertarget="shortcuts"', 'id="shortcuts"', "<kbd>?</kbd>") == []


def test_switching_the_language_leads_back_to_the_same_page_and_list(client):
    shown = client.get("/sheets/?q=juan&sort=called").text
    assert 'name="next" value="/sheets/?q=juan&amp;sort=called"' in shown


def test_an_imprint_is_there_and_linked_where_one_was_written(client, settings, tmp_path):
    assert client.get("/imprint/").status_code == 404
    assert 'href="/imprint/"' not in client.get("/").text
    for language, text in (("de", "Verantwortlich"), ("en", "Responsible")):
        (tmp_path / f"imprint.{language}.md").write_text(f"# {text}\n\n<b onclick=x>Ü</b>", encoding="utf-8")
    settings.IMPRINT = str(tmp_path / "imprint.{lang}.md")
    assert 'href="/imprint/"' in client.get("/").text
    shown = client.get("/imprint/").text
    assert lacking(shown, "<h1>Verantwortlich</h1>", "<b onclick") == ["<b onclick"]
    assert "<h1>Responsible</h1>" in client.get("/imprint/", headers={"Accept-Language": "en"}).text


def test_what_is_kept_is_said_with_its_figures_in_both_languages_or_in_the_sites_own_words(client, settings, tmp_path):
    assert 'href="/privacy/"' in client.get("/").text
    for language, figures in (("de", ["60 Tage", "30 Tagen"]), ("en", ["60 days after"])):
        assert lacking(client.get("/privacy/", headers={"Accept-Language": language}).text, *figures) == []
    (tmp_path / "privacy.md").write_text("# Unser Datenschutz", encoding="utf-8")
    settings.PRIVACY = str(tmp_path / "privacy.md")
    assert "<h1>Unser Datenschutz</h1>" in client.get("/privacy/").text
