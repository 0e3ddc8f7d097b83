"""The index by which the newest entries of a sheet are found holds their kind as well."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Make the index anew, with the kind at its end."""

    dependencies = [("sheets", "0051_library")]

    operations = [
        migrations.RemoveIndex(model_name="review", name="review_newest_of_sheet"),
        migrations.AddIndex(model_name="review", index=models.Index(
            fields=["party", "sheet", "-number", "kind"], name="review_newest_of_sheet")),
    ]
