from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created


class BuilderConfig(AppConfig):
    """The builder, and the project around it."""

    name = "builder"

    def ready(self) -> None:
        """Register the system checks of `builder.readiness` and, if SLOW_QUERY is set, the logging of slow queries."""
        from builder import logs, readiness  # noqa: F401, PLC0415 - apps are not ready before

        if settings.SLOW_QUERY:
            connection_created.connect(logs.log_slow_queries)
