"""Reports to the admins about shared sheets."""

from django.conf import settings
from django.db import models


class Report(models.Model):
    """A reader's report of a shared sheet to the admins; `done` is the action taken (one of `WORDS`) once settled.

    The reporter is not stored. `by` is an opaque token, equal for reports from the same account or address; it is ""
    once the report is settled.
    """

    NOTHING, PICTURE, SHARE, BOTH = WORDS = ("nothing", "picture", "share", "both")

    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="reports")
    said = models.TextField(max_length=1000)
    by = models.CharField(max_length=64, blank=True, default="")
    made = models.DateTimeField(auto_now_add=True)
    settled = models.DateTimeField(null=True, blank=True)
    admin = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True)
    done = models.CharField(max_length=8, blank=True, default="")

    class Meta:
        # Only open reports are looked up by reporter, and few are open.
        indexes = [models.Index(fields=["by"], name="report_open_by", condition=models.Q(settled=None))]
