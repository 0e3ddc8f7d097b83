"""What every page has: dates in one style, its shortcuts, a way to say in which language."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils.translation import override

pytestmark = pytest.mark.django_db
STYLES = ("DATE_FORMAT", "SHORT_DATE_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT")


@pytest.mark.parametrize(("language", "day"), [("de", "03.11.2026"), ("en", "3 Nov 2026")])
def test_a_date_is_written_in_one_style_whatever_asks_for_it(language, day):
    moment = datetime(2026, 11, 3, 20, 5, tzinfo=UTC)
    with override(language):
        said = [Template(f'{{{{ it|date:"{style}" }}}}').render(Context({"it": moment})) for style in STYLES]
    assert said == [day, day, f"{day}, 21:05", f"{day}, 21:05"]


@pytest.mark.parametrize("address", ["/", "/sheets/", "/rules/condice/", "/compare/condice/", "/samples/condice/juan/"])
def test_shortcuts_are_listed_on_every_page_and_open_without_scripts(client, address):
    shown = client.get(address).content.decode()
    assert 'popovertarget="shortcuts"' in shown
    assert 'id="shortcuts"' in shown
    assert "<kbd>?</kbd>" in shown


def test_switching_the_language_leads_back_to_the_same_page_and_list(client):
    shown = client.get("/sheets/?q=juan&sort=called").content.decode()
    assert 'name="next" value="/sheets/?q=juan&amp;sort=called"' in shown
