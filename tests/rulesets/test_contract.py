"""What every system owes, a new one included: nothing here names a system."""

import json
import re
import sys
from collections import Counter
from random import Random
from time import perf_counter

import pytest
from django.conf import settings
from pydantic import ValidationError

from rulesets import generate, systems
from rulesets.dice import Odds, RealTray, replayed, thrown
from rulesets.document import canonical, read, read_tree
from rulesets.kit import Ask, Lasting, Offer, Part, Refused, Step, blank, parts, slots
from tests.rulesets.trees import answers, branches, brute, reachable, taken

SYSTEMS = list(systems().values())
every_system = pytest.mark.parametrize("ruleset", SYSTEMS, ids=lambda ruleset: ruleset.slug)


def every(what):
    """Parametrises over (system, key) of one of a system's mappings."""
    found = [(ruleset, key) for ruleset in SYSTEMS for key in getattr(ruleset, what)]
    return pytest.mark.parametrize(("ruleset", "key"), found, ids=[f"{one.slug}-{key}" for one, key in found])


def report(text):
    """A figure for whoever runs `make prove`."""
    sys.stdout.write(f"\n  {text}\n")


def found_in(document) -> Counter:
    return Counter(finding.key for finding in document.check(mends=False).findings)


def spoken(ruleset) -> set[str]:
    """The ids of rules that a readable document can break."""
    return {f"{ruleset.prefix}-00"} | {
        id_ for part in reachable(ruleset.sheet) if hasattr(part, "spoken_rules")
        for method in part.spoken_rules() for id_ in method.rules
    }


def shapes(ruleset) -> set[type[Part]]:
    roots = (ruleset.sheet, ruleset.house, ruleset.play, *ruleset.rolls.values(), *ruleset.acts.values())
    return {part for root in roots for part in reachable(root)}


# Rules in words


@every_system
def test_rules_are_told_in_both_languages_in_the_same_order(ruleset):
    english, german = ruleset.rules("en"), ruleset.rules("de")
    assert list(english) == list(german)
    assert english != german
    for rule in (*english.values(), *german.values()):
        assert rule.title.strip(), rule.id
        assert rule.text.strip(), rule.id
        assert rule.id.startswith(f"{ruleset.prefix}-")


@every_system
def test_every_rule_that_the_code_names_is_told(ruleset):
    named = spoken(ruleset)
    for one in (*ruleset.sheet.derivations().values(), *ruleset.rolls.values(), *ruleset.acts.values()):
        assert one.rules, f"{one} names no rule"
        named.update(one.rules)
    assert not named - set(ruleset.rules("en"))


@every_system
def test_every_rule_has_a_test_that_names_it(ruleset):
    sources = [path for folder in ("tests", "rulesets") for path in (settings.BASE_DIR / folder).rglob("*.py")]
    marked = re.compile(r"mark\.rule\(([^)]*)\)")
    proved = {id_ for path in sources for names in marked.findall(path.read_text(encoding="utf-8"))
              for id_ in re.findall(r"""["']([^"']+)["']""", names)}
    assert not set(ruleset.rules("en")) - proved, "no test is marked with these"


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
    schema = ruleset.sheet.model_json_schema()
    assert schema["additionalProperties"] is False
    for key, slot in slots(ruleset.sheet).items():
        assert schema["properties"][key]["title"] == str(slot.ask.title)
    json.dumps(schema)


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
    assert ruleset.examples
    assert set(ruleset.offenders) == spoken(ruleset)


@every("offenders")
def test_an_offender_breaks_its_rule_once_and_no_other(ruleset, key):
    findings = read_tree(ruleset.offenders[key]).check().findings
    assert [finding.rule for finding in findings] == [key]
    assert str(findings[0].message)


def assert_mended(document):
    """Every fix on offer takes its finding away and makes no other more frequent."""
    before = found_in(document)
    for finding in document.check().findings:
        for fix in finding.fixes:
            after = found_in(read_tree({**document.asdict(), "data": fix.data}))
            assert after[finding.key] < before[finding.key], f"{finding.message} {fix.label}"
            assert after <= before, f"{finding.message} {fix.label}"
            assert fix.label.strip()


@every("offenders")
def test_fixes_of_offenders_hold(ruleset, key):
    assert_mended(read_tree(ruleset.offenders[key]))


# Dice


def small(ruleset, key, most, numbers=(1, 2)):
    """A roll with small parameters in several ways."""
    return list(taken(Offer(ruleset.rolls[key], ""), most, numbers))


@every("rolls")
def test_a_roll_has_exact_odds_and_words_for_them(ruleset, key):
    assert str(ruleset.rolls[key].title)
    rolls = small(ruleset, key, 6)
    assert rolls, "no small parameters make sense"
    for roll in rolls:
        odds = roll.odds()
        assert sum(odds.chances.values()) == 1
        assert all(chance > 0 for chance in odds.chances.values())
        if roll.outcomes:
            assert list(odds.chances) == [value for value in roll.outcomes if value in odds.chances]
        else:
            assert list(odds.chances) == sorted(odds.chances)
            assert all(type(value) is int for value in odds.chances)
        assert all(roll.label(value).strip() for value in odds.chances)


@every("rolls")
def test_what_is_thrown_has_a_chance_and_is_told(ruleset, key, full):
    rng = Random(key)
    for roll in small(ruleset, key, 4):
        chances = roll.odds().chances
        for _throw in range(1_000 if full else 20):
            outcome, tray = thrown(roll.throw, RealTray(rng.randbytes))
            assert outcome.value in chances
            assert roll.tell(outcome).strip()
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


@every("examples")
def test_every_widget_of_an_example_can_be_rolled(ruleset, key):
    sheet, play = read_tree(ruleset.examples[key]).sheet, ruleset.play()
    for offer in play.effective(sheet).widgets(play):
        assert str(offer.title)
        rolls = list(taken(offer, 2))
        assert rolls, offer
        for roll in rolls:
            assert sum(roll.odds().chances.values()) == 1
            assert all(getattr(roll, name) == value for name, value in offer.filled.items())


# Random characters


@pytest.mark.prove
@every_system
def test_random_characters_are_legal_and_spend_all(ruleset, full):
    number, begun = (10_000 if full else 60), perf_counter()
    for seed in range(number):
        made = generate.sheet(ruleset, Random(seed))
        document = read(canonical(made))
        assert not document.check(mends=False).findings, made
        ledger = document.sheet.ledger(document.house)
        assert ledger is None or ledger.left == 0, made
        assert canonical(document.asdict()) == canonical(made)
    if full:
        spent = perf_counter() - begun
        report(f"{ruleset.slug}: {number} random characters legal, nothing unspent, "
               f"{1000 * spent / number:.1f} ms each; export and import equal to the byte")


@every_system
def test_the_same_seed_makes_the_same_character(ruleset):
    made = [generate.sheet(ruleset, Random(seed)) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


@every("examples")
def test_a_draft_is_filled_up_and_keeps_what_it_has(ruleset, key):
    document = read_tree(ruleset.examples[key])
    before = found_in(document)
    data = generate.filled(ruleset, document.asdict()["data"], Random(key), document.house)
    filled = read_tree({**document.asdict(), "data": data})
    assert found_in(filled) <= before
    ledger = filled.sheet.ledger(filled.house)
    assert ledger is None or ledger.left == 0
    assert_kept(document.sheet.model_dump(), data)


def assert_kept(before, after):
    """Figures did not fall, rows and texts stayed."""
    if isinstance(before, dict):
        for key, value in before.items():
            assert_kept(value, after[key])
    elif isinstance(before, list):
        for old, new in zip(before, after, strict=False):
            assert_kept(old, new)
        assert len(after) >= len(before)
    elif type(before) is int:
        assert after >= before
    elif before not in (None, ""):
        assert after == before


def harmed(ruleset, data, rng):
    """Sheet data changed at random: a figure raised, a choice or a name dropped, a row added."""
    data = json.loads(json.dumps(data))
    sheet = ruleset.sheet.model_validate(data)
    for _change in range(rng.randint(1, 3)):
        place, part = rng.choice(list(parts(sheet)))
        node = data
        for step in place.split(".") if place else ():
            node = node[int(step)] if isinstance(node, list) else node[step]
        key, slot = rng.choice(list(slots(type(part)).items()))
        if slot.kind == "number" and node[key] is not None:
            node[key] = min(slot.high or 999, node[key] + rng.choice((1, 2, 5, 40)))
        elif slot.nullable:
            node[key] = None
        elif slot.kind == "text" and slot.default is ...:
            node[key] = ""
        elif slot.kind == "rows":
            node[key].append(blank(rng.choice(slot.parts)))
    return data


@pytest.mark.prove
@every_system
def test_random_breaches_are_found_and_their_fixes_hold(ruleset, full):
    number, rng = (2_000 if full else 40), Random(ruleset.slug)
    illegal = tries = fixes = 0
    rules = Counter()
    while illegal < number:
        tries += 1
        assert tries < 20 * number, "breaches are not found"
        made = generate.sheet(ruleset, rng)
        try:
            document = read_tree({**made, "data": harmed(ruleset, made["data"], rng)})
        except ValueError:
            continue
        checked = document.check()
        ledger = document.sheet.ledger(document.house)
        assert checked.verdict == "illegal" or ledger is None or ledger.left >= 0
        if checked.verdict == "illegal":
            illegal += 1
            rules.update({finding.rule for finding in checked.findings})
            fixes += sum(len(finding.fixes) for finding in checked.findings)
            assert_mended(document)
    if full:
        broken = ", ".join(f"{rule} {times}" for rule, times in sorted(rules.items()))
        report(f"{ruleset.slug}: {illegal} random illegal sheets found ({broken}); {fixes} fixes hold")


# The table


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
    assert act.tell(sheet, after).strip()
    after.effective(sheet)
    for finding in after.notices(sheet):
        assert finding.rule in ruleset.rules("en")
    return sheet, after


@every("examples")
def test_every_act_on_offer_can_be_done_fresh_and_hurt(ruleset, key, full):
    rng = Random(key)
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
