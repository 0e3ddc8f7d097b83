"""What every system owes at the table: states that can be kept, acts that can be done."""

from contextlib import suppress

from pydantic import ValidationError

from rulesets.document import read_tree
from rulesets.kit import Act, Refused, Roll, Seated, slots
from sheets.rolls.widgets import RESERVED
from tests.support.rulesets.contract import answers, every, every_system, offered, pressed, seeded, taken


@every("examples")
def test_a_fresh_play_changes_nothing(ruleset, key):
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    assert ruleset.play.model_validate(play.model_dump()) == play
    assert play.effective(sheet) == sheet
    assert not [finding for finding in play.notices(sheet) if finding.rule not in ruleset.rules("en")]


def done(ruleset, act, sheet, play, rng):
    """(sheet, play) after an act, rolled for if it wants a roll."""
    changed, after = pressed(ruleset, act, sheet, play, rng)
    assert isinstance(after, ruleset.play)
    assert ruleset.play.model_validate(after.model_dump()) == after
    # Nothing where the title of what was pressed says it all; an act without a press of its own tells something.
    assert str(act.tell(changed, after)).strip() or any(
        offer.title != act.title for offer in act.offered(sheet, play))
    after.effective(changed)
    assert all(finding.rule in ruleset.rules("en") for finding in after.notices(changed))
    return changed, after


def assert_beside(ruleset, gauge, sheet, play, rng):
    """What stands beside a gauge is on offer, and changes it by one in its way where it is not refused."""
    for nudge, sign in ((gauge.less, -1), (gauge.more, 1)):
        if nudge:
            assert nudge.offer in nudge.offer.cls.offered(sheet, play), gauge.key
            assert set(nudge.answers) <= set(nudge.offer.asks), gauge.key
            with suppress(Refused):
                _sheet, after = pressed(ruleset, nudge.offer.take(**nudge.answers), sheet, play, rng)
                by = sign * (next(one.current for one in after.gauges(sheet) if one.key == gauge.key) - gauge.current)
                assert by == 1 or (by >= 0 and gauge.current in (0, gauge.most)), gauge.key


@every("examples")
def test_every_act_on_offer_and_what_stands_beside_a_gauge_can_be_done_fresh_and_hurt(ruleset, key, full):
    rng = seeded(key)
    for _walk in range(40 if full else 3):
        sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
        for _step in range(12):
            for gauge in play.gauges(sheet):
                assert_beside(ruleset, gauge, sheet, play, rng)
            offers = offered(ruleset, sheet, play)
            for offer in offers:
                assert str(offer.title)
                plain = next(taken(offer, 1), None)
                assert plain is not None, offer
                done(ruleset, plain, sheet, play, rng)
            if offers:
                sheet, play = walked(ruleset, rng.choice(offers), sheet, play, rng)


def walked(ruleset, offer, sheet, play, rng):
    """A random answer where it is allowed; the state as it was where it is not."""
    given = {name: rng.choice(answers(slot, (1, 3, 8, 20))) for name, slot in offer.asks.items()}
    try:
        return done(ruleset, offer.take(**given), sheet, play, rng)
    except (Refused, ValidationError):
        return sheet, play


@every_system
def test_what_a_party_counts_begins_by_itself_and_is_whole_numbers_within_bounds(ruleset):
    counters = slots(ruleset.table)
    assert ruleset.table.model_validate({}).model_dump() == {key: slot.default for key, slot in counters.items()}
    assert all((slot.kind, slot.required) == ("number", False) for slot in counters.values())
    assert ruleset.table.secret <= counters.keys()
    for key in ruleset.shared:
        assert slots(ruleset.play)[key].default == counters[key].default


@every_system
def test_what_a_party_does_at_once_are_rolls_and_acts_of_the_system(ruleset):
    seats = [Seated(document["name"], read_tree(document).sheet, ruleset.play())
             for document in ruleset.examples.values()]
    table = ruleset.table()
    assert all(table.place(seat) is None for seat in seats)
    known = {*ruleset.acts.values(), *ruleset.rolls.values()}
    found = [*table.rounds(seats), *table.rolls(seats), *table.rounds([]), *table.rolls([])]
    assert all(issubclass(offer.cls, (Act, Roll)) and offer.cls in known and str(offer.title) for offer in found)


@every_system
def test_no_field_of_a_roll_or_an_act_has_a_name_that_the_form_of_a_press_keeps_for_itself(ruleset):
    kept = [f"{cls.slug}.{key}" for cls in (*ruleset.rolls.values(), *ruleset.acts.values()) for key in slots(cls)
            if key in RESERVED or key.startswith("_") or "." in key]
    assert kept == []
