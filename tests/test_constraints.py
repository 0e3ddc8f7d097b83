"""What the models say that may not be is refused by the database, whatever migrations did to its indexes."""

import pytest
from django.apps import apps
from django.db import connection

MODELS = {one.__name__: one for one in apps.get_models() if one._meta.constraints}


@pytest.mark.django_db
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_each_constraint_and_index_of_a_model_is_there(model):
    with connection.cursor() as cursor:
        there = connection.introspection.get_constraints(cursor, model._meta.db_table)
    assert {one.name for one in (*model._meta.constraints, *model._meta.indexes)} <= {*there}
