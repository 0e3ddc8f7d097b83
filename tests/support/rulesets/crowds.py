"""Sheets with as many rows as a list may have and as much wrong in each as there can be."""

from collections.abc import Iterator

from rulesets.kit import ROWS, Part, blank, slots, tag_of


def crowds(ruleset) -> Iterator[dict]:
    """Documents: every list full of empty rows, with the lowest figures and with the highest; offenders a hundredfold.

    No row has a name; of those with high figures no two are alike.
    """
    yield ruleset.document("", _full(ruleset.sheet, highest=False))
    yield ruleset.document("", _full(ruleset.sheet, highest=True))
    for one in ruleset.offenders.values():
        data = {key: (value * ROWS)[:ROWS] if isinstance(value, list) else value for key, value in one["data"].items()}
        yield {**one, "data": data}


def _full(part: type[Part], number: int = 0, *, highest: bool, many: int = ROWS) -> dict:
    data = blank(part)
    for key, slot in slots(part).items():
        if slot.kind == "rows":
            members = [slot.parts[index % len(slot.parts)] for index in range(many)]
            # Lists within rows hold a row each: all of it must still fit into a document.
            data[key] = [_full(member, index, highest=highest, many=1) | _tagged(slot, member)
                         for index, member in enumerate(members)]
        elif slot.kind == "part" and data[key] is not None:
            data[key] = _full(slot.parts[0], number, highest=highest, many=many)
        elif slot.kind == "number" and highest:
            data[key] = max(slot.low or 0, slot.high - number)
    return data


def _tagged(slot, member: type[Part]) -> dict:
    return {slot.tag: tag_of(member, slot.tag)} if slot.tag else {}
