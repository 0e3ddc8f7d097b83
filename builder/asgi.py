"""The streams of those who watch, as a server of their own runs them; pages are served by `builder.wsgi`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
django.setup()

from builder import rate_limit  # noqa: E402 - apps are ready
from sheets.live.stream import Streams  # noqa: E402

application = Streams(rate_limit.watched)
