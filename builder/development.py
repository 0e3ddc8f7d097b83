"""Importing this means: a developer's machine, unless the environment names a production secret.

manage.py and pytest import it, builder.wsgi does not: a server that lacks its settings fails instead of running with
development's.
"""

import os

if "SECRET_KEY" not in os.environ:
    os.environ.setdefault("BOGENSCHMIEDE_MODE", "development")
