"""What every system owes: random characters are legal, random breaches are found."""

import json
from collections import Counter
from itertools import cycle
from time import perf_counter

import pytest

from rulesets import generate
from rulesets.document import canonical, read, read_tree
from rulesets.kit import blank, parts, slots
from tests.support.rulesets.contract import assert_mended, every, every_system, found_in, report, seeded, spoken


@pytest.mark.prove
@every_system
def test_random_characters_are_legal_spend_all_and_are_the_same_from_the_same_seed(ruleset, full):
    number, begun = (10_000 if full else 60), perf_counter()
    made = [generate.sheet(ruleset, seeded(seed)) for seed in range(number)]
    for one in made:
        document = read(canonical(one))
        assert not document.check(mends=False).findings, one
        ledger = document.sheet.ledger(document.house)
        assert ledger is None or ledger.left == 0, one
        assert canonical(document.asdict()) == canonical(one)
    assert generate.sheet(ruleset, seeded(1)) == made[1] != made[2]
    if full:
        report(f"{ruleset.slug}: {number} random characters legal, nothing unspent, "
               f"{1000 * (perf_counter() - begun) / number:.1f} ms each; export and import equal to the byte")


@every("examples")
def test_a_draft_is_filled_up_and_keeps_what_it_has(ruleset, key):
    document = read_tree(ruleset.examples[key])
    before = found_in(document)
    data = generate.filled(ruleset, document.asdict()["data"], seeded(key), document.house)
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
    """Sheet data changed at random: a figure raised or put to its least, a choice or a name dropped, a row added."""
    sheet = ruleset.sheet.model_validate(data)
    data = json.loads(json.dumps(sheet.model_dump()))
    for _change in range(rng.randint(1, 3)):
        place, part = rng.choice(list(parts(sheet)))
        node = data
        for step in place.split(".") if place else ():
            node = node[int(step)] if isinstance(node, list) else node[step]
        if node is None:  # a part that an earlier change took away
            continue
        key, slot = rng.choice(list(slots(type(part)).items()))
        if slot.kind == "number" and node[key] is not None:
            raised = min(slot.high or 999, node[key] + rng.choice((1, 2, 5, 40)))
            node[key] = rng.choice((raised, raised, slot.low or 0))
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
    """Every other sheet starts from an offender, so that each rule that can be broken is, among others that are too."""
    number, rng = (2_000 if full else 40), seeded(ruleset.slug)
    illegal = tries = fixes = 0
    rules, offenders = Counter(), cycle(ruleset.offenders.values())
    while illegal < number or spoken(ruleset) - set(rules):
        tries += 1
        assert tries < 20 * number, f"breaches are not found, of these rules none: {spoken(ruleset) - set(rules)}"
        made = generate.sheet(ruleset, rng) if tries % 2 else next(offenders)
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
        report(f"{ruleset.slug}: {illegal} random illegal sheets break all of {len(rules)} rules ({broken}); "
               f"{fixes} fixes hold")
