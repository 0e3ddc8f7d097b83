"""Forms and texts of house rules: every setting that a house may change, with the book's value."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import (
    ROWS,
    SEVERITIES,
    Ask,
    Count,
    House,
    Kind,
    Ruleset,
    Slot,
    Wording,
    blank,
    path,
    shape_message,
    slots,
)
from sheets.forms.inputs import Broken, Input, input_text, parsed

POLICY = "policy"
BOOK = "book"
"""The value that the form posts for a rule that is as strict as in the book."""
EMPTY_ROWS = 2
"""The number of empty rows at the end of a list."""
STRICTNESS_LABELS = {
    "block": gettext_lazy("must be followed"), "ask": gettext_lazy("the GM may allow it"),
    "warn": gettext_lazy("just a hint"),
}
"""{strictness of a rule: its label}."""
_STRICTNESS_OF = dict(zip(SEVERITIES, STRICTNESS_LABELS, strict=True))


@dataclass(frozen=True)
class HouseDifference:
    """A setting in which house rules differ from the book, or from earlier house rules; both values as text."""

    title: str
    before: str
    now: str


@cache
def strictness(ruleset: Ruleset) -> dict[str, str]:
    """Return {rule id: "block", "ask" or "warn" in the book} of every rule that can have findings."""
    severities_by_rule = {}
    for rule, document in ruleset.offenders.items():
        sheet = ruleset.sheet.model_validate(document["data"])
        house = ruleset.house.model_validate(document.get("house") or {})
        verdict = ruleset.check(sheet, house, document["name"], mends=False)
        severities = [one.severity for one in verdict.findings if one.rule == rule]
        if severities and rule in ruleset.rules("en"):
            severities_by_rule[rule] = _STRICTNESS_OF[min(severities, key=SEVERITIES.index)]
    return severities_by_rule


def settings_of(ruleset: Ruleset, *trees: dict) -> Iterator[tuple[str, str, Slot]]:
    """Yield (path, heading, slot) of every setting, with the book's value as the slot's default.

    A list has as many rows as the longest in `trees`, and `EMPTY_ROWS` empty ones.
    """
    for key, slot in slots(ruleset.house).items():
        if slot.kind in ("number", "check", "choice"):
            yield key, "", slot
    for key, slot in slots(ruleset.house).items():
        if slot.kind == "rows":
            n_rows = min(ROWS, EMPTY_ROWS + max((len(tree.get(key) or ()) for tree in trees), default=0))
            for index in range(n_rows):
                yield from _row_fields(f"{key}.{index}", str(slot.ask.title), index, slot)
    for setting_path, heading, title, value in ruleset.house.figures():
        kind: Kind = "check" if isinstance(value, bool) else "number"
        annotation = bool if kind == "check" else Count
        yield setting_path, str(heading), Slot(
            setting_path, Ask(str(title)), kind, annotation, value, nullable=False, low=0)
    titles = ruleset.rules(get_language())
    for rule, how in strictness(ruleset).items():
        labels: dict[str, Wording] = {
            BOOK: _("{how} (as in the book)").format(how=STRICTNESS_LABELS[how]), **STRICTNESS_LABELS}
        ask = Ask(f"{rule} {titles[rule].title}", choices=labels)
        yield f"{POLICY}.{rule}", _("How strict each rule is"), Slot(
            rule, ask, "choice", str, BOOK, nullable=False, choices=tuple(labels))


def _row_fields(row_path: str, heading: str, index: int, list_slot: Slot) -> Iterator[tuple[str, str, Slot]]:
    """Yield the fields of one row of a list."""
    for key, slot in slots(list_slot.parts[0]).items():
        ask = replace(slot.ask, title=f"{list_slot.ask.row_name} {index + 1}: {slot.ask.title}".strip())
        yield f"{row_path}.{key}", heading, replace(slot, ask=ask, default="" if slot.required else slot.default)


def value_of(tree: Any, setting_path: str, book: Any) -> Any:
    """Return the value of house rules at a path, or the book's value if they set none."""
    for step in setting_path.split("."):
        tree = (tree[int(step)] if int(step) < len(tree) else None) if isinstance(tree, list) else tree.get(step)
        if tree is None:
            return book
    return tree


def house_differences(ruleset: Ruleset, house: House, other: House | None = None) -> list[HouseDifference]:
    """Return the differences between house rules and others, by default those of the book."""
    if house == (other or ruleset.house()):
        return []
    tree, before, differences = house.model_dump(), (other or ruleset.house()).model_dump(), []
    for setting_path, heading, slot in settings_of(ruleset, tree, before):
        now, then = (value_of(one, setting_path, slot.default) for one in (tree, before))
        if now != then:
            policy = setting_path.startswith(f"{POLICY}.")
            title = str(slot.ask.title) if policy or not heading else f"{heading}: {slot.ask.title}"
            differences.append(HouseDifference(title, value_in_words(slot, then), value_in_words(slot, now)))
    return differences


def value_in_words(slot: Slot, value: Any) -> str:
    """Return the value of a setting as text."""
    if slot.kind == "check":
        return _("yes") if value else _("no")
    if value in (None, ""):
        return "–"
    return str(slot.label(value)) if slot.kind == "choice" else str(value)


class HouseForm:
    """A form of house rules: its inputs by heading, and the valid `house`, None if an input has a fault."""

    def __init__(self, ruleset: Ruleset, house: House, posted: Mapping[str, str] | None = None) -> None:
        self.groups: dict[str, list[Input]] = {}
        self.inputs: dict[str, Input] = {}
        tree, changed = house.model_dump(), {}
        for setting_path, heading, slot in settings_of(ruleset, tree, _posted_rows(ruleset, posted)):
            now = value_of(tree, setting_path, slot.default)
            one = Input(slot, setting_path, now, input_text(now))
            if slot.ask.help:
                one.hint = str(slot.ask.help)
            elif slots(ruleset.house)[setting_path.partition(".")[0]].kind != "rows" and BOOK not in slot.choices:
                one.hint = _("in the book: {value}").format(value=value_in_words(slot, slot.default))
            if posted is not None and setting_path in posted:
                one.text = posted[setting_path]
                try:
                    one.value = now = parsed(slot, one.text, input_text(now))
                except Broken as error:
                    one.fault = str(error)
            if now != slot.default:
                _put(changed, setting_path, now, ruleset)
            self.inputs[setting_path] = one
            self.groups.setdefault(heading, []).append(one)
        self.house = None if self.faults else self._validated(ruleset, changed)

    def _validated(self, ruleset: Ruleset, changed: dict) -> House | None:
        for key, slot in slots(ruleset.house).items():
            if slot.kind == "rows" and key in changed:
                # A row without any text is removed.
                texts = [name for name, inner in slots(slot.parts[0]).items() if inner.kind == "text"]
                changed[key] = [row for row in changed[key].values() if any(row[name].strip() for name in texts)]
        try:
            return ruleset.house.model_validate(changed)
        except ValidationError as error:
            for one in error.errors():
                setting_path = path(one["loc"], ruleset.house)
                faulty = self.inputs.get(setting_path) or next(
                    (found for key, found in self.inputs.items() if key.startswith(f"{setting_path}.")), None)
                faulty = faulty or next(iter(self.inputs.values()))
                faulty.fault = shape_message(one)
            return None

    @property
    def faults(self) -> list[Input]:
        """The inputs with faults."""
        return [one for one in self.inputs.values() if one.fault]

    @property
    def unheaded(self) -> list[Input]:
        """The inputs without a heading."""
        return self.groups.get("", [])

    @property
    def headed(self) -> list[tuple[str, list[Input], int, bool]]:
        """(heading, inputs, number that differ from the book, True if any has a fault) for each heading."""
        return [(heading, inputs, sum(one.value != one.slot.default for one in inputs),
                 any(one.fault for one in inputs)) for heading, inputs in self.groups.items() if heading]


def _posted_rows(ruleset: Ruleset, posted: Mapping[str, str] | None) -> dict[str, list]:
    """Return {list: placeholders for the posted rows}, in case the form had more rows than the stored list has now."""
    placeholders: dict[str, list] = {}
    for setting_path in posted or ():
        key, _dot, rest = setting_path.partition(".")
        index = rest.partition(".")[0]
        if (slot := slots(ruleset.house).get(key)) and slot.kind == "rows" and index.isascii() and index.isdigit():
            placeholders[key] = [None] * max(len(placeholders.get(key, ())), min(ROWS, int(index[:3]) + 1))
    return placeholders


def _put(tree: dict, setting_path: str, value: Any, ruleset: Ruleset) -> None:
    """Set the value at a path of a tree; nodes that are missing are copied from the book."""
    first, *steps = setting_path.split(".")
    if not steps:
        tree[first] = value
        return
    slot = slots(ruleset.house)[first]
    if slot.kind == "rows":
        tree.setdefault(first, {}).setdefault(steps[0], blank(slot.parts[0]))[steps[1]] = value
        return
    node = tree.setdefault(first, deepcopy(slot.default))
    for step in steps[:-1]:
        node = node.setdefault(step, {})
    if isinstance(node, list):
        node[int(steps[-1])] = value
    else:
        node[steps[-1]] = value
