"""The server's settings, with addresses that are stuck."""

from builder.settings import *  # noqa: F403

ROOT_URLCONF = "tests.support.stuck.urls"
