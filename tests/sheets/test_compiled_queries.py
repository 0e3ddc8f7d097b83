"""Queries that are composed once answer what they would answer if they were composed each time."""

from threading import Thread
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from builder.models import SpentKey
from rulesets import systems
from sheets.models import GM, Event, Member, Party
from sheets.models.compiled_queries import compiled, insert
from sheets.parties.services import found_party

pytestmark = pytest.mark.django_db


@pytest.fixture
def parties() -> list[Party]:
    ruleset = systems()["condice"]
    return [found_party(User.objects.create_user(name), name, ruleset) for name in ("anna", "ben", "cleo")]


def _of(users, *, role=GM):
    return Member.objects.filter(user__pk__in=users, role=role).select_related("party").order_by("pk")


def test_it_finds_what_the_same_query_finds_each_time_with_other_arguments(parties):
    found, keys = compiled(_of), [one.members.get().user_id for one in parties]
    for some in (keys[:1], keys, {*keys[1:]}, (), keys[2:]):
        assert found(some) == [*_of(some)]
    assert [one.party.name for one in found(keys)] == ["anna", "ben", "cleo"]


def test_it_is_composed_once_for_each_shape_of_its_arguments(parties):
    shapes = []

    @compiled
    def found(users, *, role):
        shapes.append((len(users), role))
        return _of(users, role=role)

    for some in ((1, 2), (3, 4), (5,), (6,), (7, 8)):
        found(some, role=GM)
    found((9,), role="player")
    assert shapes == [(2, GM), (1, GM), (1, "player")]


def test_values_and_related_objects_come_as_they_do_without_it(parties, django_assert_num_queries):
    names = compiled(lambda pk: Party.objects.filter(pk=pk).values_list("name", flat=True))
    with_members = compiled(lambda pk: Party.objects.filter(pk=pk).prefetch_related("members"))
    assert [names(one.pk) for one in parties] == [["anna"], ["ben"], ["cleo"]]
    with django_assert_num_queries(2):
        assert [len(one.members.all()) for one in with_members(parties[0].pk)] == [1]
    assert names(uuid4()) == names(None) == []


@pytest.mark.django_db(transaction=True)
def test_another_thread_asks_by_its_own_connection(parties):
    names, found = compiled(lambda pk: Party.objects.filter(pk=pk).values_list("name", flat=True)), []
    names(parties[0].pk)

    def ask() -> None:
        found.extend(names(parties[1].pk))
        connection.close()

    (other := Thread(target=ask)).start()
    other.join()
    assert found == ["ben"]
    assert names(parties[2].pk) == ["cleo"]


def test_a_row_that_is_inserted_is_stored_as_django_stores_it(parties, django_assert_num_queries):
    def event() -> Event:
        return Event(party=parties[0], key=uuid4(), widget="roll-x", title="Ü",
                     outcome={"a": [1, None]}, faces=[3, 1])

    one, other = event(), event()
    other.save()
    with django_assert_num_queries(1):
        insert(one)
    assert one.pk > other.pk
    different = {field.attname for field in Event._meta.concrete_fields
                 if getattr(Event.objects.get(pk=one.pk), field.attname) != getattr(
                     Event.objects.get(pk=other.pk), field.attname)}
    assert different == {"id", "key", "made"}
    one.title = "Changed"
    one.save()
    assert Event.objects.get(pk=one.pk).title == "Changed"
    assert Event.objects.count() == 2


def test_a_row_that_has_its_key_is_inserted_with_it_and_only_once():
    key = uuid4()
    insert(SpentKey(key=key))
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(SpentKey(key=key))
    [stored] = SpentKey.objects.all()
    assert (stored.pk, stored.place) == (key, "")
