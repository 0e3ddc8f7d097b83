"""The base of the commands for sheets and dice: their language, clean output, and no database."""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from rulesets import systems
from rulesets.kit import Ruleset

REFUSED = 2
"""The exit code of a command that was asked for something it cannot do."""


class Command(BaseCommand):
    """A command that answers on standard output alone, as text or JSON, in the language of `--lang`.

    Subclasses define `questions(parser)` and `answer(**options)`.
    """

    requires_system_checks = []
    formats: tuple[str, ...] = ("text", "json")

    def questions(self, parser: CommandParser) -> None:
        """Add the command's arguments."""
        raise NotImplementedError

    def answer(self, *args: Any, **options: Any) -> None:
        """Write the answer."""
        raise NotImplementedError

    def tell_entry(self, entry: dict) -> None:
        """Write an entry for people."""
        raise NotImplementedError

    def report(self, entries: list[dict], exits: Mapping[str, int], form: str) -> None:
        """Write entries as text or JSON, and exit with the highest code of their verdicts, {verdict: code}."""
        if form == "json":
            self.json(entries)
        else:
            for one in entries:
                self.tell_entry(one)
        if code := max(exits[one["verdict"]] for one in entries):
            self.stdout.flush()
            sys.exit(code)

    def add_arguments(self, parser: CommandParser) -> None:
        self.questions(parser)
        parser.add_argument("--lang", choices=[code for code, _name in settings.LANGUAGES], default="en",
                            help="the language of texts and messages")
        if self.formats:
            parser.add_argument("--format", choices=self.formats, default="text", help="for people or for programs")

    def handle(self, **options: Any) -> None:
        if reconfigure := getattr(self.stdout, "reconfigure", None):
            reconfigure(encoding="utf-8")
        with override(options["lang"]):
            try:
                self.answer(**options)
                self.stdout.flush()
            except BrokenPipeError:
                # Whoever read has left (`| head`); what is still in the buffer has nobody to go to.
                with suppress(OSError, ValueError):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def line(self, text: str) -> None:
        """Write a line for people; letters that would control a terminal are shown as “�”."""
        self.stdout.write("".join(letter if letter.isprintable() else "\ufffd" for letter in text))

    def json(self, tree: Any) -> None:
        """Write a tree for programs."""
        self.stdout.write(json.dumps(tree, ensure_ascii=False, indent=2))


def system(slug: str) -> Ruleset:
    """Return the system of this slug (CommandError naming those that exist)."""
    if slug not in systems():
        message = _("“{slug}” is not a system here; there are: {slugs}.")
        raise refusal(message.format(slug=slug, slugs=", ".join(systems())))
    return systems()[slug]


def refusal(message: str) -> CommandError:
    """Return the error that ends a command that was asked for something it cannot do."""
    return CommandError(message, returncode=REFUSED)
