"""Guests' drafts are looked for apart from those of accounts, and what a sheet logged last without reading all of it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from sheets.migrations._in_place import DropIndex


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0028_notifications_about_sheets'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='event',
            name='sheets_even_sheet_i_c0fa5d_idx',
        ),
        DropIndex(
            model_name='sheet',
            name='owner',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sheets', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['sheet', '-id'], name='event_newest_of_sheet'),
        ),
        migrations.AddIndex(
            model_name='sheet',
            index=models.Index(condition=models.Q(('owner__isnull', False)), fields=['owner'], name='sheet_of_an_owner'),
        ),
    ]
