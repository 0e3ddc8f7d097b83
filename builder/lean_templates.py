"""Template loaders that drop the indentation of HTML templates, so that pages are smaller."""

import re

from django.template import Origin
from django.template.loaders import app_directories, filesystem

INDENT = re.compile(r"(?<=\n) +")


class Lean(filesystem.Loader):
    """The loader of templates in the folders of the project and its systems."""

    def get_contents(self, origin: Origin) -> str:
        """Return the source of a template, without indentation if it is HTML."""
        source = super().get_contents(origin)
        return INDENT.sub("", source) if str(origin.name).endswith(".html") else source


class LeanApps(Lean, app_directories.Loader):
    """The loader of templates in installed apps."""
