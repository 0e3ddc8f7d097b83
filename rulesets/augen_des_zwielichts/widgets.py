"""The rolls of a sheet at the table, each with the acts offered after it (SZ-10 to SZ-37)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import rolls
from rulesets.augen_des_zwielichts.catalogue import COLOURS, MOVE_COLOURS, MOVES, WITH_ABILITY
from rulesets.augen_des_zwielichts.play.fight import SettleRound
from rulesets.augen_des_zwielichts.play.helping import Helped
from rulesets.augen_des_zwielichts.play.moves import Settle, Solved
from rulesets.kit import Offer, Wording

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts

_AFTER = _("After the other player has rolled “Find something out” or “Take a risk”.")
_COLOURED = {"white": _("A white die"), "black": _("A black die")}


def for_sheet(sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
    """Yield the moves and help while the character is in action, then the rolls of a fight, and the solution."""
    if not play.out_of_action:
        words, ability = _words(sheet), _of_ability()
        yield from (_move(sheet, play, move, title, ability if move in WITH_ABILITY else words)
                    for move, title in MOVES.items() if not (
                        (move == "travel" and play.travelled)
                        or (move == "weaken" and (play.beside_fight or (
                            play.has_weakened and not sheet.house.weaken_often)))))
        yield from _help(play)
    yield from _fight(sheet, play)
    yield _solution(play)


def _help(play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
    """Yield help with an own die and, if there is a bonus die, help that uses it up (SZ-25)."""
    yield rolls.Help.offer(note=_AFTER, leads=Helped.offers_after(bonus=False))
    if play.bonus_dice:
        yield rolls.Help.offer(_("Help with a bonus die"), "bonus", _AFTER, colour="white",
                               leads=Helped.offers_after(bonus=True))


def _solution(play: "AugenDesZwielichtsPlay") -> Offer:
    """Return the solution, with at most the clues of the group and the difficulty raised by the GM (SZ-26, SZ-09d)."""
    raised = _("The GM has raised the difficulty by {n}; that is added.").format(n=play.difficulty) \
        if play.difficulty else ""
    known: dict[str, Any] = {"raised": play.difficulty} if play.clues else {"raised": play.difficulty, "clues": 0}
    return rolls.Solve.offer(note=raised, among={"clues": {n: str(n) for n in range(play.clues + 1)}},
                             leads=Solved.offers_after_solution, **known)


def _move(sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", move: str, title: Wording,
          second: dict[str, Wording]) -> Offer:
    """Return a move that only asks for dice the character can have; `second` has the choices for the second die."""
    known: dict[str, Any] = {"move": move, "improve": False, "literal": move == "weaken" and sheet.house.literal_weaken}
    if not play.bonus_dice:
        known["bonus"] = False
    if move in WITH_ABILITY:
        known["fear"] = False
    return rolls.Move.offer(title, move, _COLOURED[MOVE_COLOURS[move]], {"attribute": second},
                            leads=Settle.offers_after(sheet, play), **known)


def _of_ability() -> dict[str, Wording]:
    """Return the choices for the second die of a move with an ability or a risk."""
    return {colour: _("{colour} (ability or risk)").format(colour=title) for colour, title in COLOURS.items()}


def _words(sheet: "AugenDesZwielichts") -> dict[str, Wording]:
    """Return the choices for the second die of any other move, with the words that give it."""
    found: dict[str, Wording] = {"none": _("none")}
    for colour, title in COLOURS.items():
        if words := sheet.fields.words(colour):
            found[colour] = f"{title}: {', '.join(words)}"
    return found


def _fight(sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
    """Yield the rolls for the weak point, the round, and the hits."""
    if not play.fighting:
        yield rolls.WeakPoint.offer(shade=sheet.shade)
    level: dict[str, Any] = {"danger_level": play.danger_level} if play.danger_level else {}
    yield rolls.CombatRound.offer(leads=SettleRound.offers_after(play), **level)
    own: dict[str, Any] = {"weak_point": play.weak_point} if play.fighting else {}
    yield rolls.WeakHits.offer(rare=True, **own)
