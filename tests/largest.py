"""The largest sheets that somebody may keep: every list full, names and texts as long as the document has room for."""

from rulesets import systems
from rulesets.document import BYTES, canonical
from rulesets.kit import ROWS, blank, slots, tag_of

DEAR = "'"
"""One byte in a document, six in a page."""
BESIDE = 300
"""Bytes of a document that are left for what a stored sheet adds to it."""
WORDS = 200
"""Characters of a name."""


def largest(slug, *, lists=None, deep=False):
    """A document with as many rows as it has room for, in one list or in all of them, and texts to its end.

    Each text is as long as the others, or (`deep`) the first ones are as long as they may be.
    """
    ruleset = systems()[slug]
    data = blank(ruleset.sheet)
    found = [(key, slot) for key, slot in slots(ruleset.sheet).items() if slot.kind == "rows" and lists in (None, key)]
    left, texts = _room(ruleset, data), []
    for index in range(ROWS):
        for key, slot in found:
            row = _row(slot, index)
            cost = len(canonical(row)) + 1
            if cost <= left:
                data[key].append(row)
                texts += texts_of(slot.member(row.get(slot.tag)), row)
                left -= cost
    texts = texts or texts_of(ruleset.sheet, data)
    each = max(1, left // max(1, len(texts)))
    for node, key, most in texts:
        many = min(most, left, most if deep else each)
        node[key] = DEAR * many
        left -= many
    return ruleset.document(DEAR * WORDS, data)


def _row(slot, index):
    """A row of a list; of a catalogue's entries one of one's own, if there is such, else each in turn."""
    if not slot.tag:
        return blank(slot.parts[0])
    tags = [tag_of(part, slot.tag) for part in slot.parts]
    tag = "custom" if "custom" in tags else tags[index % len(tags)]
    return blank(slot.member(tag), **{slot.tag: tag})


def texts_of(part, node):
    """(object, key, characters) of the texts of a part in which any letter may stand."""
    return [(node, key, 4000 if slot.ask.long else WORDS) for key, slot in slots(part).items()
            if slot.kind == "text" and _takes(slot)]


def _takes(slot):
    try:
        slot.adapter.validate_python(DEAR * WORDS)
    except ValueError:
        return False
    return True


def _room(ruleset, data):
    return BYTES - BESIDE - len(canonical(ruleset.document(DEAR * WORDS, data)))
