from django.apps import AppConfig


class BuilderConfig(AppConfig):
    """The builder, and the project around it."""

    name = "builder"

    def ready(self) -> None:
        """Settings are looked over wherever Django's checks are run."""
        from builder import readiness  # noqa: F401, PLC0415 - apps are not ready before
