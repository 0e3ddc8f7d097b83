"""Play across the table: the figures that others meet, and the acts that a roll or an act offers to its target."""

from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from inspect import getattr_static
from typing import Annotated, Any, ClassVar, Literal, TypeAlias
from warnings import warn

from pydantic import Field

from rulesets import dice
from rulesets.kit.asks import Data
from rulesets.kit.contests import Contest, contest_of
from rulesets.kit.fields import Part, targets_of
from rulesets.kit.offers import Offer, Offered
from rulesets.kit.own import OwnPlay, OwnSheet, Thrown
from rulesets.kit.packages import has_module, package_of, shapes_in
from rulesets.kit.responses import Response
from rulesets.kit.rolls import Roll
from rulesets.kit.shapes import Act
from rulesets.kit.words import Wording

NAME, KEY = "name", "key"
"""The keys of the target's name, and of that of its sheet, among the figures that cross the table."""
SheetKey = Annotated[str, Field(pattern=r"^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$")]
"""The key of the sheet of somebody at the same table, "" where there is none."""
Effects: TypeAlias = Callable[[Any, Thrown, Mapping[str, Any]], Iterator[Offer]]
"""A function that yields the acts that something done offers, with what fell for it and the other side's figures."""
FORMER = {"lands": "effects_on_target", "recoils": "effects_on_actor", "passes": "forwarded",
          "landing": "target_offers", "recoiling": "actor_offers"}
"""{former name in a Crossing: name}; a system may use the former ones for one more release, with a warning."""


class Crossing(Part):
    """The ways in which one character reaches another, from a system's module `crossing`; by default its Contest's."""

    effects_on_target: ClassVar[Mapping[type[Offered], Effects]] = {}
    """{roll or act: the function that yields its effects on the target}."""
    effects_on_actor: ClassVar[Mapping[type[Offered], Effects]] = {}
    """{roll or act: the function that yields its effects on whoever did it}."""
    lands: ClassVar[Mapping[type[Offered], Effects]] = effects_on_target
    recoils: ClassVar[Mapping[type[Offered], Effects]] = effects_on_actor
    stopping: ClassVar[Container[dice.Value]] = ()
    """The outcomes of `guards` that stop what landed, and of responses that stop the roll."""
    answered: ClassVar[frozenset[type[Roll]]] = frozenset()
    """The rolls before which their target is asked for a response, in a party that waits for one."""
    binding: ClassVar[Container[type[Act]]] = ()
    """The acts that land for their target to decide about: whoever brought them cannot call them off."""
    areas: ClassVar[frozenset[type[Roll]]] = frozenset()
    """The rolls whose dice may be compared with the figures of one more, who then is aimed at."""
    distinct: ClassVar[frozenset[type[Roll]]] = frozenset()
    """The rolls that are followed by one roll for each target; no two of these hit the same one."""
    foremost: ClassVar[Container[type[Offered]]] = ()
    """Rolls and acts done for oneself in a fight of all; they stand first at the table, though aimed at nobody."""
    lying: ClassVar[Mapping[type[Offered], Callable[[Any, dice.Outcome], Mapping[str, Any]]]] = {}
    """{roll: what answers {target: figure} that others meet in its dice while they lead on to something}."""
    onto: ClassVar[Container[type[Roll]]] = ()
    """The rolls that each makes once for another's dice, while these are `lying` there."""
    rethrows: ClassVar[type[Act] | None] = None
    """The act by which whoever a roll was aimed at throws once more the dice in it that are theirs."""
    pairs: ClassVar[type[Act] | None] = None
    """The act that, applied where it landed, pairs its sheet with the one that it came from: they play each other."""
    card_figures: ClassVar[Mapping[str, tuple[Wording, Wording]]] = {}
    """{figure: (abbreviation, title)} of the figures that stand beside the gauges on somebody's card at the table."""
    side: ClassVar[type[Contest] | None] = None
    """The figures of a Contest that make an opponent; None where they do not suffice."""
    encounter: ClassVar[type[Act] | None] = None
    """The act of all at a table that begins an encounter, where no opponent sits at it; what it asks a GM prepares."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for former, name in FORMER.items():
            if former in vars(cls):
                warn(f"{cls.__name__}.{former} is called {name}.", DeprecationWarning, stacklevel=2)
                setattr(cls, name, vars(cls)[former])
            setattr(cls, former, getattr_static(cls, name))

    @classmethod
    def figures(cls, sheet: OwnSheet, play: OwnPlay) -> Mapping[str, Any]:
        """{target: figure} of a character as it is now, as others' rolls meet it."""
        contest = contest_of(package_of(type(sheet)))
        usual = next(contest.of(sheet, play), None) if contest else None
        return usual.filled if usual else {}

    @classmethod
    def reaches(cls, offered: type[Offered]) -> bool:
        """Return whether a roll or an act is aimed at somebody: it has effects there or needs the other's figures."""
        return offered in cls.effects_on_target or bool(targets_of(offered))

    @classmethod
    def meeting(cls, offer: Offer, figures: Mapping[str, Any], *, veiled: bool = False) -> Offer:
        """Return an offer filled with the figures that it meets in whoever it is aimed at."""
        return offer.meeting(figures, veiled=veiled)

    @classmethod
    def target_offers(cls, made: Offered, outcome: dice.Outcome | None, figures: Mapping[str, Any]) -> Iterator[Offer]:
        """The acts that are offered to the target, filled with what is known; none where it comes to nothing."""
        answer = cls.effects_on_target.get(type(made))
        return answer(made, outcome, figures) if answer else iter(())

    @classmethod
    def actor_offers(cls, made: Offered, outcome: dice.Outcome | None, figures: Mapping[str, Any]) -> Iterator[Offer]:
        """The acts that are offered in the same way to whoever did it."""
        answer = cls.effects_on_actor.get(type(made))
        return answer(made, outcome, figures) if answer else iter(())

    @classmethod
    def hits(cls, made: Offered) -> Literal["target", "actor", "chosen"]:
        """Return whom the result of a roll or an act hits: target, actor, or somebody whom the actor then chooses."""
        return "target"

    @classmethod
    def spreads(cls, roll: Any) -> bool:
        """Return whether what its dice bring may land at one more, whom the actor then aims at."""
        return type(roll) in cls.effects_on_target

    @classmethod
    def most_targets(cls, roll: Any) -> int | None:
        """Return the greatest number of those at whom what its dice bring may stand; None for as many as there are.

        Whoever nothing of it reached, or where it was dismissed, does not count: then it may be aimed anew.
        """
        return None

    @classmethod
    def covers(cls, roll: Any, outcome: dice.Outcome) -> bool:
        """Return whether one more may meet the dice of such a roll among `areas`; what follows is rolled for each."""
        return True

    @classmethod
    def guards(cls, sheet: OwnSheet, play: OwnPlay, act: Any, *, asked: bool = False) -> Iterator[Offer]:
        """The rolls, without anything left to ask, by which somebody may stop an act that landed, in their order.

        Who was `asked` before its roll fell has had a chance to respond.
        """
        return iter(())

    @classmethod
    def responses(cls, sheet: OwnSheet, play: OwnPlay, roll: Any, *, turns: bool) -> Iterator[Response]:
        """Yield the target's responses to an `answered` roll, made before it falls; `turns` says whether turns count.

        To do nothing is possible besides; where there is nothing else, the target is not asked.
        """
        return iter(())

    @classmethod
    def unanswered(cls, roll: Any) -> Offer | None:
        """The roll that falls where the target does not respond; None for the one that was pressed."""
        return None

    @classmethod
    def paired(cls, play: OwnPlay) -> bool:
        """Return whether a character plays against the one that it is now paired with."""
        return False

    @classmethod
    def parted(cls, sheet: OwnSheet, play: OwnPlay) -> Iterator[Offer]:
        """The acts, with nothing left to ask, that are offered besides while the one that it is paired with is gone."""
        return iter(())

    @classmethod
    def facing(cls, offer: Offer, figures: Mapping[str, Any]) -> Offer | None:
        """Return the offer as made to one of a pair who knows the other's figures; None if they forbid it."""
        return offer

    @classmethod
    def forwarded(cls, sheet: OwnSheet, before: OwnPlay, act: Any, after: OwnPlay) -> Iterator[Offer]:
        """The acts, with nothing left to ask, that an act of one of two brings to the other; they are done at once."""
        return iter(())

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """Sheet data and a state of play of somebody with these figures."""
        raise NotImplementedError

    passes, effect, recoiling = forwarded, target_offers, actor_offers


@cache
def crossing_of(package: str) -> type[Crossing]:
    """Return the Crossing of a system; the default where the system has none of its own."""
    return shapes_in(package, "crossing", Crossing)[-1] if package and has_module(package, "crossing") else Crossing
