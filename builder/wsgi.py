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

# Django loads the addresses with the first request; loaded here, they keep nobody waiting.
import_module(settings.ROOT_URLCONF)
# What is loaded stays, and a request leaves few circles: to look through all objects takes a fifth of a second, in
# which nobody is answered.
gc.freeze()
gc.set_threshold(50_000, 20, 100)
# A developer's server is one process: it would end with the first request that a debugger holds.
if not settings.DEVELOPMENT:
    rate_limit.owed(ended.taken(os.getppid()))
    application = Watched(application, settings.REQUEST_SECONDS, ended.place(os.getppid()))
