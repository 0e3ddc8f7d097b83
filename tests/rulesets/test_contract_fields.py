"""What every system owes of its fields: catalogues of entries, plus and minus, prices. Each complaint is a sentence."""

from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import Field, ValidationError

from rulesets.document import read_tree
from rulesets.kit import (
    CheckedPart,
    Count,
    Entry,
    House,
    Ledger,
    Sheet,
    Spent,
    Step,
    field,
    join,
    parts,
    patched,
    rows,
    slots,
)
from tests.support.rulesets.contract import every, every_system, reachable


def no_entries(part):
    """A sentence for each kind of row in the catalogues of a part that is no entry of one."""
    for key, slot in slots(part).items():
        for entry in slot.parts if slot.tag else ():
            lacking = [name for name in ("title", "text", "id") if not hasattr(entry, name)]
            if lacking or not issubclass(entry, Entry):
                yield (f"{entry.__name__} is a row of the catalogue {part.__name__}.{key}: it derives from the kit's "
                       f"Entry, and its class states title, text and id; here {lacking or 'Entry'} is missing.")


def uncounted(part):
    """A sentence for each list of a part that is to have plus and minus and cannot."""
    for key, slot in slots(part).items():
        if name := slot.ask.counted:
            kinds = [slots(entry)[name].kind if name in slots(entry) else None for entry in slot.parts]
            if not slot.tag or {*kinds} != {"number"}:
                yield (f"{part.__name__}.{key} says counted={name!r}: plus and minus stand in a catalogue, so its rows "
                       f"are a tagged union of entries, and each has a whole number “{name}”.")


def unpriced(sheet, house):
    """A sentence for each figure of a sheet that moves its ledger and does not say so."""
    if sheet.ledger(house) is None:
        return
    for place, part in parts(sheet):
        for key, slot in slots(type(part)).items():
            if slot.kind == "number" and slot.ask.price is None and getattr(part, key) is not None:
                raised = patched(sheet.model_dump(), {join(place, key): getattr(part, key) + 1})
                try:
                    cost = type(sheet).model_validate(raised).ledger(house).spent - sheet.ledger(house).spent
                except ValidationError:
                    continue  # it is as high as it may be
                if cost > 0:
                    yield (f"{type(part).__name__}.{key} costs {cost} for one more, and its field does not say so: "
                           f"field(…, price={cost}). Without it random characters never raise it.")


@every_system
def test_a_list_of_several_kinds_of_rows_is_a_catalogue_of_entries(ruleset):
    assert not [said for part in reachable(ruleset.sheet) for said in no_entries(part)]


@every_system
def test_a_list_that_counts_its_rows_is_a_catalogue_whose_entries_have_the_number(ruleset):
    assert not [said for part in reachable(ruleset.sheet) for said in uncounted(part)]


@every("examples")
def test_a_figure_that_points_buy_says_what_one_more_costs(ruleset, key):
    document = read_tree(ruleset.examples[key])
    assert not [*unpriced(document.sheet, document.house)]


# What is refused

STEP = Step("all", "All")
KIND = Field(discriminator="kind")


class Rope(CheckedPart):
    """No entry."""

    kind: Literal["rope"]
    number: Count = field("Number", 1)


class Hook(Entry):
    """An entry whose text was forgotten."""

    kind: Literal["hook"]
    number: Count = field("Number", 1)
    title: ClassVar[str] = "Hook"
    id: ClassVar[str] = "XX-01"


class Chalk(Entry):
    """An entry, and none that is counted."""

    kind: Literal["chalk"]
    title: ClassVar[str] = "Chalk"
    text: ClassVar[str] = "For dry hands."
    id: ClassVar[str] = "XX-01"


class Kit(Sheet):
    """All that can be forgotten of fields."""

    grip: Count = field("Grip", 1, step=STEP)
    wits: Count = field("Wits", 1, price=2, step=STEP)
    kit: list[Annotated[Rope | Hook | Chalk, KIND]] = rows("Kit", [], step=STEP, counted="number")
    ropes: list[Rope] = rows("Ropes", [], step=STEP, counted="number")
    hooks: list[Annotated[Hook | Rope, KIND]] = rows("Hooks", [], step=STEP, counted="number")

    def ledger(self, house):
        """Two points each."""
        return Ledger(9, (Spent("Grip", "grip", 2 * self.grip), Spent("Wits", "wits", 2 * self.wits)))


def test_what_is_no_entry_of_a_catalogue_is_refused_in_a_sentence():
    said = list(no_entries(Kit))
    assert [one.split()[0] for one in said] == ["Rope", "Hook", "Hook", "Rope"]
    assert "states title, text and id; here ['text'] is missing" in said[1]


def test_plus_and_minus_where_nothing_can_carry_them_are_refused_in_a_sentence():
    assert [said.split()[0] for said in uncounted(Kit)] == ["Kit.kit", "Kit.ropes"]


@pytest.mark.parametrize("grip", [0, 1])
def test_a_forgotten_price_is_named_with_what_is_to_be_written(grip):
    said, = unpriced(Kit(grip=grip), House())
    assert said.startswith("Kit.grip costs 2 for one more")
    assert "field(…, price=2)" in said
