"""Browsers that take pushes, and the service that brings them, for tests."""

import json

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sheets.notifications import push_channel
from sheets.notifications.push import decoded, encoded, new_key
from sheets.notifications.push_channel import Push
from sheets.outbox.services import deliver

CONTACT = "mailto:admin@example.org"
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


class PushService:
    """Stands in for all push services: answers with a status, and keeps what came."""

    def __init__(self):
        self.status, self.got = 201, []

    def __call__(self, address, body, headers):
        self.got.append((address, body, headers))
        if isinstance(self.status, Exception):
            raise self.status
        return self.status


@pytest.fixture
def service(monkeypatch, settings):
    settings.VAPID_KEY, settings.VAPID_CONTACT, settings.MAIL_SECONDS = new_key(), CONTACT, 0
    found = PushService()
    monkeypatch.setattr(push_channel, "post", found)
    return found


class Device:
    """A browser's subscription, with the keys that only the browser has."""

    def __init__(self, endpoint="https://push.example/geheim"):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.sent = {"endpoint": endpoint, "p256dh": encoded(point), "auth": encoded(self.auth)}

    def turn_on(self, browser, **changes):
        return browser.post("/account/devices/", self.sent | changes, follow=True,
                            headers={"User-Agent": AGENT, "Accept-Language": "en"})

    def read(self, body):
        """What the browser decrypts."""
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


def claims(header, origin="https://push.example"):
    """Check a header that says who sends (RFC 8292), and return what its token claims, and the key."""
    scheme, _space, words = header.partition(" ")
    parts = dict(one.strip().split("=", 1) for one in words.split(","))
    head, told, signature = parts["t"].split(".")
    numbers = decoded(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
    key.verify(encode_dss_signature(*(int.from_bytes(numbers[one:one + 32], "big") for one in (0, 32))),
               f"{head}.{told}".encode(), ec.ECDSA(SHA256()))
    assert (scheme, json.loads(decoded(head))) == ("vapid", {"typ": "JWT", "alg": "ES256"})
    found = json.loads(decoded(told))
    assert found["aud"] == origin
    return found, parts["k"]


def run():
    """Send all that is due; return what became of it."""
    return [one.state for one in deliver(Push())]
