"""The stamp of a sheet's approval on paper and exports: its state in words, the check code, exceptions as footnotes."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import segno
from django.core.exceptions import BadRequest
from django.http import Http404
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rulesets.kit import Finding
from sheets.audit_log.check_codes import grouped
from sheets.documents import sealable
from sheets.models import Revision, Sheet
from sheets.status.outward import outward
from sheets.status.reviews import ReviewStatus, review_status, shown_state

DRAFT = "draft"
APPROVAL_NOTES = {
    "earlier": gettext_lazy("under earlier rules"),
    "played": gettext_lazy("changed at the table since: revision {n}"),
    "changed": gettext_lazy("the draft has changed since"),
    "waiting": gettext_lazy("a later submission is waiting"),
    "returned": gettext_lazy("a later submission was returned"),
}
"""{state: the note beside an approval that is in force}."""


@dataclass(frozen=True)
class Footnote:
    """An exception that an approval makes: the rule, its place in the sheet, and the reason; "" if that was erased."""

    number: int
    rule: str
    path: str
    reason: str

    @property
    def head(self) -> str:
        """The words that name the rule it makes an exception to."""
        return _("Exception to {rule}:").format(rule=self.rule)

    @property
    def said(self) -> str:
        """The reason, or a note that it has been erased."""
        return self.reason or _("The reason has been erased.")


@dataclass(frozen=True)
class Stamp:
    """A sheet for paper and exports: as it is played or, with `draft`, as its owner has changed it since.

    `root` is the site's address, "https://host".
    """

    sheet: Sheet
    review_status: ReviewStatus
    draft: bool = False
    root: str = ""

    @property
    def shown_status(self) -> ReviewStatus:
        """The review status for the state shown: for a draft, without the approved revision."""
        return replace(self.review_status, revision=None) if self.draft else self.review_status

    @property
    def state(self) -> Sheet | Revision:
        """The object that holds the name, data and house rules."""
        return shown_state(self.sheet, self.shown_status)

    @property
    def in_force(self) -> bool:
        """True if the state shown is the approved revision, or what acts have made of it."""
        return bool(self.shown_status.revision)

    def settles(self, verdict: str) -> bool:
        """Return True if the approval decides, and not this verdict; it cannot allow what the rules forbid."""
        return self.in_force and verdict != "illegal"

    @cached_property
    def differs(self) -> bool:
        """True if there is a draft beside what is played."""
        revision = self.review_status.revision
        return revision is not None and sealable(self.sheet)["seal"] != revision.seal

    @property
    def query(self) -> str:
        """The query string that asks for this state at another address."""
        return f"?of={DRAFT}" if self.draft else ""

    @property
    def line(self) -> str:
        """The state of the approval in one line; "" if none is needed."""
        if not self.review_status.state:
            return ""
        signed = self.sheet.system.needs_approval
        revision, approval = self.review_status.revision, self.review_status.approval
        if revision is None or approval is None:
            title = str(self.review_status.title)
            alone = self.sheet.party_id is None
            return _("Not in force: {state}").format(state=title) if signed and not alone else capfirst(title)
        said = {"date": date_format(localtime(approval.made)), "n": approval.revision_number}
        if self.draft:
            parts = [_("Draft, not in force") if signed else _("Draft, not approved"),
                     _("revision {n} is in play, approved on {date}").format(**said)]
        else:
            parts = [(_("In force since {date}") if signed else _("Approved on {date}")).format(**said),
                     _("revision {n}").format(**said),
                     str(APPROVAL_NOTES.get(self.review_status.state, "")).format(n=revision.number)]
        return " · ".join(filter(None, parts))

    @property
    def code(self) -> str:
        """The check code in groups; "" for what is not in force."""
        approval = self.review_status.approval
        return grouped(approval.code) if approval and approval.code and self.in_force else ""

    @property
    def url(self) -> str:
        """The address at which anybody can check the code; "" without one."""
        return self.root + reverse("verified", args=[self.code]) if self.code else ""

    @property
    def qr(self) -> str:
        """The QR code of the address, as an SVG without styles of its own; "" without one."""
        if not self.url:
            return ""
        return segno.make(self.url, error="m", micro=False).svg_inline(light="#fff", dark="#000", omitsize=True)

    @cached_property
    def footnotes(self) -> list[Footnote]:
        """The exceptions, numbered."""
        made = self.review_status.exceptions if self.in_force else []
        return [Footnote(number, one["rule"], one["path"], one["reason"]) for number, one in enumerate(made, 1)]

    def noted(self, findings: Iterable[Finding]) -> list[tuple[Finding, str]]:
        """Return each finding with the number of the footnote that grants it, "" without one."""
        left, found = list(self.footnotes), []
        for finding in findings:
            note = next((one for one in left if finding.severity == "approval"
                         and (one.rule, one.path) == (finding.rule, finding.path)), None)
            if note:
                left.remove(note)
            found.append((finding, str(note.number) if note else ""))
        return found

    def asdict(self) -> dict[str, Any]:
        """Return the stamp as the JSON document shows it."""
        approval, revision = self.review_status.approval, self.shown_status.revision
        if approval is None or revision is None:
            return {"state": DRAFT if self.draft else self.review_status.state}
        return {"state": self.review_status.state, "code": self.code,
                "revision": revision.number, "seal": revision.seal,
                "approved": approval.made.isoformat(timespec="seconds"), "verify": self.url,
                "exceptions": [{"rule": one.rule, "path": one.path, "reason": one.reason} for one in self.footnotes]}


def marks(noted: Iterable[tuple[Finding, str]], path: str) -> str:
    """Return the numbers of the footnotes to a path and those below it, "1, 2"."""
    return ", ".join(mark for finding, mark in noted if mark and path and f"{finding.path}.".startswith(f"{path}."))


def stamp_of(sheet: Sheet, status: ReviewStatus | None = None, *, draft: bool = False, root: str = "") -> Stamp:
    """Return the stamp of a sheet as it is played; with `draft` that of its draft, if they differ."""
    found = Stamp(sheet, status or review_status(sheet), draft=draft, root=root)
    return found if not draft or found.differs else replace(found, draft=False)


def stamp_asked_for(sheet: Sheet, of: str, root: str, *, drafts: bool) -> Stamp:
    """Return the stamp of the state that an address asks for: "draft", or "" for what is played.

    Raise `BadRequest` for anything else. Without `drafts`, raise Http404 for a draft, and include nothing of the
    reviews but the approval.
    """
    if of == DRAFT and not drafts:
        raise Http404
    if of not in ("", DRAFT):
        raise BadRequest(_("A sheet has no such version; ask for “draft”, or leave it out for the version in play."))
    return stamp_of(sheet, None if drafts else outward(sheet), draft=of == DRAFT, root=root)
