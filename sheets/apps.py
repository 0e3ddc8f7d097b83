from django.apps import AppConfig


class SheetsConfig(AppConfig):
    """Sheets that exist: stored, read, played, reviewed, printed and exchanged."""

    name = "sheets"
