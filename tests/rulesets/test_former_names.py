"""Names of the kit that changed are kept for a release: a system that still uses them works, and is warned."""

import pytest

from rulesets import kit
from rulesets.kit import Act, CheckedPart, Contest, Crossing, Gauge, Nudge, Response, Roll, Sheet, Table


class Blow(Roll):
    title = "Blow"


class Bruise(Act):
    title = "Bruise"


def bruised(_made, _outcome, _figures):
    yield Bruise.offer()


def test_a_crossing_with_former_names_works_and_is_warned_of_each():
    with pytest.warns(DeprecationWarning, match="is called") as warned:
        class Former(Crossing):
            lands = {Blow: bruised}
            recoils = {Bruise: bruised}

            @classmethod
            def passes(cls, sheet, before, act, after):
                yield Bruise.offer()

    assert [str(one.message) for one in warned] == [
        "Former.lands is called effects_on_target.", "Former.recoils is called effects_on_actor.",
        "Former.passes is called forwarded."]
    assert (Former.effects_on_target, Former.effects_on_actor) == ({Blow: bruised}, {Bruise: bruised})
    assert [one.cls for one in Former.forwarded(None, None, None, None)] == [Bruise]
    assert [one.cls for one in Former.target_offers(Blow(), None, {})] == [Bruise]


def test_former_names_are_read_as_the_present_ones():
    class Present(Crossing):
        effects_on_target = {Blow: bruised}

        @classmethod
        def actor_offers(cls, made, outcome, figures):
            yield Bruise.offer()

    assert (Present.lands, Present.recoils) == ({Blow: bruised}, {})
    assert [one.cls for one in Present.effect(Blow(), None, {})] == [Bruise]
    assert [one.cls for one in Present.recoiling(Blow(), None, {})] == [Bruise]


def test_an_act_with_a_former_name_works_and_is_warned_of_it():
    with pytest.warns(DeprecationWarning, match=r"^Sting\.whence is called names_source\.$"):
        class Sting(Act):
            whence = True

    assert Sting.names_source


def test_a_former_name_of_the_kit_can_be_imported_and_is_warned_of():
    with pytest.warns(DeprecationWarning, match=r"^rulesets\.kit\.Spoken is called CheckedPart\.$"):
        assert kit.Spoken is kit.CheckedPart
    assert {*kit.FORMER.values()} <= {*kit.__all__}
    with pytest.raises(AttributeError, match="no attribute 'Unspoken'"):
        _never = kit.Unspoken


def test_a_field_with_a_former_name_works_and_is_warned_of_it():
    with pytest.warns(DeprecationWarning, match=r"^target of a field is called target_figure\.$"):
        class Parry(Roll):
            guard: int = kit.field("Guard", 0, target="guard")

    assert kit.target_figures_of(Parry) == {"guard": "guard"}


def test_an_offer_with_a_former_name_works_and_is_warned_of_it():
    with pytest.warns(DeprecationWarning, match=r"^itself of an offer is called automatic\.$"):
        assert Bruise.offer(itself="always").automatic == "always"
    with pytest.warns(DeprecationWarning, match=r"^alone of an offer is called without_target\.$"):
        offer = Bruise.asking(alone=True)
    assert (offer.cls, offer.without_target, offer.alone) == (Bruise, True, True)


def test_a_sheet_and_its_rows_with_former_names_work_and_are_warned_of_each():
    with pytest.warns(DeprecationWarning, match="is called") as warned:
        class Tool(CheckedPart):
            told = frozenset({"name"})

            def pieces(self, _house):
                return {"name": 1}

            def idle(self):
                return frozenset({"name"})

    with pytest.warns(DeprecationWarning, match=r"^Former\.widgets is called roll_offers\.$"):
        class Former(Sheet):
            def widgets(self, _play):
                yield Blow.offer()

    assert sorted(str(one.message) for one in warned) == [
        "Tool.idle is called hidden_fields.", "Tool.pieces is called unit_prices.",
        "Tool.told is called fields_in_text."]
    tool = Tool()
    assert (tool.fields_in_text, tool.hidden_fields(), tool.unit_prices(None)) == ({"name"}, {"name"}, {"name": 1})
    assert (Sheet().idle(), [one.cls for one in Former().roll_offers(None)]) == (frozenset(), [Blow])


def test_a_roll_with_former_names_works_and_is_warned_of_each():
    with pytest.warns(DeprecationWarning, match=r"^Stab\..* is called") as warned:
        class Stab(Blow):
            deed, promise = kit.ATTACK_PHRASES, "hits"

            def heaps(self):
                return 2, 1

    assert sorted(str(one.message) for one in warned) == [
        "Stab.deed is called log_phrases.", "Stab.heaps is called pool_sizes.", "Stab.promise is called chance_label."]
    assert (Stab.log_phrases, Stab.chance_label, Stab().pool_sizes()) == (kit.ATTACK_PHRASES, "hits", (2, 1))
    assert (Stab.deed, Blow.promise, Stab.log_phrase("Ben", 0)) == (kit.ATTACK_PHRASES, "", "misses Ben")


def test_an_argument_with_a_former_name_works_and_is_warned_of_it():
    with pytest.warns(DeprecationWarning, match=r"^often of a Concept is called weight\.$"):
        concept = kit.Concept({}, often=0.5)

    assert (concept.weight, concept.often) == (0.5, 0.5)
    with pytest.warns(DeprecationWarning, match=r"^drawn of a derived value is called as_squares\.$"):
        assert vars(kit.derived("reach", "Reach", drawn=True)(lambda: None))["derived"].as_squares


def test_a_table_with_former_names_works_and_is_warned_of_each():
    with pytest.warns(DeprecationWarning, match="is called") as warned:
        class Inn(Table):
            def out(self, seat):
                return seat == "Ben"

            def spent(self, seat):
                return f"{seat} is done."

    assert [str(one.message) for one in warned] == [
        "Inn.out is called is_out.", "Inn.spent is called turn_used_note."]
    assert (Inn().is_out("Ben"), Inn().due("Ben"), Inn().turn_used_note("Ben")) == (True, False, "Ben is done.")
    assert (Inn().unable("Ben"), [*Inn().holds("Ben")]) == ("", [])


def test_a_contest_with_a_former_name_works_and_is_warned_of_it():
    with pytest.warns(DeprecationWarning, match=r"^Brawl\.of is called offers_for\.$"):
        class Brawl(Contest):
            @classmethod
            def of(cls, sheet, play):
                yield cls.offer("Brawl")

    assert [one.cls for one in Brawl.offers_for(None, None)] == [Brawl]


def test_a_crossing_with_former_names_of_its_targets_and_its_pair_works_and_is_warned_of_each():
    with pytest.warns(DeprecationWarning, match="is called") as warned:
        class Alone(Crossing):
            @classmethod
            def spreads(cls, roll):
                return False

            @classmethod
            def meeting(cls, offer, figures, *, veiled=False):
                return offer.meeting({"met": 1})

            @classmethod
            def parted(cls, sheet, play):
                yield Bruise.offer()

    assert sorted(str(one.message) for one in warned) == [
        "Alone.meeting is called with_target_figures.", "Alone.parted is called offers_without_partner.",
        "Alone.spreads is called allows_more_targets."]
    offer = Bruise.offer()
    assert Alone.with_target_figures(offer, {}) == offer
    assert (Alone.allows_more_targets(Blow()), Alone.covers(Blow(), None)) == (False, True)
    assert [one.cls for one in Alone.offers_without_partner(None, None)] == [Bruise]
    assert Alone.facing(offer, {}) == offer


def test_a_gauge_and_its_buttons_with_former_names_work_and_are_warned_of_each():
    with pytest.warns(DeprecationWarning, match=r"^left of a Gauge is called current\.$"):
        gauge = Gauge("life", "Life", left=3)
    with pytest.warns(DeprecationWarning, match=r"^by of a Nudge is called answers\.$"):
        nudge = Nudge(Bruise.offer(), by={"points": 1})
    assert (gauge.current, gauge.left, nudge.answers, nudge.by) == (3, 3, {"points": 1}, {"points": 1})
    with pytest.warns(DeprecationWarning, match=r"^one of a field is called row_name\.$"):
        found = kit.rows("Traps", one="Trap").json_schema_extra
    assert found.row_name == "Trap"


def test_acts_of_scenes_and_responses_with_former_names_work_and_are_warned_of_each():
    with pytest.warns(DeprecationWarning, match=r"^Yard\.begins is called scene_start_acts\.$"):
        class Yard(Table):
            begins = (Bruise,)

    offer = Bruise.offer()
    with pytest.warns(DeprecationWarning, match=r"^does of a Response is called offer\.$"):
        response = Response("duck", "Duck", does=offer)
    assert (Yard.scene_start_acts, Yard.ends, Yard().taking_back({"n": 1})) == ((Bruise,), (), {"n": 1})
    assert (response.offer, response.does, response.instead) == (offer, offer, None)
