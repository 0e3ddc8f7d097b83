"""What every system owes whose sheet is to be played from a desk: rolls in few words, groups, acts at the gauges."""

from django.utils.translation import override
from pydantic import ValidationError

from rulesets.dice import RealTray, thrown
from rulesets.document import read_tree
from rulesets.kit import Lasting, Refused, slots, targets
from tests.support.rulesets.contract import every, every_system, seeded, taken

LONG, WIDE = 28, 24
"""A promise is at most so long, and the title of an act on its button, in German."""


def offered(ruleset, sheet, play):
    """Everything that a sheet offers at the table now."""
    return [offer for act in ruleset.acts.values() for offer in act.offered(sheet, play)]


def begun(offer, asked):
    """A roll on offer with what one begins with."""
    answers = {key: asked[slot.ask.target].default for key, slot in offer.asks.items() if slot.ask.target}
    try:
        return offer.take(**answers)
    except ValidationError:
        return next(taken(offer, 1))


@every("examples")
def test_each_roll_of_a_sheet_promises_something_in_a_few_words(ruleset, key):
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    offers = list(play.effective(sheet).widgets(play))
    asked = targets(offers)
    for language in ("de", "en"):
        with override(language):
            for offer in offers:
                roll = begun(offer, asked)
                said = roll.gist(roll.odds())
                assert said.strip() == str(said), offer.title
                assert 0 < len(said) <= LONG, said
                assert any(map(str.isalpha, said)), said
                assert roll.pool() is None or roll.pool() >= 0


@every("rolls")
def test_an_outcome_is_critical_a_fumble_or_neither(ruleset, key):
    rng = seeded(key)
    for roll in taken(ruleset.rolls[key].asking(), 4):
        for _throw in range(20):
            assert roll.extreme(thrown(roll.throw, RealTray(rng.randbytes))[0]) in ("critical", "fumble", "")


@every_system
def test_what_the_other_side_is_asked_for_begins_with_a_sensible_figure(ruleset):
    for document in ruleset.examples.values():
        sheet, play = read_tree(document).sheet, ruleset.play()
        for name, slot in targets(play.effective(sheet).widgets(play)).items():
            assert not slot.required, name
            assert slot.adapter.validate_python(slot.default) == slot.default
    known = {name for roll in ruleset.rolls.values() for slot in slots(roll).values() if (name := slot.ask.target)}
    titles = {name: {str(slot.ask.title) for roll in ruleset.rolls.values() for slot in slots(roll).values()
                     if slot.ask.target == name} for name in known}
    assert not {name: found for name, found in titles.items() if len(found) > 1}, "one figure has one name"


@every("examples")
def test_rolls_and_acts_stand_under_few_headings(ruleset, key):
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    rolls, acts = list(play.effective(sheet).widgets(play)), offered(ruleset, sheet, play)
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
        long = {slug: str(act.title) for slug, act in ruleset.acts.items() if len(str(act.title)) > WIDE}
    assert not long


def nudged(ruleset, sheet, play, nudge, rng):
    """The state after one press, None where it is refused with a word."""
    act = nudge.offer.take(**nudge.by)
    try:
        roll = act.roll(sheet, play)
        after = act.apply(sheet, play, thrown(roll.throw, RealTray(rng.randbytes))[0] if roll else None)
    except Refused:
        return None
    return after.play if isinstance(after, Lasting) else after


@every("examples")
def test_what_stands_beside_a_gauge_is_on_offer_and_changes_it_its_way(ruleset, key):
    rng = seeded(key)
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    for _step in range(12):
        for gauge in play.gauges(sheet):
            for nudge, sign in ((gauge.less, -1), (gauge.more, 1)):
                if nudge is None:
                    continue
                assert [one for one in nudge.offer.cls.offered(sheet, play) if one == nudge.offer], gauge.key
                assert set(nudge.by) <= set(nudge.offer.asks), gauge.key
                after = nudged(ruleset, sheet, play, nudge, rng)
                if after is not None:
                    left = {one.key: one.left for one in after.gauges(sheet)}
                    assert sign * (left[gauge.key] - gauge.left) >= 0, gauge.key
                    assert sign * (left[gauge.key] - gauge.left) == 1 or gauge.left in (0, gauge.most), gauge.key
        presses = [nudge for gauge in play.gauges(sheet) for nudge in (gauge.less, gauge.more) if nudge]
        offers = [one for offer in offered(ruleset, sheet, play) if (one := next(taken(offer, 1, (1, 3)), None))]
        act = rng.choice([nudge.offer.take(**nudge.by) for nudge in presses] * 2 + offers)
        roll = act.roll(sheet, play)
        try:
            after = act.apply(sheet, play, thrown(roll.throw, RealTray(rng.randbytes))[0] if roll else None)
        except Refused:
            continue
        play = after.play if isinstance(after, Lasting) else after
        sheet = ruleset.sheet.model_validate(after.data) if isinstance(after, Lasting) else sheet


@every("examples")
def test_what_lowers_life_is_there_while_there_is_some(ruleset, key):
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    gauges = {gauge.key: gauge for gauge in play.gauges(sheet)}
    stated = [one for gauge in gauges.values() for one in (gauge.less, gauge.more) if one]
    assert not stated or "life" not in gauges or gauges["life"].less
