from django.db import migrations, models


def table(apps, schema_editor):
    """The table, which Django does not manage: it is of today alone, as the cache is."""
    schema_editor.create_model(apps.get_model("builder", "Used"))


def no_table(apps, schema_editor):
    schema_editor.delete_model(apps.get_model("builder", "Used"))


class Migration(migrations.Migration):

    dependencies = [
        ("builder", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Used",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("level", models.FloatField()),
                ("at", models.FloatField()),
            ],
            options={"db_table": "builder_used", "managed": False},
        ),
        migrations.RunPython(table, no_table),
    ]
