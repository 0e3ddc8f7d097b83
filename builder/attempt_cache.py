"""The cache in the database that counts attempts; a database error is never taken for one attempt too many."""

from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import OperationalError, connections, router


class AttemptCache(DatabaseCache):
    """Django's database cache, which raises the errors of the database.

    Django's own returns False if, for example, the disk is full, which allauth takes for one attempt too many.
    """

    def _base_set(self, mode: str, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT) -> bool:
        errors = []

        def collect_errors(execute: Callable[..., Any], *arguments: Any) -> Any:
            try:
                return execute(*arguments)
            except OperationalError as error:
                errors.append(error)
                raise

        with connections[router.db_for_write(self.cache_model_class)].execute_wrapper(collect_errors):
            saved = super()._base_set(mode, key, value, timeout)  # type: ignore[misc]
        if errors:
            raise errors[0]
        return saved
