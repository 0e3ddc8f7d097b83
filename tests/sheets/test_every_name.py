"""Whatever is of one line is stored as it is seen, by whichever form, press or document it comes."""

import copy
import json
import uuid

import pytest
from django.apps import apps
from django.db import models, transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesets import systems
from rulesets.daemmersturm.tests.helpers import LINE
from rulesets.kit import slots
from rulesets.names import one_line
from sheets.forms.inputs import Broken, parsed
from sheets.models import Encounter, Party, Sheet
from sheets.parties.views.settings import seen_of
from tests.support.builder.accounts import sign_up
from tests.support.guest import Guest, example

ODD = "A\u202egn\u200bru\u0308f\u00a0\u3164 x\u0007"
SEEN = "Agnrüf x"
TYPED = {"sheets.Sheet.typed", "sheets.Change.typed"}
"""Typed values that no field accepts yet, as a draft stores them."""
DERIVED = {"sheets.Sheet.sought", "builder.Likeness.skeleton"}
"""Columns that are derived from names, and hold none themselves."""
EXAMPLES = min(100, settings.default.max_examples // 3)
"""Texts, each sent in every way."""


def signed_up(table, text):
    # A name of an account has no blanks.
    sign_up(Client(), "Bo" + "".join(one for one in text if " " not in one_line(f"a{one}a")))


def founded(table, text):
    table.browsers["gm"].post("/parties/", {"name": text, "ruleset": "condice"})


def renamed(table, text):
    at(table, "settings", name=text, seen_by="private", _saw=seen_of(table.stored))


def ruled(table, text):
    more = {"agreed.0.name": text, "agreed.0.cost": "3", "_version": table.stored.version}
    table.browsers["gm"].post(f"/parties/{table.party.pk}/house/", more)
    page = table.browsers["gm"].post(f"/parties/{table.party.pk}/house/", {"do": "preview", **more})
    at(table, "house", do="save", _seen=(page.context or {}).get("seen", ""), **more)


def opposed(table, text):
    table.make(_name=text)


def opposed_in_an_encounter(table, text):
    table.make(_encounter=text)


def put_in_the_library(table, text):
    library(table, do="figures", _name=text, _count="2", dice=6, defence=3, life=16)


def gathered(table, text):
    library(table, do="encounter", sheet=kept(table).pk, encounter=text)


def encounter_renamed(table, text):
    found = Encounter.objects.create(owner=table.users["gm"], ruleset="condice", name="Am Weiher")
    table.browsers["gm"].post(f"/opponents/encounters/{found.pk}/", {"do": "save", "name": text})


def tagged(table, text):
    library(table, do="tag", sheet=kept(table).pk, tag=text)


def tagged_as_ones_own(table, text):
    table.browsers["anna"].post("/sheets/several/", {"do": "tag", "sheet": table.sheets["anna"].pk, "tag": text})


def begun(table, text):
    at(table, "scenes", do="begin", name=text)


def handed_out(table, text):
    at(table, "handouts", do="give", title=text, text="x", whom="all")


def told(table, text):
    table.browsers["anna"].post(f"{table.address}messages/", {"do": "say", "_text": text, "_to": "", **press()})


def asked_for(table, text):
    page = table.browsers["gm"].get(f"{table.address}?tools=ask").text.partition('id="ask-roll"')[2]
    roll = page.partition("<option>")[2].partition("<")[0]
    table.browsers["gm"].post(f"{table.address}asked/", {
        "do": "ask", "_roll": roll, "_note": text, "_whom": str(table.sheets["anna"].pk), **press()})


def figure_set(table, text):
    full = table.full("anna")
    table.browsers["gm"].post(f"{table.address}play/?{table.seats(at=None)}", {
        "do": "set", "_figure": f"life:{full}", "_value": full - 3, "_reason": text, **press()})


def noted_as_a_phrase(table, text):
    table.browsers["gm"].post(f"/sheets/{table.sheets['anna'].pk}/review/", {"do": "phrases", "phrases": text})


def packed(table, text):
    table.browsers["anna"].post(f"/sheets/{table.sheets['anna'].pk}/play/", {
        "w": "act-add-item", "name": text, "effect": text, **press()})


def drafted(table, text):
    guest = Guest(example(), user=table.users["anna"])
    guest.post("figure", _name=text)
    guest.post("attacks", {"attacks.0.name": text})
    guest.whole("copy")


def feared(table, text):
    Guest(system="augen-des-zwielichts").post("figure", {"fears": f"Feuer\n{text}"})


def imported(table, text):
    tree = copy.deepcopy(example())
    tree["name"] = tree["data"]["attacks"][0]["name"] = text
    Client().post("/import/", {"do": "import", "document": json.dumps(tree)})


def pasted(table, text):
    Client().post("/paste/", {"do": "import", "document": LINE.replace("Hans-Peter", text)})


WAYS = {one.__name__: one for one in (
    signed_up, founded, renamed, ruled, opposed, opposed_in_an_encounter, put_in_the_library, gathered,
    encounter_renamed, tagged, tagged_as_ones_own, begun, handed_out, told, asked_for, figure_set, noted_as_a_phrase,
    packed, drafted, feared, imported, pasted)}


def at(table, page, **fields):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/{page}/", fields)


def library(table, **fields):
    table.browsers["gm"].post("/opponents/", {"system": "condice", **fields})


def press():
    return {"_press": str(uuid.uuid4())}


def kept(table):
    return Sheet.objects.create(owner=table.users["gm"], ruleset="condice", name="Wolf", opponent=True, data={})


def leaves(value):
    """Yield the texts in a column's value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from (key, *leaves(one))
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)


def stored():
    """Return {(column, text)} of everything that is stored."""
    found = set()
    for model in apps.get_models():
        keys = [field.attname for field in model._meta.concrete_fields
                if isinstance(field, models.CharField | models.TextField | models.JSONField)]
        if model._meta.app_label == "sessions" or not keys:
            continue
        for row in model._base_manager.values_list(*keys):
            found |= {(f"{model._meta.label}.{key}", text) for key, value in zip(keys, row, strict=True)
                      for text in leaves(value)}
    return {one for one in found if one[0] not in TYPED | DERIVED}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_stores_a_line_as_it_is_seen(table, way):
    before = stored()
    WAYS[way](table, ODD)
    new = {text for _column, text in stored() - before}
    assert [text for text in new if SEEN in text or SEEN.replace(" ", "") in text], new
    assert not [text for text in new if text != one_line(text) and "\n" not in text]


SIGN = st.sampled_from("\0\x07\t\x85\u00a0\u00ad\u0308\u061c\u115f\u200b\u200d\u200e\u202e\u2028\u2066\u2800\u3164"
                       "\ufe0f\ufeff\uffa0\ufffc\U000e0041aÄz0 ❤👩\u0958")


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[*HealthCheck])
@given(text=st.lists(SIGN | st.characters(codec="utf-8"), min_size=1, max_size=25).map("".join))
@pytest.mark.alike
def test_no_way_stores_a_line_otherwise_than_it_is_seen(table, text):
    before = stored()
    with transaction.atomic():
        for way in WAYS.values():
            way(table, text)
        new = stored() - before
        transaction.set_rollback(True)
    # Of what is drawn as nothing nobody's name is made, and what is long is no line.
    assert not [(column, found) for column, found in new if found != one_line(found)]
    assert Party.objects.get(pk=table.party.pk).name == "Die Runde"


def lines_of(shape, seen=()):
    """Yield the fields of one line of a shape, and of what stands in it."""
    for slot in slots(shape).values():
        if slot.kind == "lines" or (slot.kind == "text" and not slot.ask.long):
            yield slot
        for part in slot.parts if slot.kind in ("rows", "part") else ():
            if part not in seen:
                yield from lines_of(part, (*seen, part))


@pytest.mark.parametrize("slug", systems())
def test_every_field_of_one_line_of_every_system_takes_a_line_as_it_is_seen(slug):
    ruleset, found = systems()[slug], []
    for shape in (ruleset.sheet, ruleset.house, ruleset.play, *ruleset.rolls.values(), *ruleset.acts.values()):
        for slot in lines_of(shape):
            try:
                found.append(parsed(slot, ODD))
            except Broken:
                continue
    assert len(found) > 5 or slug == "dice-rumble"
    assert {SEEN if one == SEEN else tuple(one) for one in found} <= {SEEN, (SEEN,)}
