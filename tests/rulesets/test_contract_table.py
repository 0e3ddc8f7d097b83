"""What every system owes at the table: states that can be kept, acts that can be done."""

from pydantic import ValidationError

from rulesets.dice import RealTray, thrown
from rulesets.document import read_tree
from rulesets.kit import Act, Lasting, Refused, Roll, Seated, slots
from tests.support.rulesets.contract import answers, every, every_system, seeded, taken


@every("examples")
def test_a_fresh_play_changes_nothing(ruleset, key):
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    assert ruleset.play.model_validate(play.model_dump()) == play
    assert play.effective(sheet) == sheet
    assert not [finding for finding in play.notices(sheet) if finding.rule not in ruleset.rules("en")]


def done(ruleset, act, sheet, play, rng):
    """(sheet, play) after an act, rolled for if it wants a roll."""
    roll = act.roll(sheet, play)
    outcome = thrown(roll.throw, RealTray(rng.randbytes))[0] if roll else None
    after = act.apply(sheet, play, outcome)
    if isinstance(after, Lasting):
        sheet, after = ruleset.sheet.model_validate(after.data), after.play
    assert isinstance(after, ruleset.play)
    assert ruleset.play.model_validate(after.model_dump()) == after
    # Nothing where the title of what was pressed says it all; an act without a press of its own tells something.
    named = [offer for offer in act.offered(sheet, play) if offer.title != act.title]
    assert str(act.tell(sheet, after)).strip() or named
    after.effective(sheet)
    for finding in after.notices(sheet):
        assert finding.rule in ruleset.rules("en")
    return sheet, after


@every("examples")
def test_every_act_on_offer_can_be_done_fresh_and_hurt(ruleset, key, full):
    rng = seeded(key)
    for _walk in range(40 if full else 4):
        sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
        for _step in range(12):
            offers = [offer for act in ruleset.acts.values() for offer in act.offered(sheet, play)]
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
