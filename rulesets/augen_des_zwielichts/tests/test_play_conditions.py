import pytest

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.tests.helpers import FIVE, Table, settled
from rulesets.kit import Refused


@pytest.mark.rule("SZ-13")
@pytest.mark.rule("SZ-07")
def test_a_condition_falls_due_and_takes_the_next_place_when_it_gets_its_word():
    table = settled("risk", "3", "5")
    assert (table.words, table.play.conditions_due) == ([], 1)
    assert "SZ-13" in table.notices
    assert table.do("note-condition", word=" Müde ") == "Condition 2:  Müde "
    assert (table.words, table.play.conditions_due) == (["Müde"], 0)
    assert settled("risk", "3", "5", word="Zornig", table=table).words == ["Müde", "Zornig"]
    assert settled("risk", "5", "3", word="Froh", table=table).words == ["Müde", "Zornig"]
    with pytest.raises(Refused, match="word"):
        table.do("note-condition", word=" ")


@pytest.mark.rule("SZ-07")
@pytest.mark.rule("SZ-37")
def test_the_sixth_condition_puts_the_character_out_and_another_brings_it_back():
    table = Table(conditions=FIVE[:4])
    assert (table.play.full, table.play.out_of_action) == (False, False)
    table.do("note-condition", word="Verloren")
    assert table.play.out_of_action
    assert table.notices == ["SZ-37"]
    assert not [offer for offer in table.now.roll_offers(table.play) if offer.cls.slug in ("move", "help")]
    assert not table.offers("note-condition")
    table.do("bring-back")
    assert (table.play.out_of_action, table.play.full) == (False, True)
    assert [offer.key for offer in table.now.roll_offers(table.play) if offer.cls.slug == "move"]
    assert "dark-section" in table.on_offer
    settled("risk", "", "6", table=table, word="Noch einer")
    assert table.play.out_of_action
    assert (len(table.words), table.play.conditions_due) == (5, 0)


@pytest.mark.rule("SZ-07")
def test_a_condition_may_go_for_a_reason_of_the_story_but_not_the_demon():
    table = Table(conditions=FIVE)
    assert table.keys("end-condition") == [f"conditions.{n}" for n in range(5)]
    table.do("end-condition", key="conditions.1")
    assert table.words == ["Müde", "Verletzt", "Traurig", "Verloren"]
    assert Table().offers("end-condition") == []


@pytest.mark.rule("SZ-09c")
def test_the_adventure_question_takes_one_condition_once():
    table = Table(conditions=FIVE[:2])
    table.do("ask-question", key="conditions.0")
    assert (table.words, table.play.question) == (["Zornig"], True)
    assert not table.offers("ask-question")
    with pytest.raises(Refused, match="already"):
        table.take(RULESET.acts["ask-question"](index=0))


@pytest.mark.rule("SZ-07")
@pytest.mark.rule("SZ-13")
def test_a_sixth_condition_counts_before_it_has_a_word():
    table = settled("risk", "", "3", table=Table(conditions=FIVE[:4]))
    assert (table.play.full, table.play.out_of_action, table.play.conditions_due) == (True, True, 1)
    gauge = next(one for one in table.play.gauges(table.sheet) if one.key == "conditions")
    assert (gauge.current, gauge.most) == (6, 6)
    assert "dark-section" in table.on_offer
    table.do("bring-back")
    table.do("note-condition", word="Verloren")
    assert (table.play.out_of_action, table.words[-1], table.play.conditions_due) == (False, "Verloren", 0)
    assert not table.offers("note-condition")


@pytest.mark.rule("SZ-37")
def test_a_further_condition_puts_whoever_was_brought_back_out_of_action_again():
    table = settled("risk", "", "3", table=Table(conditions=FIVE, brought_back=True))
    assert (table.play.out_of_action, len(table.words), table.play.conditions_due) == (True, 5, 0)


@pytest.mark.rule("SZ-07")
@pytest.mark.rule("SZ-09c")
def test_the_log_says_what_is_left_and_does_not_echo_the_button():
    table = Table(conditions=FIVE[:3])
    assert table.do("ask-question", key="conditions.0") == "Conditions now: 3"
    assert table.do("end-condition", key="conditions.1") == "Conditions now: 2"
    fears = Table("smith", steps=["drop-fear", "drop-fear"])
    assert fears.do("drop-fear", key="fears.0") == "Fears: Enge Räume"
    assert fears.do("drop-fear", key="fears.0") == "Fears: –"
