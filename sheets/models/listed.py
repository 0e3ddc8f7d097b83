"""Indexes with which a user's lists of sheets are read in order, a page at a time, even if there are many sheets."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest

LAST_TOUCHED = Greatest(Coalesce("played", "updated"), "updated")
"""The time at which a sheet was last played or changed."""
_OWN = Q(owner__isnull=False, deleted=None)
_BY = {"touched": LAST_TOUCHED.desc(), "created": F("created").desc(), "called": F("called").asc()}
LISTED = [
    *(models.Index(F("owner"), order, "id", name=f"sheet_{state}_{key}",
                   condition=_OWN & Q(opponent=False, archived__isnull=state == "listed"))
      for state in ("listed", "archived") for key, order in _BY.items()),
    models.Index(fields=["owner", "ruleset", "called", "id"], name="sheet_library_called",
                 condition=_OWN & Q(opponent=True, party=None)),
    models.Index(fields=["owner", "-deleted", "id"], name="sheet_trash_deleted",
                 condition=Q(owner__isnull=False, deleted__isnull=False)),
]
