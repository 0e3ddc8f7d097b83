"""Being held by mind control or aggro: its demands, and the cost and number of tries to break free."""

import pytest

from rulesets.condice import RULESET
from rulesets.condice.play import (
    BeginTurn,
    BeHeld,
    BreakBond,
    ConDicePlay,
    EndBond,
    EndRound,
    EndTurn,
    LetGo,
    NewFight,
    Released,
)
from rulesets.condice.tests.heroes import FULL, after, hero, offers
from rulesets.kit import Refused, Seated

BERT, ORK = "0" * 8 + "-0000-0000-0000-" + "0" * 12, "1" * 8 + "-0000-0000-0000-" + "0" * 12
MIND = {"ability": "mindcontrol", "dice": 3, "by": "Bert", "source": BERT}
AGGRO = {"ability": "aggro-ziehen", "dice": 2, "by": "Ork", "source": ORK}
HELD = after(hero(), FULL, BeHeld(**MIND))
BOTH = after(hero(), HELD, BeHeld(**AGGRO))
STAYS, FREE = [6, 6, 6, 1, 1], [1, 1, 1, 1, 1]


def tries(play):
    return [str(one.title) for one in offers(BreakBond, hero(), play)]


@pytest.mark.rule("CD-22")
@pytest.mark.rule("CD-23")
@pytest.mark.rule("CD-54")
def test_who_is_held_is_told_by_whom_and_what_they_have_to_do():
    said = [(str(one.message), one.rule) for one in BOTH.notices(hero())]
    assert said == [
        ("Bert controls you; on your turn Bert says what you do.", "CD-22"),
        ("Ork has your aggro; on your turn you attack Ork, or come closer if you are out of reach.", "CD-23")]
    assert [BeHeld(**one).tell(hero(), BOTH) for one in (MIND, AGGRO)] == ["Controlled by Bert", "Has to attack Ork"]
    seat = Seated("", hero(), after(hero(), HELD, BreakBond(index=0), faces=STAYS))
    assert RULESET.table().turn_used_note(seat) == (
        "Bert controls you; on your turn Bert says what you do. This turn's action is used.")
    assert RULESET.table().turn_used_note(Seated("", hero(), FULL)) == ""


@pytest.mark.rule("CD-22", "CD-23")
def test_whoever_holds_is_told_what_that_lets_them_say():
    play = ConDicePlay(holds=[{"ability": one, "target": "Ork", "dice": 2} for one in ("mindcontrol", "aggro-ziehen")])
    assert [(str(one.message), one.rule) for one in play.notices(hero())] == [
        ("You control Ork; on their turn you say what they do.", "CD-22"),
        ("Ork has to attack you or come closer.", "CD-23")]


@pytest.mark.rule("CD-54")
def test_whoever_has_no_name_is_somebody():
    play = ConDicePlay(holds=[{"ability": "mindcontrol", "target": " ", "dice": 2}],
                       bonds=[{"ability": "mindcontrol", "dice": 2}])
    assert [str(one.message) for one in play.notices(hero())] == [
        "You control Somebody; on their turn you say what they do.",
        "Somebody controls you; on your turn Somebody says what you do."]
    assert [str(one.title) for one in offers(LetGo, hero(), play)] == ["Let Somebody go"]
    assert BeHeld(ability="mindcontrol", dice=2).tell(hero(), play) == "Controlled by Somebody"


@pytest.mark.rule("CD-54")
@pytest.mark.parametrize(("gives", "turn"), [("action", {"acted": True}), ("movement", {"moved": True})])
@pytest.mark.parametrize(("faces", "left"), [(STAYS, 1), (FREE, 0)])
def test_a_try_is_paid_at_once_whatever_falls_and_made_once_a_round(gives, turn, faces, left):
    assert tries(HELD) == [
        "Break free from Bert: give up the action", "Break free from Bert: give up the movement"]
    offer = next(one for one in offers(BreakBond, hero(), HELD) if one.filled["gives"] == gives)
    assert offer.asks == {}
    play = after(hero(), HELD, offer.take(), faces=faces)
    assert (play.acted, play.moved) == (turn.get("acted", False), turn.get("moved", False))
    assert (len(play.bonds), tries(play)) == (left, [])
    assert offer.take().tell(hero(), play) == f"Gave up the {gives} to break free"
    if left:
        with pytest.raises(Refused, match="already tried that this round"):
            BreakBond(index=0, gives="movement").roll(hero(), play)
        # A turn that ends is no round that ends.
        assert tries(after(hero(), play, EndTurn())) == []
        (over,) = offers(EndRound, hero(), play)
        assert len(tries(after(hero(), play, EndTurn(), over.take()))) == 2


@pytest.mark.rule("CD-06", "CD-54")
def test_who_cannot_move_gives_up_no_movement():
    stiff = hero(movement=0)
    assert [str(one.title) for one in offers(BreakBond, stiff, HELD)] == ["Break free from Bert: give up the action"]
    with pytest.raises(Refused, match="no longer possible"):
        after(stiff, HELD, BreakBond(index=0, gives="movement"), faces=STAYS)


@pytest.mark.rule("CD-52", "CD-54")
def test_each_hold_has_its_own_try_and_nothing_is_given_up_twice():
    play = after(hero(), BOTH, BreakBond(index=0, gives="action"), faces=STAYS)
    assert tries(play) == ["Break free from Ork: give up the movement"]
    with pytest.raises(Refused, match="no longer possible"):
        BreakBond(index=1, gives="action").roll(hero(), play)
    assert tries(ConDicePlay(life=0, moved=True, bonds=[MIND])) == []


@pytest.mark.rule("CD-52")
@pytest.mark.rule("CD-54")
def test_what_is_given_up_out_of_turn_is_missing_in_the_next_one_and_in_no_later_one():
    play = after(hero(), HELD, BreakBond(index=0, gives="action"), faces=STAYS)
    begun = after(hero(), play, EndRound(), BeginTurn())
    assert (begun.acted, begun.moved, BeginTurn().tell(hero(), begun)) == (True, False, "Movement is still available")
    ended = after(hero(), begun, EndTurn())
    assert (ended.given_up, ended.acted) == ([], False)


@pytest.mark.rule("CD-54")
def test_a_hold_is_over_when_it_is_let_go_when_a_fight_begins_and_when_the_table_says_so():
    assert [one.by for one in after(hero(), BOTH, Released(ability="mindcontrol", source=BERT)).bonds] == ["Ork"]
    assert [one.by for one in after(hero(), BOTH, Released(ability="mindcontrol", source=ORK)).bonds] == ["Bert", "Ork"]
    last = offers(EndBond, hero(), BOTH)[1]
    assert (str(last.title), last.rare) == ("No longer held by Ork", True)
    assert [one.by for one in after(hero(), BOTH, last.take()).bonds] == ["Bert"]
    (new,) = offers(NewFight, hero(), BOTH)
    assert after(hero(), BOTH, new.take()) == FULL
    again = after(hero(), BOTH, BeHeld(**MIND | {"dice": 5}))
    assert [(one.by, one.dice) for one in again.bonds] == [("Ork", 2), ("Bert", 5)]
