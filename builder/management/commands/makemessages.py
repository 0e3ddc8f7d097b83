"""Django's command, which writes each system's texts into the system's own folder."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Leave new texts untranslated instead of guessing a translation from a similar text."""

    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        # Django writes texts into the nearest locale folder, which would be the site's if a system had none.
        for rules in Path(settings.BASE_DIR).glob("rulesets/*/rules.en.md"):
            (rules.parent / "locale").mkdir(exist_ok=True)
        super().handle(*args, **options)

    def write_po_file(self, potfile: str, locale: str) -> None:
        super().write_po_file(potfile, locale)
        path = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        head, empty, rest = path.read_text(encoding="utf-8").partition('msgid ""\n')
        path.write_text(head.replace("#, fuzzy\n", "") + empty + rest, encoding="utf-8")
