"""What a test of a real server asks of that server's own database; run as a module, it answers in JSON.

`fill` makes a guest's sheet, `count` says what became of it.
"""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
django.setup()

from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402

from rulesets import systems  # noqa: E402
from sheets.access import SESSION_KEY  # noqa: E402
from sheets.models import Event, Sheet  # noqa: E402


def fill() -> dict:
    """Juan, and the session that owns him."""
    call_command("migrate", verbosity=0)
    session = SessionStore()
    session[SESSION_KEY] = "g" * 32
    session.save()
    document = systems()["condice"].examples["juan"]
    sheet = Sheet.objects.create(ruleset="condice", name="Juan", data=document["data"], guest="g" * 32)
    return {"sheet": str(sheet.pk), "session": session.session_key}


def count() -> dict:
    """{widget: events}, and the state of play."""
    widgets = list(Event.objects.values_list("widget", flat=True))
    return {"events": {one: widgets.count(one) for one in widgets}, "play": Sheet.objects.get().play}


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"fill": fill, "count": count}[sys.argv[1]]()))
