"""Concepts for random characters of Augen des Zwielichts at the start: a past life and the demon (SZ-01 to SZ-08)."""

from typing import Any

from rulesets.augen_des_zwielichts.catalogue import FIELDS
from rulesets.kit import Concept, Draw, row_from, text_from
from rulesets.kit.concepts import Drawing

SLUGS = ("ferry", "soot", "stage", "tea", "smith", "monk", "hunter", "healer", "courier", "thief", "sword", "scribe")


class Words(Draw):
    """A draw of the seven fields: one of the filled fields is black, and the item is fit for combat."""

    def __init__(self, slug: str, black: tuple[str, ...]) -> None:
        self.slug, self.black = slug, black

    def drawn(self, drawing: Drawing) -> Any:
        """Return the fields with words of the former life, of the demon, and of the mount if there is one."""
        mounted = _mount(drawing, self.slug)
        words = {
            "honour": "", "mount": mounted["kind"] if mounted else "",
            "demon": drawing.entry("demons", "demon")[4],
            "origin_1": drawing.entry(f"{self.slug}_words", "first"),
            "origin_2": drawing.entry(f"{self.slug}_words", "second"),
            "item": drawing.entry(f"{self.slug}_items", "item"), "free_item": "",
        }
        black = drawing.pick([key for key in self.black if words[key]])
        return {key: {"word": words[key], "colour": "black" if key == black else "white", "combat": key == "item"}
                for key in FIELDS}


def _mount(drawing: Drawing, slug: str) -> dict | None:
    """Return a mount that suits the former life in two of three cases, else None."""
    kind, name = drawing.entry(f"{slug}_mounts", "mount")
    return {"kind": kind, "name": name} if drawing.entry("riding", "mount", (True, True, False)) else None


class Mount(Draw):
    """A draw of a mount or none; its kind is also the word of the field for the mount."""

    def __init__(self, slug: str) -> None:
        self.slug = slug

    def drawn(self, drawing: Drawing) -> Any:
        """Return the kind and name of the mount, None if there is none."""
        return _mount(drawing, self.slug)


def _concept(slug: str) -> Concept:
    return Concept({
        "demon": {"name": text_from("demons", 0, "demon"), "mark": text_from("demons", 1, "demon")},
        "origin": text_from(f"{slug}_origins", None, "origin"), "mount": Mount(slug),
        "fears": [text_from("fears", None, "first"), text_from("fears", None, "second")],
        "fields": Words(slug, ("demon", "demon", "origin_1", "origin_2", "item", "mount")),
        "abilities": [
            {"name": text_from("demons", 2, "demon"), "demon": True, "text": text_from("demons", 3, "demon")},
            row_from(f"{slug}_gifts", "name", "text"), row_from(f"{slug}_gifts", "name", "text"),
        ],
    })


CONCEPTS = {slug: _concept(slug) for slug in SLUGS}
"""{slug: concept}; their names are in the vocabularies."""
