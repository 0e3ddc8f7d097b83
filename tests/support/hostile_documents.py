"""Documents as somebody would write them who wishes us ill, or who only mistyped."""

import json
import zlib
from copy import deepcopy
from random import Random

from rulesets import generate, systems
from rulesets.document import BYTES

WORDS = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "';DROP TABLE sheets_sheet;--", "{{ 7*7 }}",
    "{% debug %}", "%s%n", "../../etc/passwd", "\u202eexe.txt", "\ufeff", "\x00", "\x1b[2J", "=cmd|' /C calc'!A0",
    "javascript:alert(1)", "</textarea><svg onload=alert(1)>", "\r\nSet-Cookie: a=b", "🂡" * 50, "ä" * 300, "x" * 5_000,
    "NaN", "null", "__proto__", "constructor", "[b]x[/b]", "٣", "１", " ", "",
)
VALUES = (
    None, True, False, -1, 0, 1, 999, 1000, 10**17, 10**30, 1.0, 0.5, -0.0, [], {}, [[]], [{}], {"": {}}, [None] * 200,
    {"name": None}, *WORDS,
)
BROKEN = (
    b"", b" ", b"null", b"[]", b"{}", b"1", b'"x"', b"[" * 60_000, b'{"a":' * 9_000, b"\xff\xfe{}", b"\xef\xbb\xbf{}",
    b"\x00" * 50, b"{" + b" " * BYTES + b"}", b"<html></html>", b"--\r\nContent-Disposition: form-data",
    b'{"format": "bogenschmiede.sheet"}', b'{"version": 1e999}', b"-", b'{"a": 1' + b"0" * 5_000 + b"}",
)
INSIDE = (b"NaN", b"Infinity", b"-Infinity", b"1e400", b"1E5", b"01", b"\\ud800", b"\\u0000", b"\xff", b",", b'"', b"}",
          b"]", b"{", b"\n", b"\x01", b"tru", b"//", b"1" * 40)


def tabled(entries) -> bytes:
    """Return a PDF of some hundred bytes whose table says to have so many entries."""
    table = zlib.compress(b"\1" * entries, 9)
    about = f"/Type/XRef/Size {entries}/W[1 0 0]/Root 1 0 R/Filter/FlateDecode/Length {len(table)}"
    return b"%PDF-1.7\n1 0 obj\n<<" + about.encode() + b">>\nstream\n" + table + (
        b"\nendstream\nendobj\nstartxref\n9\n%%EOF")


def _listed(body: bytes, size: int) -> bytes:
    """Return a PDF whose table knows its first object alone, which leads to all others."""
    table = b"xref\n0 2\n0000000000 65535 f \n0000000009 00000 n \ntrailer\n<</Size %d/Root 1 0 R>>" % size
    return b"%PDF-1.7\n" + body + table + b"\nstartxref\n%d\n%%%%EOF" % (len(body) + 9)


def rootless(objects) -> bytes:
    """Return a PDF whose first object is none to begin with, so that its reader looks for each of so many."""
    return _listed(b"1 0 obj\n<</Type/Nothing>>\nendobj\n", objects)


def astray(objects) -> bytes:
    """Return a PDF whose names lead to so many objects, which its reader finds nowhere but by looking through it."""
    kids = b" ".join(b"%d 0 R" % number for number in range(2, objects + 2))
    there = b"".join(b"%d 0 obj\n<</Names[]>>\nendobj\n" % number for number in range(2, objects + 2))
    names = b"1 0 obj\n<</Type/Catalog/Names<</EmbeddedFiles<</Kids[%s]>>>>>>\nendobj\n" % kids
    return _listed(names + there, objects + 2)


def chained(tables) -> bytes:
    """Return a PDF of so many tables that say nothing but where the one before is."""
    made, before = [b"%PDF-1.7\n"], 0
    for _table in range(tables):
        at = before + len(made[-1])
        made.append(b"xref\n0 0\ntrailer<<%s>>\n" % (b"/Prev %d" % before if before else b""))
        before = at
    return b"".join(made) + b"startxref\n%d\n%%%%EOF" % before


def _numbered(*objects) -> bytes:
    """Return a PDF of these objects, with a table of them."""
    made, places = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return made + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        len(places) + 1, table, len(places) + 1, len(made))


def _stream(about: bytes, content: bytes) -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (about, len(content), content)


CATALOG = b"<</Type/Catalog/Names<</EmbeddedFiles<</Names[(bogenschmiede.json) 2 0 R]>>>>>>"
FILE = b"<</Type/Filespec/EF<</F 3 0 R>>%s>>"


def broken_flate() -> bytes:
    """Return a PDF whose document is packed and broken, so that its reader tries it byte by byte."""
    packed = bytearray(zlib.compress(Random(1).randbytes(900_000)))  # noqa: S311 - noise
    packed[5:30] = b"\xff" * 25
    return _numbered(CATALOG, FILE % b"", _stream(b"/Filter/FlateDecode", bytes(packed)))


def keyed(keys) -> bytes:
    """Return a PDF one of whose objects has so many keys."""
    return _numbered(CATALOG, FILE % b"".join(b"/k%d 1" % key for key in range(keys)), _stream(b"", b"{}"))


def commented(comments) -> bytes:
    """Return a PDF with so many comments in one of its objects."""
    return _numbered(CATALOG, FILE % (b"%\n" * comments), _stream(b"", b"{}"))


def parcelled(parcels=100, each=40) -> bytes:
    """Return a PDF whose objects lie in so many streams, each of which unpacks to a megabyte again and again."""
    begin, made, places = 10, b"%PDF-1.7\n", {}

    def put(number, one):
        nonlocal made
        places[number] = len(made)
        made += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    inner = begin + parcels
    numbers = range(inner, inner + parcels * each)
    names = b"".join(b"(x)%d 0 R " % one for one in numbers)
    put(1, b"<</Type/Catalog/Names<</EmbeddedFiles<</Names[%s]>>>>>>" % names)
    for parcel in range(parcels):
        head = b"".join(b"%d %d " % (one, 5 * at) for at, one in enumerate(numbers[parcel::parcels]))
        packed = zlib.compress(head + b"<<>> " * each + b" " * 2**20, 9)
        put(begin + parcel, _stream(b"/Type/ObjStm/N %d/First %d/Filter/FlateDecode" % (each, len(head)), packed))
    rows = [b"\1%s\0\0" % places[one].to_bytes(4) if one in places else
            b"\2%s%s" % ((begin + (one - inner) % parcels).to_bytes(4), ((one - inner) // parcels).to_bytes(2))
            if one >= inner else bytes(7) for one in range(numbers.stop)]
    at = len(made)
    put(2, _stream(b"/Type/XRef/Size %d/W[1 4 2]/Root 1 0 R/Filter/FlateDecode" % len(rows),
                   zlib.compress(b"".join(rows), 9)))
    return made + b"startxref\n%d\n%%%%EOF" % at


def nodes(tree, found=None):
    """Every list and object of a tree."""
    found = [] if found is None else found
    if isinstance(tree, dict | list):
        found.append(tree)
        for value in tree.values() if isinstance(tree, dict) else tree:
            nodes(value, found)
    return found


def good(rng: Random, ruleset=None) -> dict:
    """A document that can be read: an example, a sinner, or a random character; at times with all that it may carry."""
    ruleset = ruleset or rng.choice(list(systems().values()))
    many = [*ruleset.examples.values(), *ruleset.offenders.values()]
    tree = deepcopy(rng.choice(many)) if rng.random() < 0.7 else generate.sheet(ruleset, rng)
    if rng.random() < 0.5:
        tree |= {"house": ruleset.house().model_dump(), "play": ruleset.play().model_dump(), "notes": "Notiz",
                 "origin": "1c2b3a49-0000-4000-8000-000000000001", "approval": {"by": "gm"}}
    return tree


def changed(tree: dict, rng: Random) -> dict:
    """The tree with one to three of its nodes changed."""
    for _number in range(rng.randint(1, 3)):
        node = rng.choice(nodes(tree))
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        what = rng.random()
        if not keys or what < 0.15:
            value = deepcopy(rng.choice(VALUES))
            node.append(value) if isinstance(node, list) else node.update({rng.choice(WORDS): value})
        elif what < 0.3:
            del node[rng.choice(keys)]
        elif what < 0.4:
            node[rng.choice(keys)] = deepcopy(rng.choice(nodes(tree)))
        else:
            node[rng.choice(keys)] = deepcopy(rng.choice(VALUES))
        if len(str(tree)) > 2 * BYTES:
            break
    return tree


def document(rng: Random) -> bytes:
    """One hostile document."""
    if rng.random() < 0.1:
        return rng.choice(BROKEN)
    tree = good(rng)
    if rng.random() < 0.7:
        tree = changed(tree, rng)
    raw = json.dumps(tree, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    how = rng.random()
    if how < 0.15:
        at = rng.randrange(len(raw))
        raw = raw[:at] + rng.choice(INSIDE) + raw[at + rng.randint(0, 3):]
    elif how < 0.2:
        raw = raw[: rng.randrange(len(raw))]
    elif how < 0.25:
        raw = raw.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-32", "latin-1", "utf-7")), "replace")
    elif how < 0.3:
        raw = raw.replace(b'"name":', b'"name": 1, "name":', 1)
    return raw
