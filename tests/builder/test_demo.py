import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command

from builder.management.commands.demo import GM, PASSWORD, PLAYER
from rulesets import systems
from sheets.models import Party, Sheet

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def test_the_demo_loads_every_example_for_a_player_and_a_party_for_each_system_once(capsys):
    call_command("demo")
    people = {user.username: user for user in get_user_model().objects.all()}
    assert set(people) == {PLAYER, GM}
    assert all(user.check_password(PASSWORD) for user in people.values())
    examples = sum(len(system.examples) for system in systems().values())
    assert Sheet.objects.filter(owner=people[PLAYER]).count() == examples
    assert PASSWORD in capsys.readouterr().out
    before = Sheet.objects.count()
    # Run again it leaves what somebody has edited.
    Sheet.objects.update(name="renamed")
    call_command("demo")
    assert Sheet.objects.filter(name="renamed").count() == Sheet.objects.count() == before
    assert sorted(party.ruleset for party in Party.objects.all()) == sorted(systems())
    for party in Party.objects.all():
        assert {member.user.username: member.role for member in party.members.all()} == {PLAYER: "player", GM: "gm"}
        assert {sheet.house == party.house for sheet in party.sheets.all()} == {True}
