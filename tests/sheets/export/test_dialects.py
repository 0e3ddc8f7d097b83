"""The dialects of BBCode: which one a party's forum reads is a setting of the party."""

import html
import re

import pytest

from sheets.export.dialects import TABLE
from sheets.export.text import BBCode
from sheets.models import DIALECTS, Party, Scene
from tests.support.sheets.fight import ATTACK

BOLD = {"phpbb": "[b]Anna", "mybb": "[b]Anna", "woltlab": "[b]Anna", "xenforo": "[B]Anna"}
LINK = {"phpbb": "[url=http://testserver/rolls/{}/]#1 ·", "mybb": "[url=http://testserver/rolls/{}/]#1 ·",
        "woltlab": "[url='http://testserver/rolls/{}/']#1 ·", "xenforo": "[URL='http://testserver/rolls/{}/']#1 ·"}


def settle(table, **fields):
    """Save the settings of the party."""
    return table.browsers["gm"].post(f"/parties/{table.party.pk}/settings/", {
        "name": "Die Runde", "seen_by": "party", **fields})


def test_the_table_has_every_dialect_that_a_party_may_choose():
    assert (*TABLE,) == DIALECTS


def test_a_value_is_escaped_for_its_dialect():
    said = {slug: BBCode(dialect).inline("/me [b] :smile: a:b") for slug, dialect in TABLE.items()}
    gap = "\u200b"
    assert said == {"phpbb": f"/me [{gap}b] :smile: a:b", "mybb": f"/{gap}me [{gap}b] :smile: a:b",
                    "woltlab": f"/me [{gap}b] :{gap}smile: a:b", "xenforo": f"/me [{gap}b] :{gap}smile: a:b"}
    assert BBCode().head("", 1) == [""]


def test_a_party_that_chose_none_has_that_of_before_and_another_is_saved(table):
    assert Party.objects.get().bbcode == "phpbb"
    assert settle(table, bbcode="xenforo").status_code == 302
    assert Party.objects.get().bbcode == "xenforo"
    # A page from before there was the choice keeps it; a dialect that there is not is refused.
    assert settle(table).status_code == 302
    assert settle(table, bbcode="x").status_code == 400
    assert Party.objects.get().bbcode == "xenforo"
    assert '<option value="xenforo" selected>' in table.browsers["gm"].get(f"/parties/{table.party.pk}/settings/").text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_all_that_is_copied_is_in_the_dialect_of_the_party(table, dialect):
    Party.objects.update(bbcode=dialect)
    scenes = f"/parties/{table.party.pk}/scenes/"
    table.browsers["gm"].post(scenes, {"do": "begin", "name": "Die [b]Furt"})
    table.play("anna", ATTACK, defence=0)
    anna, scene = table.browsers["anna"], Scene.objects.get()
    receipt = scene.receipts.get()
    link = LINK[dialect].format(receipt.token)
    pages = {"sheet": anna.get(f"/sheets/{table.sheets['anna'].pk}/export.bbcode"),
             "page": anna.get(f"/sheets/{table.sheets['anna'].pk}/export/"),
             "post": anna.get(f"{scenes}{scene.uuid}/post/"), "receipt": anna.get(f"/rolls/{receipt.token}/"),
             "recap": anna.get(f"{scenes}{scene.uuid}/log.bbcode"), "log": anna.get(f"{scenes}{scene.uuid}/log.lines")}
    texts = {name: re.sub("[\u2066-\u2069]", "", html.unescape(answer.text)) for name, answer in pages.items()}
    for name in ("post", "receipt", "log"):
        assert link in texts[name], name
    for name in ("post", "receipt", "recap"):
        assert BOLD[dialect] in texts[name], name
    head, foot = TABLE[dialect].heads[0]
    assert f"{head}Anna{foot}" in texts["sheet"]
    assert f"{head}Anna{foot}" in texts["page"]
    for name in ("recap", "log"):
        assert f"{head}Die Runde: Die [\u200bb]Furt{foot}" in texts[name]
        assert pages[name]["Content-Type"] == "text/plain; charset=utf-8"


def test_what_is_hidden_is_not_in_a_log_that_is_posted(table):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin"})
    table.play("anna", ATTACK, defence=0)
    table.do("throw:hidden", w="roll-success", dice=3)
    assert Scene.objects.get().hidden_rolls == 1
    text = table.browsers["gm"].get(f"/parties/{table.party.pk}/scenes/{Scene.objects.get().uuid}/log.lines").text
    assert (text.count("[*]"), "Anna" in text, "#1 ·" in text) == (1, True, True)
