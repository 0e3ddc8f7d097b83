"""The parts of a sheet: words with a colour, the demon, a mount, abilities (SZ-01, SZ-03, SZ-05, SZ-06)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rulesets.augen_des_zwielichts.catalogue import COLOURS, FIELDS, Colour
from rulesets.kit import CheckedPart, EntryFields, Finding, Name, Text, Wording, field, rule, warning

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichtsHouse


class Word(CheckedPart):
    """An attribute field: a word, the colour of its die (SZ-01), and if it is fit for combat (SZ-06)."""

    word: Name = field(_("Word"), "")
    colour: Colour = field(_("Colour"), "white", choices=COLOURS)
    combat: bool = field(_("Fit for combat"), default=False)

    @property
    def filled(self) -> bool:
        """True if there is a word."""
        return bool(self.word.strip())

    @property
    def label(self) -> Wording:
        """The word, "–" if there is none."""
        return self.word.strip() or "–"

    @property
    def die(self) -> str:
        """The colour, which the page draws as a die."""
        return self.colour

    def what(self) -> Wording:
        """Return the colour, with a note if the word is fit for combat."""
        fit = [_("fit for combat")] if self.combat else []
        return ", ".join(map(str, [COLOURS[self.colour], *fit]))


class Fields(CheckedPart):
    """The seven attribute fields (SZ-01)."""

    honour: Word = field(FIELDS["honour"], help=_("You earn it in play, such as “Dragon slayer”."))
    mount: Word = field(FIELDS["mount"], help=_("What your mount is like."))
    demon: Word = field(FIELDS["demon"], help=_("What your demon can do or is like."))
    origin_1: Word = field(FIELDS["origin_1"], help=_("What has shaped you."))
    origin_2: Word = field(FIELDS["origin_2"], help=_("Something else from there."))
    item: Word = field(FIELDS["item"], help=_("What you brought from there."))
    free_item: Word = field(FIELDS["free_item"], help=_("You find it in play."))

    def all(self) -> dict[str, Word]:
        """Return {key: field} in the order of the fields."""
        return vars(self).copy()

    def words(self, colour: str) -> list[str]:
        """Return the words whose die has this colour."""
        return [one.word.strip() for one in self.all().values() if one.filled and one.colour == colour]


class Demon(CheckedPart):
    """The demon within, with its mark (SZ-03)."""

    name: Name = field(_("Name"), samples=(_("Reed Whisperer"), _("Soot Cat")), help=_("A demon always has one."))
    mark: Name = field(_("Mark"), "", samples=(_("Dark veins on the neck"),), help=_("How the demon shows on the "
                                                                                     "body."))

    def what(self) -> Wording:
        """Return the name and the mark."""
        return ", ".join(filter(str.strip, (self.name, self.mark)))

    @rule("SZ-03")
    def without_mark(self, house: "AugenDesZwielichtsHouse") -> Iterator[Finding]:
        """Yield a finding if the demon has no mark."""
        if not self.mark.strip():
            yield warning(_("The demon has no mark yet; say how it shows on the body."), "mark")


class Mount(CheckedPart):
    """A mount (SZ-03)."""

    kind: Name = field(_("Kind"), "", help=_("What you ride, such as a heron."))
    name: Name = field(_("Name of the mount"), "", help=_("What you call it."))

    def what(self) -> Wording:
        """Return the kind and the name."""
        return ", ".join(filter(str.strip, (self.kind, self.name)))

    @rule("SZ-03")
    def without_kind_or_name(self, house: "AugenDesZwielichtsHouse") -> Iterator[Finding]:
        """Yield a finding if the mount lacks its kind or its name."""
        for key, message in (("kind", _("The mount has no kind yet.")), ("name", _("The mount has no name yet."))):
            if not getattr(self, key).strip():
                yield warning(message, key)


class Ability(CheckedPart):
    """An ability of a character (SZ-05)."""

    name: Name = field(_("Name"), samples=(
        _("Walking through smoke"), _("Speaking with birds"), _("Falling without a sound")),
        help=_("In a few words; what you want from it always happens."))
    demon: bool = field(_("The demon's"), default=False, single=True, help=_("It can never be exchanged."))
    text: Text = field(_("What it does"), "", long=True, help=_("Optional."))

    fields_in_text = frozenset({"demon"})
    party_entry = EntryFields(("name", "text"))

    @property
    def label(self) -> Wording:
        """The name, or "Unnamed ability"."""
        return self.name.strip() or pgettext_lazy("character", "Unnamed ability")

    def what(self) -> Wording:
        """Return a note if it is the demon's."""
        return _("the demon's, never exchanged") if self.demon else ""
