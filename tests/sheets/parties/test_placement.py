"""Where a sheet belongs: party, readers, house rules; and what a GM notes on it."""

import uuid

import pytest

from sheets.models import Event, Party, Remark, Sheet
from tests.support.guest import Guest, example, text_of

pytestmark = pytest.mark.alike


def place(run, who, sheet, **form):
    answer = run.browsers[who].post(f"/sheets/{sheet.pk}/place/", form)
    sheet.refresh_from_db()
    return answer


def test_a_sheet_is_brought_into_a_party_from_its_own_page_goes_by_its_house_rules_and_is_taken_out_again(run):
    """Whatever its owner presses there."""
    Party.objects.update(house={"budget": 35})
    sheet = run.sheet("anna", inside=False, house={"budget": 28})
    assert str(run.party.pk) in run.browsers["anna"].get(f"/sheets/{sheet.pk}/").text
    place(run, "anna", sheet, do="bring", party=run.party.pk)
    assert (sheet.party, sheet.house) == (run.party, {"budget": 35})
    assert place(run, "anna", sheet, do="book").status_code == 302
    assert sheet.house == {"budget": 35}
    assert "Points to spend 35 30" in text_of(run.browsers["anna"].get(f"/sheets/{sheet.pk}/"))
    for seen_by, then in (("party", "private"), ("public", "public")):
        place(run, "anna", sheet, do="bring", party=run.party.pk)
        place(run, "anna", sheet, do="see", seen_by=seen_by)
        place(run, "anna", sheet, do="drop")
        assert (sheet.party, sheet.house, sheet.seen_by) == (None, {"budget": 35}, then)
    place(run, "anna", sheet, do="book")
    assert sheet.house == {}
    assert "House rules" not in text_of(run.browsers["anna"].get(f"/sheets/{sheet.pk}/"))


def test_a_sheet_of_another_system_or_in_a_party_already_does_not_come_in(run):
    other = Sheet.objects.create(owner=run.users["anna"], ruleset="dice-rumble", data={})
    place(run, "anna", other, do="bring", party=run.party.pk)
    assert other.party is None
    second = Party.objects.create(name="Zweite", ruleset="condice")
    second.members.create(user=run.users["anna"], role="gm")
    sheet = run.sheet("anna")
    place(run, "anna", sheet, do="bring", party=second.pk)
    assert sheet.party == run.party


def test_there_is_no_other_party_to_come_into_and_what_the_page_does_not_offer_is_refused(run):
    outside, inside = run.sheet("anna", inside=False), run.sheet("anna")
    for party in ("", "x", str(uuid.UUID(int=7))):
        assert place(run, "anna", outside, do="bring", party=party).status_code == 404
    for form in ({}, {"do": "x"}, {"do": "see"}, {"do": "see", "seen_by": "x"}, {"do": "see", "seen_by": "\0"}):
        assert place(run, "anna", inside, **form).status_code == 400
    # Nobody shows a sheet to a party that it is not in.
    assert place(run, "anna", outside, do="see", seen_by="party").status_code == 400


def test_who_reads_a_sheet_is_its_owners_choice(run):
    sheet = run.sheet("anna")
    where = f"/sheets/{sheet.pk}/"
    for word, readers in (("private", 0), ("party", 1), ("public", 1), ("private", 0)):
        place(run, "anna", sheet, do="see", seen_by=word)
        assert run.browsers["ben"].get(where).status_code == (200 if readers else 404)
        assert run.browsers["gm"].get(where).status_code == 200


def test_a_guest_shows_a_sheet_to_everybody_and_is_told_of_parties(run):
    guest = Guest(example())
    assert "With an account you can bring it into a party" in text_of(guest.client.get(f"/sheets/{guest.pk}/"))
    guest.client.post(f"/sheets/{guest.pk}/place/", {"do": "see", "seen_by": "public"})
    assert run.browsers["ben"].get(f"/sheets/{guest.pk}/").status_code == 200


def test_members_see_what_happened_at_the_table_and_others_do_not(run):
    sheet = run.sheet("anna", seen_by="public")
    Event.objects.create(sheet=sheet, key=uuid.uuid4(), widget="x", title="Ein Wurf wie kein anderer")
    where = f"/sheets/{sheet.pk}/"
    run.party.members.filter(user=run.users["ben"]).delete()
    shown = {who: "Ein Wurf wie kein anderer" in browser.get(where).text for who, browser in run.browsers.items()}
    assert shown == {"gm": True, "second": True, "anna": True, "ben": False}
    assert f"/sheets/{sheet.pk}/play/" not in run.browsers["gm"].get(where).text


def test_a_gms_note_on_a_sheet_is_kept_changed_and_dropped_by_its_author_alone_or_stays_in_its_field(run):
    sheet = run.sheet("anna")
    for who in ("gm", "second"):
        run.browsers[who].post(f"/sheets/{sheet.pk}/remark/", {"text": f"Von {who}"})
    run.browsers["gm"].post(f"/sheets/{sheet.pk}/remark/", {"text": "Neu\r\nzwei"})
    assert sorted(Remark.objects.values_list("text", flat=True)) == ["Neu\nzwei", "Von second"]
    assert "Neu\nzwei" in run.browsers["gm"].get(f"/sheets/{sheet.pk}/").text
    run.browsers["gm"].post(f"/sheets/{sheet.pk}/remark/", {"text": " "})
    assert Remark.objects.get().text == "Von second"
    run.party.members.filter(user=run.users["second"]).update(role="player")
    assert run.browsers["second"].post(f"/sheets/{sheet.pk}/remark/", {"text": "x"}).status_code == 404
    for text in ("x" * 4001, "a\0b"):
        answer = run.browsers["gm"].post(f"/sheets/{sheet.pk}/remark/", {"text": text})
        assert (answer.status_code, text in answer.text, Remark.objects.count()) == (422, True, 1)
