"""The storage of static files in production: each file has a name with a hash of its content."""

from collections.abc import Callable
from re import Match
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage


def without_comments(style: str) -> str:
    """Return a style sheet without its comments. No string in this project's style sheets contains `/*`."""
    first, *rest = style.split("/*")
    return first + "".join(one.partition("*/")[2].lstrip() for one in rest)


class ModuleStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage, which also rewrites imports in JavaScript modules and drops comments in style sheets."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: File) -> str:
        """Save a file, a style sheet without its comments; return its name."""
        if name.endswith(".css"):
            content = ContentFile(without_comments(content.read().decode()).encode())
        saved: str = super()._save(name, content)
        return saved

    def url_converter(self, name: str, *args: Any, **kwargs: Any) -> Callable[[Match], str]:
        """Return the function that replaces URLs in a file; none in htmx, whose only `import`s are in comments."""
        if name.startswith("django_htmx/"):
            return lambda found: found[0]
        return super().url_converter(name, *args, **kwargs)
