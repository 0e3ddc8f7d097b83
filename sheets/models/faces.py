"""Pictures of a character: its portrait, and the preview of its shared sheet."""

import uuid

from django.db import models


class Portrait(models.Model):
    """A picture of a sheet's character as written by `sheets.faces.pictures`; never changed, only replaced.

    `whole` is the uploaded picture, `large` and `small` are the square sections of it that are shown. `focus` is their
    position along the longer side, in percent.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    focus = models.PositiveSmallIntegerField(default=50)
    whole = models.BinaryField()
    large = models.BinaryField()
    small = models.BinaryField()


class Preview(models.Model):
    """The preview of a shared sheet where its link is posted, drawn once per language and again when the sheet changes.

    `of` is a fingerprint of everything that it shows.
    """

    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="previews", db_index=False)
    language = models.CharField(max_length=16)
    of = models.CharField(max_length=64)
    png = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(name="preview_once", fields=["sheet", "language"])]
