"""Web push: the browsers of users, and messages encrypted (RFC 8291) and signed (RFC 8292) for them."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from datetime import timedelta
from secrets import token_urlsafe
from time import time
from typing import Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sheets.models import PushDevice, Receiver
from sheets.models.outbox import PUSH
from sheets.outbox.connect import NotAllowed, destination_of
from sheets.outbox.seals import seal, unseal

MOST = 10
"""The most devices of a user; with another one the oldest ends."""
SESSION = "push"
"""The key in a session of the text that its devices hold."""
SIGNED_FOR = 12 * 3600
"""The seconds for which a signature holds; push services take at most a day."""
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"),
           ("Linux", "Linux"))
_BASE64 = re.compile(r"[\w-]{16,128}\Z", re.ASCII)


class UnusableDevice(ValueError):
    """A browser's subscription cannot be used; the message tells why."""


def new_key() -> str:
    """Return a new private key that signs pushes."""
    return encoded(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32, "big"))


def encoded(data: bytes) -> str:
    """Return bytes in base64 for URLs, without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of a text by `encoded`; raise `ValueError` if it is none."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except Error as error:
        raise ValueError(str(error)) from None


def _private_key() -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(settings.VAPID_KEY), "big"), ec.SECP256R1())


def public_key() -> str:
    """Return the public key that browsers are to take pushes of; "" if the site sends none."""
    return encoded(_point(_private_key())) if settings.VAPID_KEY else ""


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def authorization(address: str) -> str:
    """Return the header that says who sends a push to an address: a signed token, and the key that checks it."""
    parts, key = urlsplit(address), _private_key()
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time()) + SIGNED_FOR, "sub": settings.VAPID_CONTACT}
    signed = ".".join(encoded(json.dumps(one).encode()) for one in ({"typ": "JWT", "alg": "ES256"}, claims))
    numbers = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    signature = encoded(b"".join(one.to_bytes(32, "big") for one in numbers))
    return f"vapid t={signed}.{signature}, k={encoded(_point(key))}"


def encrypted(data: bytes, keys: dict[str, Any]) -> bytes:
    """Return a message that only the browser with these keys (`p256dh`, `auth`) can read."""
    return bytes(http_ece.encrypt(
        data, private_key=ec.generate_private_key(ec.SECP256R1()), dh=decoded(keys["p256dh"]),
        auth_secret=decoded(keys["auth"]), version="aes128gcm"))


def unsealed_data(device: PushDevice) -> dict[str, Any]:
    """Return {endpoint, p256dh, auth, key} of a device; `key` is the public one that it takes pushes of."""
    return unseal(device.sealed, _whose(device.user_id))


def _whose(user: Any) -> str:
    return f"push {user}"


@transaction.atomic
def add(user: User, session: SessionBase, subscription: dict[str, str], agent: str, language: str) -> PushDevice:
    """Add a browser, in place of the one that its session had; the oldest of more than `MOST` end.

    Raise `UnusableDevice` if nothing can be sent to it.
    """
    if not settings.VAPID_KEY:
        raise UnusableDevice(_("This site sends nothing to devices."))
    try:
        destination_of(subscription["endpoint"])
        if not all(_BASE64.match(subscription[one]) for one in ("p256dh", "auth")):
            raise UnusableDevice(_("This browser’s answer cannot be used."))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(subscription["p256dh"]))
        if len(decoded(subscription["auth"])) != 16:
            raise UnusableDevice(_("This browser’s answer cannot be used."))
    except NotAllowed as error:
        raise UnusableDevice(str(error.reason)) from None
    except ValueError:
        raise UnusableDevice(_("This browser’s answer cannot be used.")) from None
    # One after the other, so that there are never more than `MOST`.
    User.objects.select_for_update().get(pk=user.pk)
    end_session(user, session)
    session[SESSION] = token_urlsafe(16)
    device = PushDevice.objects.create(
        user=user, sealed=seal(subscription | {"key": public_key()}, _whose(user.pk)), name=_name(agent),
        language=language, session=session[SESSION], password=user.get_session_auth_hash()[:64])
    Receiver.objects.create(channel=PUSH, device=device)
    kept = user.push_devices.order_by("-pk").values_list("pk", flat=True)[:MOST]
    user.push_devices.exclude(pk__in=list(kept)).delete()
    return device


def _name(agent: str) -> str:
    """Return a browser and its system, as people call them, of what a browser says of itself."""
    found = [next((title for word, title in words if word in agent), "") for words in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found))


def session_is_valid(device: PushDevice) -> bool:
    """Return True if the session of a device may go on: the password is the same, and not too much time has passed."""
    user = device.user
    return (user.is_active and device.password == user.get_session_auth_hash()[:64]
            and device.made > timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE))


def end_session(user: User | None, session: SessionBase) -> None:
    """End the device of a user's session."""
    if user and (key := session.get(SESSION)):
        PushDevice.objects.filter(user=user.pk, session=key).delete()


def end_all() -> int:
    """End all devices, as after a restore, and return how many there were."""
    number = PushDevice.objects.count()
    PushDevice.objects.all().delete()
    return number
