"""What crosses the table, in every system: figures that can be stored, acts of the system, filled as they ask."""

import json
import re

from rulesets.dice import thrown
from rulesets.kit import FORGO, Act, Contest, Roll, slots
from tests.support.rulesets.contract import every_system, taken


@every_system
def test_what_lands_or_pairs_two_comes_of_rolls_and_acts_of_the_system_and_no_fresh_play_is_paired(ruleset):
    crossing = ruleset.crossing
    assert {*crossing.effects_on_target, *crossing.effects_on_actor, *crossing.foremost, *crossing.open_figures} <= {
        *ruleset.rolls.values(), *ruleset.acts.values()}
    assert all(issubclass(one, Roll | Act) and crossing.reaches(one) for one in crossing.effects_on_target)
    assert not crossing.paired(ruleset.play())
    if crossing.pairs:
        assert crossing.pairs in ruleset.acts.values()
        assert crossing.pairs in [
            offer.cls for act in crossing.effects_on_target if issubclass(act, Act) and act.aimed
            for way in taken(act.offer(), 4) for offer in crossing.target_offers(way, None, {})]


@every_system
def test_the_figures_of_every_example_can_be_stored_and_fit_what_asks_for_them(ruleset):
    asking = {slot.ask.target_figure: slot for shape in (*ruleset.rolls.values(), *ruleset.acts.values())
              for slot in slots(shape).values() if slot.ask.target_figure}
    for document in ruleset.examples.values():
        sheet = ruleset.sheet.model_validate(document["data"])
        figures = ruleset.crossing.figures(sheet, ruleset.play())
        assert json.loads(json.dumps(dict(figures))) == dict(figures)
        for target in figures.keys() & asking.keys():
            asking[target].adapter.validate_python(figures[target])


def least(slot):
    """An answer to a field that must have one."""
    if slot.kind == "number":
        return slot.ask.start or max(1, slot.low or 0)
    return next(iter(slot.ask.samples or slot.ask.choices))


@every_system
def test_what_fell_lands_as_acts_that_can_be_stored_and_made(ruleset):
    crossing = ruleset.crossing
    for cls in {*crossing.effects_on_target, *crossing.effects_on_actor} & {*ruleset.rolls.values()}:
        roll = cls(**{key: least(slot) for key, slot in slots(cls).items() if slot.required})
        for _throw in range(20):
            outcome, _tray = thrown(roll.throw)
            for offer in (*crossing.target_offers(roll, outcome, {}), *crossing.actor_offers(roll, outcome, {})):
                assert offer.cls in ruleset.acts.values()
                assert json.loads(json.dumps(dict(offer.filled))) == dict(offer.filled)
                assert offer.take() is not None


@every_system
def test_what_the_other_side_may_do_before_a_roll_is_whole_as_it_is_offered(ruleset):
    crossing = ruleset.crossing
    assert crossing.answered <= {*ruleset.rolls.values()}
    for cls in crossing.answered:
        roll = cls(**{key: least(slot) for key, slot in slots(cls).items() if slot.required})
        other = crossing.unanswered(roll)
        assert other is None or other.take()
        for document in ruleset.examples.values():
            sheet = ruleset.sheet.model_validate(document["data"])
            found = [*crossing.responses(sheet, ruleset.play(), roll, turns=False)]
            assert len({one.key for one in found} | {FORGO}) == len(found) + 1
            for one in found:
                assert re.fullmatch(r"[a-z0-9-]{1,40}", one.key)
                assert all(offer is None or offer.take() for offer in (one.offer, one.replacement))


@every_system
def test_an_opponent_of_a_few_figures_can_be_read_and_played(ruleset):
    side = ruleset.crossing.side
    assert side is None or issubclass(side, ruleset.contest or Contest)
    if side:
        data, play = ruleset.crossing.opponent(side())
        assert next(side.of(ruleset.sheet.model_validate(data), ruleset.play.model_validate(play))).take()


@every_system
def test_the_act_that_takes_the_result_of_a_roll_is_one_of_the_system(ruleset):
    assert {roll.applied_by for roll in ruleset.rolls.values()} - {""} <= {*ruleset.acts}
