"""How the database answers what is asked within: the plan of each question, and which tables that goes through."""

import re
from contextlib import contextmanager

from django.db import connection

READS = re.compile(r"(?:SCAN|Seq Scan on) (\w+)")


@contextmanager
def planned():
    """The plans of all that is asked within, {question: lines of its plan}."""
    found = {}

    def noting(execute, sql, params, many, context):
        if sql.startswith(("SELECT", "UPDATE", "DELETE")) and sql not in found:
            explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
            with connection.cursor() as cursor:
                cursor.execute(f"{explain} {sql}", params)
                found[sql] = [str(row[-1]) for row in cursor.fetchall()]
        return execute(sql, params, many, context)

    with connection.execute_wrapper(noting):
        yield found


def read_whole(sql, plan, tables):
    """Those of some tables that a plan goes through; SQLite calls them as the question does."""
    called = {name: table for table, name in re.findall(r'"(\w+)" (?:AS )?"?([A-Z]\d+)"?\b', sql)}
    return {called.get(found, found) for line in plan for found in READS.findall(line)} & set(tables)
