"""The actions of owners and GMs in a sheet's review. Callers hold the party and the sheet."""

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
from sheets.forms.paths import place_at
from sheets.history.revisions import save_revision
from sheets.models import Member, Party, Reply, Review, Revision, Sheet
from sheets.models.reviews import APPROVED, RECALLED, RENEWED, RETURNED, SUBMITTED, WITHDRAWN
from sheets.notifications.services import notify, tell_unshared
from sheets.parties import services as parties
from sheets.press.log import announce
from sheets.reviews.comments import REPLIES, Comment
from sheets.status.reviews import ReviewStatus, review_status
from sheets.status.unshared import end_sharing_of_drafts

LONGEST, WORDS = 4000, 1000
"""Characters of a comment on a sheet as a whole, and of one at a field or the reason of an exception."""
TOGETHER = 24_000
"""Characters of all that is said at once."""

OUTSIDE = gettext_lazy("Bring the sheet into a party first: its GMs approve.")
NOTHING_WAITS = gettext_lazy("Nothing waits any more: it was taken back or decided in the meantime.")

FORBIDDEN = gettext_lazy("The party's rules forbid this by now; return it, or let the house rules only ask.")


class Blocked(Exception):
    """An action that is not possible now; the message says why and the way out."""


@dataclass(frozen=True)
class PendingDecision:
    """A sheet's state that waits for the GMs, as seen under the party's house rules and the rules of today."""

    entry: Review
    """The submission, or what is played if rules came after its approval."""
    content: dict[str, Any]
    """{name, data, house, rules, seal}: the submitted revision under the house rules of today."""
    verdict: Verdict

    @property
    def seal(self) -> str:
        """The seal to which an approval of it would be bound."""
        seal: str = self.content["seal"]
        return seal

    @property
    def revision(self) -> Revision:
        """The revision that was submitted."""
        if self.entry.revision is None:
            raise ValueError("what waits for the GMs has its revision")
        return self.entry.revision

    @property
    def asking(self) -> dict[str, Finding]:
        """The findings that a GM may except, each by the name under which its reason is given."""
        return {digest(one.asdict() | {"fixes": []})[:16]: one for one in self.verdict.findings
                if one.severity == "approval"}


    @property
    def waits(self) -> bool:
        """True if it was submitted, rather than overtaken by other rules."""
        return self.entry.kind == SUBMITTED


def check_content(sheet: Sheet, content: Mapping[str, Any], *, mends: bool = False) -> Verdict:
    """Return the verdict on content {name, data, house} of a sheet."""
    ruleset = sheet.system
    house = ruleset.house.model_validate(content["house"])
    return ruleset.check(ruleset.sheet.model_validate(content["data"]), house, content["name"], mends=mends)


def pending_decision(sheet: Sheet, taken: ReviewStatus) -> PendingDecision | None:
    """Return the pending decision, or None: what waits, else what is played if the rules have changed by now."""
    entry = taken.waiting or taken.played
    if entry is None:
        return None
    revision = entry.revision if taken.waiting else taken.revision
    if revision is None or sheet.party is None:
        return None
    content = sealable(sheet, {"name": revision.name, "data": revision.data, "house": sheet.party.house})
    if not taken.waiting and content["seal"] == revision.seal:
        return None
    return PendingDecision(entry, content, check_content(sheet, content, mends=not taken.waiting))


def in_the_way(sheet: Sheet) -> str:
    """Return the reason why a sheet cannot be submitted as it stands, "" if it can."""
    if not sheet.party_id:
        return str(OUTSIDE)
    if sheet.offered:
        return _("The character is laid out to be taken; whoever takes it submits it.")
    if sheet.typed:
        return _("A field cannot be read yet; mend it first.")
    verdict = check_content(sheet, sealable(sheet))
    if verdict.verdict == "illegal":
        n = sum(one.severity == "error" for one in verdict.findings)
        return ngettext("The party's rules are broken in {n} place; mend it first.",
                        "The party's rules are broken in {n} places; mend them first.", n).format(n=n)
    return ""


def nothing_new(sheet: Sheet, taken: ReviewStatus) -> str:
    """Return the reason why the GMs have nothing new to see in a sheet as it stands, "" if they have."""
    seal = sealable(sheet)["seal"]
    if taken.waiting and taken.waiting.seal == seal:
        return _("It waits for the GMs already, just as it is.")
    if taken.revision and taken.revision.seal == seal and taken.played == taken.approval:
        return _("It is approved already, just as it is.")
    return ""


def submit(sheet: Sheet, user: User, comment: str = "") -> Review:
    """Submit the sheet as it stands to the GMs, with a word to them; what waited before no longer does (`Blocked`)."""
    if why := in_the_way(sheet):
        raise Blocked(why)
    if why := nothing_new(sheet, review_status(sheet)):
        raise Blocked(why)
    entry = chain.append(SUBMITTED, user, sheet=sheet, revision=save_revision(sheet, SUBMITTED, user),
                         said=clean_comments(sheet.system, {}, {"comment": comment}))
    if not sheet.finished:
        # Nobody submits what is yet to come: when it is given back, what it lacks is said plainly.
        sheet.finished = timezone.now()
        sheet.save(update_fields=["finished"])
    _tell([one for one in parties.gms(_party(sheet)) if one != user], SUBMITTED, sheet, user)
    announce(_party(sheet), hidden=True)
    return entry


def recall(sheet: Sheet, user: User) -> Review:
    """Take a submission back, for the owner (`Blocked` if nothing waits)."""
    entry = chain.append(RECALLED, user, sheet=sheet, revision=_waiting(sheet).revision)
    announce(_party(sheet), hidden=True)
    return entry


def _party(sheet: Sheet) -> Party:
    """Return the party whose GMs decide (`Blocked` if the sheet is in none)."""
    if sheet.party is None:
        raise Blocked(OUTSIDE)
    return sheet.party


def _waiting(sheet: Sheet) -> Review:
    waiting = review_status(sheet).waiting
    if waiting is None:
        raise Blocked(NOTHING_WAITS)
    return waiting


def clean_comments(ruleset: Ruleset, data: Data, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the comments to keep, {comment, at: {path: text}}: no empty ones, and none where there is no field."""
    at = {path: _text(text) for path, text in said.get("at", {}).items() if _text(text)}
    at = {path: text for path, text in at.items() if place_at(ruleset.sheet, data, path)}
    comment = _text(said.get("comment", ""))
    return ({"at": at} if at else {}) | ({"comment": comment} if comment else {})


def _text(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def check_texts(comment: str, others: Iterable[str]) -> None:
    """Raise `Blocked` if the comment, a text at a field or of an exception, or all of them together cannot be kept."""
    others = list(others)
    for text, most in ((comment, LONGEST), *((one, WORDS) for one in others)):
        if "\0" in text:
            raise Blocked(_("The text holds a NUL, which no sheet can keep; remove it."))
        if (n := len(_text(text))) > most:
            raise Blocked(_("A text has {n} characters; {most} are the most here.").format(n=n, most=most))
    if (n := sum(map(len, (comment, *others)))) > TOGETHER:
        raise Blocked(_("Together these texts have {n} characters; {most} are the most.").format(n=n, most=TOGETHER))


def may_decide(me: Member | None, sheet: Sheet) -> bool:
    """Return True if a member may decide about a sheet: a GM of its party may, but never about their own."""
    return bool(me and me.gm and me.party_id == sheet.party_id and sheet.owner_id != me.user_id)


def asks_more(found: PendingDecision, user: int | None) -> str:
    """Return the reason why the user of a key cannot approve what waits with a mere tick, "" if they can."""
    if found.waits and found.entry.by_id == user:
        return _("You have submitted this yourself; another GM of the party decides.")
    if found.verdict.verdict == "illegal":
        return str(FORBIDDEN)
    if n := len(found.asking):
        return ngettext("It asks for {n} exception, which needs its reason.",
                        "It asks for {n} exceptions, each of which needs its reason.", n).format(n=n)
    return ""


def _decides(me: Member, sheet: Sheet, seal: str) -> PendingDecision:
    """Return the case that a GM has seen and may decide (`Blocked` if it has changed by now)."""
    if not may_decide(me, sheet):
        raise Blocked(_("Nobody decides about a sheet of their own; another GM of the party does."))
    found = pending_decision(sheet, review_status(sheet))
    if found is None:
        raise Blocked(NOTHING_WAITS)
    if found.waits and found.entry.by_id == me.user_id:
        raise Blocked(_("You have submitted this yourself; another GM of the party decides."))
    if found.seal != seal:
        raise Blocked(_("What waits is no longer what you have seen; it stands here anew. Look again, then decide."))
    return found


def approve(me: Member, sheet: Sheet, seal: str, reasons: Mapping[str, str], said: dict[str, Any]) -> Review:
    """Bind the GM's approval to what waits, which must be what was seen (`seal`).

    `reasons` grant the findings that need approval, {name in `PendingDecision.asking`: reason}; each needs one
    (`Blocked`). `said` holds a comment on the whole and comments at fields, {comment, at: {path: text}}.
    """
    found = _decides(me, sheet, seal)
    if found.verdict.verdict == "illegal":
        raise Blocked(FORBIDDEN)
    if any(not one_line(reasons.get(name, "")) for name in found.asking):
        raise Blocked(_("Each exception needs its reason: it is what stands on the sheet later."))
    granted = [{"rule": one.rule, "path": one.path, "message": one.message, "reason": reasons[name].strip()}
               for name, one in found.asking.items()]
    revision = found.revision
    if revision.seal != found.seal:
        revision = save_revision(sheet, RENEWED, found.entry.by, found.content)
    seen = {"findings": [one.asdict() | {"fixes": []} for one in found.verdict.findings],
            "derived": found.verdict.derived}
    said = clean_comments(sheet.system, found.content["data"], said)
    return _decided(APPROVED, me, sheet, revision, said | ({"exceptions": granted} if granted else {}), seen)


def give_back(me: Member, sheet: Sheet, seal: str, said: dict[str, Any]) -> Review:
    """Return what waits to the owner, with what is to be mended (`Blocked` without a word)."""
    found = _decides(me, sheet, seal)
    said = clean_comments(sheet.system, found.content["data"], said)
    if not said:
        raise Blocked(_("Say what is to be mended: at a field, or in general."))
    return _decided(RETURNED, me, sheet, found.revision, said)


def withdraw(me: Member, sheet: Sheet, said: dict[str, Any]) -> Review:
    """Withdraw an approval, with a reason (`Blocked`)."""
    if not may_decide(me, sheet):
        raise Blocked(_("Nobody decides about a sheet of their own; another GM of the party does."))
    taken = review_status(sheet)
    if taken.approval is None or taken.revision is None:
        raise Blocked(_("There is no approval to be withdrawn any more."))
    # At no field: an approval is withdrawn even where the rules can no longer read what it is about.
    said = clean_comments(sheet.system, {}, {"comment": said.get("comment", "")})
    if not said:
        raise Blocked(_("Say why: the player reads it."))
    for one in end_sharing_of_drafts([sheet], leaving=False):
        tell_unshared(one)
    return _decided(WITHDRAWN, me, sheet, taken.revision, said)


def reply(sheet: Sheet, user: User, found: Comment | None, text: str, *, done: bool) -> Comment:
    """Reply to a comment, or mark it as `done` (`Blocked` for one that no longer counts)."""
    if found is None:
        raise Blocked(_("That comment stands no more: the sheet was approved or has left the party in the meantime."))
    text, last = _text(text), found.replies[-1] if found.replies else None
    # Sent twice, it is said once; and what says nothing is no reply.
    if (text, done) == ("", found.done) or (last and (text, done, user.pk) == (last.text, last.done, last.author_id)):
        return found
    if len(found.replies) >= REPLIES:
        raise Blocked(_("There are {n} replies already, the most there can be.").format(n=REPLIES))
    Reply.objects.create(entry=found.entry, path=found.path, author=user, text=text, done=done)
    if text:
        run = parties.gms(_party(sheet))
        # Who said it may run the party no more: then those who do are told.
        others = [one for one in run if one == found.entry.by] or run if sheet.owner_id == user.pk else [sheet.owner]
        notify([one for one in others if one and one != user], "review-replied", _party(sheet), user, about=sheet,
               url=f"{reverse('review', args=[sheet.pk])}#{found.id}")
    return found


def _decided(kind: str, me: Member, sheet: Sheet, revision: Revision, said: dict[str, Any],
             seen: dict[str, Any] | None = None) -> Review:
    entry = chain.append(kind, me.user, sheet=sheet, revision=revision, seen=seen, said=said)
    _tell([sheet.owner] if sheet.owner else [], kind, sheet, me.user, said.get("at", {}))
    # What comes back is as it was submitted: its owner's and the GMs'.
    announce(_party(sheet), hidden=kind == RETURNED)
    return entry


def _tell(users: Iterable[User], kind: str, sheet: Sheet, sender: User, at: Collection[str] = ()) -> None:
    """Notify users of a decision, with the number of comments `at` fields."""
    notify(users, f"review-{kind}", _party(sheet), sender, url=reverse("review", args=[sheet.pk]), about=sheet,
           **({"comments": len(at)} if at else {}))
