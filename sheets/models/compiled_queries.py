"""A cache of compiled SQL for frequent queries, which Django takes longer to compile than the database to run."""

from collections.abc import Callable, Collection
from copy import copy
from datetime import datetime
from functools import lru_cache, wraps
from types import MappingProxyType
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import BigIntegerField, DateTimeField, Field, Model, QuerySet, TextField, UUIDField, Value
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=Model)
FIELDS: MappingProxyType[type, Field] = MappingProxyType({
    UUID: UUIDField(), int: BigIntegerField(), datetime: DateTimeField(), str: TextField(), type(None): TextField()})
"""{type of an argument: the field that prepares it for the database}."""
SHAPES = 64
"""The most compiled forms cached per query; each length of a collection argument needs its own."""


class Parameter(Value):
    """A placeholder in a query that is compiled before its arguments are known; `value` is the argument's index."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Return a placeholder."""
        return "%s", (self,)


class CompiledQuery:
    """A queryset with its compiled SQL, with placeholders for arguments."""

    def __init__(self, found: QuerySet) -> None:
        self.found, self.compiler = found, found.query.get_compiler(found.db)
        try:
            self.sql, self.parameters = self.compiler.as_sql()
        except EmptyResultSet:
            self.sql, self.parameters = "", ()
        selected = (self.compiler.select or [])[:self.compiler.col_count]
        self.converters = self.compiler.get_converters([one for one, _sql, _alias in selected])

    def rows(self, arguments: list) -> list:
        """Run the query with these arguments and return its rows."""
        connection = connections[self.found.db]
        given = tuple(_prepared(arguments[one.value], connection) if isinstance(one, Parameter) else one
                      for one in self.parameters)
        # Threads share the compiled query, but each has its own connection, hence the copy of the compiler.
        compiler, found = copy(self.compiler), self.found.all()
        vars(compiler).update(connection=connection, as_sql=lambda *_, **__: (self.sql, given),
                              get_converters=lambda _selected: self.converters)
        vars(found.query)["get_compiler"] = lambda *_, **__: compiler
        return list(found)


def _prepared(value: Any, connection: Any) -> Any:
    return FIELDS[type(value)].get_db_prep_value(value, connection)


def compiled(compose: Callable[..., QuerySet]) -> Callable[..., list]:
    """Decorate a function that returns a queryset: when called, it runs the query and returns a list of rows.

    The SQL is compiled once per length of the collection arguments. Positional arguments are values that the query
    compares with, or collections of them for `__in`; `compose` gets placeholders for these. Keyword arguments are
    anything else that the query depends on. Don't compare a key with None.
    """
    @lru_cache(SHAPES)
    def shaped(lengths: tuple[int | None, ...], **chosen: Any) -> CompiledQuery:
        places = iter(range(sum(1 if length is None else length for length in lengths)))
        return CompiledQuery(compose(*(
            Parameter(next(places)) if length is None else [Parameter(next(places)) for _one in range(length)]
            for length in lengths), **chosen))

    @wraps(compose)
    def ask(*arguments: Any, **chosen: Any) -> list:
        several = [isinstance(one, Collection) and not isinstance(one, str) for one in arguments]
        lengths = tuple(len(one) if many else None for one, many in zip(arguments, several, strict=True))
        values = [value for one, many in zip(arguments, several, strict=True) for value in (one if many else [one])]
        return shaped(lengths, **chosen).rows(values)

    return ask


def read_row(model: type[Row], pk: Any) -> Row | None:
    """Return the row with this key, None if there is none."""
    return next(iter(_by_key(UUID(str(pk)), model=model)), None)


@compiled
def _by_key(pk: Any, *, model: type[Row]) -> QuerySet[Row]:
    return QuerySet(model).filter(pk=pk)
