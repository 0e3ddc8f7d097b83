"""Indexes that another one with the same beginning makes needless, and the one of times that nobody asks by, go."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from sheets.migrations._in_place import DropIndex


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0022_live_triggers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        DropIndex(
            model_name='askedroll',
            name='sheet',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='asked_rolls', to='sheets.sheet'),
        ),
        DropIndex(
            model_name='change',
            name='sheet',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='sheets.sheet'),
        ),
        # On PostgreSQL each index of this column alone goes with the field's own, those of constraints too.
        migrations.RemoveConstraint(model_name='evening', name='one_evening_at_a_time'),
        DropIndex(
            model_name='evening',
            name='party',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='evenings', to='sheets.party'),
        ),
        migrations.AddConstraint(
            model_name='evening',
            constraint=models.UniqueConstraint(condition=models.Q(('ended', None)), fields=('party',), name='one_evening_at_a_time'),
        ),
        DropIndex(
            model_name='event',
            name='party',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='sheets.party'),
        ),
        DropIndex(
            model_name='event',
            name='sheet',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='sheets.sheet'),
        ),
        migrations.RemoveConstraint(model_name='member', name='one_gm'),
        DropIndex(
            model_name='member',
            name='party',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='sheets.party'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.UniqueConstraint(condition=models.Q(('role', 'gm')), fields=('party',), name='one_gm'),
        ),
        DropIndex(
            model_name='notification',
            name='user',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to=settings.AUTH_USER_MODEL),
        ),
        DropIndex(
            model_name='preview',
            name='sheet',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='previews', to='sheets.sheet'),
        ),
        DropIndex(
            model_name='remark',
            name='sheet',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='remarks', to='sheets.sheet'),
        ),
        DropIndex(
            model_name='review',
            name='party',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reviews', to='sheets.party'),
        ),
        DropIndex(
            model_name='revision',
            name='sheet',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='sheets.sheet'),
        ),
        DropIndex(
            model_name='sheet',
            name='updated',
            field=models.DateTimeField(auto_now=True),
        ),
    ]
