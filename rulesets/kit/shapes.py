"""The four base classes of which a system consists: Sheet, Roll, Play, Act; and House, whose rules they read.

A system consists of subclasses with fields and methods; everything else reads these.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, ClassVar, Literal, Self, TypeVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.kit.asks import Ask, Data
from rulesets.kit.checked_parts import CheckedPart
from rulesets.kit.faces import Face
from rulesets.kit.fields import Part, slots
from rulesets.kit.findings import Finding
from rulesets.kit.former_names import accept_former_names, rename_former
from rulesets.kit.gauges import Gauge, Nudge
from rulesets.kit.ledger import Ledger
from rulesets.kit.marks import Derived, ParsedSheet
from rulesets.kit.measures import Measure
from rulesets.kit.offers import Offer, Offered
from rulesets.kit.own import OwnHouse, OwnPlay, OwnSheet, Thrown
from rulesets.kit.packages import package_of, shapes_in
from rulesets.kit.rolls import Roll
from rulesets.kit.words import Wording

FORMER = {"whence": "names_source", "straight_away": "only_directly_after", "gone_with": "superseded_by",
          "of_gms": "gm_only", "fallen_while": "same_throw_while", "says_who": "names_both_sides",
          "with_fallen": "beside_dice_only", "joins": "takes_part"}
"""{former name in an Act: name}; a system may use the former ones for one more release, with a warning."""
FORMER_IN_SHEET = {"widgets": "roll_offers"}
"""The same for a Sheet."""
_NUMBERED = _("Value {n}")
_House = TypeVar("_House", bound="House")


class House(Part):
    """House rules of a party; the defaults are the book."""

    policy: dict[str, Literal["block", "ask", "warn"]] = Field(
        default_factory=dict, json_schema_extra=Ask(_("Policy per rule"))
    )

    @classmethod
    def figures(cls) -> Iterator[tuple[str, Wording, Wording | int, int]]:
        """Yield (path, heading, title, the book's figure) for each figure in a list or a table of a field."""
        for key, slot in slots(cls).items():
            for index, value in enumerate(slot.default if isinstance(slot.default, list) else ()):
                yield f"{key}.{index}", slot.ask.title, _NUMBERED.format(n=index + 1), value


class Sheet(CheckedPart):
    """The data that the player writes. Rules, derived values and the offers of rolls are methods."""

    _house: ClassVar[House | None] = None
    """The house rules that a sheet is played under; `under` stores them in the instance."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER_IN_SHEET)

    def under(self, house: House) -> Self:
        """Return a copy of the sheet that carries house rules, for the acts and rolls that depend on them."""
        played = self.model_copy()
        vars(played)["_house"] = house
        return played

    def house_or(self, book: type[_House]) -> _House:
        """Return the house rules that the sheet is played under, the book's if none are set."""
        return self._house if isinstance(self._house, book) else book()

    @classmethod
    @cache
    def derivations(cls) -> dict[str, Derived]:
        """Return {key: derived value} in the order of the source."""
        marked = (value.derived for base in reversed(cls.__mro__) for value in vars(base).values()
                  if hasattr(value, "derived"))
        return {one.key: one for one in marked}

    def derive(self, house: House, name: str = "") -> dict[str, Any]:
        """Return all derived values as JSON data; `name` is the document's."""
        return {key: one.method(self, house, name) if one.copy else one.method(self, house)
                for key, one in self.derivations().items()}

    @classmethod
    def from_text(cls, text: str) -> list[ParsedSheet]:
        """Return the sheets that a text contains in the system's own text format; an empty list if there are none."""
        return []

    def to_text(self, name: str, house: OwnHouse) -> str:
        """Return the sheet in that format, which `from_text` reads back equal; "" if the system has none."""
        return ""

    def about(self, name: str, house: OwnHouse) -> Iterator[Finding]:
        """Yield findings on the document's name; each states its rule."""
        return iter(())

    @classmethod
    def sample(cls, rng: Random, house: OwnHouse) -> Data | None:
        """Return data of a random legal sheet; None if random sheets are made by spending the system's budget."""
        return None

    def ledger(self, house: OwnHouse) -> Ledger | None:
        """Return the ledger of the points spent, or None if the system has no budget."""
        return None

    def offered_words(self) -> Mapping[str, tuple[str, ...]]:
        """Return {field of a list's rows, such as "weapons.talent": suggestions taken from the sheet itself}."""
        return {}

    def hints(self, house: OwnHouse) -> Iterator[tuple[str, Wording]]:
        """Yield (path, text saying what a field or row does now, and what it would do if raised by one)."""
        return iter(())

    def lacks(self, row: Any) -> Wording:
        """Return why a ready-made row would be of no use to this sheet yet; "" if it would be useful."""
        return ""

    def measures(self, house: OwnHouse) -> Iterator[Measure]:
        """Yield the figures to compare with those of other sheets, always the same ones in the same order."""
        return iter(())

    def roll_offers(self, play: OwnPlay) -> Iterator["Offer"]:
        """Yield an offer of each roll that this sheet can make, filled in as far as the sheet knows."""
        return iter(())


accept_former_names(Sheet, FORMER_IN_SHEET)


class Play(CheckedPart):
    """The state that changes at the table."""

    on_board: ClassVar[frozenset[str]] = frozenset()
    """Keys of fields and figures that the board draws, so that the page does not repeat them beside it."""
    on_board_beside: ClassVar[frozenset[str]] = frozenset()
    """Keys of `board` whose change redraws only the rolls beside the dice, not the other rolls."""
    folded: ClassVar[tuple[Wording, ...]] = ()
    """Headings of rolls that are seldom wanted in play; the page collapses them."""

    @property
    def holds_receipts(self) -> bool:
        """True while nobody may read the receipts of its secret rolls, such as card draws before the end of a game."""
        return False

    def gauges(self, sheet: OwnSheet) -> Iterator[Gauge]:
        """Yield the values that are used up and restored, such as life and points."""
        return iter(())

    def to_text(self, sheet: OwnSheet, name: str) -> tuple[Wording, str] | None:
        """Return the title and the text of the sheet as it stands now, in the format of `Sheet.to_text`.

        None if the system has no such format, or if it would only repeat the sheet as it is written.
        """
        return None

    def nudge(self, sheet: OwnSheet, slug: str, key: str = "", **answers: Any) -> Nudge | None:
        """Return the button that does the act with this slug, as offered now under this key; None if it is not offered.

        `answers` are those to what the offer asks. It is meant for a gauge's `less` and `more`.
        """
        offer = self.offers(sheet, slug).get(key)
        return Nudge(offer, answers) if offer else None

    def offers(self, sheet: OwnSheet, slug: str) -> dict[str, Offer]:
        """Return {key: offer} of the act with this slug, as it is offered now."""
        return {offer.key: offer.at_row(self, self, sheet) for offer in self._acts()[slug].offered(sheet, self)}

    @classmethod
    @cache
    def _acts(cls) -> "Mapping[str, type[Act]]":
        """Return {slug: act} of its system."""
        return {act.slug: act for act in shapes_in(package_of(cls), "play", Act)}

    def spread(self, sheet: OwnSheet) -> Iterator[tuple[Wording, list[Face]]]:
        """Yield (title, cards) of the cards on the table and in hand, in a game with cards."""
        return iter(())

    def board(self, sheet: OwnSheet) -> Any:
        """Return the data for the system's own templates, in any form; they are redrawn when it changes.

        Its buttons are `Nudge`s.
        """
        return None

    def begun(self) -> "Play":
        """Return the initial state; a system may keep fields in it, such as those that define an opponent."""
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
    """The result of an act that changes the character for good: new play and new sheet data (a new revision)."""

    play: Play
    data: Data


class Refused(ValueError):
    """An act that the state of play does not allow; the message says why and what would."""


class Act(Offered):
    """A change at the table; its fields are its questions."""

    repeats: ClassVar[bool] = False
    """True if the act repeats the last roll: the effects of that roll are taken back, its own dice are thrown once
    more, and the act that it was rolled for is applied again. `apply` then only takes the cost of the repeat."""
    delays_turn: ClassVar[bool] = False
    """True if the act delays a turn to later in the round (see `Table.holds`); in one's turn, the table does it."""
    only_directly_after: ClassVar[bool] = False
    """True if it can only repeat the very last roll: not once its sheet has done anything else or its turn has
    ended."""
    aimed: ClassVar[bool] = False
    """True if it makes sense only with another character as the target."""
    opponents_too: ClassVar[bool] = True
    """False if opponents are left out when it is done for everyone at once, as with a rest or the end of an
    adventure."""
    routine: ClassVar[bool] = False
    """True if the log does not mention it when it is done as part of a turn."""
    once_applied: ClassVar[bool] = False
    """True if, after a roll at a target, it follows only once the roll's effect is applied, and is undone with it."""
    superseded_by: "ClassVar[tuple[type[Act], Wording] | None]" = None
    """(act, message): after that act at the same sheet, an earlier effect of this act is refused there with the
    message."""
    names_source: ClassVar[bool] = False
    """True if its fields `by` and `source` are filled, at its target, with the name and the key of the sheet that it
    came from."""
    gm_only: ClassVar[bool] = False
    """True if in a party only GMs do it, on any sheet; outside of parties whoever plays the sheet does it."""
    ends_turn: ClassVar[bool] = False
    """True if it ends the turn before it, and with that turn the offers still open in it that choose their own target
    (`Offer.own_target`)."""
    leaves_dice: ClassVar[bool] = False
    """True if the dice that fell before it, in the same turn, may still be applied to more targets."""
    taken_back_together: ClassVar[bool] = False
    """True if, done for several at once, it is only taken back for all of them."""
    same_throw_while: ClassVar[tuple[str, ...]] = ()
    """The fields of play that identify a throw. While they are unchanged, an act that was taken back and is done again
    keeps its dice, and a larger pool adds only the extra ones. If empty, the whole state must be unchanged.
    """
    names_both_sides: ClassVar[bool] = False
    """True if its log line names both sides, as "Anna meets Ben", and is shown large beside the dice."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER)

    @classmethod
    def offered(cls, sheet: OwnSheet, play: OwnPlay) -> Iterator[Offer]:
        """Yield the offers of this act that make sense now, if any."""
        return iter(())

    @classmethod
    def takes_part(cls, sheet: OwnSheet, play: OwnPlay) -> bool:
        """Return whether a sheet takes part when this act is done for everyone; by default, if it is offered to it."""
        return any(True for _offer in cls.offered(sheet, play))

    def about(self) -> str:
        """Return the key of the sheet that it is always done to; "" if it is done to the target."""
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
        """Return the log line, made from the states before and after the act; by default that of `tell`."""
        return self.tell(sheet, after)

    def tell_others(self, sheet: OwnSheet, play: OwnPlay) -> str:
        """Return the line for everybody but the owner; the act and `play` are `redacted`, so it can name no secret."""
        return self.tell(sheet, play)


accept_former_names(Act, FORMER)
