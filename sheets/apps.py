from django.apps import AppConfig


class SheetsConfig(AppConfig):
    """Sheets that exist: stored, read, played, reviewed, printed and exchanged."""

    name = "sheets"

    def ready(self) -> None:
        """A guest who signs in keeps what the browser made before."""
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415 - apps are not ready before

        from sheets.access import adopt  # noqa: PLC0415

        user_logged_in.connect(lambda sender, request, user, **_: adopt(request, user), weak=False)
