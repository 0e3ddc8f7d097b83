"""Importing this module turns on development mode, unless the environment has a production secret.

manage.py and pytest import it. builder.wsgi does not, so a server without settings fails instead of running with those
of development.
"""

import os

if "SECRET_KEY" not in os.environ:
    os.environ.setdefault("BOGENSCHMIEDE_MODE", "development")
