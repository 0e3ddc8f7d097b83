"""Two paired characters on one page: the actor's board, with the open parts of the opponent's."""

from typing import TYPE_CHECKING, Any

from sheets.forms.inputs import Answers
from sheets.rolls.widgets import widgets
from sheets.stage import panel
from sheets.stage.participants import Participant

if TYPE_CHECKING:
    from sheets.stage.actor import ActorPanel, TargetPicker


DRAWN = ("board", "spread", "foe", "foe_board")
"""The values of the page of a sheet that the board is drawn from."""


def foe_of(picker: "TargetPicker") -> Participant | None:
    """Return the actor's paired opponent, or the only other participant if not paired; None if there is none.

    The system must pair sheets, and the actor must be the reader's own, because nobody else may see the actor's hand.
    """
    by = picker.by
    if picker.table.ruleset.crossing.pairs is None or by is None or not by.mine or by.character is None:
        return None
    others = [one for one in picker.targets if one is not by]
    by.character.sees_foe = True
    if foe := by.character.foe:
        return next((one for one in others if one.sheet.pk == foe.sheet.pk), None)
    return others[0] if len(others) == 1 else None


def to_challenge(picker: "TargetPicker") -> Participant | None:
    """Return the only other participant at a table of two that are not paired yet; None if there is none."""
    by, crossing = picker.by, picker.table.ruleset.crossing
    others = [one for one in picker.targets if one is not by]
    if not (crossing.pairs and by and by.character) or len(others) != 1:
        return None
    return None if crossing.paired(by.character.play) else others[0]


def is_out(picker: "TargetPicker", one: Participant | None) -> bool:
    """Return True if a participant is out of the fight by the rules."""
    return bool(one and one.character and picker.table.table.is_out(one.character.as_seated))


def foe_context(picker: "TargetPicker", actor: "ActorPanel", answers: Answers | None = None,
           which: str = "") -> dict[str, Any]:
    """Return the template context of the actor's board; {} without an opponent."""
    there, character = foe_of(picker), actor.character
    if there is None or actor.barred or "board" not in actor.ruleset.templates:
        return {}
    acts = [(one, ()) for one in widgets(actor.acts, answers, which, target_answers=actor.against(answers, ()).answers)]
    context = panel.values_now(character, acts, which)
    return {name: context[name] for name in DRAWN} | panel.acts_shown(acts, context["tiles"], which) | {
        "facing": there, "acts": acts, "character": character, "templates": panel.templates_of(actor.ruleset)}
