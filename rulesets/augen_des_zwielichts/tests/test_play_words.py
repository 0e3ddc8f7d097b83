import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.play.state import Table as OwnTable
from rulesets.augen_des_zwielichts.play.state import Word
from rulesets.augen_des_zwielichts.tests.helpers import Table
from rulesets.kit import Refused


@pytest.mark.rule("SZ-01")
def test_what_play_fills_in_section_i_stays_beside_the_sheet_until_the_section_ends():
    table = Table()
    table.take(
        RULESET.acts["fill-field"](key="free_item", word="Mondlaterne", combat=True))
    table.take(RULESET.acts["fill-field"](key="honour", word="Retterin"))
    assert table.revisions == 0
    assert table.sheet.fields.free_item.word == ""
    assert (table.now.fields.free_item.word, table.now.fields.honour.word) == ("Mondlaterne", "Retterin")
    assert RULESET.check(table.sheet, name="Mio").verdict == "legal"
    table.play = table.play.evolve(conditions=[Word(word=str(n)) for n in range(5)])
    table.do("dark-section")
    fields = table.sheet.fields
    assert (fields.free_item.word, fields.free_item.combat, fields.honour.word) == ("Mondlaterne", True, "Retterin")
    assert (table.play.honour, table.play.free_item, table.play.free_item_combat) == ("", "", False)


@pytest.mark.rule("SZ-01")
@pytest.mark.rule("SZ-06")
def test_later_the_field_itself_is_filled():
    table = Table("smith")
    assert table.take(RULESET.acts["fill-field"](key="honour", word="Schmied des Friedens")) == (
        "1 Honour: now Schmied des Friedens")
    assert (table.sheet.fields.honour.word, table.revisions) == ("Schmied des Friedens", 1)
    with pytest.raises(Refused, match="A word is missing"):
        table.take(RULESET.acts["fill-field"](key="honour", word=" "))


@pytest.mark.rule("SZ-03")
@pytest.mark.parametrize(("into", "where"), [
    ("demon", lambda sheet: (sheet.demon.name, sheet.fields.demon.word)), ("origin", lambda sheet: (sheet.origin,) * 2),
    ("mount", lambda sheet: (sheet.mount.kind, sheet.fields.mount.word)),
    ("item", lambda sheet: (sheet.fields.item.word,) * 2),
])
def test_a_pasted_table_is_rolled_on_and_written_into_the_sheet(into, where):
    table = Table()
    assert table.take(RULESET.acts["paste-table"](into=into, entries=["Eins", "Zwei", "Drei"])).endswith("entries: 3")
    table.do("draw-entry", 2, key="tables.0")
    assert where(table.sheet) == ("Zwei", "Zwei")
    assert table.revisions == 1


@pytest.mark.rule("SZ-03")
@pytest.mark.parametrize("mount", [None, {"kind": "Esel", "name": "Grauchen"}])
def test_a_mount_that_is_drawn_has_the_name_of_the_one_before(mount):
    table = Table(patch={"mount": mount}, tables=[OwnTable(into="mount", entries=["Wasserbüffel"])])
    table.do("draw-entry", 1, key="tables.0")
    assert (table.sheet.mount.kind, table.sheet.mount.name) == ("Wasserbüffel", "Grauchen" if mount else "")


@pytest.mark.rule("SZ-04")
@pytest.mark.rule("SZ-05")
def test_fears_and_abilities_drawn_take_the_next_place_and_where_none_is_free_the_newest_gives_way():
    rows = [OwnTable(into="fear", entries=["Stille"]), OwnTable(into="ability", entries=["Glut tragen"])]
    table = Table(patch={"fears": ["Feuer"], "abilities": []}, tables=rows)
    table.do("draw-entry", 1, key="tables.0")
    assert table.sheet.fears == ["Feuer", "Stille"]
    table.do("draw-entry", 1, key="tables.0")
    assert table.sheet.fears == ["Feuer", "Stille"]
    for count in (1, 2, 3, 3):
        table.do("draw-entry", 1, key="tables.1")
        assert [one.demon for one in table.sheet.abilities] == [True, False, False][:count]


@pytest.mark.rule("SZ-03")
def test_a_table_takes_the_place_of_an_older_one_and_can_be_put_away():
    table = Table()
    for entries in (["Eins"], ["Zwei", "Drei"]):
        table.take(RULESET.acts["paste-table"](into="fear", entries=entries))
    assert [one.entries for one in table.play.tables] == [["Zwei", "Drei"]]
    table.do("drop-table", key="tables.0")
    assert table.play.tables == []
    with pytest.raises(Refused, match="99 entries"):
        table.take(RULESET.acts["paste-table"](into="fear", entries=["x"] * 100))
