"""Open reports are found by one index: the one by their day served no question that the other one does not."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("sheets", "0037_live_own_sheets")]
    operations = [migrations.RemoveIndex("report", "report_open")]
