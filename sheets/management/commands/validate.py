import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext_lazy as _

from rulesets import document, systems
from rulesets.document import BYTES, Unreadable
from rulesets.passages import passages
from sheets.management import base
from sheets.progress import progress
from sheets.verdicts import SEVERITIES, VERDICTS, derived_lines

REASONS = {
    FileNotFoundError: _("There is no such file."),
    PermissionError: _("You may not read this file."),
    IsADirectoryError: _("This is a folder, not a file."),
}
EXITS = {"legal": 0, "needs-approval": 0, "illegal": 1, "unreadable": 2}


class Command(base.Command):
    help = "Checks sheet documents. Exit code 0: legal or for approval; 1: one is illegal; 2: one is unreadable."

    def questions(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a sheet document; - reads standard input")
        parser.add_argument("--house", metavar="FILE", help="house rules (JSON) that replace the documents' own")

    def answer(self, *, files: list[str], house: Any, format: str,  # noqa: A002 - the option's name
               **_options: Any) -> None:
        rules = None if house is None else self.house(house)
        checked = [entry for file in progress(files, "validate", len(files)) for entry in self.checked(file, rules)]
        if rules is not None:
            checked = self.fitting(checked, rules, house)
        self.report(checked, EXITS, format)

    def house(self, file: str) -> dict:
        """Return the house rules of a file; whether they fit shows with the first document of a system."""
        try:
            rules = document.parse(read(file))
        except OSError as error:
            raise self.bad_house(file, [("", spoken(error))]) from None
        except Unreadable as error:
            raise self.bad_house(file, error.offences) from None
        if not isinstance(rules, dict):
            raise self.bad_house(file, [("", _("House rules must be an object."))])
        return rules

    @staticmethod
    def bad_house(file: str, offences: Any) -> CommandError:
        lines = [_("The house rules in {file} cannot be used.").format(file=file)]
        lines += [placed(place, what) for place, what in offences]
        return base.refusal("\n".join(lines))

    def fitting(self, checked: list[dict], rules: dict, house: str) -> list[dict]:
        """Return the entries, each telling the faults of the house rules from those of its document.

        If the house rules fit no document's system, that is the only thing reported (CommandError).
        """
        wrong = {slug: misfits(slug, rules) for slug in dict.fromkeys(one["ruleset"] for one in checked) if slug}
        if wrong and all(wrong.values()):
            raise self.bad_house(house, next(iter(wrong.values())))
        return [{**one, "findings": [self.with_house_fault(found, wrong.get(one["ruleset"], []), house)
                                     for found in one["findings"]]} for one in checked]

    @staticmethod
    def with_house_fault(found: dict, wrong: list[tuple[str, str]], house: str) -> dict:
        """Return a finding; if the given house rules are at fault it says so."""
        if (found["path"], found["message"]) not in wrong:
            return found
        what = placed(found["path"], found["message"])
        message = _("The house rules in {file} do not fit this system. {what}").format(file=house, what=what)
        return {**found, "path": "", "message": message}

    def checked(self, file: str, rules: dict | None) -> list[dict]:
        """Return the entries of one file, in the shape of the API's answers; a text may hold several sheets."""
        try:
            raw = read(file)
        except OSError as error:
            answers = [unreadable(error)]
        else:
            answers = [one.verdict(rules) for one in passages(raw)] or [document.verdict(raw, rules)]
        # A file name need not be text; what is not shows as a mark.
        return [{"file": os.fsencode(file).decode("utf-8", "replace"), **answer} for answer in answers]

    def tell_entry(self, entry: dict) -> None:
        """Write an entry for people."""
        ruleset = systems().get(entry["ruleset"])
        title = f" ({ruleset.title})" if ruleset else ""
        self.line(f"{join_place(entry['file'], entry.get('place'))}: {VERDICTS[entry['verdict']]}{title}")
        for found in entry["findings"]:
            where = " ".join(filter(None, [found["rule"], found["path"], found.get("place")]))
            self.line(f"  {SEVERITIES[found['severity']]}{where and f' {where}'}: {found['message']}")
            for fix in found["fixes"]:
                self.line(f"    → {fix['label']}")
        if ruleset is None:
            return
        for key, value in (entry["derived"] or {}).items():
            title, told = ruleset.sheet.derivations()[key].title, derived_lines(ruleset.sheet, key, value)
            if isinstance(value, list):
                told = ["; ".join(told)]
            for number, line in enumerate(told):
                self.line(f"    {line}" if number else f"  {title}: {line}")


def join_place(file: str, place: str | None) -> str:
    """Return a file, and the place in it if there is one, as compilers write it."""
    return f"{file}:{place}" if place else file


def read(file: str) -> bytes:
    """Return the bytes of a file or of standard input, never many more than a document may have (OSError)."""
    if file == "-":
        return sys.stdin.buffer.read(BYTES + 1)
    with Path(file).open("rb") as opened:
        return opened.read(BYTES + 1)


def unreadable(error: OSError) -> dict:
    """Return the verdict on a file that cannot be opened."""
    finding = {"severity": "error", "rule": None, "path": "", "message": spoken(error), "fixes": []}
    return {"ruleset": None, "verdict": "unreadable", "findings": [finding], "derived": None}


def spoken(error: OSError) -> str:
    """Return why a file cannot be read: usual reasons in the language of the moment, rare ones in the system's."""
    return str(REASONS.get(type(error)) or error.strerror or error)


def misfits(slug: str, rules: dict) -> list[tuple[str, str]]:
    """Return (place below `house`, message) of each part of house rules that does not suit a system."""
    try:
        document.house_rules(systems()[slug], rules)
    except Unreadable as error:
        return error.offences
    return []


def placed(place: str, what: str) -> str:
    """Return an offence in the house rules' own file, with its place there."""
    place = place.removeprefix("house").removeprefix(".")
    return f"{place}: {what}" if place else str(what)
