"""Examples with one thing changed: what most tests of a sheet begin with."""

import json

from rulesets.document import canonical
from rulesets.kit import patched


def changed(ruleset, start, patch=None, name=None, house=None):
    """A copy of an example: `patch` {path in its data: value}, another name, house rules."""
    document = json.loads(canonical(ruleset.examples[start])) | ({"house": house} if house else {})
    document["data"] = patched(document["data"], patch or {})
    return document if name is None else document | {"name": name}
