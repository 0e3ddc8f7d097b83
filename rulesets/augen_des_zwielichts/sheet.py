"""The sheet: seven coloured words, a demon, an origin, fears, abilities, the section (SZ-01 to SZ-08)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.augen_des_zwielichts import hints, measures, widgets
from rulesets.augen_des_zwielichts.catalogue import FEARS, FIELDS, LAST, LASTING, SECTIONS, SHADES, Shade
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

WITHIN = Step("demon", _("Demon and origin"), _(
    "Who lives in you, where you come from, what you ride, what you fear. Make it up, or roll on your group's "
    "tables, which you can paste on the sheet's page."))
WORDS = Step("fields", _("Words"), _(
    "Each word gives a die of its colour. One of the seven is black at the start: it helps like the others, and it may "
    "leave a condition."))
GIFTS = Step("abilities", _("Abilities"), _("One is the demon's, two are your own. What you want from them always "
                                            "happens."))
START = 3
"""Abilities at creation (SZ-05)."""
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
    """The house rules: points where a party plays otherwise."""

    chill: bool = field(_("Chill-Regeln: everyone may fight"), default=False)
    literal_weaken: bool = field(_("Two sixes weaken the enemy by 1 and 3"), default=False)
    weaken_often: bool = field(_("Weaken the enemy several times a round"), default=False)


class AugenDesZwielichts(Sheet):
    """A character."""

    demon: Demon = field(_("The demon within"), step=WITHIN)
    origin: Name = field(_("Origin"), step=WITHIN, help=_("From your group's table, or in your own words."))
    mount: Mount | None = field(_("Mount"), None, step=WITHIN)
    fears: list[Name] = rows(_("Fears"), step=WITHIN, help=_(
        "One per line; two at the start. When one gets in your way, add a black die."))
    fields: Fields = field(_("Attributes and items"), step=WORDS)
    abilities: list[Ability] = rows(
        _("Abilities"), step=GIFTS, one=_("Ability"), initial_rows=START,
        help=_("Three at the start. Choose which of them is the demon's."))
    section: Count = field(_("Section"), 1, choices=SECTIONS, step=GIFTS,
                           help=_("I at the start; it goes up in play with a level or a sixth condition."))
    shade: Shade = field(_("Light or dark"), "dark", choices=SHADES, step=GIFTS,
                          help=_("Dark at the start; gaining a level makes the next section light."))

    @property
    def house(self) -> AugenDesZwielichtsHouse:
        """The rules that the sheet is played under."""
        return self.house_or(AugenDesZwielichtsHouse)

    @property
    def black(self) -> list[str]:
        """Keys of the black fields."""
        return [key for key, one in self.fields.all().items() if one.colour == "black"]

    @property
    def begins(self) -> bool:
        """True for a start: section I, or one that does not exist, which is taken for it until it is mended (SZ-08)."""
        return self.section == 1 or self.section not in range(1, LAST + 1)

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
        """Return whether a weapon or word lets the character fight without winning “Take a risk” first."""
        return house.chill or any(one.combat for one in self.fields.all().values())

    @rule("SZ-01")
    def filled(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Fields 3 to 6 have words, always; at the start the others are as the start leaves them."""
        for key in LASTING:
            if not getattr(self.fields, key).filled:
                yield error(_("Field {field} has no word yet; fields 3 to 6 are filled from the start."),
                            f"fields.{key}.word", self.words_for(key), field=FIELDS[key])
        if self.begins:
            yield from self.start()

    def words_for(self, key: str) -> Iterator[Mend]:
        """Yield the words that the sheet has elsewhere for what belongs into a field."""
        known = {"demon": self.demon.name, "origin_1": self.origin, "origin_2": self.origin}.get(key, "").strip()
        if known:
            yield Mend(_("Write “{word}”"), {f"fields.{key}.word": known}, word=known)

    def start(self) -> Iterator[Finding]:
        """Yield the fields 1, 2 and 7 in section I."""
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
        """At the start one field is black, and not the empty honour."""
        black = self.black
        if not self.begins or (len(black) == 1 and black != ["honour"]):
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
        """A demon with a name, and an origin."""
        if not self.demon.name.strip():
            yield error(_("The demon has no name yet; every character has a demon within."), "demon.name")
        if not self.origin.strip():
            yield error(_("The origin is missing; say where the character comes from."), "origin")

    @rule("SZ-04")
    def wrong_fears(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Two at the start, none to two later."""
        known = [index for index, fear in enumerate(self.fears) if fear.strip()]
        if len(self.fears) > FEARS:
            kept = self.first_fears()
            over = {f"fears.{index}": DROP for index in range(len(self.fears)) if index not in kept}
            told = _("Keep the first two") if kept == [*range(FEARS)] else _("Keep the first two that differ")
            yield error(_("Fears: {n}; the maximum is two."), "fears", [Mend(told, over)], n=len(self.fears))
        elif self.begins and len(known) != FEARS:
            yield error(_TO_FEAR, "fears", lacking=True, n=FEARS - len(known))
        elif twice := self.same_fears():
            # Two that are the same are one fear: not what a start has, and later nothing that a roll would notice.
            say = error if self.begins else warning
            yield say(_("The fear “{fear}” is listed twice; name another."), "fears", fear=twice)

    def first_fears(self) -> list[int]:
        """Return the indices of the first two fears that are named and differ, or of what comes nearest to that."""
        named: dict[str, int] = {}
        for index, fear in enumerate(self.fears):
            if fear.strip():
                named.setdefault(fear.strip().casefold(), index)
        rest = [index for index in range(len(self.fears)) if index not in named.values()]
        return sorted([*named.values(), *rest][:FEARS])

    def same_fears(self) -> str:
        """Return the fear that is there twice, letter case and outer spaces aside; "" where none is."""
        kept = [fear.strip() for fear in self.fears if fear.strip()]
        same = [*map(str.casefold, kept)]
        return next((fear for index, fear in enumerate(kept) if same.index(same[index]) < index), "") \
            if len({*same}) < len(same) else ""

    @rule("SZ-05")
    def wrong_abilities(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """One of the demon's, and as many as the section allows."""
        section = 1 if self.begins else self.section
        most = abilities_allowed(section)
        own = [index for index, one in enumerate(self.abilities) if one.demon]
        if not START <= len(self.abilities) <= most:
            told = _("Abilities: {n}; in section {section} there are exactly {least}.") if most == START else \
                _("Abilities: {n}; in section {section} there are {least} to {most}.")
            spare = [index for index in reversed(range(len(self.abilities))) if index not in own[:1]]
            over = {f"abilities.{index}": DROP for index in spare[:max(0, len(self.abilities) - most)]}
            fewer = START - len(self.abilities)
            yield error(_TO_COME if fewer > 0 else told, "abilities",
                        [Mend(_("Keep the first {n}"), over, n=most)] if over else (), lacking=fewer > 0,
                        n=fewer if fewer > 0 else len(self.abilities),
                        section=SECTIONS[section], least=START, most=most)
        if self.abilities and len(own) != 1:
            # Those without a name yet are told apart by their numbers.
            called = [one.name.strip() or f"{_('Ability')} {n}" for n, one in enumerate(self.abilities, 1)]
            its = str(_("“{ability}” is the demon's"))
            mends = (Mend(its, {f"abilities.{one}.demon": one == index for one in {*own, index}},
                          ability=called[index]) for index in own or range(len(self.abilities)))
            says = _("{n} abilities are the demon's; it has exactly one.") if own else \
                _("None of the abilities is the demon's yet; one of them must be.")
            yield error(says, "abilities", mends, lacking=not own, n=len(own))

    @rule("SZ-05")
    def without_names(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Abilities are told apart by their names; of several without one it is said once, at the first."""
        if unnamed := [index for index, one in enumerate(self.abilities) if not one.name.strip()]:
            yield warning(_UNNAMED, f"abilities.{unnamed[0]}.name", n=len(unnamed))

    @rule("SZ-06")
    def without_weapon(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """Yield a warning if there is no weapon: the dice have to be asked first."""
        if not self.may_fight(house):
            yield warning(
                _("No word is a weapon or fit for combat: to join a fight, the character must first succeed at “Take "
                  "a risk”."), "fields",
                self.weapon_mends(),
                lacking=not all(getattr(self.fields, key).filled for key in LASTING))

    def weapon_mends(self) -> Iterator[Mend]:
        """Yield the words, each fit for combat."""
        fit = str(_("“{word}” is fit for combat"))
        yield from (Mend(fit, {f"fields.{key}.combat": True}, word=one.word.strip())
                    for key, one in self.fields.all().items() if one.filled)

    @rule("SZ-08")
    def in_order(self, house: AugenDesZwielichtsHouse) -> Iterator[Finding]:
        """I to VI, and a start is dark."""
        if not 1 <= self.section <= LAST:
            yield error(_("There is no section {n}, only 1 to {last}."), "section",
                        [Mend(_("Set it to {n}"), {"section": one}, n=one) for one in
                         dict.fromkeys((1, min(max(self.section, 1), LAST)))], n=self.section, last=LAST)
        elif self.section == 1 and self.shade == "light":
            yield error(_("Section I is light; it must be dark at the start."), "shade",
                        [Mend(_("Make it dark"), {"shade": "dark"})])

    def limits(self, house: AugenDesZwielichtsHouse) -> Mapping[str, tuple[int | None, int | None]]:
        """Return the limits of the section: I to VI (SZ-08)."""
        return {"section": (1, LAST)}

    def hints(self, house: AugenDesZwielichtsHouse) -> Iterator[tuple[str, Wording]]:
        """Yield what a colour does to the odds, and which words a start has."""
        yield from hints.for_sheet(self)

    def measures(self, house: AugenDesZwielichtsHouse) -> Iterator[Measure]:
        """Yield how it compares with a party."""
        yield from measures.for_sheet(self, house)

    def roll_offers(self, play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Yield the moves, help, the fight, and the solution."""
        yield from widgets.for_sheet(self, play)
