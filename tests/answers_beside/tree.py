"""Answers the requests that come by lines of JSON with the checkout that it is started in.

Nothing is left to chance: ids, tokens, dice, characters and the clock follow from the number of the request. No module
of the checkout is named but its settings.
"""
# ruff: noqa: PLC0415 - chance is settled before anything else is imported


import hashlib
import json
import logging
import os
import random
import re
import secrets
import sys
import tempfile
import time
import uuid
from base64 import b64decode
from collections import defaultdict
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

BEGUN, PACE = 1_796_119_200, 20
"""When the first request is made, in seconds since 1970, and how many pass from one to the next."""
PEOPLE = {"spieler": 1, "spielleitung": 1, "mitglied": 0, "fremd": 0, "gast": None}
"""Who asks: those whom `manage.py demo` makes, those who are made here, and who has no account."""
KEY = "feed"
"""What the ids begin with that no row has: keys of presses."""


class Chance:
    """What would be left to chance: a stream of its own for each kind, which begins anew with each request."""

    def __init__(self):
        self.begin(0)

    def begin(self, number: int) -> None:
        """The request of that number comes now."""
        self.number, self.now, self.streams = number, BEGUN + number * PACE, {}
        random.seed(number)

    def bytes(self, kind: str, count: int) -> bytes:
        if kind not in self.streams:
            self.streams[kind] = PLAIN(f"{self.number} {kind}")
        return self.streams[kind].randbytes(count)

    def uuid4(self) -> uuid.UUID:
        """An id: one of a row, as Django asks for it, or any other, which can be told by its beginning."""
        if "django" in sys._getframe(1).f_code.co_filename:
            return uuid.UUID(bytes=self.bytes("row", 16), version=4)
        return uuid.UUID(bytes=bytes.fromhex(KEY) + self.bytes("key", 14), version=4)


PLAIN = random.Random
chance = Chance()


class Seeded(PLAIN):
    """A `Random` that begins from the request where no seed is stated."""

    def __init__(self, seed=None):
        super().__init__(chance.bytes("random", 16) if seed is None else seed)


def settle() -> None:
    """Replaces all chance, before anything of Django or of the checkout is imported."""
    random.Random, uuid.uuid4, time.time = Seeded, chance.uuid4, lambda: chance.now
    random._urandom = os.urandom = lambda count: chance.bytes("system", count)
    secrets.token_bytes = lambda count=32: chance.bytes("dice", count)
    secrets.token_hex = lambda count=32: chance.bytes(f"hex {count}", count).hex()
    secrets.token_urlsafe = lambda count=32: chance.bytes(f"token {count}", count).hex()
    from django.utils import timezone
    timezone.now = lambda: datetime.fromtimestamp(chance.now, UTC)


def begin(folder: str) -> dict:
    """A browser for each of the people, at a new database with the examples of all systems."""
    os.environ |= {"DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", "BOGENSCHMIEDE_MODE": "development",
                   "DJANGO_SETTINGS_MODULE": "builder.settings"}
    import django

    from builder import settings
    settings.SECRET_KEY, settings.REVIEW_KEY = "sign" * 20, "review" * 20
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.ALLOWED_HOSTS, settings.LIVE_PORT = ["testserver"], 1
    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client
    logging.disable(logging.WARNING)
    call_command("migrate", verbosity=0)
    call_command("demo", stdout=sys.stderr)
    browsers = {who: Client(raise_request_exception=False) for who in PEOPLE}
    for who, made in PEOPLE.items():
        if made is not None:
            browsers[who].force_login(User.objects.get(username=who) if made else User.objects.create_user(who))
    return browsers


def ask(browser, method: str, address: str, fields: list, files: list, headers: dict):
    """One request as a browser makes it."""
    if method == "GET":
        return browser.get(address, headers=headers)
    if not files:
        form = urlencode([*map(tuple, fields)])
        return browser.post(address, form, "application/x-www-form-urlencoded", headers=headers)
    data = defaultdict(list)
    for name, value in fields:
        data[name].append(value)
    for name, called, content in files:
        data[name] = file = BytesIO(b64decode(content))
        file.name = called
    return browser.post(address, data, headers=headers)


def told(answer) -> dict:
    """What is compared of an answer; the values of cookies stay here, and of a picture or a PDF its hash is enough."""
    from django.core import mail
    headers = [[name, value] for name, value in answer.headers.items()]
    headers += [["Set-Cookie", re.sub(r"^(?!django_language)(\S+?)=[^;]*", r"\1=VALUE", cookie.OutputString())]
                for cookie in answer.cookies.values()]
    body, kind = answer.getvalue(), answer.headers.get("Content-Type", "")
    readable = any(word in kind for word in ("text", "json", "xml"))
    mails = [f"{one.to} {one.subject}\n{one.body}" for one in getattr(mail, "outbox", ())]
    getattr(mail, "outbox", []).clear()
    return {"status": answer.status_code, "headers": headers, "mails": mails,
            "body": body.decode(errors="replace") if readable else hashlib.sha256(body).hexdigest()}


def work() -> None:
    """Answers each line with one, and an empty one with what it took."""
    out, sys.stdout = sys.stdout, sys.stderr
    sys.path[0] = str(Path.cwd())
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own is made there
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        settle()
        browsers = begin(folder)
        out.write("{}\n")
        out.flush()
        for line in sys.stdin:
            asked = json.loads(line)
            if not asked:
                out.write(f"{json.dumps(time.process_time())}\n")
                break
            chance.begin(asked.pop("number"))
            out.write(f"{json.dumps(told(ask(browsers[asked.pop('who')], **asked)))}\n")
            out.flush()


if __name__ == "__main__":
    work()
