"""Plain documents, which are read in one go: what is read is the same, and what may be odd is left to the long way."""

import pytest

from rulesets import systems
from rulesets.document import _read_plainly, canonical, parse, read_tree
from tests.rulesets.test_document import GOOD


@pytest.mark.parametrize("document", [
    one for ruleset in systems().values() for one in (*ruleset.examples.values(), *ruleset.offenders.values())])
def test_a_plain_document_is_read_in_one_go_as_it_is_part_by_part(document):
    raw = canonical(document | {"house": {}, "notes": "Some"})
    assert _read_plainly(raw) == read_tree(parse(raw))


@pytest.mark.parametrize("text", ["Ju:an", "Ju : an", "Juan:"])
def test_a_colon_in_a_text_is_no_key(text):
    assert _read_plainly(canonical(GOOD | {"name": text})) == read_tree(GOOD | {"name": text})


@pytest.mark.parametrize(("old", "new"), [
    (b'"life":5', b'"life":4,"life":5'), (b'"life":5', b'"life" :4,"life":5'),
    (b"Juan", b":"), (b"Juan", rb'Ju\":an'), (b'"Juan"', b'"Ju:an","notes" :"x","notes":""'), (b"Juan", b"\\u0041"),
    (b'"name":"Juan"', b'"name":"Juan","house":{"policy":{}}'), (b'"name":"Juan"', b'"name":"Juan","approval":1'),
])
def test_what_may_be_odd_is_not_read_in_one_go(old, new):
    raw = canonical(GOOD)
    assert _read_plainly(raw)
    assert old in raw
    assert _read_plainly(raw.replace(old, new, 1)) is None
