"""The steps of a change of section, offered one after the other (SZ-09a)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings
from rulesets.augen_des_zwielichts.catalogue import FEARS, FIELDS, FieldKey
from rulesets.augen_des_zwielichts.play.change import blacks, skip_needless_steps, whites
from rulesets.augen_des_zwielichts.play.state import STEPS
from rulesets.kit import Act, Count, Lasting, Name, Offer, Play, Refused, Text, Thrown, field, patched, row

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts


class _Step(Act):
    """A step of a change of section; only the next step is offered."""

    step: ClassVar[str]
    group = headings.SECTION

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it if it is the next step."""
        if play.steps[:1] == [cls.step]:
            yield from cls.ways(sheet)

    @classmethod
    def ways(cls, sheet: "AugenDesZwielichts") -> Iterator[Offer]:
        """Yield the offers for the step."""
        yield cls.offer()

    def patch(self, sheet: "AugenDesZwielichts") -> dict:
        """Return the changes in the sheet's data, {path: value}."""
        raise NotImplementedError

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay",
              outcome: Thrown = None) -> Play | Lasting:
        """Return the changed sheet, with the remaining steps."""
        if play.steps[:1] != [self.step]:
            raise Refused(_("That step is not next; this one is: {what}.").format(
                what=STEPS[play.steps[0]] if play.steps else "–"))
        return skip_needless_steps(play, patched(sheet.model_dump(), self.patch(sheet)), play.steps[1:])


class TurnBlack(_Step):
    """SZ-09a, SZ-02: one more field turns black."""

    key: FieldKey = field(_("Which field?"), choices=FIELDS)
    title, rules, step = _("Turn a field black"), ("SZ-09a", "SZ-02"), "turn-black"
    colour: ClassVar[str] = "black"

    @classmethod
    def ways(cls, sheet: "AugenDesZwielichts") -> Iterator[Offer]:
        """Offer the fields that can take the colour."""
        found = (whites if cls.colour == "black" else blacks)(sheet.model_dump()["fields"])
        yield cls.offer(among={"key": {key: _named(sheet, key) for key in found}})

    def patch(self, sheet: "AugenDesZwielichts") -> dict[str, Any]:
        """Return the patch that sets the colour. Raise `Refused` if the field already has it."""
        if getattr(sheet.fields, self.key).colour == self.colour:
            raise Refused(_("{field} already has that colour.").format(field=_named(sheet, self.key)))
        return {f"fields.{self.key}.colour": self.colour}

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the field."""
        text = _("{field} turns black") if self.colour == "black" else _("{field} turns white")
        return text.format(field=_named(sheet, self.key))


class TurnWhite(TurnBlack):
    """SZ-09a: one field turns white again."""

    title, rules, step = _("Turn a field white"), ("SZ-09a", "SZ-02"), "turn-white"
    colour: ClassVar[str] = "white"


def _named(sheet: "AugenDesZwielichts", key: str) -> str:
    word = getattr(sheet.fields, key).word.strip()
    return f"{FIELDS[key]}: {word}" if word else str(FIELDS[key])


class ExchangeAbility(_Step):
    """SZ-09a, SZ-05: exchange an ability, but never the demon's."""

    index: Count = field(_("Ability"))
    name: Name = field(_("Which new ability?"))
    text: Text = field(_("What does the ability do?"), "", long=True)
    title, rules, step = _("Exchange an ability"), ("SZ-09a", "SZ-05"), "exchange-ability"

    @classmethod
    def ways(cls, sheet: "AugenDesZwielichts") -> Iterator[Offer]:
        """Offer it for each ability that is not the demon's."""
        for index, one in enumerate(sheet.abilities):
            if not one.demon:
                yield cls.offer(_("Exchange “{ability}”").format(ability=one.label), f"abilities.{index}",
                                index=index)

    def patch(self, sheet: "AugenDesZwielichts") -> dict[str, dict[str, bool | str]]:
        """Return the patch with the new name and text. Raise `Refused` for the demon's ability."""
        if row(sheet.abilities, self.index).demon:
            raise Refused(_("The demon's ability is never exchanged."))
        return {f"abilities.{self.index}": {"name": _given(self.name), "demon": False, "text": self.text}}

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the old and the new ability."""
        return _("“{old}” becomes “{new}”").format(old=sheet.abilities[self.index].label, new=self.name)


class GainAbility(_Step):
    """SZ-05: gain a fourth ability from section II on, or a fifth from section III on."""

    name: Name = field(_("Which new ability?"))
    text: Text = field(_("What does the ability do?"), "", long=True)
    title, rules, step = _("Gain an ability"), ("SZ-05", "SZ-09a"), "gain-ability"

    def patch(self, sheet: "AugenDesZwielichts") -> dict[str, list[dict[str, bool | str]]]:
        """Return the patch that adds the ability."""
        rows = [one.model_dump() for one in sheet.abilities]
        return {"abilities": [*rows, {"name": _given(self.name), "demon": False, "text": self.text}]}

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return its name."""
        return _("New ability: {name}").format(name=self.name)


class NameFears(_Step):
    """SZ-09a, SZ-04: name new fears, so that there are two again."""

    first: Name = field(_("Which fear?"))
    second: Name = field(_("Which second fear?"), "", help=_("Needed if none is left."))
    title, rules, step = _("Name the fears"), ("SZ-09a", "SZ-04"), "name-fears"

    @classmethod
    def ways(cls, sheet: "AugenDesZwielichts") -> Iterator[Offer]:
        """Offer it with a second fear only if no fear is left."""
        yield cls.offer(second="") if any(map(str.strip, sheet.fears)) else cls.offer()

    def patch(self, sheet: "AugenDesZwielichts") -> dict[str, list[str]]:
        """Return the patch that adds the new fears. Raise `Refused` if the two fears are the same."""
        kept = [fear for fear in sheet.fears if fear.strip()]
        new = [_given(self.first), *([] if kept else [_given(self.second)])]
        if len({fear.strip().casefold() for fear in (*kept, *new)}) < FEARS:
            raise Refused(_("The two fears have to be different; name another."))
        return {"fears": [*kept, *new]}

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return all fears."""
        return _("Fears: {fears}").format(fears=", ".join(self.patch(sheet)["fears"]))


class DropFear(_Step):
    """SZ-09a: drop a fear: at level 1 one that fits the adventure, at higher levels any."""

    index: Count = field(_("Fear"))
    title, rules, step = _("Drop a fear"), ("SZ-09a", "SZ-04"), "drop-fear"

    @classmethod
    def ways(cls, sheet: "AugenDesZwielichts") -> Iterator[Offer]:
        """Offer it for each fear."""
        yield from (cls.offer(_("Drop the fear “{fear}”").format(fear=fear), f"fears.{index}", index=index)
                    for index, fear in enumerate(sheet.fears))

    def patch(self, sheet: "AugenDesZwielichts") -> dict[str, list[str]]:
        """Return the patch that removes the fear."""
        row(sheet.fears, self.index)
        return {"fears": self.left(sheet)}

    def left(self, sheet: "AugenDesZwielichts") -> list[str]:
        """Return the fears without this one."""
        return [fear for index, fear in enumerate(sheet.fears) if index != self.index]

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the remaining fears."""
        return _("Fears: {fears}").format(fears=", ".join(self.left(sheet)) or "–")


class ChangeField(_Step):
    """SZ-09a: change an attribute or item."""

    key: FieldKey = field(_("Which field?"), choices=FIELDS)
    word: Name = field(_("Which new word?"))
    combat: bool = field(_("Fit for combat"), default=False)
    title, rules, step = _("Change an attribute or item"), ("SZ-09a", "SZ-01", "SZ-06"), "change-field"

    @classmethod
    def ways(cls, sheet: "AugenDesZwielichts") -> Iterator[Offer]:
        """Offer all fields, but that of the mount only if there is a mount."""
        keys = [key for key in FIELDS if key != "mount" or sheet.mount]
        yield cls.offer(among={"key": {key: _named(sheet, key) for key in keys}})

    def patch(self, sheet: "AugenDesZwielichts") -> dict[str, Any]:
        """Return the patch that changes the word and if it is fit for combat, but not the colour."""
        return {f"fields.{self.key}.word": _given(self.word), f"fields.{self.key}.combat": self.combat}

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the new word."""
        return _("{field}: now {word}").format(field=_named(sheet, self.key), word=self.word)


class ChangeMark(_Step):
    """SZ-09a: change the demon's mark."""

    mark: Name = field(_("Which new mark?"))
    title, rules, step = _("Change the mark"), ("SZ-09a", "SZ-03"), "change-mark"

    def patch(self, sheet: "AugenDesZwielichts") -> dict[str, Any]:
        """Return the patch that changes the mark."""
        return {"demon.mark": _given(self.mark)}

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the mark."""
        return _("Mark: {mark}").format(mark=self.mark)


def _given(text: str) -> str:
    """Return a required word without outer spaces. Raise `Refused` if it is empty."""
    if not text.strip():
        raise Refused(_("A word is missing; write one."))
    return text.strip()


class LeaveOut(Act):
    """SZ-09a: skip a step: any step of a level, but in a dark section only gaining an ability."""

    title, rules, group = _("Skip this step"), ("SZ-09a",), headings.SECTION

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it if the next step is voluntary."""
        if play.steps and _voluntary(sheet, play):
            yield cls.offer(note=str(STEPS[play.steps[0]]))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay",
              outcome: Thrown = None) -> Play | Lasting:
        """Skip the step. Raise `Refused` if it is not voluntary."""
        if not play.steps or not _voluntary(sheet, play):
            raise Refused(_("This step of a dark section cannot be skipped."))
        return skip_needless_steps(play, sheet.model_dump(), play.steps[1:])


def _voluntary(sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> bool:
    return sheet.shade == "light" or play.steps[0] == "gain-ability"
