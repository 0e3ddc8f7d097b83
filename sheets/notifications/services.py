"""What others did and a person wants to know: kept as it is, told in the reader's language when it is read."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.models import CO_GM, GM, PLAYER, Notification, Party, Sheet

TEXTS = {
    "joined": gettext_lazy("{who} has joined “{party}”."),
    "left": gettext_lazy("{who} has left “{party}”."),
    "removed": gettext_lazy("{who} has removed you from “{party}”; your sheets have left it with you."),
    "ended": gettext_lazy("{who} has ended “{party}”; your sheets are still yours."),
    GM: gettext_lazy("{who} was the GM of “{party}”; now it is you."),
    CO_GM: gettext_lazy("{who} has made you a co-GM of “{party}”."),
    PLAYER: gettext_lazy("{who} has made you a player of “{party}” again."),
    "brought": gettext_lazy("{who} has brought a sheet into “{party}”."),
    "withdrawn": gettext_lazy("{who} has taken a sheet of their own out of “{party}”."),
    "dropped": gettext_lazy("{who} has taken a sheet of yours out of “{party}”; it keeps the house rules."),
    "taken": gettext_lazy("{who} has taken a character that you laid out in “{party}”."),
    "mended": gettext_lazy("{who} has played on a sheet of yours at the table of “{party}”; you can take that back."),
    "review-submitted": gettext_lazy("{who} has submitted “{sheet}” for approval in “{party}”."),
    "review-returned": gettext_lazy("{who} has returned “{sheet}” in “{party}” with comments."),
    "review-approved": gettext_lazy("{who} has approved “{sheet}” in “{party}”."),
    "reported": gettext_lazy("A shared sheet or its picture was reported; look whether it may stay."),
    "taken-down-picture": gettext_lazy("An admin has removed the picture of “{sheet}”, which was reported."),
    "taken-down-share": gettext_lazy("An admin has ended the sharing of “{sheet}”, which was reported."),
    "taken-down-both": gettext_lazy(
        "An admin has removed the picture of “{sheet}” and ended its sharing; both were reported."),
    "review-withdrawn": gettext_lazy("{who} has withdrawn the approval of “{sheet}” in “{party}”."),
}
"""What is told of each kind; house rules are told with their effect."""


def notify(users: Iterable[User], kind: str, party: Party, who: User | None, *, url: str | None = None,
           **data: Any) -> None:
    """Keeps a notification for each of the users of what somebody did; its link is the party's page unless stated."""
    where = reverse("party", args=[party.pk]) if url is None else url
    Notification.objects.bulk_create(
        Notification(user=user, who=who, kind=kind, data={"party": party.name, **data}, url=where) for user in users)


def forget(sheet: Sheet) -> None:
    """Before a sheet is gone for good: what others were told of it loses its name."""
    for one in Notification.objects.filter(url=reverse("review", args=[sheet.pk])):
        Notification.objects.filter(pk=one.pk).update(data={**one.data, "sheet": None}, url="")


def notification_text(one: Notification) -> str:
    """A notification in words."""
    words = {**one.data, "who": one.who.username if one.who else _("Somebody")}
    if "sheet" in one.data and one.data["sheet"] is None:
        words["sheet"] = _("a sheet that is gone")
    if one.kind != "house":
        return TEXTS[one.kind].format(**words)
    said = _("{who} has changed the house rules of “{party}”.").format(**words)
    if turned := one.data["turned"]:
        said += " " + ngettext("{n} sheet of yours has another status now.",
                               "{n} sheets of yours have another status now.", turned).format(n=turned)
    return said
