"""Opponents of those who are GMs no longer go to the GM of their party, as they do since then."""

from django.db import migrations
from django.db.models import F, OuterRef, Subquery


def hand_over(apps, _schema_editor):
    sheets, members = (apps.get_model("sheets", name).objects for name in ("Sheet", "Member"))
    gm = members.filter(party=OuterRef("party"), role="gm").values("user")[:1]
    theirs = sheets.filter(opponent=True, party__members__user=F("owner"), party__members__role="player")
    sheets.filter(pk__in=theirs.values("pk")).update(owner=Subquery(gm), notes="", share=None)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0032_repeated_landings")]
    operations = [migrations.RunPython(hand_over, migrations.RunPython.noop)]
