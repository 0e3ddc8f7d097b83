"""German words of some thirty letters in whatever people name, and what is wrong with a page that shows them."""

import copy
from contextlib import suppress

from django.contrib.auth import get_user_model
from django.db import models
from django.test import Client
from django.utils import timezone

from rulesets import systems
from sheets.models import Encounter, Handout, Member, Party, Placed, Scene, Sheet, Tag
from sheets.parties import services as parties
from tests.support.browser.layout import faults
from tests.support.browser.waits import unfold_all
from tests.support.plugin import PROVING

WIDTHS = (320, 360, 768, 900, 1280) if PROVING else (320, 768, 1280)
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


def all_named(name, gm="grenzlandwächterhauptfrau"):
    """A GM's browser, and {what stands in addresses}: a party with sheets of every kind, all with one name."""
    gm, player = (get_user_model().objects.create_user(who) for who in (gm, "paul"))
    ruleset, now = systems()["condice"], timezone.now()
    party = parties.found_party(gm, name, ruleset)
    Member.objects.create(party=party, user=player)
    data = lengthened(copy.deepcopy(ruleset.examples["juan"]["data"]))
    shared = {"party": party, "seen_by": "party"}
    tag = Tag.objects.create(owner=gm, name=name[:40])
    made = [Sheet.objects.create(owner=owner, ruleset="condice", name=name, data=data, finished=now, **state)
            for owner, state in ((gm, shared), (player, shared), (gm, {**shared, "opponent": True}),
                                 (gm, {"opponent": True}), (gm, {"archived": now}), (gm, {}), (gm, {"deleted": now}),
                                 (gm, {**shared, "offered": True}))]
    for sheet in made:
        sheet.tags.add(tag)
    encounter = Encounter.objects.create(owner=gm, ruleset="condice", name=name)
    Placed.objects.create(encounter=encounter, sheet=made[3], number=12)
    client = Client()
    client.force_login(gm)
    return client, {"party": party.pk, "sheet": made[0].pk, "other": made[1].pk, "encounter": encounter.pk}


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
