"""German words of some thirty letters in whatever people name, and what is wrong with a page that shows them."""

from contextlib import suppress

from django.db import models

from sheets.models import Encounter, Handout, Party, Scene, Sheet, Tag
from tests.support.browser.layout import faults
from tests.support.browser.waits import unfold_all

WIDTHS = (320, 360, 768, 900, 1280)
LONG = "Donnerstagsrundengemeinschaft Grenzlandwächterhauptfrauanwärter"
"""Words of 29 and 33 letters."""
NAMED = {"name", "label", "title"}
"""Keys of a row under which people write a word of their own."""
UNHYPHENATED = "is broken without a hyphen"
"""A name may be of any language, and breaks where there is no room for it."""


def lengthened(data, *, row=False):
    """The data of a sheet, with long words for the names of its rows."""
    if isinstance(data, list):
        return [lengthened(one, row=True) for one in data]
    if isinstance(data, dict):
        return {key: LONG if row and key in NAMED and isinstance(value, str) and value else lengthened(value)
                for key, value in data.items()}
    return data


def name_all_long():
    """Give whatever there is, and the rows of all sheets that their rules can read so, a long name."""
    for sheet in Sheet.objects.all():
        with suppress(ValueError):
            sheet.data = sheet.system.sheet.model_validate(lengthened(sheet.data)).model_dump(mode="json")
        sheet.name = LONG
        sheet.save()
    for model, field in ((Party, "name"), (Scene, "name"), (Handout, "title"), (Encounter, "name")):
        model.objects.update(**{field: LONG})
    Tag.objects.update(name=models.functions.Concat(models.Value(LONG[:29]), "pk", output_field=models.CharField()))


def strained(page):
    """{width: sentences} of what such words do to a page: it is visited once, unfolded, and measured at each width."""
    unfold_all(page, "body")
    found = {(width,): [one for one in faults(page, width, covered=False) if UNHYPHENATED not in one]
             for width in WIDTHS}
    return {width: sentences for width, sentences in found.items() if sentences}
