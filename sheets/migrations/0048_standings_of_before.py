"""The standing of each sheet that was ever reviewed, as the chain has it."""

from django.db import migrations

AT_ONCE = 1000


def stand(apps, _schema_editor):
    review, standing = (apps.get_model("sheets", name) for name in ("Review", "Standing"))
    entries = review.objects.exclude(sheet=None).exclude(party=None).exclude(revision=None).order_by("number")
    found: dict = {}
    for sheet, party, kind, number, rules, house in entries.values_list(
            "sheet", "party", "kind", "number", "revision__rules", "house").iterator():
        one = found.setdefault((sheet, party), {"waiting": None, "under": ""})
        if kind == "submitted":
            one["waiting"] = number
        elif kind in ("recalled", "returned", "approved"):
            one["waiting"] = None
        if kind in ("approved", "played"):
            one["under"] = f"{rules}.{house}"
        elif kind == "withdrawn":
            one["under"] = ""
    standing.objects.bulk_create(
        (standing(sheet_id=sheet, party_id=party, **one) for (sheet, party), one in found.items()), batch_size=AT_ONCE)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0047_standings")]
    operations = [migrations.RunPython(stand, migrations.RunPython.noop)]
