"""The server's settings, with addresses that are stuck, and with limits that no busy machine outlasts."""

from builder.settings import *  # noqa: F403
from builder.settings import ACCOUNT_RATE_LIMITS

ROOT_URLCONF = "tests.support.stuck.urls"
ACCOUNT_RATE_LIMITS = {action: limit and limit.replace("/m/", "/h/") for action, limit in ACCOUNT_RATE_LIMITS.items()}
