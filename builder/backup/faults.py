"""Descriptions of what is wrong with a line of a backup, for a restore that failed or a line that looks suspicious."""

import base64
import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, InterfaceError, ProgrammingError, connection, models

from builder.backup.database import WRITER, as_line

UNREADABLE = (ValueError, TypeError, AttributeError, RecursionError, OverflowError, ValidationError)
"""Exceptions that the conversion of a value raises if it is not valid for its field."""
REFUSED_BY_DATABASE = (IntegrityError, DataError, ProgrammingError, InterfaceError, *UNREADABLE)
"""`UNREADABLE` and the exceptions that a database raises for a value or a row that it does not accept."""
HALF = re.compile(rb"\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]")
"""The pattern of escaped surrogates that may lack a partner, which would be half a character."""
NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
SHOWN = 40
"""Characters of a value that an error message shows."""


class DuplicateKey(Exception):
    """Raised if a JSON object has the same key twice; the message is the key."""


def suspicious(line: bytes) -> bool:
    """Return True if a line may contain a NUL or a lone surrogate, which SQLite accepts and PostgreSQL does not."""
    return b"\\u0000" in line or (b"\\ud" in line and bool(HALF.search(line)))


def fault_of(line: bytes, tables: dict[str, Any], column_names: dict[str, list[str]]) -> str:
    """Return a description of what is wrong with the line of a row, "" if nothing.

    `column_names` are the columns of every table in the file. A table that is not in `tables` is not restored, so only
    the number of its values is checked.
    """
    try:
        tree = json.loads(line.decode(), object_pairs_hook=_once)
        spelt = as_line(tree) == line
    except UnicodeDecodeError:
        return "it is no UTF-8"
    except json.JSONDecodeError as error:
        return f"it is no JSON ({error.msg})"
    except DuplicateKey as error:
        return f"an object in it says {_shown(str(error))} twice"
    except RecursionError:
        return "it is nested too deep"
    except ValueError:
        return "a number in it has too many digits"
    match tree:
        case [str(label), list(values)] if label in column_names:
            found = _row_fault(tables.get(label), label, column_names[label], values)
            return found or ("" if spelt else "it is not spelt as this program does")
        case [str(label), list()]:
            return f"there is no table {_shown(label)}"
    return "it is no row, [table, [values]]"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _value in pairs]
        raise DuplicateKey(next(name for name in names if names.count(name) > 1))
    return found


def _row_fault(model: Any, label: str, names: list[str], values: list[Any]) -> str:
    if len(values) != len(names):
        return f"it has {len(values)} values for the {len(names)} fields of {label}"
    fields = {field.attname: field for field in model._meta.concrete_fields} if model else {}
    for name, value in zip(names, values, strict=True):
        if name in fields and (what := _value_fault(fields[name], value)):
            return f"{label}.{name} {what}"
    return ""


def _value_fault(field: Any, value: Any) -> str:
    """Return what is wrong with a field's value, as the end of a sentence that begins with its name; "" if nothing."""
    if value is None:
        return "" if field.null else "is empty, which it must not be"
    own = field.target_field if field.is_relation else field
    for kind, wanted, fits in FITTING:
        if isinstance(own, kind):
            try:
                well = fits(own, value)
            except UNREADABLE:
                well = False
            return (_text_fault(own, value) if isinstance(own, TEXTS) else "") if well else (
                f"is {_shown(value)}, not {wanted}")
    return ""


TEXTS = (models.CharField, models.TextField, models.JSONField)


def _text_fault(own: Any, value: Any) -> str:
    """Return what is wrong with a text, or with a text or number in a JSON value; "" if nothing."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError:
        return "has half a character"
    except ValueError:
        return "has a number that is not finite"
    if NUL.search(text):
        return "has a NUL"
    # SQLite does not enforce the maximum length.
    if connection.vendor == "postgresql" and own.max_length and len(value) > own.max_length:
        return f"has {len(value)} characters of at most {own.max_length}"
    return ""


def _whole(own: Any, value: Any) -> bool:
    least, most = connection.ops.integer_field_range(own.get_internal_type())
    return type(value) is int and least <= value <= most


def _time(_own: Any, value: Any) -> bool:
    read = datetime.fromisoformat(value)
    return read.tzinfo is not None and WRITER.encode(read) == f'"{value}"'


def _spelt(own: Any, value: Any) -> bool:
    return WRITER.encode(own.to_python(value)) == WRITER.encode(value)


FITTING: list[tuple[Any, str, Callable[[Any, Any], bool]]] = [
    (models.JSONField, "", lambda _own, value: True),
    ((models.CharField, models.TextField), "a text", lambda _own, value: isinstance(value, str)),
    (models.IntegerField, "a whole number that it can hold", _whole),
    (models.BooleanField, "true or false", lambda _own, value: isinstance(value, bool)),
    (models.UUIDField, "a key", lambda _own, value: str(UUID(value)) == value),
    (models.DateTimeField, "a time", _time),
    (models.BinaryField, "base 64", lambda _own, value:
        base64.b64encode(base64.b64decode(value, validate=True)).decode() == value),
    (models.Field, "a value of its kind", _spelt),
]
"""(field classes, description of a valid value, function that checks a value); the first match of a field counts."""


def _shown(value: Any) -> str:
    """Return the beginning of a value as JSON, at most `SHOWN` characters and an ellipsis."""
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def error_text(error: Exception) -> str:
    """Return an error's message as one line of up to 200 characters, without the lines of PostgreSQL's CONTEXT."""
    lines = [line for line in str(error).splitlines() if not line.startswith("CONTEXT")]
    return " ".join(" ".join(lines).split())[:200]
