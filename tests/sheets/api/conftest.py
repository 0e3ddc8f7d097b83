import json

import pytest
from django.test import Client


@pytest.fixture(scope="module")
def description():
    """The OpenAPI description as it is served."""
    return json.loads(Client().get("/api/v1/openapi.json", {"lang": "en"}).content)
