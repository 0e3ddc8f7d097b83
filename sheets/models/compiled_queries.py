"""A cache of compiled SQL for frequent queries, which Django takes longer to compile than the database to run."""

from collections.abc import Callable, Collection
from datetime import datetime
from functools import cache, lru_cache, wraps
from types import MappingProxyType
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import (
    BigIntegerField,
    DateTimeField,
    Field,
    Model,
    QuerySet,
    TextField,
    UUIDField,
    Value,
    prefetch_related_objects,
)
from django.db.models.query import FlatValuesListIterable, ValuesListIterable, get_related_populators
from django.db.models.sql import InsertQuery
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
        """Return the SQL placeholder, with this object as its parameter."""
        return "%s", (self,)


class CompiledQuery:
    """A queryset with its compiled SQL, with placeholders for arguments."""

    def __init__(self, found: QuerySet) -> None:
        compiler = found.query.get_compiler(found.db)
        try:
            self.sql, self.parameters = compiler.as_sql()
        except EmptyResultSet:
            self.sql, self.parameters = "", ()
        self.found, self.kind, select = found, vars(found)["_iterable_class"], compiler.select or []
        selected = [column for column, _sql, _alias in select[:compiler.col_count]]
        self.converters = [*compiler.get_converters(selected).items()]
        if kinds := compiler.klass_info:
            # The query returns objects of a model.
            self.model, self.first, self.end = kinds["model"], kinds["select_fields"][0], kinds["select_fields"][-1] + 1
            self.names = [column.target.attname for column in selected[self.first:self.end]]
            # The stubs are those of a later Django.
            self.related = get_related_populators(kinds, select, found.db)  # type: ignore[call-arg]
            self.annotations = compiler.annotation_col_map or {}

    def rows(self, arguments: list) -> list:
        """Run the query with these arguments and return its rows."""
        if not self.sql:
            return []
        connection = connections[self.found.db]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, tuple(_prepared(arguments[one.value], connection) if isinstance(one, Parameter)
                                           else one for one in self.parameters))
            rows = [*map(list, cursor.fetchall())]
        for place, (converters, column) in self.converters:
            for row in rows:
                for convert in converters:
                    row[place] = convert(row[place], column, connection)
        if self.kind is ValuesListIterable:
            return [*map(tuple, rows)]
        return [row[0] for row in rows] if self.kind is FlatValuesListIterable else self._objects(rows)

    def _objects(self, rows: list[list]) -> list:
        """Return model instances for rows, made as Django makes them."""
        made = []
        for row in rows:
            one = self.model.from_db(self.found.db, self.names, row[self.first:self.end])
            for populator in self.related:
                populator.populate(row, one)
            for name, place in self.annotations.items():
                setattr(one, name, row[place])
            made.append(one)
        if lookups := vars(self.found)["_prefetch_related_lookups"]:
            prefetch_related_objects(made, *lookups)
        return made


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
    """Return the instance with this primary key, or None."""
    return next(iter(_by_key(UUID(str(pk)), model=model)), None)


@compiled
def _by_key(pk: Any, *, model: type[Row]) -> QuerySet[Row]:
    return QuerySet(model).filter(pk=pk)


def insert(row: Model) -> None:
    """Insert a new row, with its key or one that the database generates, with cached SQL; no signal is sent."""
    connection, fields, sql = connections[DEFAULT_DB_ALIAS], *_inserting(type(row))
    with connection.cursor() as cursor:
        cursor.execute(sql, [one.get_db_prep_save(one.pre_save(row, add=True), connection) for one in fields])
        [generated] = cursor.fetchone()
    row.pk = row.pk or generated
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS  # noqa: SLF001 - as Django's own `save` does


@cache
def _inserting(model: type[Model]) -> tuple[list[Field], str]:
    """Return (fields of a new row, SQL that inserts it and returns its key)."""
    columns = vars(model)["_meta"]
    fields = [one for one in columns.concrete_fields if not (one.primary_key and one.db_returning)]
    query = InsertQuery(model)
    query.insert_values(fields, [model()])
    compiler = query.get_compiler(DEFAULT_DB_ALIAS)
    compiler.returning_fields = [columns.pk]
    [(sql, _parameters)] = compiler.as_sql()
    return fields, sql
