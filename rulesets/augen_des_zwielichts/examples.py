"""Sheets that show what Augen des Zwielichts can do, and sheets that break one rule each."""

from typing import Any

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.catalogue import FIELDS
from rulesets.kit import patched


def _document(name: str, words: tuple, black: tuple, combat: tuple, abilities: tuple, **more: Any) -> dict:
    """Return a full document; `words` fill the seven fields, and the first ability is the demon's."""
    data = {
        "fields": {key: {"word": word, "colour": "black" if key in black else "white", "combat": key in combat}
                   for key, word in zip(FIELDS, words, strict=True)},
        "abilities": [{"name": one, "demon": not index} for index, one in enumerate(abilities)], **more,
    }
    return RULESET.document(name, RULESET.sheet.model_validate(data).model_dump())


EXAMPLES = {
    "ferrywoman": _document(
        "Mio Schilfgrund", ("", "Wasserbüffel", "Flüstert mit dem Wind", "Kennt jede Strömung", "Feilscht gern",
                            "Bootshaken", ""), ("demon",), ("item",),
        ("Stimmen im Wind deuten", "Spuren verwischen", "Seile beseelen"),
        demon={"name": "Schilfflüsterer", "mark": "Nasse Fußspuren"}, origin="Fährleute am großen Fluss",
        mount={"kind": "Wasserbüffel", "name": "Morchel"}, fears=["Feuer", "Verlassen zu werden"],
    ),
    "charcoal-burner": _document(
        "Goro Aschehand", ("", "", "Funkenschweif", "Zäh", "Riecht Gefahr", "Holzfälleraxt", ""), ("item",), ("item",),
        ("Durch Rauch gehen", "Gerüche lesen", "Wunden schließen"),
        demon={"name": "Rußkatze", "mark": "Graue Schlieren um die Augen"}, origin="Köhlerdorf in den Bergen",
        fears=["Tiefes Wasser", "Stille"],
    ),
    "actress": _document(
        "Suzume Tausendgesicht", ("Retterin von Nordtor", "Riesenkranich", "Vom Licht gezogen", "Tausend Gesichter",
                                  "Auswendig gelernt", "Theaterschwert", "Mondlaterne"), ("origin_1",), ("item",),
        ("Licht verschlucken", "Ein Lied, das einschläfert", "Mit Vögeln sprechen", "Masken beleben"),
        demon={"name": "Laternenmotte", "mark": "Schuppenstaub auf der Haut"}, origin="Wandertheater",
        mount={"kind": "Riesenkranich", "name": "Silberfeder"}, fears=["Das eigene Spiegelbild"], section=2,
        shade="light",
    ),
    "smith": _document(
        "Tetsu Feuerfest", ("", "", "Geduldig wie Fels", "Starke Arme", "Feuerfest", "Übungsklinge", "Rostiger Anker"),
        ("demon", "origin_2", "item", "free_item"), ("item", "free_item"),
        ("Steine rufen", "Metall singen lassen", "Wunden schließen", "Glut tragen", "Lasten teilen"),
        demon={"name": "Kieselmutter", "mark": "Steinerne Fingernägel"}, origin="Waffenschmiede",
        fears=["Versprechen zu brechen", "Enge Räume"], section=4,
    ),
    "monk": _document(
        "Bruder Nebel", ("Hüter der Quelle", "", "Kalter Atem", "Stille", "Alte Schriften", "Wanderstab", ""),
        ("demon", "origin_1", "honour"), ("item",),
        ("Wasser erstarren lassen", "Lautlos fallen", "Gerüche lesen"),
        demon={"name": "Frostweberin", "mark": "Eisblumen am Hals"}, origin="Kloster im Nebel", fears=[], section=6,
        shade="light",
    ),
}
"""Two new characters, one in a light section, one in a dark section, and one that has retired."""


def _offender(patch: dict | None = None, *, name: str = "Sünder") -> dict:
    """Return the example Mio with a patch applied."""
    return RULESET.document(name, patched(EXAMPLES["ferrywoman"]["data"], patch or {}))


OFFENDERS = {
    "SZ-00": _offender(name=" "),
    "SZ-01": _offender({"fields.origin_1.word": ""}),
    "SZ-02": _offender({"fields.item.colour": "black"}),
    "SZ-03": _offender({"demon.name": ""}),
    "SZ-04": _offender({"fears": ["Feuer"]}),
    "SZ-05": _offender({"abilities.0.demon": False}),
    "SZ-06": _offender({"fields.item.combat": False}),
    "SZ-08": _offender({"shade": "light"}),
}
"""{rule: sheet that breaks this rule only}."""
