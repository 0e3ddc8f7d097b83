import pytest
from django.contrib.auth import get_user_model

from sheets.models import Sheet
from tests.support.guest import example


@pytest.fixture
def anna_s(db):
    """Make Anna's sheet of an example."""
    def make(which, slug):
        document = example(which, slug)
        return Sheet.objects.create(owner=get_user_model().objects.create_user("anna"), ruleset=slug,
                                    name=document["name"], data=document["data"])

    return make
