"""The same for what came since."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0023_indexes_that_serve'),
    ]

    operations = [
        migrations.AlterField(
            model_name='handout',
            name='party',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='handouts', to='sheets.party'),
        ),
        migrations.AlterField(
            model_name='handoutreader',
            name='handout',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='readers', to='sheets.handout'),
        ),
        migrations.AlterField(
            model_name='reply',
            name='entry',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='replies', to='sheets.review'),
        ),
    ]
