from django.apps import AppConfig
from django.conf import settings
from django.core.signals import request_started
from django.db.backends.signals import connection_created


class BuilderConfig(AppConfig):
    """The builder, and the project around it."""

    name = "builder"

    def ready(self) -> None:
        """Register the system checks of `builder.readiness`, and what watches over connections to the database."""
        from builder import database_file, logs, readiness  # noqa: F401, PLC0415 - apps are not ready before

        connection_created.connect(database_file.note_file)
        request_started.connect(database_file.close_if_replaced)
        if settings.SLOW_QUERY:
            connection_created.connect(logs.log_slow_queries)
