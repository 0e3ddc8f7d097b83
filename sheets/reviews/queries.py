"""What those hear who watch a sheet's approval: a word, which is another as soon as something is done or said."""

from typing import Any

from django.db.models import Max, OuterRef, QuerySet, Subquery

from sheets.models import Reply, Sheet
from sheets.status.reviews import NEWEST

REPLIED = Subquery(Reply.objects.filter(entry__sheet=OuterRef("pk")).order_by().values("entry__sheet")
                   .annotate(newest=Max("pk")).values("newest"))


def with_word(sheets: QuerySet[Sheet]) -> QuerySet[Any]:
    """The sheets with what their words are made of: the numbers of the newest decision and of the newest reply."""
    return sheets.annotate(newest=NEWEST, replied=REPLIED)


def review_word(sheet: Any) -> str:
    """The word of a sheet that was asked for so."""
    return f"{sheet.newest or ''}.{sheet.replied or ''}"
