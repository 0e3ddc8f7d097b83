"""A device with one passkey, in Python: it answers what pages ask a browser for, as WebAuthn says."""

import hashlib
import json
import secrets
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


class Passkey:
    """A passkey for one host; `verifies` says whether the device asks for a fingerprint or PIN."""

    def __init__(self, host="testserver", *, verifies=True):
        self.host, self.verifies = host, verifies
        self.private, self.identity, self.count, self.owner = ec.generate_private_key(ec.SECP256R1()), \
            secrets.token_bytes(16), 0, b""

    def _data(self, attested=b""):
        self.count += 1
        flags = PRESENT | (VERIFIED if self.verifies else 0) | (ATTESTED if attested else 0)
        return hashlib.sha256(self.host.encode()).digest() + struct.pack(">BI", flags, self.count) + attested

    def _client(self, kind, challenge):
        return json.dumps({"type": kind, "challenge": challenge, "origin": f"https://{self.host}",
                           "crossOrigin": False}).encode()

    def _answer(self, **response):
        identity = websafe_encode(self.identity)
        return {"id": identity, "rawId": identity, "type": "public-key", "clientExtensionResults": {},
                "response": {key: websafe_encode(value) for key, value in response.items()}}

    def made(self, options):
        """Return what the browser sends once a passkey was made as the page asked."""
        asked = options["creation_options"]["publicKey"]
        self.owner = websafe_decode(asked["user"]["id"])
        public = cbor.encode(ES256.from_cryptography_key(self.private.public_key()))
        attested = b"\0" * 16 + struct.pack(">H", len(self.identity)) + self.identity + public
        return self._answer(clientDataJSON=self._client("webauthn.create", asked["challenge"]),
                            attestationObject=cbor.encode(
                                {"fmt": "none", "attStmt": {}, "authData": self._data(attested)}))

    def used(self, options):
        """Return what the browser sends once the passkey was used as the page asked."""
        client = self._client("webauthn.get", options["request_options"]["publicKey"]["challenge"])
        data = self._data()
        signature = self.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature, userHandle=self.owner)
