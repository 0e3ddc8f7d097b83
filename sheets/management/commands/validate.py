import os
import sys
from functools import cache
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from rulesets import document, systems
from rulesets.document import BYTES, Unreadable
from rulesets.passages import passages
from sheets.management import speaking
from sheets.verdicts import SEVERITIES, VERDICTS, shown

EXITS = {"legal": 0, "needs-approval": 0, "illegal": 1, "unreadable": 2}


class Command(speaking.Command):
    help = "Checks sheet documents. Exit code 0: legal or for approval; 1: one is illegal; 2: one is unreadable."

    def questions(self, parser):
        parser.add_argument("files", nargs="+", metavar="FILE", help="a sheet document; - reads standard input")
        parser.add_argument("--house", metavar="FILE", help="house rules (JSON) that replace the documents' own")

    def answer(self, *, files, house, format, **_options):  # noqa: A002 - the option's name
        rules = None if house is None else self.house(house)
        checked = [entry for file in files for entry in self.checked(file, rules, house)]
        if format == "json":
            self.json(checked)
        else:
            for one in checked:
                self.tell(one)
        if exit_code := max(EXITS[one["verdict"]] for one in checked):
            self.stdout.flush()
            sys.exit(exit_code)

    def house(self, file: str) -> dict:
        """The house rules of a file; whether they fit shows with the first document of a system."""
        try:
            rules = document.parse(read(file))
        except OSError as error:
            raise self.bad_house(file, [("", error.strerror)]) from None
        except Unreadable as error:
            raise self.bad_house(file, error.offences) from None
        if not isinstance(rules, dict):
            raise self.bad_house(file, [("", _("House rules are an object."))])
        return rules

    @staticmethod
    def bad_house(file, offences):
        lines = [_("The house rules in {file} cannot be used.").format(file=file)]
        lines += [f"{place}: {what}" if place else str(what) for place, what in offences]
        return speaking.refusal("\n".join(lines))

    def checked(self, file: str, rules: dict | None, house: str | None) -> list[dict]:
        """The entries of one file, of the shape that interface.md states; a text may hold several sheets."""
        try:
            raw = read(file)
        except OSError as error:
            answers = [unreadable(error)]
        else:
            found = passages(raw)
            for slug in dict.fromkeys(one.ruleset.slug for one in found):
                self.fit(slug, rules, house)
            answers = [one.verdict(rules) for one in found] or [document.verdict(raw, rules)]
        for answer in answers:
            self.fit(answer["ruleset"], rules, house)
        # A file name need not be text; what is not shows as a mark.
        return [{"file": os.fsencode(file).decode("utf-8", "replace"), **answer} for answer in answers]

    def fit(self, slug: str | None, rules: dict | None, house: str | None) -> None:
        """Nothing, where the house rules are of the system's shape."""
        if rules is not None and slug:
            try:
                fits(slug, document.canonical(rules))
            except Unreadable as error:
                raise self.bad_house(house, error.offences) from None

    def tell(self, one: dict):
        """An entry for people."""
        ruleset = systems().get(one["ruleset"])
        title = f" ({ruleset.title})" if ruleset else ""
        self.line(f"{join_place(one['file'], one.get('place'))}: {VERDICTS[one['verdict']]}{title}")
        for found in one["findings"]:
            where = " ".join(filter(None, [found["rule"], found["path"], found.get("place")]))
            self.line(f"  {SEVERITIES[found['severity']]}{where and f' {where}'}: {found['message']}")
            for fix in found["fixes"]:
                self.line(f"    → {fix['label']}")
        for key, value in (one["derived"] or {}).items():
            for number, line in enumerate(shown(value).splitlines() or [""]):
                self.line(f"    {line}" if number else f"  {ruleset.sheet.derivations()[key].title}: {line}")


def join_place(file: str, place: str | None) -> str:
    """A file, and the place in it where there is one, as compilers write it."""
    return f"{file}:{place}" if place else file


def read(file: str) -> bytes:
    """The bytes of a file or of standard input, and never many more than a document may have (OSError)."""
    if file == "-":
        return sys.stdin.buffer.read(BYTES + 1)
    with Path(file).open("rb") as opened:
        return opened.read(BYTES + 1)


def unreadable(error: OSError) -> dict:
    """The verdict on a file that cannot be opened."""
    finding = {"severity": "error", "rule": None, "path": "", "message": error.strerror or str(error), "fixes": []}
    return {"ruleset": None, "verdict": "unreadable", "findings": [finding], "derived": None}


@cache
def fits(slug: str, rules: bytes):
    """Nothing, where the house rules are of a system's shape (`Unreadable`)."""
    document.shaped(systems()[slug].house, document.parse(rules), "")
