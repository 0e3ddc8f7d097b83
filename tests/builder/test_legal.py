import pytest

pytestmark = pytest.mark.django_db


def test_an_imprint_is_there_and_linked_where_one_was_written(client, settings, tmp_path):
    assert client.get("/imprint/").status_code == 404
    assert 'href="/imprint/"' not in client.get("/").text
    for language, text in (("de", "Verantwortlich"), ("en", "Responsible")):
        (tmp_path / f"imprint.{language}.md").write_text(f"# {text}\n\n<b onclick=x>Ü</b>", encoding="utf-8")
    settings.IMPRINT = str(tmp_path / "imprint.{lang}.md")
    assert 'href="/imprint/"' in client.get("/").text
    assert "<h1>Verantwortlich</h1>" in client.get("/imprint/").text
    assert "<h1>Responsible</h1>" in client.get("/imprint/", headers={"Accept-Language": "en"}).text
    assert "<b onclick" not in client.get("/imprint/").text


def test_what_is_kept_is_said_with_its_figures_in_both_languages(client):
    assert 'href="/privacy/"' in client.get("/").text
    german, english = (client.get("/privacy/", headers={"Accept-Language": one}).text for one in ("de", "en"))
    assert "60 Tage" in german
    assert "30 Tagen" in german
    assert "60 days after" in english


def test_whoever_runs_the_site_says_it_in_their_own_words(client, settings, tmp_path):
    (tmp_path / "privacy.md").write_text("# Unser Datenschutz", encoding="utf-8")
    settings.PRIVACY = str(tmp_path / "privacy.md")
    assert "<h1>Unser Datenschutz</h1>" in client.get("/privacy/").text
