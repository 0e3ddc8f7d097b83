"""Tags: words by which users find their own sheets."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from rulesets.names import one_line
from sheets.models import Sheet, Tag

MOST, LONGEST = 1000, 40
"""The most tags of a user, and the most characters of a tag."""


class Untaggable(Exception):
    """Raised if there are too many tags or a tag is invalid; the message says which."""


def tags_of(user: User) -> QuerySet[Tag]:
    """Return a user's tags."""
    return Tag.objects.filter(owner=user)


def put_tags(user: User, sheets: Collection[UUID], text: str) -> None:
    """Add the tags in a text, separated by commas, to these sheets of a user; raise `Untaggable` if that fails."""
    if not (names := list(dict.fromkeys(filter(None, map(one_line, text.split(",")))))):
        raise Untaggable(_("Enter a tag."))
    if any(len(one) > LONGEST for one in names):
        raise Untaggable(_("A tag may have at most {most} characters.").format(most=LONGEST))
    there = tags_of(user)
    new = {*names} - {*there.filter(name__in=names).values_list("name", flat=True)}
    if new and there.count() + len(new) > MOST:
        raise Untaggable(_("You already have {n} tags, which is the maximum; remove one from all sheets first.").format(
            n=there.count()))
    Tag.objects.bulk_create([Tag(owner=user, name=one) for one in new], ignore_conflicts=True)
    through = Sheet.tags.through
    found = there.filter(name__in=names).values_list("pk", flat=True)
    through.objects.bulk_create([through(sheet_id=sheet, tag_id=tag) for sheet in sheets for tag in found],
                                ignore_conflicts=True)


def take_tags(user: User, sheets: Collection[UUID], text: str) -> None:
    """Remove the tags in a text, separated by commas, from these sheets; delete tags that are on no sheet any more."""
    names = [one_line(one) for one in text.split(",")]
    Sheet.tags.through.objects.filter(sheet__in=sheets, tag__owner=user, tag__name__in=names).delete()
    used = Sheet.tags.through.objects.filter(tag=OuterRef("pk"))
    Tag.objects.filter(~Exists(used), owner=user, name__in=names).delete()


def tagged(found: QuerySet[Sheet], user: User, name: str) -> QuerySet[Sheet]:
    """Return the sheets that have this tag of a user."""
    return found.filter(pk__in=Sheet.tags.through.objects.filter(tag__owner=user, tag__name=name).values("sheet"))


def keys_of(texts: Iterable[str]) -> list[UUID]:
    """Return the valid keys among the texts of a form."""
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found
