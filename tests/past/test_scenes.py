"""What was played before there were scenes: each event has its scene, each roll its number, and addresses lead on."""

import json

import pytest

from sheets.models import Event, Scene
from tests.past.conftest import SECOND, only
from tests.past.pressing import browser

pytestmark = pytest.mark.slow


def test_every_event_of_a_party_has_its_scene_and_every_roll_its_number_there(past, expected):
    assert not Event.objects.filter(party__isnull=False, scene=None).exists()
    for scene in Scene.objects.all():
        rolls = scene.events.exclude(roll="").order_by("pk")
        numbers = [list(rolls.filter(hidden=hidden).values_list(name, flat=True))
                   for hidden, name in ((False, "number"), (True, "hidden_number"))]
        assert numbers == [[*range(1, last + 1)] for last in (scene.rolls, scene.hidden_rolls)]
        assert not scene.events.filter(roll="", number__isnull=False).exists()
        within = [scene.begun <= one.made and (scene.ended is None or one.made <= scene.ended)
                  for one in scene.events.all()]
        assert all(within)


@only(SECOND)
def test_every_evening_is_a_scene_with_its_log_and_every_old_address_leads_there(past, expected):
    for scene in Scene.objects.filter(before=False, by_itself=False):
        client = browser(scene.party.members.get(role="gm").user)
        old = f"/parties/{scene.party_id}/evenings/{scene.pk}/"
        page = client.get(old, follow=True)
        assert page.redirect_chain == [(f"/parties/{scene.party_id}/scenes/{scene.uuid}/", 301)]
        told, rows = (client.get(f"{old}log.{form}", follow=True).getvalue() for form in ("md", "json"))
        assert told
        # A pending effect stands in the row of the event that it came from.
        assert len(json.loads(rows)["log"]) == scene.events.exclude(applied_effect__event__scene=scene).count()
