"""Acts that write words gained in play: honour, the free item, and entries of custom tables (SZ-01, SZ-03)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings, rolls
from rulesets.augen_des_zwielichts.catalogue import FEARS, FIELDS
from rulesets.augen_des_zwielichts.play.change import abilities_allowed
from rulesets.augen_des_zwielichts.play.state import PLACE, TABLES, Table
from rulesets.kit import (
    ROWS,
    Act,
    Count,
    Lasting,
    Name,
    Offer,
    Play,
    Refused,
    RemoveRow,
    Roll,
    Thrown,
    Wording,
    field,
    patched,
    row,
    with_row,
)

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts


class FillField(Act):
    """SZ-01: fill in honour or the free item: in section I in the state of play, later on the sheet."""

    key: Literal["honour", "free_item"] = field(
        _("Which field?"), choices={key: FIELDS[key] for key in ("free_item", "honour")})
    word: Name = field(_("Which word?"))
    combat: bool = field(_("Fit for combat"), default=False)
    title, rules, group = _("Fill in honour or the free item"), ("SZ-01", "SZ-06"), headings.SECTION

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it except during a change of section."""
        if play.free:
            yield cls.offer(rare=True)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay",
              outcome: Thrown = None) -> Play | Lasting:
        """Fill the field; in section I, where sheets leave it empty (SZ-01), in the state of play."""
        if not (word := self.word.strip()):
            raise Refused(_("A word is missing; write one."))
        if sheet.section <= 1:
            return play.evolve(honour=word) if self.key == "honour" else \
                play.evolve(free_item=word, free_item_combat=self.combat)
        patch = {f"fields.{self.key}.word": word, f"fields.{self.key}.combat": self.combat}
        return Lasting(play, patched(sheet.model_dump(), patch))

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the word."""
        return _("{field}: now {word}").format(field=FIELDS[self.key], word=self.word)


class PasteTable(Act):
    """SZ-03: paste a custom table of the group, with one entry per line."""

    into: PLACE = field(_("What is the table for?"), choices=TABLES)
    entries: list[Name] = field(_("Entries, one per line"), long=True)
    title, rules, group = _("Paste a custom table"), ("SZ-03", "SZ-04", "SZ-05"), headings.SECTION

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it always, even during a change of section."""
        yield cls.offer(note=_("It is saved with the sheet, so that you can roll on it."), rare=True)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Add the table, replacing an earlier one for the same purpose; an empty one only removes that."""
        if len(self.entries) > ROWS:
            raise Refused(_("The maximum is {n} entries.").format(n=ROWS))
        others = [one for one in play.tables if one.into != self.into]
        if not self.entries:
            return play.evolve(tables=others)
        return play.evolve(tables=with_row(others, Table(into=self.into, entries=self.entries)))

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the purpose of the table, and the number of entries."""
        return _("Table for {what}, entries: {n}").format(what=TABLES[self.into], n=len(self.entries))


class DrawEntry(Act):
    """SZ-03: roll on a table, and write the entry onto the sheet."""

    index: Count = field(_("Table"))
    title, rules, group = _("Roll on a custom table"), ("SZ-03", "SZ-04", "SZ-05"), headings.SECTION

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it for each table."""
        for index, one in enumerate(play.tables):
            yield cls.offer(_("Roll: {what}").format(what=TABLES[one.into]), f"tables.{index}",
                            _("Written onto the sheet."), index=index)

    def roll(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Roll:
        """Return a die with as many sides as there are entries."""
        return rolls.Draw(entries=len(row(play.tables, self.index).entries))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay",
              outcome: Thrown = None) -> Play | Lasting:
        """Write the entry onto the sheet; fears and abilities are added, or replace the newest if there is no place."""
        table = row(play.tables, self.index)
        data = sheet.model_dump()
        return Lasting(play, patched(data, _written(table.into, table.entries[outcome.value - 1], data)))


class DropTable(RemoveRow):
    """SZ-03: remove a table."""

    index: Count = field(_("Table"))
    title, rules, rows, rare, group = _("Put away a table"), ("SZ-03",), "tables", True, headings.SECTION

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Return the title of the act, with the purpose of the table."""
        return _("Put away: {what}").format(what=TABLES[row.into])


def _written(into: str, entry: str, data: dict) -> dict:
    """Return the patch {path: value} that writes an entry of a table onto the sheet."""
    if into == "fear":
        kept = data["fears"] if len(data["fears"]) < FEARS else data["fears"][:-1]
        return {"fears": [*kept, entry]}
    if into == "ability":
        return {"abilities": _abilities(entry, data)}
    if into == "mount":
        name = (data["mount"] or {}).get("name", "")
        return {"mount": {"kind": entry, "name": name}, "fields.mount.word": entry}
    return {"demon": {"demon.name": entry, "fields.demon.word": entry}, "origin": {"origin": entry},
            "item": {"fields.item.word": entry}}[into]


def _abilities(entry: str, data: dict) -> list[dict]:
    """Return the abilities with a new one, the demon's if it has none; without a free place, the newest is replaced."""
    rows = list(data["abilities"])
    if len(rows) >= abilities_allowed(data["section"]):
        given = max((index for index, one in enumerate(rows) if not one["demon"]), default=len(rows) - 1)
        del rows[given]
    return [*rows, {"name": entry, "demon": not any(one["demon"] for one in rows), "text": ""}]
