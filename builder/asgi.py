"""The ASGI application of the news streams; pages are served by `builder.wsgi`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
django.setup()

from builder import rate_limit  # noqa: E402 - apps are ready
from sheets.live.stream import Streams  # noqa: E402

application = Streams(rate_limit.charge_watcher)
