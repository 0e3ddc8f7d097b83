"""Files with many rows, which are written row by row into a temporary file and sent from that.

A process holds only a few rows in memory at a time. The file is complete before any of it is sent, so that an
error results in an error page and not in a broken file, and its cost is known. A slow reader occupies no cursor or
lock of the database, only a thread of the server; so only a few such files are sent at a time
(`builder.turns.sending`).

Nothing is read within a transaction, which on SQLite would block all writers. Each list is consistent in itself; a
later one may contain something that happened meanwhile.
"""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Any, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.http import FileResponse

from sheets.export.filenames import disposition

MAX_MEMORY = 1_000_000
"""The most bytes of a file that are kept in memory; longer files are stored on disk."""
CHUNK_ROWS = 20
"""The number of rows that are read at a time; a revision may take some 100 kB."""
Row = TypeVar("Row")


def file_response(write: Callable[[IO[bytes]], None], media: str, name: str, ending: str) -> FileResponse:
    """Return the response that sends what `write` writes into a temporary file, which is deleted when it is closed."""
    file = tempfile.SpooledTemporaryFile(MAX_MEMORY)  # noqa: SIM115 - the answer closes it
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
    """Write a tree as JSON piece by piece."""
    for piece in json_pieces(tree):
        file.write(piece)


def json_pieces(tree: Any) -> Iterator[bytes]:
    """Yield the JSON of a tree piece by piece; iterators become lists."""
    if isinstance(tree, dict):
        yield from _enclosed(b"{", ((json_piece(str(key)) + b": ", value) for key, value in tree.items()), b"}")
    elif isinstance(tree, Iterator):
        yield from _enclosed(b"[", ((b"", row) for row in tree), b"]")
    else:
        yield json_piece(tree)


def _enclosed(begin: bytes, parts: Iterable[tuple[bytes, Any]], end: bytes) -> Iterator[bytes]:
    mark = begin
    for head, value in parts:
        yield mark + b"\n" + head
        yield from json_pieces(value)
        mark = b","
    yield (begin if mark == begin else b"\n") + end


def json_piece(value: Any) -> bytes:
    """Return a value as JSON in one piece."""
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder).encode()


def chunks(rows: Iterable[Row], size: int = CHUNK_ROWS) -> Iterator[list[Row]]:
    """Yield rows in lists of at most `size`."""
    rest = iter(rows)
    while found := list(islice(rest, size)):
        yield found
