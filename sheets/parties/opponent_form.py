"""Forms that make opponents: from a few figures, at random, or as a copy of any readable sheet."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from rulesets.kit import House, Ruleset, parse_whole_number
from rulesets.names import one_line
from sheets.access import key_or_404, readable
from sheets.models import Party
from sheets.models.called import holding
from sheets.paging import asked_of_list, page_of_all
from sheets.parties.opponents import LONGEST, MOST
from sheets.parties.pregens import random_characters
from sheets.rolls.widgets import Widget
from sheets.status.reviews import shown_names, shown_state

METHODS = ("figures", "random", "copy")
"""The buttons of the forms."""


@dataclass(frozen=True)
class OpponentForm:
    """A form that makes opponents: the method, the name, their number, the figures, the concept and the encounter."""

    ruleset: Ruleset
    method: str = ""
    name: str = ""
    count: str = "1"
    side: Widget | None = None
    concept: str = ""
    encounter: str = ""
    fault: str = ""

    @classmethod
    def posted(cls, request: HttpRequest, ruleset: Ruleset, method: str = "") -> "OpponentForm":
        """Return the form as it was posted for a method, or an empty one."""
        side, sent = ruleset.crossing.side, request.POST if method else {}
        name, count = one_line(str(sent.get("_name", ""))), str(sent.get("_count", "1"))
        answers = dict(request.POST.lists()) if method == "figures" else None
        number, fault = parse_whole_number(count), ""
        if len(name) > LONGEST:
            fault = _("A name may have at most {most} characters; this one has {n}.").format(most=LONGEST, n=len(name))
        elif number is None or not 1 <= number <= MOST:
            fault = _("You can create 1 to {most} opponents at once.").format(most=MOST)
        return cls(ruleset, method, name[:2 * LONGEST], count[:LONGEST],
                   Widget(side.offer(), answers) if side else None,
                   concept if (concept := sent.get("_concept", "")) in ruleset.concepts else "",
                   "" if ruleset.crossing.encounter else one_line(str(sent.get("_encounter", ""))), fault)

    @property
    def is_invalid(self) -> bool:
        """True if the form is invalid."""
        return bool(self.fault) or (self.method == "figures" and not (self.side and self.side.complete))

    def bodies(self, request: HttpRequest, house: House, taken: set[str]) -> list[dict[str, Any]]:
        """Return the bodies {"data", "play", "name"} of the opponents.

        Raise `Stuck` if the random ones cannot be made, Http404 if the sheet to copy does not exist.
        """
        count = parse_whole_number(self.count) or 1
        if self.method == "figures" and self.side:
            data, play = self.ruleset.crossing.opponent(self.side.complete)
            return [{"data": self.ruleset.sheet.model_validate(data).model_dump(), "play": play,
                     "name": self.name or _("Opponent")}] * count
        if self.method == "copy":
            sheet = get_object_or_404(readable(request), pk=key_or_404(request.POST.get("sheet", "")),
                                      ruleset=self.ruleset.slug)
            shown = shown_state(sheet)
            return [{"data": shown.data, "name": shown.name or _("Opponent")}] * count
        return random_characters(self.ruleset, house, count, taken, self.concept)

    def common_name(self, bodies: list[dict[str, Any]]) -> str:
        """Return the common name of the opponents, "" if each has its own."""
        return one_line(self.name or ("" if self.method == "random" else bodies[0]["name"]), LONGEST)


def sources(request: HttpRequest, ruleset: Ruleset, party: Party | None = None) -> dict[str, Any]:
    """Return the template context for a page of the sheets that can be copied, by name, narrowed by the search."""
    query = asked_of_list(request, "q", "before", "last")
    sheets = readable(request).filter(ruleset=ruleset.slug, opponent=False).select_related("party").defer(
        "typed", "play", "sought")
    if query["q"]:
        sheets = sheets.filter(holding(query["q"]))
    # Two queries, because each can use an index of its own; a single one would have to sort all rows.
    querysets = [sheets.filter(owner=request.user.pk, archived=None)]
    if party:
        others = Q(archived__isnull=False) | Q(owner=None) | ~Q(owner=request.user.pk)
        querysets.append(sheets.filter(others, party=party))
    page, more = page_of_all(querysets, "called", query["before"], query["last"])
    names = shown_names(page)
    return {"sources": [(one.pk, names[one.pk]) for one in page], "sought": query["q"], "more": more,
            "more_after": more and bytes(more.called).hex()}
