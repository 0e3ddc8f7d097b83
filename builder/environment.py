"""Functions by which the settings read environment variables and the secrets of development."""

import os
import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

LETTERS, DIFFERENT = 50, 10
"""The least number of characters, and of different characters, in a secret; random texts have far more."""


def required(name: str, meaning: str) -> str:
    """Return a variable; raise ImproperlyConfigured if it is missing or empty. `meaning` says what it contains."""
    if not (value := os.environ.get(name, "").strip()):
        raise ImproperlyConfigured(
            f"{name} is not set. It holds {meaning}; production takes it from the environment. "
            "On a developer's machine start with `make run` or manage.py, which need no settings."
        )
    return value


def secret(name: str, use: str, harm: str) -> str:
    """Return a secret; raise ImproperlyConfigured if it is missing or could be guessed.

    In the message, `use` says what it is for, and `harm` what somebody who guesses it could do.
    """
    value = required(name, f"a random text of at least {LETTERS} characters that {use}")
    if value.startswith("django-insecure-"):
        found = "is one that Django made for development"
    elif len(value) < LETTERS:
        found = f"has {len(value)} characters, and {LETTERS} are the least"
    elif len(set(value)) < DIFFERENT:
        found = f"has only {len(set(value))} different characters, and {DIFFERENT} are the least"
    else:
        return value
    raise ImproperlyConfigured(
        f"{name} {found}. Whoever guesses it {harm}; take a random text instead, for example from "
        "`python -c 'import secrets; print(secrets.token_urlsafe(50))'`."
    )


def flag(name: str) -> bool:
    """Return True if a variable is 1, true, yes or on."""
    return os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on"}


def choice(name: str, *words: str) -> str:
    """Return a variable, by default the first of `words`; raise ImproperlyConfigured if it is not one of them."""
    word = os.environ.get(name, "").strip().lower() or words[0]
    if word not in words:
        raise ImproperlyConfigured(f"{name} is {word!r}; it may be {', '.join(words)}.")
    return word


def number(name: str, default: int, low: int, high: int) -> int:
    """Return a variable as an integer; raise ImproperlyConfigured if it is not from `low` to `high`."""
    text = os.environ.get(name, "").strip() or str(default)
    if not (text.isascii() and text.isdecimal() and low <= int(text[:20]) <= high):
        raise ImproperlyConfigured(f"{name} is {text!r}; it takes a whole number from {low} to {high}.")
    return int(text)


def hosts(name: str, meaning: str) -> list[str]:
    """Return host names, separated by commas or spaces; raise ImproperlyConfigured if there is none, or `*`."""
    found = required(name, meaning).replace(",", " ").split()
    if "*" in found:
        raise ImproperlyConfigured(f"{name} is *, by which anybody could name the host that links lead to; name yours.")
    return found


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return networks and addresses, separated by commas or spaces; raise ImproperlyConfigured if one is neither."""
    try:
        return [ip_network(one) for one in os.environ.get(name, "").replace(",", " ").split()]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}. It takes addresses and networks, 10.0.0.0/8.") from None


def site(name: str, default: str) -> str:
    """Return the scheme and host of a site, without a trailing slash; raise ImproperlyConfigured for anything else."""
    text = os.environ.get(name, "").strip()
    value = text.rstrip("/") or default
    if value and not re.fullmatch(r"https?://[^\s/?#@]+", value):
        raise ImproperlyConfigured(f"{name} is {text!r}; it takes https:// and a host, https://sheets.example.org.")
    return value


def origins(name: str) -> list[str]:
    """Return origins, separated by commas or spaces; raise ImproperlyConfigured if one is not valid."""
    found = os.environ.get(name, "").replace(",", " ").split()
    for one in found:
        if not re.fullmatch(r"https?://[^\s/?#@A-Z]+", one):
            raise ImproperlyConfigured(f"{name} is {one!r}; it takes https:// and a host, https://chat.example.org:8065.")
    return found


def vapid_key(name: str) -> str:
    """Return a private key for web push, "" if it is not set; raise ImproperlyConfigured if it is not valid."""
    value = os.environ.get(name, "").strip()
    if value and not re.fullmatch(r"[\w-]{43}", value, re.ASCII):
        raise ImproperlyConfigured(f"{name} is no key for web push; `manage.py vapid` makes one.")
    return value


def contacts(name: str) -> list[str]:
    """Return mailto:, https: or tel: URIs, separated by commas or spaces; raise ImproperlyConfigured for others."""
    found = os.environ.get(name, "").replace(",", " ").split()
    for one in found:
        if not re.fullmatch(r"(mailto:[^@]+@[^@]+|https://[^/].*|tel:[+\d-]+)", one):
            raise ImproperlyConfigured(f"{name} is {one!r}; it takes mailto:security@example.org, https://… or tel:….")
    return found


def stored_secret(path: Path, new: str = "") -> str:
    """Return the secret in a file; if it is missing, create it, for its owner only, with `new` or a random one."""
    try:
        # O_EXCL: if two processes start at once only one writes, and a symbolic link there is not followed.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    secret = new or get_random_secret_key()
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(secret)
    return secret


def database(url: str, patience: float) -> Mapping:
    """Return Django's settings for the database at `url` (sqlite or postgres).

    SQLite waits for its lock at most `patience` seconds; that must be less than the time limit of a request, because
    the watchdog would kill a waiting worker.
    """
    settings = dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True)
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        settings["OPTIONS"] = {
            # Reads continue during a write, and a committed write survives a power cut. Pages that a savepoint may have
            # to restore stay in memory; each press would otherwise write them to a temporary file.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY",
            # Taking the write lock at the start makes writers wait; deferred transactions would fail with "locked".
            "transaction_mode": "IMMEDIATE",
            "timeout": patience,
        }
    else:
        # A server that fails closes no connections; without these options, requests would wait beyond REQUEST_SECONDS.
        patient = {"connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3,
                   "tcp_user_timeout": 10_000}
        # Planning a query takes longer than running it, so the server prepares queries that a connection repeats.
        prepared = {"server_side_binding": True, "prepare_threshold": 5}
        settings["OPTIONS"] = patient | prepared | settings.get("OPTIONS", {})
    return settings
