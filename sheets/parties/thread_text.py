"""The text of a thread's posts: the receipts that it quotes, and who may have written each post."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from unicodedata import category

PATTERN = re.compile(
    r"https?://(?P<host>[^\s/\[\]<>()\"']{1,255})/(?P<path>[^\s\[\]<>()\"']{0,200})"
    r"|(?<![\w&#])#(?P<number>[0-9]{1,9})[ \t\u00a0]{0,3}·[ \t\u00a0]{0,3}(?P<link>[\w-]{8})(?![\w-])"
    r"|\[(?P<ends>/?)quote(?P<by>[^\[\]\n]{0,200})\]", re.I)
"""Addresses, numbers copied with the first letters of their links, and quote tags."""
TOKEN = re.compile(r"(?:[\w-]{1,40}/)?rolls/([A-Za-z0-9_-]{22})(?:/|\.json)?(?:[?#][^\s]{0,100})?")
"""The path of a receipt's address."""
TAG = re.compile(r"\[/?[A-Za-z]{1,12}[0-9]?(?:=[^\[\]\n]{0,300})?\]|\[\*\]")
BETWEEN = frozenset("[]()<>\"' ")
"""The characters that may stand between an address and the number that belongs to it, at most `NEAR` of them."""
NEAR = 4
SAYING = ("hat geschrieben", "schrieb", "schreibt", "wrote", "said")
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Quote:
    """A receipt that is quoted in a text: by its address, by number and link, or by both."""

    at: int
    end: int
    line: int
    """The line, counted from 1."""
    line_text: str
    """The line without tags."""
    post: int
    """The number of the post in which it stands, from 0."""
    by: frozenset[str]
    """The keys of the users and sheets that may have written that post; empty if the text names nobody."""
    number: int | None = None
    link: str = ""
    token: str = ""
    host: str = ""


@dataclass(frozen=True)
class _Line:
    at: int
    line_text: str
    head: frozenset[str] | None
    """The keys of the possible writers if a post begins with the line; None if none does."""


def plain(text: str) -> str:
    """Return a line without tags, asterisks, invisible characters and repeated spaces."""
    shown = "".join(one for one in TAG.sub("", text).replace("*", "") if category(one) != "Cf")
    return " ".join(shown.split())


def quotes(text: str, names: Mapping[str, frozenset[str]]) -> list[Quote]:
    """Return the receipts that a text quotes, in their order.

    `names` are {name in lower case: keys} of those who may write posts.
    """
    lines = list(_lines(text, names))
    starts = [one.at for one in lines]
    found: list[Quote] = []
    # (number, keys of its writers) of each post that contains the current place, the innermost last.
    posts, count, read = [(0, NOBODY)], 0, 0
    for match in PATTERN.finditer(text):
        place = bisect_right(starts, match.start()) - 1
        for line in lines[read:place + 1]:
            if line.head is not None:
                count += 1
                posts = [(count, line.head)]
        read = max(read, place + 1)
        if match["by"] is not None:
            count += 1
            if not match["ends"]:
                posts.append((count, _quoted(match["by"], names)))
            elif len(posts) > 1:
                posts.pop()
                posts[-1] = (count, posts[-1][1])
            continue
        at = (match.start(), match.end(), place + 1, lines[place].line_text, *posts[-1])
        one = _address(at, match) if match["host"] else Quote(*at, number=int(match["number"]), link=match["link"])
        if one and found and (both := _together(found[-1], one, text)):
            found[-1] = both
        elif one:
            found.append(one)
    return found


def _lines(text: str, names: Mapping[str, frozenset[str]]) -> Iterator[_Line]:
    at = 0
    for line in text.split("\n"):
        line_text = plain(line)
        yield _Line(at, line_text, _head(line_text.casefold(), names))
        at += len(line) + 1


def _head(line_text: str, names: Mapping[str, frozenset[str]]) -> frozenset[str] | None:
    """Return the keys of the writers named by a post's heading as forums show it; None if the line is no heading."""
    if line_text in names:
        return names[line_text]
    shown = line_text.rstrip(": ")
    for word in SAYING:
        if shown != line_text and shown.endswith(f" {word}"):
            return names.get(shown.removesuffix(word).strip(), NOBODY)
    before, sign, _when = line_text.partition("»")
    return names.get(before.strip().removeprefix("von ").removeprefix("by ").strip()) if sign else None


def _quoted(by: str, names: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the keys of the writers that a quote tag names: "anna" post_id=5, 'anna','…' or anna."""
    named = by.strip().removeprefix("=").strip()
    if named[:1] in ("'", '"'):
        named = named[1:].partition(named[0])[0]
    named = named.partition(",")[0].strip().casefold()
    return names.get(named, NOBODY) if named else NOBODY


def _address(at: tuple[int, int, int, str, int, frozenset[str]], match: re.Match[str]) -> Quote | None:
    token = TOKEN.fullmatch(match["path"])
    return Quote(*at, token=token[1], host=match["host"].casefold()) if token else None


def _together(one: Quote, other: Quote, text: str) -> Quote | None:
    """Return an address and the number beside it as one quote; None if they do not belong together."""
    between = text[one.end:other.at]
    apart = (one.token and one.number) or bool(one.token) == bool(other.token)
    if apart or not 0 < len(between) <= NEAR or not set(between) <= BETWEEN:
        return None
    return replace(one, end=other.end, number=one.number or other.number, link=one.link or other.link,
                   token=one.token or other.token, host=one.host or other.host)
