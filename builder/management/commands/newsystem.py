import re
import unicodedata
from argparse import ArgumentParser
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import find
from django.core.management.base import CommandError
from django.core.management.templates import TemplateCommand

from rulesets import kit, systems

HOME = Path(settings.BASE_DIR) / "rulesets"


def folder_name(name: str) -> str:
    """Return a valid folder name made from a name, as "flussherz" from "Flussherz"; "" if no letter is left."""
    spelt = name.lower().translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss"})
    plain = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_0123456789")


def free_prefix(name: str) -> str:
    """Return a free prefix for rule ids: the first letter of a name, and another of its letters or of the alphabet.

    Raise `CommandError` if every prefix with that first letter is taken.
    """
    taken, letters = {ruleset.prefix for ruleset in systems().values()}, name.replace("_", "").upper()
    for second in (*letters[1:], *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        if letters[0] + second not in taken:
            return letters[0] + second
    raise CommandError(f"Every prefix of two letters that begins with {letters[0]} is taken.")


def existing_with_name(name: str, slug: str) -> str:
    """Return a description of the existing Python module or style sheet with this name; "" if there is none."""
    if find_spec(name):
        return "a module of Python's, of a library's or of this program's"
    return "a style sheet" if find(f"{slug}.css") else ""


class Command(TemplateCommand):
    """Create a new system from the templates in rulesets/kit/new_system/, as `startapp` creates an app."""

    help = "Lays down the smallest system that keeps the contract in rulesets/NAME/, tests and German included."
    missing_args_message = "What is the system called? A folder's name, in small letters: manage.py newsystem NAME"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of its folder: small letters, digits and _")
        parser.add_argument("--prefix", help="the two letters that its rules' ids begin with, as in XX-01")
        parser.add_argument("--title", help="what people call it")

    # The parser above defines only these arguments.
    def handle(self, *, name: str, **options: Any) -> None:  # type: ignore[override]
        if not (name.isascii() and name.isidentifier() and name == name.lower() and name[0] != "_") or iskeyword(name):
            other = folder_name(name)
            raise CommandError(f"{name} is no name of a folder in small letters, digits and _" + (
                f": manage.py newsystem {other}" if other and other != name else "."))
        if find_spec(f"rulesets.{name}") or (HOME / name).exists():
            raise CommandError(f"rulesets/{name} is there already.")
        slug, home = name.replace("_", "-"), HOME / name
        if there := existing_with_name(name, slug):
            raise CommandError(f"{name} is the name of {there} already; call the system something else.")
        title = options.pop("title", None) or name.replace("_", " ").title()
        if re.search(r'["\\\n]', title):
            raise CommandError("A title has no quotation marks, backslashes or line breaks.")
        letters = options.pop("prefix", None) or free_prefix(name)
        if not re.fullmatch("[A-Z]{2}", letters) or letters in {ruleset.prefix for ruleset in systems().values()}:
            raise CommandError(f"{letters} is no prefix of two capital letters that no other system has.")
        words = {"slug": slug, "prefix": letters, "title": title}
        home.mkdir()
        super().handle("app", name, str(home), **options, **words, files=[], extensions=["py", "md", "css"],
                       template=str(Path(kit.__file__).parent / "new_system"))
        (home / "static" / f"{name}.css").rename(home / "static" / f"{slug}.css")
        self.stdout.write(f"rulesets/{name}/ is a system, its rules from {words['prefix']}-00 on: make it yours.")

    def validate_name(self, name: str, name_or_dir: str = "name") -> None:
        """Accept any name; `handle` has checked it already."""
