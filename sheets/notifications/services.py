"""Notifications of other users' actions, stored as data and formatted in the reader's language when they are read."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Exists, Func, JSONField, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rulesets.names import isolated
from sheets.models import CO_GM, GM, PLAYER, Delivery, Muted, Notification, Party, Receiver, Sheet
from sheets.models.compiled_queries import compiled
from sheets.models.outbox import WAITING
from sheets.models.scenes import worded
from sheets.notifications.topics import topic_of
from sheets.outbox.services import enqueue
from sheets.zones import written

TEXTS = {
    "joined": gettext_lazy("{who} has joined “{party}”."),
    "left": gettext_lazy("{who} has left “{party}”."),
    "removed": gettext_lazy("{who} has removed you from “{party}”; your sheets have left with you."),
    "ended": gettext_lazy("{who} has disbanded “{party}”; your sheets are still yours."),
    GM: gettext_lazy("{who} was the GM of “{party}”; now you are."),
    CO_GM: gettext_lazy("{who} has made you a co-GM of “{party}”."),
    PLAYER: gettext_lazy("{who} has made you a player of “{party}” again."),
    "brought": gettext_lazy("{who} has brought “{sheet}” into “{party}”."),
    "withdrawn": gettext_lazy("{who} has removed “{sheet}” from “{party}” again."),
    "dropped": gettext_lazy("{who} has removed your sheet “{sheet}” from “{party}”; it keeps the house rules."),
    "taken": gettext_lazy("{who} has taken “{sheet}”, which you put on offer in “{party}”."),
    "mended": gettext_lazy(
        "{who} has played “{what}” with your sheet “{sheet}” at the table of “{party}”; you can take it back."),
    "challenged": gettext_lazy(
        "{who} wants to play against your sheet “{sheet}” in “{party}”: “{what}” is waiting for your answer."),
    "waiting": gettext_lazy("Waiting for you in “{party}”: {waiting}"),
    "turn-late": gettext_lazy("It is still the turn of “{sheet}” in “{party}”; the time for it has passed."),
    "review-submitted": gettext_lazy("{who} has submitted “{sheet}” for approval in “{party}”."),
    "review-returned": gettext_lazy("{who} has returned “{sheet}” in “{party}” with comments."),
    "review-approved": gettext_lazy("{who} has approved “{sheet}” in “{party}”."),
    "review-replied": gettext_lazy("{who} has replied to a comment on “{sheet}” in “{party}”."),
    "evening-asked": gettext_lazy("{who} asks when you can play with “{party}”."),
    "evening-planned": gettext_lazy("{who} has planned the next evening of “{party}”: {when}."),
    "evening-moved": gettext_lazy("{who} has moved the evening of “{party}”: {when}."),
    "evening-cancelled": gettext_lazy("{who} has called off the evening of “{party}”: {when}."),
    "evening-withdrawn": gettext_lazy("{who} no longer asks when you can play with “{party}”."),
    "evening-reminder": gettext_lazy("“{party}” plays soon: {when}."),
    "webhook-off": gettext_lazy(
        "The webhook of “{party}” to {host} has been switched off: nothing has arrived there for five days."),
    "reported": gettext_lazy("A shared sheet or its picture has been reported; check whether it may stay."),
    "taken-down-picture": gettext_lazy("An admin has removed the picture of “{sheet}”, which had been reported."),
    "taken-down-share": gettext_lazy("An admin has stopped the sharing of “{sheet}”, which had been reported."),
    "taken-down-both": gettext_lazy(
        "An admin has removed the picture of “{sheet}” and stopped its sharing; both had been reported."),
    "unshared": gettext_lazy(
        "“{sheet}” is not shared any more: it is no longer played as it was approved, and your draft is yours alone "
        "until you share it."),
    "review-withdrawn": gettext_lazy("{who} has withdrawn the approval of “{sheet}” in “{party}”."),
}
"""{kind: text}; that of changed house rules is made by `notification_text`."""
WITHOUT_NAME = {"sqlite": "JSON_SET(%(expressions)s, '$.sheet', JSON('null'))",
            "postgresql": """(%(expressions)s || '{"sheet": null}'::jsonb)"""}
"""{database: SQL for the data of a notification without the name of its sheet}."""


@transaction.atomic(savepoint=False)
def notify(users: Iterable[User], kind: str, party: Party, sender: User | None, *, url: str | None = None,
           about: Sheet | None = None, **data: Any) -> None:
    """Notify users of an action of the sender; the link leads to the party's page unless `url` is given.

    The text names the sheet that it is `about`. Repeated notifications are merged, with a count, until they are read or
    sent somewhere. What is to be sent is in the outbox in the same transaction.
    """
    link = reverse("party", args=[party.pk]) if url is None else url
    data = {"party": party.name, **({"sheet": about.name} if about else {}), **data}
    users = list(users)
    whose, whom = [one.pk for one in users], (sender and sender.pk, about and about.pk)
    repeated = {one.user_id: one for one in _unread_and_unsent(whose, kind, link)
                if (one.who_id, one.about_id, _identity(one.data)) == (*whom, _identity(data))}
    if repeated:
        Notification.objects.filter(pk__in=[one.pk for one in repeated.values()]).delete()
    _send(Notification.objects.bulk_create(
        Notification(user=user, who=sender, kind=kind, url=link, about=about, data={
            **data, **({"n": repeated[user.pk].data.get("n", 1) + 1} if user.pk in repeated else {})})
        for user in users))


@compiled
def _unread_and_unsent(users: Any, kind: Any, url: Any) -> QuerySet[Notification]:
    sent = Delivery.objects.filter(~Q(state=WAITING) | Q(tries__gt=0), notification=OuterRef("pk"))
    return Notification.objects.filter(~Exists(sent), user__pk__in=users, kind=kind, url=url, read=None).order_by("pk")


def _send(notifications: list[Notification]) -> None:
    """Put notifications into the outbox for those who want mails or pushes of their topic."""
    users = {one.user_id for one in notifications}
    found = list(_mail_receivers(users))
    if settings.VAPID_KEY:
        found += Receiver.objects.filter(device__user__in=users).values_list("device__user", "channel", "pk")
    if not found:
        return
    topic = topic_of(notifications[0].kind)
    muted = set(Muted.objects.filter(user__in=users, topic=topic).values_list("user", "channel"))
    receivers: dict[int, list[int]] = {}
    for user, channel, pk in found:
        if (user, channel) not in muted:
            receivers.setdefault(user, []).append(pk)
    # Whoever sits at the page reads it meanwhile, and what happens meanwhile goes along.
    due = timezone.now() + timedelta(seconds=settings.MAIL_SECONDS)
    enqueue(Delivery(receiver_id=pk, notification=one, kind=one.kind, due=due)
            for one in notifications for pk in receivers.get(one.user_id, ()))


@compiled
def _mail_receivers(users: Any) -> QuerySet[Receiver, tuple[int, str, int]]:
    return Receiver.objects.filter(mailing__user__pk__in=users).values_list("mailing__user", "channel", "pk")


def notify_unshared(sheet: Sheet) -> None:
    """Notify an owner that a sheet in a party is no longer shared, because its draft would become visible."""
    if sheet.owner and sheet.party:
        notify([sheet.owner], "unshared", sheet.party, None, about=sheet,
               url=f"{reverse('sheet', args=[sheet.pk])}#party-and-readers")


def _identity(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data in which repeated notifications agree: everything but their count and the name of the act."""
    return {key: value for key, value in data.items() if key not in ("n", "what")}


def forget(sheets: Collection[UUID]) -> None:
    """Remove the names of sheets from other users' notifications, before the sheets are deleted for good."""
    nameless = Func("data", template=WITHOUT_NAME[connection.vendor], output_field=JSONField())
    Notification.objects.filter(about__in=sheets).update(data=nameless, url="", about=None)


def with_current_names(notifications: Iterable[Notification], own: QuerySet[Sheet]) -> list[Notification]:
    """Return notifications; those of older versions, without the name of their sheet, get its current name.

    `own` are the sheets whose drafts the reader may see.
    """
    loaded = list(notifications)
    older = {one.about_id for one in loaded if one.about_id and "sheet" not in one.data}
    names = dict(own.filter(pk__in=older).values_list("pk", "name")) if older else {}
    for one in loaded:
        if one.about_id in names and "sheet" not in one.data:
            one.data = {**one.data, "sheet": names[one.about_id]}
    return loaded


def _waiting_text(data: dict[str, Any]) -> str:
    """Return a list in words of whose turn it is and how much else waits."""
    names = data.get("turns", [])
    found = [ngettext("the turn of {names}", "the turns of {names}", len(names)).format(
        names=", ".join(isolated(name or _("Unnamed")) for name in names))] if names else []
    counts = {
        "effects": lambda n: ngettext("{n} open effect", "{n} open effects", n),
        "questions": lambda n: ngettext("{n} question", "{n} questions", n),
        "rolls": lambda n: ngettext("{n} roll", "{n} rolls", n),
        "handouts": lambda n: ngettext("{n} handout", "{n} handouts", n),
    }
    return ", ".join([*found, *(text(n).format(n=n) for key, text in counts.items() if (n := data.get(key)))]) + "."


def notification_text(one: Notification) -> str:
    """Return the text of a notification; those of older versions may lack the name of the sheet or of the act."""
    params = {"sheet": _("a sheet"), **one.data, "who": one.who.username if one.who else _("Somebody")}
    if params["sheet"] is None:
        params["sheet"] = _("a sheet that is gone")
    params["sheet"] = params["sheet"] or _("Unnamed")
    params |= {key: isolated(str(params[key])) for key in ("sheet", "party", "who") if params.get(key)}
    params["waiting"] = _waiting_text(one.data)
    params["what"] = worded(one.data.get("what", {})) or _("something")
    if start := one.data.get("start"):
        params["when"] = written(datetime.fromisoformat(start), one.data["zone"])
    if one.kind == "house":
        text = _("{who} has changed the house rules of “{party}”.").format(**params)
        if turned := one.data["turned"]:
            text += " " + ngettext("{n} of your sheets has a new status.",
                                   "{n} of your sheets have a new status.", turned).format(n=turned)
    else:
        text = TEXTS[one.kind].format(**params)
    if comments := one.data.get("comments"):
        text += " " + ngettext("{n} is on a value.", "{n} are on values.", comments).format(n=comments)
    if (n := one.data.get("n", 1)) > 1:
        text += " " + ngettext("({n} time)", "({n} times)", n).format(n=n)
    return text
