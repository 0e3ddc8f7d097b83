"""The actions of owners and GMs in a sheet's review. Callers must have locked the party and the sheet."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rulesets.kit import Data, Finding, Ruleset, Verdict
from rulesets.names import one_line
from sheets.audit_log import chain
from sheets.audit_log.digests import digest
from sheets.documents import sealable
from sheets.forms.paths import field_or_list_at
from sheets.history.revisions import save_revision
from sheets.models import Member, Party, Reply, Review, Revision, Sheet
from sheets.models.reviews import APPROVED, RECALLED, RENEWED, RETURNED, SUBMITTED, WITHDRAWN
from sheets.models.webhooks import record_happening
from sheets.notifications.services import notify, notify_unshared
from sheets.parties import services as parties
from sheets.press.log import announce
from sheets.reviews.comments import MAX_REPLIES, Comment
from sheets.status.party_catalogue import agreed
from sheets.status.reviews import ReviewStatus, review_status
from sheets.status.unshared import end_sharing_of_drafts

MAX_COMMENT, MAX_FIELD_COMMENT, MAX_TOTAL = 4000, 1000, 24_000
"""The most characters of a comment on the sheet, of one at a field or the reason for an exception, and of all texts."""

IN_NO_PARTY = gettext_lazy("Bring the sheet into a party first: its GMs do the approving.")
NOTHING_WAITS = gettext_lazy("Nothing is waiting any more: it was taken back or decided in the meantime.")
FORBIDDEN = gettext_lazy("The party's rules now forbid this; return it, or relax the house rules first.")


class Blocked(Exception):
    """An action is not possible now; the message tells why, and how to proceed."""


@dataclass(frozen=True)
class PendingDecision:
    """A state of a sheet that the GMs have to decide about, checked by today's rules and house rules."""

    entry: Review
    """The submission; if there is none, the entry of the played revision, whose approval newer rules have overtaken."""
    content: dict[str, Any]
    """{name, data, house, rules, seal}: the revision under today's house rules."""
    verdict: Verdict

    @property
    def seal(self) -> str:
        """The seal to which an approval would be bound."""
        seal: str = self.content["seal"]
        return seal

    @property
    def revision(self) -> Revision:
        """The revision of the entry."""
        if self.entry.revision is None:
            raise ValueError("what waits for the GMs has its revision")
        return self.entry.revision

    @property
    def asking(self) -> dict[str, Finding]:
        """{name of the reason's input: finding} of the findings to which a GM may grant an exception."""
        return {digest(one.asdict() | {"fixes": []})[:16]: one for one in self.verdict.findings
                if one.severity == "approval"}

    @property
    def waits(self) -> bool:
        """True if it was submitted, False if it was approved and overtaken by newer rules."""
        return self.entry.kind == SUBMITTED


def check_content(sheet: Sheet, content: Mapping[str, Any], *, mends: bool = False) -> Verdict:
    """Return the verdict on the content {name, data, house} of a sheet."""
    ruleset = sheet.system
    house = ruleset.house.model_validate(content["house"])
    shape = ruleset.sheet.model_validate(content["data"])
    verdict = ruleset.check(shape, house, content["name"], mends=mends)
    return agreed(sheet, verdict, shape) if any(one.severity == "approval" for one in verdict.findings) else verdict


def pending_decision(sheet: Sheet, status: ReviewStatus) -> PendingDecision | None:
    """Return the pending decision about the submission, or else about what is played if the rules have changed."""
    entry = status.waiting or status.played
    if entry is None:
        return None
    revision = entry.revision if status.waiting else status.revision
    if revision is None or sheet.party is None:
        return None
    content = sealable(sheet, {"name": revision.name, "data": revision.data, "house": sheet.party.house})
    if not status.waiting and content["seal"] == revision.seal:
        return None
    return PendingDecision(entry, content, check_content(sheet, content, mends=not status.waiting))


def why_not_submittable(sheet: Sheet) -> str:
    """Return the reason why a sheet cannot be submitted as it is, "" if it can."""
    if not sheet.party_id:
        return str(IN_NO_PARTY)
    if sheet.offered:
        return _("The character is on offer; whoever takes it submits it.")
    if sheet.typed:
        return _("A field cannot be read yet; fix it first.")
    verdict = check_content(sheet, sealable(sheet))
    if verdict.verdict == "illegal":
        n = sum(one.severity == "error" for one in verdict.findings)
        return ngettext("The sheet breaks the party's rules in {n} place; fix it first.",
                        "The sheet breaks the party's rules in {n} places; fix them first.", n).format(n=n)
    return ""


def why_nothing_new(sheet: Sheet, status: ReviewStatus) -> str:
    """Return the reason why a sheet has nothing new for the GMs, "" if it has."""
    seal = sealable(sheet)["seal"]
    if status.waiting and status.waiting.seal == seal:
        return _("It is already waiting for the GMs, exactly as it is.")
    if status.revision and status.revision.seal == seal and status.played == status.approval:
        return _("It is already approved, exactly as it is.")
    return ""


def submit(sheet: Sheet, user: User, comment: str = "") -> Review:
    """Submit a sheet to the GMs with a comment, in place of an earlier submission; raise `Blocked` if it cannot be."""
    if why := why_not_submittable(sheet):
        raise Blocked(why)
    if why := why_nothing_new(sheet, review_status(sheet)):
        raise Blocked(why)
    entry = chain.append(SUBMITTED, user, sheet=sheet, revision=save_revision(sheet, SUBMITTED, user),
                         said=clean_comments(sheet.system, {}, {"comment": comment}))
    if not sheet.finished:
        # A submitted sheet counts as finished, so that its owner is shown what it lacks if it is returned.
        sheet.finished = timezone.now()
        sheet.save(update_fields=["finished"])
    _notify([one for one in parties.gms(_party(sheet)) if one != user], SUBMITTED, sheet, user)
    record_happening(_party(sheet), "review.submitted", sheet=str(sheet.pk))
    announce(_party(sheet), hidden=True)
    return entry


def recall(sheet: Sheet, user: User) -> Review:
    """Take the owner's submission back; raise `Blocked` if nothing waits."""
    waiting = review_status(sheet).waiting
    if waiting is None:
        raise Blocked(NOTHING_WAITS)
    entry = chain.append(RECALLED, user, sheet=sheet, revision=waiting.revision)
    announce(_party(sheet), hidden=True)
    return entry


def _party(sheet: Sheet) -> Party:
    """Return the party of a sheet; raise `Blocked` if it is in none."""
    if sheet.party is None:
        raise Blocked(IN_NO_PARTY)
    return sheet.party


def clean_comments(ruleset: Ruleset, data: Data, comments: Mapping[str, Any]) -> dict[str, Any]:
    """Return {comment, at: {path: text}} without empty comments and those at fields that do not exist."""
    at = {path: _clean_text(text) for path, text in comments.get("at", {}).items() if _clean_text(text)}
    at = {path: text for path, text in at.items() if field_or_list_at(ruleset.sheet, data, path)}
    comment = _clean_text(comments.get("comment", ""))
    return ({"at": at} if at else {}) | ({"comment": comment} if comment else {})


def _clean_text(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def check_texts(comment: str, others: Iterable[str]) -> None:
    """Raise `Blocked` if the comment, one of the other texts, or all of them together are too long or contain a NUL."""
    others = list(others)
    for text, most in ((comment, MAX_COMMENT), *((text, MAX_FIELD_COMMENT) for text in others)):
        if "\0" in text:
            raise Blocked(_("The text contains a NUL, which no sheet can store; remove it."))
        if (n := len(_clean_text(text))) > most:
            raise Blocked(_("A text has {n} characters; the maximum here is {most}.").format(n=n, most=most))
    if (n := sum(map(len, (comment, *others)))) > MAX_TOTAL:
        raise Blocked(_("Together these texts have {n} characters; the maximum is {most}.").format(n=n, most=MAX_TOTAL))


def may_decide(me: Member | None, sheet: Sheet) -> bool:
    """Return True if a member may decide about a sheet: as a GM of its party who does not own it."""
    return bool(me and me.gm and me.party_id == sheet.party_id and sheet.owner_id != me.user_id)


def why_not_approvable(pending: PendingDecision, user: int | None) -> str:
    """Return the reason why a user (by primary key) cannot approve a sheet from the queue, "" if they can."""
    if pending.waits and pending.entry.by_id == user:
        return _("You submitted this yourself; another GM of the party has to decide.")
    if pending.verdict.verdict == "illegal":
        return str(FORBIDDEN)
    if n := len(pending.asking):
        return ngettext("It asks for {n} exception, which needs a reason.",
                        "It asks for {n} exceptions, each of which needs a reason.", n).format(n=n)
    return ""


def _decidable(me: Member, sheet: Sheet, seal: str) -> PendingDecision:
    """Return the pending decision; raise `Blocked` if the member may not decide, or `seal` is not its seal."""
    if not may_decide(me, sheet):
        raise Blocked(_("You cannot decide on your own sheet; another GM of the party has to."))
    pending = pending_decision(sheet, review_status(sheet))
    if pending is None:
        raise Blocked(NOTHING_WAITS)
    if pending.waits and pending.entry.by_id == me.user_id:
        raise Blocked(_("You submitted this yourself; another GM of the party has to decide."))
    if pending.seal != seal:
        raise Blocked(_("What is waiting is no longer what you saw; look at it again here, then decide."))
    return pending


def approve(me: Member, sheet: Sheet, seal: str, reasons: Mapping[str, str], comments: dict[str, Any]) -> Review:
    """Approve the pending state that the GM has seen, which must have this `seal`.

    `reasons` are {name in `PendingDecision.asking`: reason}; raise `Blocked` if one is missing. `comments` are those on
    the whole sheet and at fields, {comment, at: {path: text}}.
    """
    pending = _decidable(me, sheet, seal)
    if pending.verdict.verdict == "illegal":
        raise Blocked(FORBIDDEN)
    if any(not one_line(reasons.get(name, "")) for name in pending.asking):
        raise Blocked(_("Each exception needs a reason: it will appear on the sheet later."))
    granted = [{"rule": one.rule, "path": one.path, "message": one.message, "reason": reasons[name].strip()}
               for name, one in pending.asking.items()]
    revision = pending.revision
    if revision.seal != pending.seal:
        revision = save_revision(sheet, RENEWED, pending.entry.by, pending.content)
    seen = {"findings": [one.asdict() | {"fixes": []} for one in pending.verdict.findings],
            "derived": pending.verdict.derived}
    comments = clean_comments(sheet.system, pending.content["data"], comments)
    said = comments | ({"exceptions": granted} if granted else {})
    return _record_decision(APPROVED, me, sheet, revision, said, seen)


def give_back(me: Member, sheet: Sheet, seal: str, comments: dict[str, Any]) -> Review:
    """Return a submission to the owner with comments; raise `Blocked` if there are none."""
    pending = _decidable(me, sheet, seal)
    comments = clean_comments(sheet.system, pending.content["data"], comments)
    if not comments:
        raise Blocked(_("Say what needs fixing: at a field, or in general."))
    return _record_decision(RETURNED, me, sheet, pending.revision, comments)


def withdraw(me: Member, sheet: Sheet, comments: dict[str, Any]) -> Review:
    """Withdraw an approval, with a comment as its reason; raise `Blocked` without one."""
    if not may_decide(me, sheet):
        raise Blocked(_("You cannot decide on your own sheet; another GM of the party has to."))
    status = review_status(sheet)
    if status.approval is None or status.revision is None:
        raise Blocked(_("There is no longer an approval to withdraw."))
    # Comments at fields are dropped, because the rules may no longer be able to read the revision.
    comments = clean_comments(sheet.system, {}, {"comment": comments.get("comment", "")})
    if not comments:
        raise Blocked(_("Say why: the player will read it."))
    for draft in end_sharing_of_drafts([sheet], leaving=False):
        notify_unshared(draft)
    return _record_decision(WITHDRAWN, me, sheet, status.revision, comments)


def reply(sheet: Sheet, user: User, comment: Comment | None, text: str, *, done: bool) -> Comment:
    """Reply to a comment or mark it as `done`; raise `Blocked` if it no longer counts (None)."""
    if comment is None:
        raise Blocked(_("That comment is gone: the sheet was approved or left the party in the meantime."))
    text, last_reply = _clean_text(text), comment.replies[-1] if comment.replies else None
    # Ignore a reply that was sent twice, and one that changes nothing.
    sent_twice = last_reply and (text, done, user.pk) == (last_reply.text, last_reply.done, last_reply.author_id)
    if sent_twice or (text, done) == ("", comment.done):
        return comment
    if len(comment.replies) >= MAX_REPLIES:
        raise Blocked(_("There are already {n} replies, which is the maximum.").format(n=MAX_REPLIES))
    Reply.objects.create(entry=comment.entry, path=comment.path, author=user, text=text, done=done)
    if text:
        gms = parties.gms(_party(sheet))
        # If the author of the comment is no GM any more, all GMs are notified.
        others = [one for one in gms if one == comment.entry.by] or gms if sheet.owner_id == user.pk else [sheet.owner]
        notify([one for one in others if one and one != user], "review-replied", _party(sheet), user, about=sheet,
               url=f"{reverse('review', args=[sheet.pk])}#{comment.id}")
    return comment


def _record_decision(kind: str, me: Member, sheet: Sheet, revision: Revision, said: dict[str, Any],
                     seen: dict[str, Any] | None = None) -> Review:
    """Append a decision to the chain and notify the sheet's owner."""
    entry = chain.append(kind, me.user, sheet=sheet, revision=revision, seen=seen, said=said)
    _notify([sheet.owner] if sheet.owner else [], kind, sheet, me.user, said.get("at", {}))
    record_happening(_party(sheet), "review.decided", sheet=str(sheet.pk), decision=kind)
    # A returned sheet is visible only to its owner and the GMs.
    announce(_party(sheet), hidden=kind == RETURNED, events_suffice=kind != RETURNED)
    return entry


def _notify(users: Iterable[User], kind: str, sheet: Sheet, sender: User, at: Collection[str] = ()) -> None:
    """Notify users of a decision, with the number of comments `at` fields."""
    notify(users, f"review-{kind}", _party(sheet), sender, url=reverse("review", args=[sheet.pk]), about=sheet,
           **({"comments": len(at)} if at else {}))
