"""Play between characters: the figures that others' rolls use, and the acts that a roll or act offers its target."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets import dice
from rulesets.kit.asks import Data
from rulesets.kit.contests import Contest, contest_of
from rulesets.kit.fields import Part, target_figures_of
from rulesets.kit.former_names import accept_former_names, rename_former
from rulesets.kit.offers import Offer, Offered
from rulesets.kit.own import OwnPlay, OwnSheet, Thrown
from rulesets.kit.packages import has_module, package_of, shapes_in
from rulesets.kit.responses import Response
from rulesets.kit.rolls import Roll
from rulesets.kit.shapes import Act
from rulesets.kit.words import Wording
from rulesets.names import isolated

NAME, KEY = "name", "key"
"""The keys of the target's name, and of the key of its sheet, among the target's figures."""
SheetKey = Annotated[str, Field(pattern=r"^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$")]
"""The key of a sheet at the same table, "" for none."""
Effects: TypeAlias = Callable[[Any, Thrown, Mapping[str, Any]], Iterator[Offer]]
"""A function (roll or act, its outcome, figures of the other side) that yields the acts that follow from it."""
ReturnEffects: TypeAlias = Callable[[Any, Any, Any, Any], Iterator[Offer]]
"""A function (act, target's sheet, target's play before, target's play after) that yields acts on whoever caused the
act."""
FORMER = {"lands": "effects_on_target", "recoils": "effects_on_actor", "passes": "forwarded",
          "landing": "target_offers", "recoiling": "actor_offers", "lying": "open_figures",
          "onto": "rolls_on_open_dice", "upon_others": "rolls_on_open_dice", "distinct": "target_counts",
          "effect": "target_offers", "meeting": "with_target_figures", "spreads": "allows_more_targets",
          "covers": "allows_more_area_targets", "parted": "offers_without_partner", "facing": "adapt_to_partner"}
"""{former name in a Crossing: name}; a system may use the former ones for one more release, with a warning."""


class Crossing(Part):
    """The ways in which characters affect each other, from a system's module `crossing`; figures are the Contest's."""

    effects_on_target: ClassVar[Mapping[type[Offered], Effects]] = {}
    """{roll or act: the function that yields its effects on the target}."""
    effects_on_actor: ClassVar[Mapping[type[Offered], Effects]] = {}
    """{roll or act: the function that yields its effects on whoever did it}."""
    effects_in_return: ClassVar[Mapping[type[Act], ReturnEffects]] = {}
    """{act applied to a target: the function that yields its effects on whoever caused it, which are done at once}."""
    stopping: ClassVar[Container[dice.Value]] = ()
    """The outcomes of `guards` that stop an effect, and those of responses that stop the roll."""
    answered: ClassVar[frozenset[type[Roll]]] = frozenset()
    """The rolls before which their target is asked for a response, in a party that waits for one."""
    binding: ClassVar[Container[type[Act]]] = ()
    """The acts that only their target may settle or take back; whoever caused them cannot."""
    by_consent: ClassVar[Container[type[Act]]] = ()
    """The acts whose effects wait for their target even in a party where hits count at once."""
    lapsing: ClassVar[Mapping[type[Act], Callable[[Any], bool]]] = {}
    """{act: a function (state of play) that returns whether an effect of the act, pending at that sheet, lapses}."""
    at_once: ClassVar[Container[type[Act]]] = ()
    """The acts on the target that are done without asking, because the target's dice have been thrown for them."""
    for_others: ClassVar[Container[type[Offered]]] = ()
    """The rolls and acts that nobody may aim at themselves."""
    for_friends: ClassVar[Container[type[Offered]]] = ()
    """The rolls and acts meant for the actor's own side; a note beside the button warns if the target is on the other
    side."""
    areas: ClassVar[frozenset[type[Roll]]] = frozenset()
    """The rolls whose dice can be compared with the figures of further targets as well."""
    target_counts: ClassVar[frozenset[type[Roll]]] = frozenset()
    """The rolls whose outcome is a number of targets; the rolls that follow may hit that many, each target only
    once."""
    foremost: ClassVar[Container[type[Offered]]] = ()
    """Rolls and acts without a target that are nevertheless listed first in a fight of everyone against everyone."""
    open_figures: ClassVar[Mapping[type[Offered], Callable[[Any, dice.Outcome], Mapping[str, Any]]]] = {}
    """{roll: function (roll, outcome) that returns {figure key: figure} for others' rolls while its dice lie open}."""
    rolls_on_open_dice: ClassVar[Container[type[Roll]]] = ()
    """The rolls that a character may make, once, against another's roll that has `open_figures`."""
    rethrows: ClassVar[type[Act] | None] = None
    """The act by which the target of a roll throws its own dice of that roll again while an effect of it is pending.

    The effect may also be that of an act which followed the roll; that act is then taken back.
    """
    pairs: ClassVar[type[Act] | None] = None
    """The act that, applied to its target, pairs the target's sheet with the actor's, so that they play each other."""
    card_figures: ClassVar[Mapping[str, tuple[Wording, Wording]]] = {}
    """{figure: (abbreviation, title)} of the figures shown beside the gauges on a character's card at the table."""
    side: ClassVar[type[Contest] | None] = None
    """The Contest whose figures are enough to make an opponent; None if there is none."""
    opponents_play: ClassVar[Data] = {}
    """The state of play that every opponent begins with, however it is made."""
    encounter: ClassVar[type[Act] | None] = None
    """The act, done for all at the table, that begins an encounter without opponents; a GM fills it in beforehand."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER)

    @classmethod
    def figures(cls, sheet: OwnSheet, play: OwnPlay) -> Mapping[str, Any]:
        """Return {figure key: figure}, the current figures of a character that others' rolls ask for."""
        contest = contest_of(package_of(type(sheet)))
        usual = next(contest.offers_for(sheet, play), None) if contest else None
        return usual.filled if usual else {}

    @classmethod
    def reaches(cls, offered: type[Offered]) -> bool:
        """Return whether a roll or an act has a target: it has effects on a target or needs figures of one."""
        return offered in cls.effects_on_target or bool(target_figures_of(offered))

    @classmethod
    def with_target_figures(cls, offer: Offer, figures: Mapping[str, Any], *, veiled: bool = False) -> Offer:
        """Return an offer filled with the figures of its target."""
        return offer.with_target_figures(figures, veiled=veiled)

    @classmethod
    def to_other_side(cls, offer: Offer, name: str) -> Offer:
        """Return an offer whose target `name` is on the other side, with a note of that if it is `for_friends`."""
        if offer.cls not in cls.for_friends:
            return offer
        note = str(_("{name} is on the other side!").format(name=isolated(name)))
        return replace(offer, note=" · ".join(filter(None, (str(offer.note), note))))

    @classmethod
    def target_offers(cls, made: Offered, outcome: dice.Outcome | None, figures: Mapping[str, Any]) -> Iterator[Offer]:
        """Return the acts offered to the target, filled as far as known; none if there is no effect."""
        answer = cls.effects_on_target.get(type(made))
        return answer(made, outcome, figures) if answer else iter(())

    @classmethod
    def actor_offers(cls, made: Offered, outcome: dice.Outcome | None, figures: Mapping[str, Any]) -> Iterator[Offer]:
        """Return the acts offered in the same way to the actor."""
        answer = cls.effects_on_actor.get(type(made))
        return answer(made, outcome, figures) if answer else iter(())

    @classmethod
    def hits(cls, made: Offered) -> Literal["target", "actor", "chosen"]:
        """Return whom the result of a roll or an act hits: target, actor, or a character whom the actor then chooses.

        In a party, a result that hits the actor takes effect even if no target was chosen.
        """
        return "target"

    @classmethod
    def only_others(cls, made: Offered) -> bool:
        """Return whether a roll or an act may not be aimed at the character that makes it."""
        return type(made) in cls.for_others

    @classmethod
    def allows_more_targets(cls, roll: Any) -> bool:
        """Return whether the actor may choose a further target for the effects of a roll."""
        return type(roll) in cls.effects_on_target

    @classmethod
    def most_targets(cls, roll: Any) -> int | None:
        """Return the greatest number of targets that a roll's effects may have; None for no limit.

        A target that no effect reached, or that dismissed it, does not count, so that another may be chosen.
        """
        return None

    @classmethod
    def allows_more_area_targets(cls, roll: Any, outcome: dice.Outcome) -> bool:
        """Return whether a further target may be chosen for the dice of a roll in `areas`."""
        return True

    @classmethod
    def most_in_area(cls, roll: Any, outcome: dice.Outcome) -> int | None:
        """Return the greatest number of targets with which the dice of a roll in `areas` are compared, hit or not.

        None means that there is no limit.
        """
        return None

    @classmethod
    def guards(cls, sheet: OwnSheet, play: OwnPlay, act: Any, *, asked: bool = False) -> Iterator[Offer]:
        """Yield completely filled rolls by which a target may stop an effect, in order.

        `asked` says whether the target was asked for a response before the roll was made.
        """
        return iter(())

    @classmethod
    def responses(cls, sheet: OwnSheet, play: OwnPlay, roll: Any, *, turns: bool) -> Iterator[Response]:
        """Yield the target's possible responses before an `answered` roll; `turns` says whether turns are counted.

        Doing nothing is always possible; without any other response the target is not asked.
        """
        return iter(())

    @classmethod
    def unanswered(cls, roll: Any) -> Offer | None:
        """Return the roll to make if the target does not respond; None for the original one."""
        return None

    @classmethod
    def paired(cls, play: OwnPlay) -> bool:
        """Return whether a character is paired with another that it plays against."""
        return False

    @classmethod
    def offers_without_partner(cls, sheet: OwnSheet, play: OwnPlay) -> Iterator[Offer]:
        """Yield completely filled acts that are offered in addition while the character's partner in a pair is gone."""
        return iter(())

    @classmethod
    def adapt_to_partner(cls, offer: Offer, figures: Mapping[str, Any]) -> Offer | None:
        """Return the offer adapted to the figures of the partner in a pair; None if they forbid it."""
        return offer

    @classmethod
    def forwarded(cls, sheet: OwnSheet, before: OwnPlay, act: Any, after: OwnPlay) -> Iterator[Offer]:
        """Yield completely filled acts that an act of a character causes for its partner in a pair; done at once."""
        return iter(())

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """Return (sheet data, state of play) of an opponent with these figures."""
        raise NotImplementedError


accept_former_names(Crossing, FORMER)


@cache
def crossing_of(package: str) -> type[Crossing]:
    """Return the Crossing of a system; the base class if the system has none of its own."""
    return shapes_in(package, "crossing", Crossing)[-1] if package and has_module(package, "crossing") else Crossing
