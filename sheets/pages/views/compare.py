"""Two sheets of a system side by side, or a sheet and typed figures, and what comes of it when they meet."""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from pydantic import ValidationError

from rulesets import systems
from rulesets.kit import Offer, Ruleset, blank
from sheets.access import PageRequest, editable, owns, readable
from sheets.character import Character
from sheets.fitting import fitted
from sheets.forms.inputs import Answers
from sheets.models import Sheet
from sheets.outline import OutlineEntry, outline
from sheets.pages.samples import sample
from sheets.rolls.odds_chart import odds_bars
from sheets.rolls.widgets import Widget, reanswered

LISTED = 100
"""Sheets of one's own that are to choose from, the last changed first."""
ROOM = 192 * 1024
"""Bytes for what both sheets say."""
TRIED = 4
"""Sheets of one's own of which one is taken that can meet another."""
_NUMBER = re.compile(r"([−-]?\d{1,60})(?: / \d{1,60})?")
"""A figure, or what is left of one."""
LONGEST = 2_000
"""Characters of an address in which a link is looked for; one of ours has a hundred."""
_LINK = re.compile(r"(?:^|/shared/)([\w-]{1,64})/?(?:[?#]|$)")


class Side:
    """One side of a comparison: a sheet, or nothing but typed figures; how it meets the other, and its figures.

    Figures are taken from the sheet until they are typed for this sheet and this way of meeting.
    """

    def __init__(self, ruleset: Ruleset, letter: str, answers: Answers, character: Character | None, ref: str = "",
                 link: str = ""):
        self.ruleset, self.letter, self.answers, self.character = ruleset, letter, answers, character
        self.ref, self.link = ref, link

    @property
    def fault(self) -> str:
        """What is wrong with a link that still stands in its field."""
        return _("No shared sheet of {system} has this link.").format(system=self.ruleset.title) if self.link else ""

    @property
    def name(self) -> str:
        """What the side is called; "" without a name."""
        return self.character.name.strip() if self.character else ""

    @cached_property
    def ways(self) -> list[Offer]:
        """The ways in which the sheet can meet another."""
        contest = self.ruleset.contest
        return list(contest.of(self.character.written, self.character.play)) if contest and self.character else []

    @cached_property
    def way(self) -> Offer | None:
        """The way that is chosen, else the usual one."""
        chosen = self.answers.get(f"{self.letter}_way", [""])[-1]
        return next((one for one in self.ways if one.key == chosen), self.ways[0] if self.ways else None)

    @property
    def whose(self) -> str:
        """Whose figures the form shows: a sheet's as it stands in the address, in one of its ways."""
        return f"{self.ref} {self.way.key if self.way else ''}".strip()

    @cached_property
    def widget(self) -> Widget | None:
        """The figures as a form; None where the system has no contest."""
        if self.ruleset.contest is None:
            return None
        prefix = f"{self.letter}."
        answers = self.answers
        if self.whose not in ("", answers.get(f"{self.letter}_of", [""])[-1]):
            answers = reanswered({prefix + key: value for key, value in self.way.filled.items()}) if self.way else None
        return Widget(Offer(self.ruleset.contest, self.ruleset.contest.title, key=self.letter), answers, prefix)

    @property
    def typed(self) -> bool:
        """Whether its figures are others than the sheet's."""
        if self.widget is None or self.way is None:
            return True
        return any(one.fault or one.value != self.way.filled.get(one.slot.key, one.value) for one in self.widget.inputs)

    @property
    def sensible(self) -> bool:
        """Whether there is something to compare, and nothing in the way of a meeting."""
        blank_yet = self.character and self.character.written == self.ruleset.sheet.model_validate(
            blank(self.ruleset.sheet))
        return not blank_yet and (self.widget is None or bool(self.widget.made))

    @property
    def faults(self) -> list[tuple[str, Any, str]]:
        """(id of the input, title, message) of figures that make no sense."""
        return [(f"{self.widget.key}-{one.path}", one.slot.ask.title, one.fault)
                for one in self.widget.inputs if one.fault] if self.widget else []

    @cached_property
    def figures(self) -> dict[tuple[str, str], tuple[Any, str]]:
        """{(section, key): (title, words)} of what the sheet says as it is now."""
        if self.character is None:
            return {}
        now = outline(self.character.now, self.character.house)
        derivations = self.character.now.derivations()
        derived = self.character.now.derive(self.character.house)
        found = {("", value.key): (value.title, str(value.value)) for value in now.values}
        found |= {("", one.key): (one.title, f"{one.left} / {one.most}" if one.most else str(one.left))
                  for one in self.character.play.gauges(self.character.written)}
        found |= {("", f"{fact.key} {fact.title}"): (fact.title, fact.value)
                  for fact in now.facts if not fact.long and ("", fact.key) not in found}
        found |= {("", f"{key} {inner}"): (f"{derivations[key].title}: {inner}", str(value))
                  for key, values in derived.items() if isinstance(values, dict) and not derivations[key].of
                  for inner, value in values.items()}
        found |= {(str(section.title), entry.label.casefold()): (entry.label, _said(entry))
                  for section in now.sections for entry in section.entries}
        return found


def _said(entry: OutlineEntry) -> str:
    """A row of a sheet in one line."""
    facts = (f"{fact.title} {fact.value}" for fact in entry.facts if not fact.long)
    return " · ".join(filter(None, [str(entry.text), *facts])) or "✓"


def _sides(request: HttpRequest, ruleset: Ruleset, own: dict[str, str]) -> list[Side]:
    """Both as the address has them; a side of which it says nothing has a sheet that makes sense there."""
    stated = {letter: any(key == letter or key.startswith((f"{letter}.", f"{letter}_")) for key in request.GET)
              for letter in ("a", "b")}
    sides = {letter: _side(request, ruleset, letter) for letter, there in stated.items() if there}
    for letter in stated:
        taken = {side.ref for side in sides.values()}
        refs = (ref for ref in (*list(own)[:TRIED], *ruleset.examples) if ref not in taken)
        offered = (_sensible(request, ruleset, letter, ref) for ref in refs if letter not in sides)
        if found := next(filter(None, offered), None):
            sides[letter] = found
    return [sides.get(letter) or Side(ruleset, letter, {}, None) for letter in stated]


def _sensible(request: HttpRequest, ruleset: Ruleset, letter: str, ref: str) -> Side | None:
    """A side with what an address means, if it can be read and meet another."""
    with suppress(ValidationError):
        side = Side(ruleset, letter, {}, _character(request, ruleset, ref), ref)
        return side if side.sensible else None
    return None


def _side(request: HttpRequest, ruleset: Ruleset, letter: str) -> Side:
    """The side as the address has it: with the sheet of a link that somebody shared, else with the one chosen."""
    link, ref = request.GET.get(f"{letter}_link", "").strip(), request.GET.get(letter, "")
    found = _LINK.search(link) if len(link) <= LONGEST else None
    sheet = _shared(ruleset).filter(share=found[1]).first() if found else None
    if sheet:
        link, ref = "", sheet.share
    character = _character(request, ruleset, ref, sheet) if ref else None
    return Side(ruleset, letter, dict(request.GET.lists()), character, ref, link)


def _character(request: HttpRequest, ruleset: Ruleset, ref: str, sheet: Sheet | None = None) -> Character:
    """The character that an address means (Http404): a sample by its slug, else a sheet."""
    if sheet is None and ref in ruleset.examples:
        return sample(ruleset, ref)
    sheet = sheet or _sheet(request, ruleset, ref)
    # Who comes by a link sees what that link shows, the owner too.
    unplayed = ref == sheet.share and not sheet.share_play
    return Character(sheet, others=not owns(request, sheet), unplayed=unplayed)


def _shared(ruleset: Ruleset) -> QuerySet[Sheet]:
    return Sheet.objects.not_deleted().filter(ruleset=ruleset.slug)


def _sheet(request: HttpRequest, ruleset: Ruleset, ref: str) -> Sheet:
    """The sheet that an address means: by its key one to be read, by its token a shared one (Http404 for any other)."""
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", ref):
        return get_object_or_404(readable(request).filter(ruleset=ruleset.slug), pk=ref)
    if not re.fullmatch(r"[\w-]{1,64}", ref, re.ASCII):
        raise Http404
    return get_object_or_404(_shared(ruleset), share=ref)


@require_safe
def compare(request: PageRequest, slug: str) -> HttpResponse:
    """The page; whatever is chosen and typed stands in its address."""
    ruleset = systems().get(slug)
    if ruleset is None:
        raise Http404
    found = editable(request).filter(ruleset=slug).order_by("-updated").values_list("pk", "name")[:LISTED]
    own = {str(pk): name for pk, name in found}
    sides = _sides(request, ruleset, own)
    names = _names(sides)
    read = [(side, name) for side, name in zip(sides, names, strict=True) if side.character]
    context = {
        "ruleset": ruleset, "contest": ruleset.contest, "sides": sides,
        "own": own, "samples": {which: document["name"] for which, document in ruleset.examples.items()},
        "faults": [fault for side in sides for fault in side.faults], "charts": _charts(sides, names),
        "heads": [name for _side, name in read],
        "groups": [(section, [_row(title, cells) for title, cells in rows])
                   for section, rows in fitted(_groups([side for side, _name in read]), ROOM)[0]],
    }
    return render(request, "pages/compare/_answer.html" if request.htmx else "pages/compare/page.html", context)


def _names(sides: list[Side]) -> list[str]:
    """What both are called: apart, even where a sheet meets itself."""
    names = [side.name or _("Side {n}").format(n=number) for number, side in enumerate(sides, 1)]
    return names if names[0] != names[1] else [f"{name} ({number})" for number, name in enumerate(names, 1)]


@dataclass(frozen=True)
class ComparedRow:
    """What both have of one thing, in words; `ahead` is the place of the side that has more of it, None for neither."""

    title: Any
    cells: list[str]
    ahead: int | None = None

    @property
    def differs(self) -> bool:
        """Whether they have not the same."""
        return len(set(self.cells)) > 1


def _row(title: Any, cells: list[str]) -> ComparedRow:
    found = [_NUMBER.fullmatch(cell) for cell in cells]
    numbers = [int(one[1].replace("−", "-")) for one in found if one]
    if len(numbers) < 2 or len(numbers) < len(cells) or len(set(numbers)) == 1:
        return ComparedRow(title, cells)
    return ComparedRow(title, cells, numbers.index(max(numbers)))


def _groups(sides: list[Side]) -> list[tuple[str, list[tuple[Any, list[str]]]]]:
    """(section, rows of title and the words of each); what only one has leaves the other's place empty."""
    titles = {key: title for side in reversed(sides) for key, (title, _words) in side.figures.items()}
    keys = dict.fromkeys(key for side in sides for key in side.figures)
    groups: dict[str, list] = {}
    for key in keys:
        cells = [side.figures[key][1] if key in side.figures else "" for side in sides]
        groups.setdefault(key[0], []).append((titles[key], cells))
    return list(groups.items())


def _charts(sides: list[Side], names: list[str]) -> list[tuple]:
    """(prospect, its bars) of what may come of it; none while a figure makes no sense."""
    made = [side.widget.made if side.widget else None for side in sides]
    if not all(made):
        return []
    found = [one.named(*names) for one in made[0].meet(made[1])]
    return [(one, odds_bars(one) if one.exact else []) for one in found]
