"""Plain documents, which are read in one go: what is read is the same, and what may be odd is left to the long way."""

import pytest

from rulesets import systems
from rulesets.document import _read_plainly, canonical, parse, read_tree
from tests.rulesets.test_document import GOOD


@pytest.mark.parametrize("document", [
    one for ruleset in systems().values() for one in (*ruleset.examples.values(), *ruleset.offenders.values())])
def test_a_plain_document_is_read_in_one_go_as_it_is_part_by_part(document):
    raw = canonical(document | {"house": {}, "notes": "Some"})
    # A colon within a text might hide a key that stands twice.
    assert (_read_plainly(raw) is None) == (raw.count(b":") > raw.count(b'":'))
    assert _read_plainly(raw) in (read_tree(parse(raw)), None)


@pytest.mark.parametrize(("old", "new"), [
    (b'"life":5', b'"life":4,"life":5'), (b'"life":5', b'"life" :4,"life":5'),
    (b"Juan", b"Ju:an"), (b"Juan", b"\\u0041"),
    (b'"name":"Juan"', b'"name":"Juan","house":{"policy":{}}'), (b'"name":"Juan"', b'"name":"Juan","approval":1'),
])
def test_what_may_be_odd_is_not_read_in_one_go(old, new):
    raw = canonical(GOOD)
    assert _read_plainly(raw)
    assert old in raw
    assert _read_plainly(raw.replace(old, new, 1)) is None
