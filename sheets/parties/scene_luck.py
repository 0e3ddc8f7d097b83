"""The luck of a scene: that of the players' characters together, and of each."""

from rulesets.grouping import by_key
from sheets.models import Scene
from sheets.rolls.luck import Luck, luck_of_events
from sheets.stage.table import PartyTable


def luck_of_scene(table: PartyTable, scene: Scene) -> tuple[Luck, list[tuple[str, Luck]]]:
    """Return the luck in the newest rolls of all characters of a scene, and (name, luck) of each that rolled.

    Opponents and the GM's own rolls do not count.
    """
    names = {one.sheet.pk: one.name for one in table.heroes}
    rolls = [(event, names[event.sheet_id]) for event in table.log.rolls_of(scene) if event.sheet_id in names]
    whole = luck_of_events(table.ruleset, rolls)
    by_sheet = by_key((one.event.sheet_id, one) for one in whole.rolls)
    return whole, [(name, Luck(by_sheet[pk])) for pk, name in names.items() if pk in by_sheet]
