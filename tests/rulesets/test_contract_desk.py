"""What every system owes whose sheet is to be played from a desk: rolls in few words, groups, acts at the gauges."""

from django.utils.translation import override
from pydantic import ValidationError

from rulesets.document import read_tree
from rulesets.kit import slots, target_slots
from tests.support.rulesets.contract import every, every_system, offered, taken

LONG, WIDE = 28, 24
"""A promise is at most so long, and the title of an act on its button, in German."""


def begun(offer, asked):
    """A roll on offer with what one begins with."""
    answers = {key: asked[slot.ask.target_figure].default for key, slot in offer.asks.items() if slot.ask.target_figure}
    try:
        return offer.take(**answers)
    except ValidationError:
        return next(taken(offer, 1))


@every("examples")
def test_each_roll_of_a_sheet_can_be_rolled_and_promises_something_in_a_few_words(ruleset, key):
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    offers = list(play.effective(sheet).roll_offers(play))
    for offer in offers:
        assert str(offer.title)
        rolls = list(taken(offer, 2))
        assert rolls, offer
        for roll in rolls:
            assert sum(roll.odds().chances.values()) == 1
            assert all(getattr(roll, name) == value for name, value in offer.filled.items())
        for language in ("de", "en"):
            with override(language):
                roll = begun(offer, target_slots(offers))
                said = roll.gist(roll.odds())
                assert said.strip() == str(said), offer.title
                assert 0 < len(said) <= LONG, said
                assert any(map(str.isalpha, said)), said
                assert roll.pool() is None or roll.pool() >= 0


@every_system
def test_what_the_other_side_is_asked_for_begins_with_a_sensible_figure(ruleset):
    for document in ruleset.examples.values():
        sheet, play = read_tree(document).sheet, ruleset.play()
        for name, slot in target_slots(play.effective(sheet).roll_offers(play)).items():
            assert not slot.required, name
            assert slot.adapter.validate_python(slot.default) == slot.default
    titles = {(slot.ask.target_figure, str(slot.ask.title)) for roll in ruleset.rolls.values()
              for slot in slots(roll).values() if slot.ask.target_figure}
    assert len(titles) == len({name for name, _title in titles}), "one figure has one name"


@every("examples")
def test_rolls_and_acts_stand_under_few_headings_and_what_lowers_life_is_there_while_there_is_some(ruleset, key):
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    gauges = {gauge.key: gauge for gauge in play.gauges(sheet)}
    assert "life" not in gauges or gauges["life"].less or not any(one.less or one.more for one in gauges.values())
    rolls, acts = list(play.effective(sheet).roll_offers(play)), offered(ruleset, sheet, play)
    groups = dict.fromkeys(str(offer.group) for offer in (*rolls, *acts))
    if groups == {"": None}:
        return  # a system may state none
    assert "" not in groups, [str(offer.title) for offer in (*rolls, *acts) if not str(offer.group)]
    assert len(groups) > 1, groups
    assert all(len({str(offer.group) for offer in offers}) <= 5 for offers in (rolls, acts)), groups
    for group in groups:
        rows = [offer for offer in (*rolls, *acts) if str(offer.group) == group]
        assert len(rows) > 1 or not rows[0].rare, f"{group}: a single row that is seldom used"


@every_system
def test_an_act_has_a_title_short_enough_for_a_button(ruleset):
    with override("de"):
        assert not {slug: str(act.title) for slug, act in ruleset.acts.items() if len(str(act.title)) > WIDE}
