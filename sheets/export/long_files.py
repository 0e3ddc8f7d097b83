"""Files of many rows: written row by row into a temporary file, and sent from that.

So a process never holds more than some rows of one, and it is whole before any of it is sent: what goes wrong midway is
a page and no broken file, and what it cost is charged when the answer is there. No cursor and no lock of the database
waits for whoever reads slowly. A thread of the server does, where more is left than the kernel keeps for a connection,
some megabytes; so only a few such files are sent at a time (`builder.turns.sending`).

Nothing is read within a transaction: on SQLite that would keep everybody from writing. Each list is as it was at one
moment, and one that is read later may tell of something that happened meanwhile.
"""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Any, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.http import FileResponse

from sheets.export.filenames import disposition

MEMORY = 1_000_000
"""Bytes of a file that are kept in memory; what is longer goes through the disk."""
ROWS = 20
"""Rows that are read at a time; a revision may take some 100 kB."""
Row = TypeVar("Row")


def sent(write: Callable[[IO[bytes]], None], media: str, name: str, ending: str) -> FileResponse:
    """Return the answer that sends, under a name, what is written into a file; that is gone once it is closed."""
    file = tempfile.SpooledTemporaryFile(MEMORY)  # noqa: SIM115 - the answer closes it
    try:
        write(file)
        file.seek(0)
        answer = FileResponse(file, content_type=media)
    except BaseException:
        file.close()
        raise
    answer["Content-Disposition"] = disposition(name, ending)
    return answer


def write_json(tree: Any, file: IO[bytes]) -> None:
    """Write a tree piece by piece; what is longer than `MEMORY` is on the disk from then on."""
    for piece in json_pieces(tree):
        file.write(piece)


def json_pieces(tree: Any) -> Iterator[bytes]:
    """Return a tree as JSON, piece by piece: iterators in its objects become lists, each row as it comes."""
    if isinstance(tree, dict):
        yield from _joined(b"{", ((json_piece(str(key)) + b": ", value) for key, value in tree.items()), b"}")
    elif isinstance(tree, Iterator):
        yield from _joined(b"[", ((b"", row) for row in tree), b"]")
    else:
        yield json_piece(tree)


def _joined(begin: bytes, parts: Iterable[tuple[bytes, Any]], end: bytes) -> Iterator[bytes]:
    mark = begin
    for head, value in parts:
        yield mark + b"\n" + head
        yield from json_pieces(value)
        mark = b","
    yield (begin if mark == begin else b"\n") + end


def json_piece(value: Any) -> bytes:
    """Return something as JSON that is written at once."""
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder).encode()


def some_at_a_time(rows: Iterable[Row], size: int = ROWS) -> Iterator[list[Row]]:
    """Return rows in lists of so many."""
    rest = iter(rows)
    while found := list(islice(rest, size)):
        yield found
