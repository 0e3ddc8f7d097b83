"""Style sheets, scripts and icons as production serves them, each under a name that changes with what it holds."""

from collections.abc import Callable
from re import Match
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStorage(CompressedManifestStaticFilesStorage):
    """Gives scripts that are imported by others those names too, where they are imported."""

    support_js_module_import_aggregation = True

    def url_converter(self, name: str, *args: Any, **kwargs: Any) -> Callable[[Match], str]:
        """Return what replaces an address in a file; of htmx's scripts only comments import something."""
        if name.startswith("django_htmx/"):
            return lambda found: found[0]
        return super().url_converter(name, *args, **kwargs)
