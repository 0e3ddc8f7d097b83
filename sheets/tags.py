"""Tags: words by which somebody finds sheets of theirs again."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from rulesets.names import one_line
from sheets.models import Sheet, Tag

MOST, LONGEST = 1000, 40
"""Tags of one person, and the characters of each."""


class Untaggable(Exception):
    """There are too many tags, or one cannot be; the message says so."""


def tags_of(user: User) -> QuerySet[Tag]:
    """Return somebody's tags."""
    return Tag.objects.filter(owner=user)


def put_tags(user: User, sheets: Collection[UUID], text: str) -> None:
    """Put the tags of a text, parted by commas, on these sheets of somebody's (`Untaggable`)."""
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
    """Take the tags of a text off these sheets; one that is on no sheet any more is gone."""
    names = [one_line(one) for one in text.split(",")]
    Sheet.tags.through.objects.filter(sheet__in=sheets, tag__owner=user, tag__name__in=names).delete()
    used = Sheet.tags.through.objects.filter(tag=OuterRef("pk"))
    Tag.objects.filter(~Exists(used), owner=user, name__in=names).delete()


def tagged(found: QuerySet[Sheet], user: User, name: str) -> QuerySet[Sheet]:
    """Return the sheets that bear somebody's tag."""
    return found.filter(pk__in=Sheet.tags.through.objects.filter(tag__owner=user, tag__name=name).values("sheet"))


def keys_of(texts: Iterable[str]) -> list[UUID]:
    """Return the keys that a form states, without those that are none."""
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found
