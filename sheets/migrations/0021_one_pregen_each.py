from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0020_default_readers'),
    ]

    operations = [
        migrations.AddField(
            model_name='member',
            name='took',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='party',
            name='several',
            field=models.BooleanField(default=False),
        ),
    ]
