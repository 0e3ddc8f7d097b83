import pytest
from django.utils.translation import override


@pytest.fixture(autouse=True)
def _english():
    with override("en"):
        yield
