"""The four shapes that carry a system: Sheet, Roll, Play, Act; and the House whose rules they read.

A system consists of classes with fields and methods; everything else reads these.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, ClassVar, Literal, Self, TypeVar
from warnings import warn

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.kit.asks import Ask, Data
from rulesets.kit.faces import Face
from rulesets.kit.fields import Part, slots
from rulesets.kit.findings import Finding
from rulesets.kit.gauges import Gauge, Nudge
from rulesets.kit.ledger import Ledger
from rulesets.kit.marks import Derived, Passage
from rulesets.kit.measures import Measure
from rulesets.kit.offers import Offer, Offered
from rulesets.kit.own import OwnHouse, OwnPlay, OwnSheet, Thrown
from rulesets.kit.packages import package_of, shapes_in
from rulesets.kit.rolls import Roll
from rulesets.kit.spoken import Spoken
from rulesets.kit.words import Wording

_NUMBERED = _("Value {n}")
_House = TypeVar("_House", bound="House")


class House(Part):
    """House rules of a party; the defaults are the book."""

    policy: dict[str, Literal["block", "ask", "warn"]] = Field(
        default_factory=dict, json_schema_extra=Ask(_("Policy per rule"))
    )

    @classmethod
    def figures(cls) -> Iterator[tuple[str, Wording, Wording | int, int]]:
        """(path, heading, title, what the book says) of each figure that stands in a list or a table of a field."""
        for key, slot in slots(cls).items():
            for index, value in enumerate(slot.default if isinstance(slot.default, list) else ()):
                yield f"{key}.{index}", slot.ask.title, _NUMBERED.format(n=index + 1), value


class Sheet(Spoken):
    """The data that the player writes. Rules, derived values and widgets are methods."""

    _house: ClassVar[House | None] = None
    """The house rules that a sheet is played under; `under` stores them in the instance."""

    def under(self, house: House) -> Self:
        """Return a copy of the sheet that carries house rules, for the acts and widgets that depend on them."""
        played = self.model_copy()
        vars(played)["_house"] = house
        return played

    def house_or(self, book: type[_House]) -> _House:
        """Return the house rules that the sheet is played under, the book's if none are set."""
        return self._house if isinstance(self._house, book) else book()

    @classmethod
    @cache
    def derivations(cls) -> dict[str, Derived]:
        """The derived values by key, in the order they are written."""
        marked = (value.derived for base in reversed(cls.__mro__) for value in vars(base).values()
                  if hasattr(value, "derived"))
        return {one.key: one for one in marked}

    def derive(self, house: House, name: str = "") -> dict[str, Any]:
        """All derived values as JSON data; `name` is the document's."""
        return {key: one.method(self, house, name) if one.copy else one.method(self, house)
                for key, one in self.derivations().items()}

    @classmethod
    def from_text(cls, text: str) -> list[Passage]:
        """Return the sheets that a text contains in the system's own text format; an empty list if there are none."""
        return []

    def to_text(self, name: str, house: OwnHouse) -> str:
        """Return the sheet in that format, which `from_text` reads back equal; "" if the system has none."""
        return ""

    def about(self, name: str, house: OwnHouse) -> Iterator[Finding]:
        """Yield what the rules say about the document's name; each finding states its rule."""
        return iter(())

    @classmethod
    def sample(cls, rng: Random, house: OwnHouse) -> Data | None:
        """Data of a random legal sheet, where a system has no budget whose spending would make one; else None."""
        return None

    def ledger(self, house: OwnHouse) -> Ledger | None:
        """Return the ledger of the points spent, or None if the system has no budget."""
        return None

    def offered_words(self) -> Mapping[str, tuple[str, ...]]:
        """{field of a list's rows, "weapons.talent": what the sheet itself offers to be written there}."""
        return {}

    def hints(self, house: OwnHouse) -> Iterator[tuple[str, Wording]]:
        """(path, text): what a field or row does now, and what one more would do."""
        return iter(())

    def lacks(self, row: Any) -> Wording:
        """Return why a row that a list knows by its label would be of no use here yet, "" where it would be."""
        return ""

    def measures(self, house: OwnHouse) -> Iterator[Measure]:
        """Yield the figures by which a sheet compares with others of its party, the same ones in the same order."""
        return iter(())

    def widgets(self, play: OwnPlay) -> Iterator["Offer"]:
        """Yield the rolls of this sheet, partly filled."""
        return iter(())


class Play(Spoken):
    """The state that changes at the table."""

    on_board: ClassVar[frozenset[str]] = frozenset()
    """Keys of fields and figures that the board draws, so that the page need not say them beside it again."""
    on_board_beside: ClassVar[frozenset[str]] = frozenset()
    """Keys of `board` by which the rolls beside what fell are drawn alone, so that all others stay as they are."""
    folded: ClassVar[tuple[Wording, ...]] = ()
    """Headings under which rolls are seldom wanted while one plays, so that the page folds them."""

    def gauges(self, sheet: OwnSheet) -> Iterator[Gauge]:
        """Yield what is used up and restored: life, points."""
        return iter(())

    def to_text(self, sheet: OwnSheet, name: str) -> tuple[Wording, str] | None:
        """Return the title and the text of the sheet as it stands now, in the format of `Sheet.to_text`.

        None if the system has none, or where it would only repeat the sheet as it is written.
        """
        return None

    def nudge(self, sheet: OwnSheet, slug: str, key: str = "", **by: Any) -> Nudge | None:
        """One press of an act, named by its slug, as it is offered now under this key; None where it is not offered.

        `by` answers what the offer asks; for a gauge's `less` and `more`.
        """
        offer = self.offers(sheet, slug).get(key)
        return Nudge(offer, by) if offer else None

    def offers(self, sheet: OwnSheet, slug: str) -> dict[str, Offer]:
        """{key: offer} of an act, named by its slug, as it is offered now."""
        return {offer.key: offer.at_row(self, self, sheet) for offer in self._acts()[slug].offered(sheet, self)}

    @classmethod
    @cache
    def _acts(cls) -> "Mapping[str, type[Act]]":
        """The acts of its system by their slugs."""
        return {act.slug: act for act in shapes_in(package_of(cls), "play", Act)}

    def spread(self, sheet: OwnSheet) -> Iterator[tuple[Wording, list[Face]]]:
        """(title, cards) of what lies on the table or is held, where one plays with cards."""
        return iter(())

    def board(self, sheet: OwnSheet) -> Any:
        """Return what the system's own templates draw of the page, in its own form; where it differs they draw anew.

        What is pressed there is a `Nudge`.
        """
        return None

    def begun(self) -> "Play":
        """Return the initial state; a system may keep the fields that define an opponent made from a few figures."""
        return type(self)()

    def effective(self, sheet: OwnSheet) -> Sheet:
        """Return the sheet with its current boosts and harm applied."""
        own: Sheet = sheet
        return own

    def notices(self, sheet: OwnSheet) -> Iterator[Finding]:
        """Yield what the state of play means for the current turn, each finding with its rule."""
        return iter(())


@dataclass(frozen=True)
class Lasting:
    """The answer of an act that changes the character for good: new play and new sheet data (a new revision)."""

    play: Play
    data: Data


class Refused(ValueError):
    """An act that the state of play does not allow; the message says why and what would."""


class Act(Offered):
    """A change at the table: its fields are what it asks."""

    repeats: ClassVar[bool] = False
    """True if the act repeats the last roll: what came of it is taken back, one's own dice are thrown once more, and
    the act that it was rolled for is applied anew. Then `apply` says what the repeat itself costs."""
    straight_away: ClassVar[bool] = False
    """True if it repeats no roll after which its sheet has done something else, or its turn has passed on."""
    aimed: ClassVar[bool] = False
    """True if it makes sense only with another character as the target."""
    opponents_too: ClassVar[bool] = True
    """False where what is done for all at once leaves opponents out: no rest and no adventure is theirs."""
    routine: ClassVar[bool] = False
    """True if a turn that does it says nothing of it in the table's log."""
    once_applied: ClassVar[bool] = False
    """True if it follows a roll at a target only once the roll's effect there is applied, and is undone with it."""
    gone_with: "ClassVar[tuple[type[Act], Wording] | None]" = None
    """The act after which what landed at the same sheet before it comes to nothing, and why, as it is then said."""
    names_source: ClassVar[bool] = False
    """True if its fields `by` and `source` are the name and the key of the sheet that it came from, where it lands."""
    whence: ClassVar[bool] = names_source
    of_gms: ClassVar[bool] = False
    """True if in a party it is for GMs to do, on whichever sheet; without one whoever plays the sheet does it."""
    fallen_while: ClassVar[tuple[str, ...]] = ()
    """The fields of play that identify a throw. While they are unchanged, an act that was taken back and is done again
    keeps its dice, and a larger pool adds only the extra ones. If empty, the whole state must be unchanged.
    """
    says_who: ClassVar[bool] = False
    """True if its log line says who meets whom and is shown large beside the dice."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # For one more release.
        if "whence" in vars(cls):
            warn(f"{cls.__name__}.whence is called names_source.", DeprecationWarning, stacklevel=2)
            cls.names_source = vars(cls)["whence"]

    @classmethod
    def offered(cls, sheet: OwnSheet, play: OwnPlay) -> Iterator[Offer]:
        """Yield the offers of this act that make sense now; none if it does not."""
        return iter(())

    @classmethod
    def joins(cls, sheet: OwnSheet, play: OwnPlay) -> bool:
        """True for somebody who takes part where this is done for all at once; by default whoever it is offered to."""
        return any(True for _offer in cls.offered(sheet, play))

    def about(self) -> str:
        """Return the key of the sheet that it is done to wherever one aims; "" if that is whoever is aimed at."""
        return ""

    def roll(self, sheet: OwnSheet, play: OwnPlay) -> Roll | None:
        """Return the roll whose outcome the act needs, or None."""
        return None

    def apply(self, sheet: OwnSheet, play: OwnPlay, outcome: Thrown = None) -> Play | Lasting:
        """Return the state after the act. Raise Refused if the state does not allow it."""
        raise NotImplementedError

    def tell(self, sheet: OwnSheet, play: OwnPlay) -> str:
        """Return a line for the log; `play` is the state after the act."""
        return str(self.title)

    def tell_change(self, sheet: OwnSheet, before: OwnPlay, after: OwnPlay) -> str:
        """Return the line for the log for an act that needs both states to tell what it changed; by default `tell`."""
        return self.tell(sheet, after)

    def tell_others(self, sheet: OwnSheet, play: OwnPlay) -> str:
        """The line as all but the owner read it; the act and `play` are `opened`, so that it cannot name a secret."""
        return self.tell(sheet, play)
