"""What every system owes, a new one included: nothing here names a system.

What is owed in full, `xx` being the system's folder in rulesets/ and XX the prefix of its rule ids:

- `__init__.py`: RULESET with a slug, a prefix, a title, a summary and minutes. `names` may be left out.
- `sheet.py`: one Sheet and one House, the last of their kind in the module. Every field of the sheet has a title and a
  step; every field of a part, a roll, an act, the house and the play has a title, but the one that tells kinds of rows
  apart. A figure that points buy says what one more costs, `price=`: without it random characters never raise it, and
  points stay unspent. A text that must not stay empty has `samples=`. What `ledger` leaves is spent to the last point.
- A catalogue is a list of several kinds of rows, `list[Annotated[Rope | Hook, Field(discriminator="kind")]]`: each an
  `Entry` of the kit with `kind: Literal["rope"]` and, in its class, `title`, `text` and `id`, the rule that it is in.
  `counted="number"` gives its entries plus and minus; each has then that whole number (test_contract_fields.py).
- An empty sheet can be read, whatever it breaks. Derived values, rolls and acts name the rules that they go by.
- `rolls.py`: a Roll has exact odds that are those of brute force, words for every outcome, and makes sense for small
  parameters. The sheet's `widgets` offer rolls that can be taken. Figures of an outcome are kept as JSON: numbers,
  texts, and tuples of them.
- `play.py`: one Play; a fresh one changes nothing on any example, and each Act leaves a state that can be stored.
- For the sheet that one plays on (test_contract_desk.py): each roll promises something in 28 letters, at its first
  answers or at those that a `target` begins with; a figure of the other side, `target=`, has a default and one title in
  all rolls; headings (`group`) are two to five with nothing outside of them, or none; an act's German title has 24
  letters at most; `less` and `more` of a Gauge are acts on offer that change it by one. What play does not allow an act
  refuses with `Refused` and a word.
- `examples.py`: two EXAMPLES at least, legal or waiting for approval, which differ in what they say. OFFENDERS: for
  each rule that a sheet can break a document that breaks it once and no other; XX-00, a sheet without a name, is one
  of them. The mends of a finding take it away and bring no other.
- `rules.en.md`, `rules.de.md`: the same ids in the same order, each with a title and a text; every id that the code
  names stands there, XX-00 too, and every id there is named by a test's mark, `@pytest.mark.rule("XX-01")`.
- Concepts are not owed (`concepts.py`, test_concepts.py). Who states some states eight at least, each with its title
  in `concepts.en.toml` and `concepts.de.toml`, and names for two thousand people; Dice Rumble's files show all keys.
  Without concepts points raise what has a number, and choices are drawn where that moves no points and breaks no rule;
  a mark is set by a concept alone.
- `tests/`: the system's own tests, without `__init__.py`: run with all others, linted as tests, not installed.
- `locale/de/LC_MESSAGES/django.po` and `.mo`: every text in German (tests/builder/test_catalogues.py), none fuzzy. All
  catalogues become one: an English text that is to be another in German here than elsewhere is marked with
  `pgettext_lazy("xx", "…")`, or the test of the catalogues fails and names both.
- Random characters and random breaches: test_contract_random.py. Acts and states: test_contract_table.py. Where two can
  meet: test_contract_contest.py.
- No field is named as a method of its shape is (`price` or `label` of a row, `ledger`, `copy`, `json`): pydantic says
  that it "shadows an attribute". A Gauge of a derived value is called what the value is called.
- No import of Django but lazy texts, of another system, of sheets or builder; no file over 300 lines.
"""

import json

import pytest

from rulesets.dice import Odds, Outcome, RealTray, replayed, thrown
from rulesets.document import canonical, read, read_tree
from rulesets.kit import Ask, Offer, Part, Step, blank, slots
from tests.support.rulesets.contract import (
    assert_mended,
    branches,
    brute,
    every,
    every_system,
    reachable,
    report,
    seeded,
    spoken,
    taken,
)
from tests.support.rulesets.marks import marked


def shapes(ruleset) -> set[type[Part]]:
    roots = (ruleset.sheet, ruleset.house, ruleset.play, *ruleset.rolls.values(), *ruleset.acts.values())
    return {part for root in roots for part in reachable(root)}


# Rules in words


@pytest.fixture(scope="module")
def proved(request):
    return marked(request.session)


@every_system
def test_rules_are_told_in_both_languages_in_the_same_order_and_each_has_a_test_that_names_it(ruleset, proved):
    english, german = ruleset.rules("en"), ruleset.rules("de")
    assert list(english) == list(german)
    assert english != german
    for rule in (*english.values(), *german.values()):
        assert all(text.strip() for text in (rule.title, rule.text)), rule.id
        assert rule.id.startswith(f"{ruleset.prefix}-")
    assert not sorted(set(english) - proved), "no test is marked with these"


@every_system
def test_every_rule_that_the_code_names_is_told(ruleset):
    named = spoken(ruleset)
    for one in (*ruleset.sheet.derivations().values(), *ruleset.own_rolls.values(), *ruleset.acts.values()):
        assert one.rules, f"{one} names no rule"
        named.update(one.rules)
    assert not named - set(ruleset.rules("en"))


# Shapes


@every_system
def test_every_field_has_a_title_and_every_field_of_the_sheet_a_step(ruleset):
    for part in shapes(ruleset):
        tags = {slot.tag for other in shapes(ruleset) for slot in slots(other).values() if part in slot.parts}
        for key, slot in slots(part).items():
            stated = isinstance(part.model_fields[key].json_schema_extra, Ask)
            assert (stated and str(slot.ask.title)) or key in tags, f"{part.__name__}.{key}"
    for key, slot in slots(ruleset.sheet).items():
        assert isinstance(slot.ask.step, Step), key
        assert str(slot.ask.step.title), key


@every_system
def test_the_json_schema_of_the_sheet_carries_the_titles(ruleset):
    schema = json.loads(json.dumps(ruleset.sheet.model_json_schema()))
    assert schema["additionalProperties"] is False
    for key, slot in slots(ruleset.sheet).items():
        told = schema["properties"][key]
        # pydantic leaves out what the part that it refers to says in the same words.
        told = told if "title" in told else schema["$defs"][told["$ref"].rpartition("/")[2]]
        assert told["title"] == str(slot.ask.title)


@every_system
def test_an_empty_sheet_can_be_read(ruleset):
    document = read_tree(ruleset.document())
    assert document.asdict()["data"] == blank(ruleset.sheet)
    assert document.sheet.derive(document.house).keys() == ruleset.sheet.derivations().keys()
    for part in reachable(ruleset.sheet):
        part.model_validate(blank(part))


# Examples and offenders


@every("examples")
def test_examples_are_in_order_and_come_back_the_same(ruleset, key):
    document = read_tree(ruleset.examples[key])
    assert document.ruleset is ruleset
    assert document.check().verdict in ("legal", "needs-approval")
    again = read(canonical(document.asdict()))
    assert (again.sheet, again.seal()) == (document.sheet, document.seal())


@every_system
def test_there_are_examples_and_for_every_rule_of_a_sheet_an_offender(ruleset):
    assert len(ruleset.examples) > 1, "two at least: what goes back in history, or is compared, needs another"
    assert set(ruleset.offenders) == spoken(ruleset)


@every("offenders")
def test_an_offender_breaks_its_rule_once_and_no_other_and_its_fixes_hold(ruleset, key):
    document = read_tree(ruleset.offenders[key])
    finding, = document.check().findings
    assert finding.rule == key
    assert str(finding.message)
    assert_mended(document)


# Dice


def small(ruleset, key, most, numbers=(1, 2)):
    """A roll with small parameters in several ways."""
    return list(taken(Offer(ruleset.rolls[key], ""), most, numbers))


@every("rolls")
def test_a_roll_has_exact_odds_and_words_for_them_and_what_is_thrown_is_among_them_and_told(ruleset, key, full):
    assert str(ruleset.rolls[key].title)
    rolls, rng = small(ruleset, key, 6), seeded(key)
    assert rolls, "no small parameters make sense"
    for roll in rolls:
        chances = roll.odds().chances
        assert sum(chances.values()) == 1
        assert min(chances.values()) > 0
        words = [value for value in roll.outcomes if value in chances]
        assert list(chances) == [*words, *sorted(value for value in chances if type(value) is int)]
        assert all(roll.label(value).strip() for value in chances)
        for _throw in range(1_000 if full else 15):
            outcome, tray = thrown(roll.throw, RealTray(rng.randbytes))
            assert outcome.value in chances
            told = roll.tell(outcome)
            assert told.strip()
            # It is kept as JSON, and read from there by whoever looks at the log.
            cached = Outcome.stored(outcome.value, json.loads(json.dumps(outcome.figures)))
            assert (roll.tell(cached), roll.extreme(cached)) == (told, roll.extreme(outcome))
            assert roll.extreme(outcome) in ("critical", "fumble", "")
            assert all(type(face) is int for face in tray.fallen)


@pytest.mark.prove
@every("rolls")
def test_odds_are_those_of_brute_force(ruleset, key, full):
    branches_most = 100_000 if full else 1_500
    counted = 0
    for roll in small(ruleset, key, 40 if full else 8, (0, 1, 2, 3) if full else (1, 2)):
        if branches(roll.throw, branches_most):
            assert dict(roll.odds().chances) == brute(roll.throw), roll
            counted += 1
        if own := roll.count():
            assert Odds.counted(own) == Odds.counted(replayed(roll.throw)), roll
    assert counted, "every way has too many branches"
    if full:
        report(f"{ruleset.slug} {key}: odds of {counted} parameter sets equal brute force")
