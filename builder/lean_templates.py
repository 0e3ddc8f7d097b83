"""Templates as they are sent: without what their lines are indented by, which is for those who write them."""

import re

from django.template import Origin
from django.template.loaders import app_directories, filesystem

INDENT = re.compile(r"(?<=\n) +")


class Lean(filesystem.Loader):
    """Finds templates in the project and in its systems."""

    def get_contents(self, origin: Origin) -> str:
        """Return the source of a template; of a page, without its indents."""
        found = super().get_contents(origin)
        return INDENT.sub("", found) if str(origin.name).endswith(".html") else found


class LeanApps(Lean, app_directories.Loader):
    """Finds templates in the packages that bring some."""
