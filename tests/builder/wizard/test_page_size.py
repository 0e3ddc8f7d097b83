"""How long a page of the wizard is, whatever stands in the draft."""

import pytest

from rulesets import systems
from tests.support.guest import Guest

pytestmark = pytest.mark.django_db


def test_mends_of_long_texts_are_told_in_short_on_every_page():
    abilities = [{"ability": "custom", "name": f"n{n}", "cost": 9, "description": "'" * 3_900} for n in range(14)]
    document = systems()["condice"].document("X", {"attacks": [], "abilities": abilities})
    guest = Guest({**document, "data": systems()["condice"].sheet.model_validate(document["data"]).model_dump()})
    page = guest.client.get(guest.url("values")).content.decode()
    assert page.count('class="mend"') >= 10
    assert page.count("&#x27;") > 200
    assert len(page) < 512 * 1024
