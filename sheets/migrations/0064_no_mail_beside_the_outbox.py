"""The outbox alone knows what was mailed. SQLite writes the notifications anew for it, once: at most 200 for each user."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("sheets", "0063_outbox_of_before")]
    operations = [
        migrations.RemoveConstraint("notification", "notification_mail"),
        migrations.RemoveField("notification", "mail"),
        migrations.RemoveField("notification", "tries"),
        migrations.RemoveField("mailing", "after"),
    ]
