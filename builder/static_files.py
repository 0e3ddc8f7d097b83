"""Style sheets, scripts and icons as production serves them, each under a name that changes with what it holds."""

from collections.abc import Callable
from re import Match
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage


def without_comments(style: str) -> str:
    """Return a style sheet as it is sent; none of ours has a string in which a comment would begin."""
    first, *rest = style.split("/*")
    return first + "".join(one.partition("*/")[2].lstrip() for one in rest)


class ModuleStorage(CompressedManifestStaticFilesStorage):
    """Leaves out comments of style sheets, and gives scripts that are imported by others those names, too."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: File) -> str:
        """Save a file; a style sheet without its comments."""
        if name.endswith(".css"):
            content = ContentFile(without_comments(content.read().decode()).encode())
        saved: str = super()._save(name, content)
        return saved

    def url_converter(self, name: str, *args: Any, **kwargs: Any) -> Callable[[Match], str]:
        """Return what replaces an address in a file; of htmx's scripts only comments import something."""
        if name.startswith("django_htmx/"):
            return lambda found: found[0]
        return super().url_converter(name, *args, **kwargs)
