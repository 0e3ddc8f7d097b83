from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0019_handouts'),
    ]

    operations = [
        migrations.AddField(
            model_name='party',
            name='seen_by',
            field=models.CharField(default='private', max_length=8),
        ),
        migrations.AddConstraint(
            model_name='party',
            constraint=models.CheckConstraint(condition=models.Q(('seen_by__in', ('private', 'party'))), name='party_seen_by'),
        ),
    ]
