from django.apps import AppConfig
from django.conf import settings
from django.core.signals import request_started
from django.db.backends.signals import connection_created


class BuilderConfig(AppConfig):
    """The app of the builder, which also registers the hooks of the project as a whole."""

    name = "builder"

    def ready(self) -> None:
        """Register the system checks of `builder.readiness` and the signal handlers for database connections."""
        from builder import database_file, logs, readiness  # noqa: F401, PLC0415 - they need loaded apps

        connection_created.connect(database_file.note_file)
        request_started.connect(database_file.close_if_replaced)
        if settings.SLOW_QUERY:
            connection_created.connect(logs.log_slow_queries)
