"""The cache that counts attempts, kept in the database; its failure never reads as one attempt too many."""

from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import OperationalError, connections, router


class Counts(DatabaseCache):
    """Django's cache in the database, which fails where that does.

    Django's own says of a full disk that somebody else was quicker, which allauth takes for an attempt too many.
    """

    def _base_set(self, mode: str, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT) -> bool:
        failed = []

        def noted(execute: Callable[..., Any], *words: Any) -> Any:
            try:
                return execute(*words)
            except OperationalError as error:
                failed.append(error)
                raise

        with connections[router.db_for_write(self.cache_model_class)].execute_wrapper(noted):
            done = super()._base_set(mode, key, value, timeout)  # type: ignore[misc]
        if failed:
            raise failed[0]
        return done
