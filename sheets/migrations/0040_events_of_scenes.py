"""Events get their scene and rolls their number; an order that runs without an evening runs on in an open scene."""

from uuid import uuid4

from django.db import migrations, models
from django.db.models import Q
from django.utils import timezone

# All statements are alike on SQLite and on PostgreSQL.
OF_EVENINGS = """
UPDATE sheets_event SET scene_id = (
    SELECT scene.id FROM sheets_scene scene WHERE scene.party_id = sheets_event.party_id
        AND sheets_event.made >= scene.begun AND (scene.ended IS NULL OR sheets_event.made <= scene.ended)
    ORDER BY scene.begun DESC LIMIT 1)
WHERE party_id IS NOT NULL AND EXISTS (SELECT 1 FROM sheets_scene scene WHERE scene.party_id = sheets_event.party_id)
"""
BEFORE = """
UPDATE sheets_event SET scene_id = (
    SELECT scene.id FROM sheets_scene scene WHERE scene.party_id = sheets_event.party_id AND scene.before)
WHERE party_id IS NOT NULL AND scene_id IS NULL
"""
NUMBERS = """
UPDATE sheets_event SET {number} = numbered.place FROM (
    SELECT id, row_number() OVER (PARTITION BY scene_id ORDER BY id) AS place
    FROM sheets_event WHERE scene_id IS NOT NULL AND roll <> '' AND {whether} hidden) numbered
WHERE sheets_event.id = numbered.id
"""


def forwards(apps, schema_editor):
    party, scene, event = (apps.get_model("sheets", name) for name in ("Party", "Scene", "Event"))
    for one in scene.objects.filter(uuid=None).only("pk"):
        scene.objects.filter(pk=one.pk).update(uuid=uuid4())
    for one in party.objects.filter(Q(round__gt=0) | ~Q(order=[])).only("order", "round", "turn"):
        now, _made = scene.objects.get_or_create(party=one, ended=None, defaults={"uuid": uuid4(), "by_itself": True})
        now.order, now.round, now.on, now.done = one.order, one.round, [str(one.turn)] if one.turn else [], None
        now.save(update_fields=["order", "round", "on", "done"])
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(OF_EVENINGS)
        apart = event.objects.filter(scene=None, party__isnull=False).values("party").annotate(
            first=models.Min("made"), last=models.Max("made"))
        scene.objects.bulk_create([scene(party_id=one["party"], uuid=uuid4(), before=True, begun=one["first"],
                                         ended=one["last"] or timezone.now()) for one in apart])
        cursor.execute(BEFORE)
        cursor.execute(NUMBERS.format(number="number", whether="NOT"))
        cursor.execute(NUMBERS.format(number="hidden_number", whether=""))
    last = event.objects.filter(scene__isnull=False).values("scene").annotate(
        rolls=models.Max("number"), hidden=models.Max("hidden_number"))
    for one in last:
        scene.objects.filter(pk=one["scene"]).update(rolls=one["rolls"] or 0, hidden_rolls=one["hidden"] or 0)


def backwards(apps, _schema_editor):
    party, scene = apps.get_model("sheets", "Party"), apps.get_model("sheets", "Scene")
    for one in scene.objects.filter(ended=None):
        party.objects.filter(pk=one.party_id).update(
            order=one.order, round=one.round, turn=one.on[0] if one.on else None)
    scene.objects.filter(before=True).delete()


class Migration(migrations.Migration):

    dependencies = [("sheets", "0039_scenes")]
    operations = [migrations.RunPython(forwards, backwards)]
