"""The change of section after a sixth condition or for a level; sessions and adventures (SZ-08 to SZ-09c)."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings
from rulesets.augen_des_zwielichts.catalogue import FEARS, FIELDS, LAST_SECTION, SECTIONS, SHADES
from rulesets.kit import Act, Count, Lasting, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts

LEVELS = {1: 5, 2: 8, 3: 10}
"""{level: section points that it takes} (SZ-09a)."""
CHANGES = ("drop-fear", "change-field", "change-mark", "turn-white")
MORE = {2: ("drop-fear", "exchange-ability"), 3: ("drop-fear", "change-field", "exchange-ability")}
"""{level: steps that it adds to those of the levels below}."""
ABILITIES = {1: 3, 2: 4}
MOST_ABILITIES = 5


def abilities_allowed(section: int) -> int:
    """Return the most abilities in a section: three, four from II, five from III (SZ-05)."""
    return ABILITIES.get(section, 3 if section < 1 else MOST_ABILITIES)


def is_possible(step: str, data: dict) -> bool:
    """Return True if there is anything that a step could change."""
    fields = data["fields"]
    return {
        "turn-black": lambda: bool(whites(fields)),
        "turn-white": lambda: bool(blacks(fields)),
        "name-fears": lambda: sum(bool(fear.strip()) for fear in data["fears"]) < FEARS,
        "drop-fear": lambda: bool(data["fears"]),
        "exchange-ability": lambda: not all(one["demon"] for one in data["abilities"]),
        "gain-ability": lambda: len(data["abilities"]) < abilities_allowed(data["section"]),
    }.get(step, lambda: True)()


def whites(fields: dict) -> list[str]:
    """Return the fields that can turn black: the white ones, but not an empty honour or mount (SZ-02)."""
    return [key for key in FIELDS if fields[key]["colour"] == "white"
            and (key not in ("honour", "mount") or fields[key]["word"].strip())]


def blacks(fields: dict) -> list[str]:
    """Return the fields that can turn white."""
    return [key for key in FIELDS if fields[key]["colour"] == "black"]


def in_next_section(sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", shade: str,
                    steps: tuple[str, ...]) -> Lasting:
    """Return the change to the next section, with words gained in play written to the sheet, and the steps to take."""
    if sheet.section >= LAST_SECTION:
        raise Refused(_("There is no section after {n}.").format(n=SECTIONS[LAST_SECTION]))
    # Start from the effective sheet: from now on, honour and the item gained in play are part of it.
    data = play.effective(sheet).model_dump() | {"section": sheet.section + 1, "shade": shade}
    after = play.evolve(
        conditions=[], conditions_due=0, brought_back=False, section_points=0, honour="", free_item="",
        free_item_combat=False, steps=[],
    )
    return skip_needless_steps(after, data, steps)


def skip_needless_steps(play: "AugenDesZwielichtsPlay", data: dict, steps: Sequence[str]) -> Lasting:
    """Return the change, without leading steps that could not change anything."""
    left = list(steps)
    while left and not is_possible(left[0], data):
        del left[0]
    return Lasting(play.evolve(steps=left), data)


class DarkSection(Act):
    """SZ-09a: begin a dark section after the sixth condition."""

    title, rules, group = _("Start a dark section"), ("SZ-09a", "SZ-08", "SZ-07"), headings.SECTION

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it with six conditions, unless the section is the last one."""
        if play.free and play.full and sheet.section < LAST_SECTION:
            yield cls.offer(note=_("At the end of the session, step by step; the GM gets a corruption point."))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay",
              outcome: Thrown = None) -> Play | Lasting:
        """Begin the dark section with its steps."""
        if not play.full:
            raise Refused(_("A dark section begins with the sixth condition."))
        return in_next_section(sheet, play.with_counts_changed(corruption=1), "dark", (
            "turn-black", "exchange-ability", "name-fears", "gain-ability"))

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the section."""
        return _section(sheet.section + 1, "dark")


class GainLevel(Act):
    """SZ-09a: gain a level with section points, and begin a light section."""

    level: Count = field(_("Level"))
    title, rules, group = _("Gain a level"), ("SZ-09a", "SZ-08", "SZ-09b"), headings.SECTION

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer each level for which there are enough points, unless a sixth condition calls for a dark section."""
        if play.free and not play.full and sheet.section < LAST_SECTION:
            for level, points in LEVELS.items():
                if play.section_points >= points:
                    yield cls.offer(_("Gain level {n}").format(n=level), f"level-{level}",
                                    _("{n} section points; any step can be skipped.").format(n=points), level=level)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay",
              outcome: Thrown = None) -> Play | Lasting:
        """Begin the light section with the steps of the level and of those below it."""
        if play.section_points < LEVELS.get(self.level, LEVELS[1]) or self.level not in LEVELS:
            raise Refused(_("Level {n} needs more section points than the {there} you have.").format(
                n=self.level, there=play.section_points))
        steps = CHANGES + sum((MORE.get(level, ()) for level in range(2, self.level + 1)), ()) + ("gain-ability",)
        return in_next_section(sheet, play, "light", steps)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the section, because the title states the level."""
        return _section(sheet.section + 1, "light")


def _section(number: int, shade: str) -> str:
    return str(_("Section {n}, {shade}").format(n=SECTIONS[number], shade=SHADES[shade]))


class EndSession(Act):
    """SZ-09b: gain up to five section points for a session."""

    chosen: Literal[0, 1, 2, 3] = field(_("How many of the three chosen tasks were done?"))
    solved: bool = field(_("The adventure was solved"), default=False, help=_("Counts only at the end of the "
                                                                              "adventure."))
    peaceful: bool = field(_("It was solved peacefully"), default=False)
    title, rules, group = _("End the session"), ("SZ-09b",), headings.ADVENTURE

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it except during a change of section."""
        if play.free:
            yield cls.offer(note=_("Up to five section points."))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Add the section points."""
        if self.peaceful and not self.solved:
            raise Refused(_("If it was solved peacefully, it was solved; tick both."))
        return play.with_counts_changed(section_points=self.chosen + self.solved + self.peaceful)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the number of section points."""
        return _("Section points: {n}").format(n=play.section_points)


class NewAdventure(Act):
    """SZ-22, SZ-09c: begin an adventure: things allowed once an adventure are allowed again, and the clues are gone."""

    title, rules, group = _("Start a new adventure"), ("SZ-22", "SZ-09c", "SZ-09"), headings.ADVENTURE

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it while there is anything to reset."""
        if play.free and set_back(play) != play:
            yield cls.offer()

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Reset the state, but keep conditions, points and bonus dice."""
        return set_back(play)


def set_back(play: "AugenDesZwielichtsPlay") -> "AugenDesZwielichtsPlay":
    """Return the state at the start of an adventure."""
    return play.after_fight().evolve(fought=0, fighters=0, open_weak_point=None, left_fight=None, travelled=False,
                                     question=False, clues=0, difficulty=0)
