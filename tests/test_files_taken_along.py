"""Files that are taken along are what they say that they are, whatever stands in a name."""

import json
import re

import pytest

from sheets.models import Sheet
from tests.support.browser.payloads import PAYLOADS
from tests.support.guest import Guest, example

pytestmark = pytest.mark.django_db
KINDS = {"json": "application/json", "md": "text/markdown; charset=utf-8", "bbcode": "text/plain; charset=utf-8"}
SAFE = r"attachment; filename=\"[\w .-]+\"; filename\*=UTF-8''[\w.%~-]+"


@pytest.mark.parametrize("form", KINDS)
def test_what_is_no_page_cannot_become_one_and_its_file_name_is_only_a_name(form):
    guest = Guest(example())
    for name in PAYLOADS[::4]:
        Sheet.objects.filter(pk=guest.pk).update(name=name)
        answer = guest.client.get(f"/sheets/{guest.pk}/export.{form}")
        assert (answer.status_code, answer["Content-Type"], answer["X-Content-Type-Options"]) == (
            200, KINDS[form], "nosniff")
        assert re.fullmatch(SAFE, answer["Content-Disposition"], re.ASCII)
        if form == "json":
            assert json.loads(answer.content)["name"] == name
