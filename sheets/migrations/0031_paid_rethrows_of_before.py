"""Throws of before are led to by what paid for them, as far as that is known.

That is what whom the roll was aimed at did before by the same press in the same party.
"""

from django.db import migrations


def lead(apps, _schema_editor):
    events = apps.get_model("sheets", "Event").objects
    thrown = events.filter(again__isnull=False, act="").only("key", "party", "aimed_at")
    for one in thrown.iterator():
        paid = events.filter(sheet__in=[*one.aimed_at], key=one.key, party=one.party_id, pk__lt=one.pk).exclude(act="")
        if one.party_id and (found := paid.order_by("pk").values_list("pk", flat=True).last()):
            events.filter(pk=found).update(paid_for=one)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0030_paid_rethrows")]
    operations = [migrations.RunPython(lead, migrations.RunPython.noop)]
