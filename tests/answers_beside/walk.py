"""Who walks where: what is done next on a page, and what is written into its forms."""

import json
import re
import struct
import zlib
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

from tests.answers_beside.page import Action, Control, Page

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
NEVER = r"^(?!/)|^/(static|live|metrics|favicon)"
"""Addresses elsewhere, or of what is no answer of a page."""
LAST = r"^POST /(account/(logout|delete)|parties/ID/(end|leave)/|account/password)"
"""What ends much, and so is done when nearly all is done."""
LATE = .985
"""After which part of all requests."""
WEIGHTS = {r"^POST /parties/ID/table/|^POST /sheets/ID/(play|landed)": 8, r"^POST /iNn": .002, LAST: 0,
           r"do=(delete|burn|drop|take|open)|^POST /(account|notifications)|^POST /sheets/ID/place": .05,
           r"do=odds": .3}
"""How much rather something is done than what else there is."""
WALKERS = {"spieler": 4, "spielleitung": 3, "mitglied": 2, "gast": 1, "fremd": 1}
"""How many walks everybody has at each system."""
SITE = ["/", "/sheets/", "/sheets/trash/", "/parties/", "/reviews/", "/notifications/", "/verify/", "/validate/",
        "/paste/", "/import/", "/privacy/", "/health/", "/api/v1/rulesets", "/api/v1/docs", "/api/v1/openapi.json",
        *(f"/account/{page}" for page in ("", "download/", "email/", "2fa/", "signup/", "login/", "password/reset/",
                                          "password/change/", "reauthenticate/"))]
SYSTEM = ["/", "/dice/{0}/", "/rules/{0}/", "/rules/{0}/blank.pdf", "/compare/{0}/", "/build/{0}/",
          "/sheets/?system={0}", "/api/v1/rulesets/{0}/schema", "/api/v1/rulesets/{0}/random?seed=1"]
SHEET = ["/drafts/{0}/", *["/sheets/{0}/"] * 3, *(f"/sheets/{{0}}/{page}" for page in (
    "print/", "export/", "history/", "review/", "picture/", "landed/", "sheet.pdf", "export.json", "export.md",
    "preview.png"))]
PARTY = [f"/parties/{{0}}/{page}" for page in (
    "", "table/", "table/waiting/", "opponents/", "house/", "ready/", "scenes/", "handouts/", "print/")]
"""Where one begins: anywhere, at a system, a sheet, a party."""


def number_of(*words) -> float:
    """A number from 0 to 1 that follows from words alone."""
    return int.from_bytes(sha256(" ".join(map(str, words)).encode()).digest()[:6], "big") / 2**48


def unnumbered(text: str) -> str:
    """A line without what tells one of its kind from the others: ids, tokens and figures."""
    text = re.sub(r"\b(?=\w*\d)[\w-]{20,}\b", "TOKEN", re.sub(UUID, "ID", text))
    return re.sub(r"\d+", "N", text)


@dataclass
class Walker:
    """Somebody on a way through the site, with what either tree shows of the page that is before them."""

    who: str
    about: str
    seeds: list
    pages: list[Page] = field(default_factory=list)


def walkers(about: str, sheets: list[str]) -> list[Walker]:
    """Everybody at a system, or at what is about none."""
    if not about:
        return [Walker(who, about, SITE) for who in WALKERS]
    party = uuid5(NAMESPACE_URL, f"bogenschmiede:{about}")
    both = [one.format(about) for one in SYSTEM] + [one.format(party) for one in PARTY]
    tables = [f"/parties/{party}/table/?_by={one}&_at={other}" for one in sheets for other in sheets]
    of_sheets = [[page.format(one) for page in SHEET] for one in sheets]
    return [Walker(who, about, both + sum(of_sheets[:4 if which < 2 else 1], tables[which::5]))
            for which, who in enumerate(WALKERS) for _time in range(WALKERS[who])]


@dataclass
class Chooser:
    """Decides by hashes of what there is, so that nothing depends on where on a page it stands."""

    seed: str
    late: bool = False
    """Whether nearly all requests are made."""
    taken: Counter = field(default_factory=Counter)
    """How often each kind of thing was done."""
    handed: set = field(default_factory=set)
    """Links that are made to be handed on."""
    document: str = "{}"
    """The sheet that was exported last."""

    def chance(self, step: int, *words) -> float:
        return number_of(self.seed, step, *words)

    def rarest(self, step: int, found: dict[str, tuple[str, float]]) -> str | None:
        """Of keys with their kind and weight one, rather of a kind that was seldom taken."""
        worth = {key: self.chance(step, key) * weight / (1 + self.taken[kind]) ** 1.5
                 for key, (kind, weight) in found.items() if weight}
        if not worth:
            return None
        key = max(sorted(worth), key=worth.get)
        self.taken[found[key][0]] += 1
        return key

    def somewhere(self, step: int, walker: Walker) -> str:
        """An address to begin from."""
        return self.rarest(step, {one: (f"{walker.who} {unnumbered(one)}", 1 + ("/table/" in one))
                                  for one in [*walker.seeds, *self.handed]})

    def next(self, step: int, walker: Walker, pages: list[Page]) -> list[Action] | None:
        """What is done next of what is on the page in all trees."""
        if not pages:
            return None
        found = [page.actions for page in pages]
        keys = set.intersection(*map(set, found))
        kinds = {key: self.kind(walker, found[0][key]) for key in keys}
        key = self.rarest(step, {key: kind for key, kind in kinds.items()
                                 if not re.search(NEVER, found[0][key].address)})
        return [one[key] for one in found] if key else None

    def kind(self, walker: Walker, action: Action) -> tuple[str, float]:
        """What an action is of, whichever sheet or row it is about, and its weight."""
        pressed = " ".join(re.sub("~.*", "", word) for word in action.about if word.startswith("w="))
        kind = unnumbered(f"{action.method} {urlsplit(action.address).path} {walker.about} {walker.who} {pressed} "
                          f"{'='.join(action.button or ())}")
        weight = 3 if action.method == "POST" else 1
        for pattern, more in WEIGHTS.items():
            if re.search(pattern, kind):
                weight *= 100 if self.late and pattern == LAST else more
        return kind, weight

    def filled(self, step: int, action: Action, *, htmx: bool) -> tuple[list, list]:
        """The fields and files that a form sends: as it stands, or with something else chosen or written."""
        fields, files = [], []
        for one in action.controls + (action.included if htmx else []):
            chance = self.chance(step, one.name)
            if one.kind == "file":
                files += [(one.name, *self.file(step, one.name))] if action.multipart else []
            elif one.kind in ("checkbox", "radio"):
                if one.on if chance < .5 else self.chance(step, one.name, one.value) < .5:
                    fields.append((one.name, one.value))
            elif one.options:
                chosen = max(one.options, key=lambda value, one=one: self.chance(step, one.name, value))
                fields.append((one.name, one.value if chance < .4 else chosen))
            elif one.kind != "submit" and one.name:
                fields.append((one.name, self.written(step, one, chance)))
        return fields + ([action.button] if action.button else []), files

    def written(self, step: int, one: Control, chance: float) -> str:
        """What somebody writes into an input."""
        if one.kind == "hidden" or (chance < .5 and one.value):
            return one.value
        if one.kind == "password":
            return "goldener-oktober"
        if one.kind == "email":
            return f"p{step % 7}@example.org"
        if one.name == "document":
            return self.document
        if one.numeric or one.value.lstrip("-").isdigit():
            return str(int(chance * 1000) % 8) if chance < .97 else "viel"
        return f"Wort {int(chance * 1000) % 50}" if chance < .9 else one.value

    def file(self, step: int, name: str) -> tuple[str, str]:
        """A name and the content of a picture, now and then of a document."""
        if self.chance(step, name, "file") < .3:
            return "x.json", b64encode(self.document.encode()).decode()
        chunks = ((b"IHDR", struct.pack(">IIBBBBB", 300, 300, 8, 0, 0, 0, 0)),
                  (b"IDAT", zlib.compress((b"\0" + bytes([step % 256]) * 300) * 300)), (b"IEND", b""))
        png = b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
                       for kind, data in chunks)
        return "x.png", b64encode(b"\x89PNG\r\n\x1a\n" + png).decode()

    def keep(self, address: str, answer: dict, page: Page | None) -> None:
        """What of an answer others go by later."""
        if address.endswith("export.json") and answer["status"] == 200:
            self.document = answer["body"]
        if page:
            self.handed |= {one.address for one in page.links if re.match("/(shared|join)/[^/]+/$", one.address)}
            self.handed |= {one for text in page.text for one in re.findall(r"/(?:join|shared)/[\w-]+/", text)}


def sheets_of(page: Page) -> list[str]:
    """The sheets that a list of one's own leads to."""
    return sorted({found for one in page.links for found in re.findall(f"^/sheets/({UUID})/$", one.address)})[:4]


def as_lines(body: str) -> list[str]:
    """A JSON document by lines."""
    return json.dumps(json.loads(body), indent=1, sort_keys=True).splitlines()
