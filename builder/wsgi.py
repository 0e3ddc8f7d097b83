"""The application that a production server runs; its settings come from the environment alone."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
application = get_wsgi_application()
