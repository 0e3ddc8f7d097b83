from django.db import migrations, models

from sheets.migrations._in_place import AddColumn


def shown_so_far(apps, schema_editor):
    """Links that there are go on showing what they showed."""
    apps.get_model("sheets", "Sheet").objects.exclude(share=None).update(share_play=True)


class Migration(migrations.Migration):

    dependencies = [
        ("sheets", "0010_event_titles"),
    ]

    operations = [
        AddColumn(
            model_name="sheet",
            name="share_play",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(shown_so_far, migrations.RunPython.noop),
    ]
