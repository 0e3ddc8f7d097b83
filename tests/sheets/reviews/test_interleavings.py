"""Whatever people do in whatever order: what is played was seen and approved by a GM who may, or made of it by acts."""

import sys
from collections import Counter
from random import Random

import pytest
from django.db import transaction

from tests.support.everyday import slow
from tests.support.sheets.interleaving import STEPS, Interleaving, World

pytestmark = pytest.mark.django_db
LENGTH = 16
"""Steps of an interleaving."""


@pytest.mark.parametrize(("http", "many", "few"), [
    (True, 2, 2), pytest.param(False, 4_500, 12, marks=pytest.mark.slow), slow(True, 500, 8)])
def test_nothing_is_played_as_approved_that_a_gm_has_not_seen_and_approved(db, full, http, many, few):
    world, counts = World(), Counter()
    for seed in range(many if full else few):
        with transaction.atomic():
            review_status = Interleaving(world, Random(f"{seed} {http}"), http=http)  # noqa: S311
            for number in range(LENGTH):
                try:
                    review_status.step()
                except AssertionError as error:
                    error.add_note(f"seed {seed}, step {number}")
                    raise
            counts.update(review_status.counts)
            transaction.set_rollback(True)
    assert {"submit", "approve", "edit", "act"} <= {*+counts}
    if full and many > few:
        assert {*+counts} == STEPS.keys()
        sys.stdout.write(f"\n{many} interleavings{' by the pages' if http else ''}, steps done: {dict(counts)}\n")
