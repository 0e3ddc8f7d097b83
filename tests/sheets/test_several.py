"""Several of one's own sheets at once: tagged, archived, printed, exported, brought into a party, deleted."""

import json
from io import BytesIO
from zipfile import ZipFile

from sheets.models import Sheet, Tag
from tests.support.guest import text_of


def press(run, do, *sheets, who="anna", **fields):
    return run.browsers[who].post("/sheets/several/", {"do": do, "sheet": [one.pk for one in sheets], **fields})


def listed(run, **asked):
    """The names of the sheets that Anna's list shows."""
    return [sheet.name for sheet, *_rest in run.browsers["anna"].get("/sheets/", asked).context["sheets"]]


def test_what_is_archived_leaves_ones_lists_but_not_its_party(run):
    inside, loose = run.sheet("anna", name="Drin"), run.sheet("anna", name="Los", inside=False)
    press(run, "archive", inside, loose)
    assert (listed(run), sorted(listed(run, state="archived"))) == ([], ["Drin", "Los"])
    page = text_of(run.browsers["anna"].get(run.url))
    assert ("Drin" in page, "Los" in page, "Los" in text_of(run.browsers["anna"].get("/"))) == (True, False, False)
    assert run.browsers["anna"].get(f"/sheets/{loose.pk}/").status_code == 200
    press(run, "unarchive", loose)
    assert listed(run) == ["Los"]


def test_tags_narrow_the_list_and_are_nobody_elses(run):
    one, other = (run.sheet("anna", name=name, inside=False) for name in ("Eins", "Zwei"))
    press(run, "tag", one, tag="Con 2027, Magie")
    assert (listed(run, tag="Magie"), len(listed(run))) == (["Eins"], 2)
    press(run, "tag", other, who="ben", tag="Fremd")
    assert other.tags.count() == 0
    press(run, "untag", one, tag="Magie, Con 2027")
    assert not Tag.objects.exists()


def test_more_than_a_thousand_tags_are_refused(run):
    sheet = run.sheet("anna", inside=False)
    Tag.objects.bulk_create(Tag(owner=run.users["anna"], name=f"t{number}") for number in range(1000))
    page = text_of(run.browsers["anna"].get(press(run, "tag", sheet, tag="neu")["Location"]))
    assert "You already have 1000 tags, which is the maximum" in page
    press(run, "tag", sheet, tag="t7")
    assert [one.name for one in sheet.tags.all()] == ["t7"]


def test_several_come_into_a_party_and_what_does_not_fit_stays_out(run):
    fit, other = run.sheet("anna", inside=False), Sheet.objects.create(
        owner=run.users["anna"], ruleset="dice-rumble", data={})
    answer = press(run, "move", fit, other, party=run.party.pk)
    assert "1 sheet was left out" in text_of(run.browsers["anna"].get(answer["Location"]))
    assert [*run.party.sheets.all()] == [fit]
    assert press(run, "move", fit, party=other.pk).status_code == 404


def test_several_are_printed_and_exported_together_and_deleted_to_the_trash(run):
    some = [run.sheet("anna", name=f"Nr {number}", inside=False) for number in range(3)]
    others = run.sheet("ben", inside=False)
    way = press(run, "print:sheet", *some)["Location"]
    assert run.browsers["anna"].get(way).content.startswith(b"%PDF-")
    assert run.browsers["ben"].get(way).status_code == 404
    way = press(run, "export", *some, others)["Location"]
    with ZipFile(BytesIO(b"".join(run.browsers["anna"].get(way).streaming_content))) as kept:
        assert sorted(json.loads(kept.read(name))["name"] for name in kept.namelist()) == ["Nr 0", "Nr 1", "Nr 2"]
    assert run.browsers["ben"].get(way).status_code == 404
    press(run, "delete", *some, others)
    assert [*Sheet.objects.filter(deleted=None)] == [others]
    assert "tick at least one" in text_of(run.browsers["anna"].get(press(run, "delete")["Location"]))
    assert press(run, "x", others).status_code == 400
