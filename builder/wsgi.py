"""The application that a production server runs; its settings come from the environment alone."""

import gc
import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from builder.watchdog import Watched

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
application = get_wsgi_application()

from builder import ended, rate_limit  # noqa: E402 - apps are ready

# Django would load the URLconf with the first request, which would have to wait for it.
import_module(settings.ROOT_URLCONF)
# Loaded modules stay in memory and a request leaves few reference cycles, while a full collection stops all threads for
# a fifth of a second.
gc.freeze()
gc.set_threshold(50_000, 20, 100)
# A development server is a single process, which the watchdog would kill when a debugger stops a request.
if not settings.DEVELOPMENT:
    rate_limit.charge_ended(ended.take_notes(os.getppid()))
    application = Watched(application, settings.REQUEST_SECONDS, ended.notes_prefix(os.getppid()))
