"""The sheet: seven coloured words, a demon, an origin, fears, abilities, the section (SZ-01 to SZ-08)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.augen_des_zwielichts import hints, measures, widgets
from rulesets.augen_des_zwielichts.catalogue import FEARS, FIELDS, LAST_SECTION, LASTING, SECTIONS, SHADES, Shade
from rulesets.augen_des_zwielichts.parts import Ability, Demon, Fields, Mount
from rulesets.augen_des_zwielichts.play.change import abilities_allowed
from rulesets.kit import (
    DROP,
    Count,
    Finding,
    House,
    Measure,
    Mend,
    Name,
    Offer,
    Sheet,
    Step,
    Wording,
    derived,
    error,
    field,
    rows,
    rule,
    warning,
)

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay

DEMON_STEP = Step("demon", _("Demon and origin"), _(
    "Who lives in you, where you come from, what you ride, what you fear. Make it up, or roll on your group's "
    "tables, which you can paste on the sheet's page."))
WORDS_STEP = Step("fields", _("Words"), _(
    "Each word gives a die of its colour. One of the seven is black at the start: it helps like the others, and it may "
    "leave a condition."))
ABILITIES_STEP = Step("abilities", _("Abilities"), _(
    "One is the demon's, two are your own. What you want from them always happens."))
STARTING_ABILITIES = 3
"""The number of abilities of a new character (SZ-05)."""
_UNNAMED = ngettext_lazy("{n} ability has no name yet.", "{n} abilities have no name yet.", "n")
_UNFILLED = {
    "honour": _("Field 1, honour, says “{word}”; it must be empty at the start."),
    "free_item": _("Field 7 says “{word}”; at the start it has no word and is filled in play."),
}
_TO_FEAR = ngettext_lazy("{n} fear is missing; there are two at the start.",
                         "{n} fears are missing; there are two at the start.", "n")
_TO_COME = ngettext_lazy("{n} ability is missing; there are three at the start.",
                         "{n} abilities are missing; there are three at the start.", "n")


class AugenDesZwielichtsHouse(House):
    """The rules that a party can change."""

    chill: bool = field(_("Chill-Regeln: everyone may fight"), default=False)
    literal_weaken: bool = field(_("Two sixes weaken the enemy by 1 and 3"), default=False)
    weaken_often: bool = field(_("Weaken the enemy several times a round"), default=False)


class AugenDesZwielichts(Sheet):
    """A character."""

    demon: Demon = field(_("The demon within"), step=DEMON_STEP)
    origin: Name = field(_("Origin"), step=DEMON_STEP, help=_("From your group's table, or in your own words."))
    mount: Mount | None = field(_("Mount"), None, step=DEMON_STEP)
    fears: list[Name] = rows(_("Fears"), step=DEMON_STEP, help=_(
        "One per line; two at the start. When one gets in your way, add a black die."))
    fields: Fields = field(_("Attributes and items"), step=WORDS_STEP)
    abilities: list[Ability] = rows(
        _("Abilities"), step=ABILITIES_STEP, row_name=_("Ability"), initial_rows=STARTING_ABILITIES,
        help=_("Three at the start. Choose which of them is the demon's."))
    section: Count = field(_("Section"), 1, choices=SECTIONS, step=ABILITIES_STEP,
                           help=_("I at the start; it goes up in play with a level or a sixth condition."))
    shade: Shade = field(_("Light or dark"), "dark", choices=SHADES, step=ABILITIES_STEP,
                          help=_("Dark at the start; gaining a level makes the next section light."))

    @property
    def house(self) -> AugenDesZwielichtsHouse:
        """The house rules under which the sheet is played."""
        return self.house_or(AugenDesZwielichtsHouse)

    @property
    def black(self) -> list[str]:
        """The keys of the black fields."""
        return [key for key, one in self.fields.all().items() if one.colour == "black"]

    @property
    def is_new(self) -> bool:
        """True for a new character: in section I, or in an invalid one, which counts as I until it is fixed (SZ-08)."""
        return self.section == 1 or self.section not in range(1, LAST_SECTION + 1)

    @property
    def has_mount(self) -> bool:
        """True if there is a mount, or a word for one."""
        return self.mount is not None or self.fields.mount.filled

    @derived("black_fields", _("Black fields"), "SZ-02", how=_("1 at the start; this changes with the sections"))
    def black_fields(self, house: AugenDesZwielichtsHouse | None = None) -> int:
        """Return the number of black fields among the seven."""
        return len(self.black)

    @derived("may_fight", _("May join a fight"), "SZ-06", how=_("If a word is a weapon or fit for combat"))
    def may_fight(self, house: AugenDesZwielichtsHouse) -> bool:
        """Return True if the character may fight without first succeeding at “Take a risk”."""
        return house.chill or any(one.combat for one in self.fields.all().values())

    @rule("SZ-01")
    def filled(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield an error for each of fields 3 to 6 without a word, and at the start for wrong words in 1, 2 and 7."""
        for key in LASTING:
            if not getattr(self.fields, key).filled:
                yield error(_("Field {field} has no word yet; fields 3 to 6 are filled from the start."),
                            f"fields.{key}.word", self.words_for(key), field=FIELDS[key])
        if self.is_new:
            yield from self.start()

    def words_for(self, key: str) -> Iterator[Mend]:
        """Yield the words from other parts of the sheet that fit a field."""
        known = {"demon": self.demon.name, "origin_1": self.origin, "origin_2": self.origin}.get(key, "").strip()
        if known:
            yield Mend(_("Write “{word}”"), {f"fields.{key}.word": known}, word=known)

    def start(self) -> Iterator[Finding]:
        """Yield errors on the words of fields 1, 2 and 7 in section I."""
        for key, message in _UNFILLED.items():
            one = getattr(self.fields, key)
            if one.filled:
                yield error(message, f"fields.{key}.word",
                            [Mend(_("Empty the field"), {f"fields.{key}.word": ""})], word=one.word.strip())
        word = self.fields.mount.word.strip()
        if self.mount is not None and not word:
            called = (self.mount.kind.strip() or self.mount.name.strip())
            yield error(_("There is a mount, but field 2 has no word for it."), "fields.mount.word",
                        [*([Mend(_("Write “{word}”"), {"fields.mount.word": called}, word=called)]
                           if called else ()), Mend(_("Without a mount"), {"mount": None})])
        elif word and self.mount is None:
            yield error(_("Field 2 says “{word}”, but there is no mount; it is filled only if there is one."),
                        "fields.mount.word",
                        [Mend(_("Empty the field"), {"fields.mount.word": ""}),
                         Mend(_("Add the mount"), {"mount": {"kind": word, "name": ""}})], word=word)

    @rule("SZ-02")
    def one_black(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield an error unless exactly one field is black at the start, and not honour, which is empty."""
        black = self.black
        if not self.is_new or (len(black) == 1 and black != ["honour"]):
            return
        others = [key for key in FIELDS if key != "honour" and (key != "mount" or self.has_mount)]
        keep, only = [key for key in black if key in others] or others, str(_("Only “{field}” black"))
        mends = (Mend(only, {f"fields.{one}.colour": "black" if one == key else "white" for one in {*black, key}},
                      field=FIELDS[key]) for key in keep)
        message = _("Field 1, honour, is black; at the start the one black field must be another.") \
            if black == ["honour"] else _("No word is black yet; at the start it is one of the seven.") \
            if not black else _("{n} of the seven fields are black; at the start exactly one is.")
        yield error(message, "fields", mends, lacking=not black, n=len(black))

    @rule("SZ-03")
    def missing_demon_or_origin(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield errors if the demon has no name, or the origin is missing."""
        if not self.demon.name.strip():
            yield error(_("The demon has no name yet; every character has a demon within."), "demon.name")
        if not self.origin.strip():
            yield error(_("The origin is missing; say where the character comes from."), "origin")

    @rule("SZ-04")
    def wrong_fears(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield a finding unless there are two different fears at the start, or up to two different ones later."""
        known = [index for index, fear in enumerate(self.fears) if fear.strip()]
        if len(self.fears) > FEARS:
            kept = self.first_fears()
            over = {f"fears.{index}": DROP for index in range(len(self.fears)) if index not in kept}
            told = _("Keep the first two") if kept == [*range(FEARS)] else _("Keep the first two that differ")
            yield error(_("Fears: {n}; the maximum is two."), "fears", [Mend(told, over)], n=len(self.fears))
        elif self.is_new and len(known) != FEARS:
            yield error(_TO_FEAR, "fears", lacking=True, n=FEARS - len(known))
        elif twice := self.same_fears():
            # Two equal fears count as one: that is wrong at the start, and makes no difference to rolls later.
            say = error if self.is_new else warning
            yield say(_("The fear “{fear}” is listed twice; name another."), "fears", fear=twice)

    def first_fears(self) -> list[int]:
        """Return the indices of the first two different fears; if there are fewer, of the first other rows, too."""
        named: dict[str, int] = {}
        for index, fear in enumerate(self.fears):
            if fear.strip():
                named.setdefault(fear.strip().casefold(), index)
        rest = [index for index in range(len(self.fears)) if index not in named.values()]
        return sorted([*named.values(), *rest][:FEARS])

    def same_fears(self) -> str:
        """Return a fear that is listed twice, ignoring letter case and outer spaces; "" if there is none."""
        kept = [fear.strip() for fear in self.fears if fear.strip()]
        same = [*map(str.casefold, kept)]
        return next((fear for index, fear in enumerate(kept) if same.index(same[index]) < index), "") \
            if len({*same}) < len(same) else ""

    @rule("SZ-05")
    def wrong_abilities(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield errors unless the number of abilities is allowed, and exactly one is the demon's."""
        section = 1 if self.is_new else self.section
        most = abilities_allowed(section)
        own = [index for index, one in enumerate(self.abilities) if one.demon]
        if not STARTING_ABILITIES <= len(self.abilities) <= most:
            told = _("Abilities: {n}; in section {section} there are {least} to {most}.")
            if most == STARTING_ABILITIES:
                told = _("Abilities: {n}; in section {section} there are exactly {least}.")
            spare = [index for index in reversed(range(len(self.abilities))) if index not in own[:1]]
            over = {f"abilities.{index}": DROP for index in spare[:max(0, len(self.abilities) - most)]}
            fewer = STARTING_ABILITIES - len(self.abilities)
            yield error(_TO_COME if fewer > 0 else told, "abilities",
                        [Mend(_("Keep the first {n}"), over, n=most)] if over else (), lacking=fewer > 0,
                        n=fewer if fewer > 0 else len(self.abilities),
                        section=SECTIONS[section], least=STARTING_ABILITIES, most=most)
        if self.abilities and len(own) != 1:
            # Abilities without a name are referred to by their numbers.
            called = [one.name.strip() or f"{_('Ability')} {n}" for n, one in enumerate(self.abilities, 1)]
            its = str(_("“{ability}” is the demon's"))
            mends = (Mend(its, {f"abilities.{one}.demon": one == index for one in {*own, index}},
                          ability=called[index]) for index in own or range(len(self.abilities)))
            says = _("{n} abilities are the demon's; it has exactly one.") if own else \
                _("None of the abilities is the demon's yet; one of them must be.")
            yield error(says, "abilities", mends, lacking=not own, n=len(own))

    @rule("SZ-05")
    def without_names(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield one warning, at the first ability without a name, because abilities are told apart by their names."""
        if unnamed := [index for index, one in enumerate(self.abilities) if not one.name.strip()]:
            yield warning(_UNNAMED, f"abilities.{unnamed[0]}.name", n=len(unnamed))

    @rule("SZ-06")
    def without_weapon(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield a warning if there is no weapon, because joining a fight then takes a successful roll."""
        if not self.may_fight(house):
            yield warning(
                _("No word is a weapon or fit for combat: to join a fight, the character must first succeed at “Take "
                  "a risk”."), "fields",
                self.weapon_mends(),
                lacking=not all(getattr(self.fields, key).filled for key in LASTING))

    def weapon_mends(self) -> Iterator[Mend]:
        """Yield a mend for each word, which makes it fit for combat."""
        fit = str(_("“{word}” is fit for combat"))
        yield from (Mend(fit, {f"fields.{key}.combat": True}, word=one.word.strip())
                    for key, one in self.fields.all().items() if one.filled)

    @rule("SZ-08")
    def in_order(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield an error if the section is not I to VI, or if section I is light."""
        if not 1 <= self.section <= LAST_SECTION:
            yield error(_("There is no section {n}, only 1 to {last}."), "section",
                        [Mend(_("Set it to {n}"), {"section": one}, n=one) for one in
                         dict.fromkeys((1, min(max(self.section, 1), LAST_SECTION)))],
                        n=self.section, last=LAST_SECTION)
        elif self.section == 1 and self.shade == "light":
            yield error(_("Section I is light; it must be dark at the start."), "shade",
                        [Mend(_("Make it dark"), {"shade": "dark"})])

    def limits(self, house: AugenDesZwielichtsHouse) -> Mapping[str, tuple[int | None, int | None]]:
        """Return the limits of the section: I to VI (SZ-08)."""
        return {"section": (1, LAST_SECTION)}

    def hints(self, house: AugenDesZwielichtsHouse) -> Iterator[tuple[str, Wording]]:
        """Yield the odds of words, fears and abilities, and the fields that are empty at the start."""
        yield from hints.for_sheet(self)

    def measures(self, house: AugenDesZwielichtsHouse) -> Iterator[Measure]:
        """Yield the figures that compare the character with its party."""
        yield from measures.for_sheet(self, house)

    def roll_offers(self, play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Yield the moves, help, the rolls of a fight, and the solution."""
        yield from widgets.for_sheet(self, play)
