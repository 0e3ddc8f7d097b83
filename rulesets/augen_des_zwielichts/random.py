"""Random characters of our own words; a group's own tables are pasted at the sheet."""

DEMONS = {
    "Schilfflüsterer": ("Nasse Fußspuren", "Stimmen im Wind deuten", "Schilfkind"),
    "Rußkatze": ("Graue Schlieren um die Augen", "Durch Rauch gehen", "Funkenschweif"),
    "Laternenmotte": ("Schuppenstaub auf der Haut", "Licht verschlucken", "Vom Licht gezogen"),
    "Kieselmutter": ("Steinerne Fingernägel", "Steine rufen", "Geduldig wie Fels"),
    "Frostweberin": ("Eisblumen am Hals", "Wasser erstarren lassen", "Kalter Atem"),
    "Brunnenlacher": ("Eine hallende Stimme", "Mit Spiegelbildern tauschen", "Tiefer Blick"),
    "Donnerkröte": ("Ein Wetterleuchten unter der Haut", "Donner schlucken", "Sprungkraft"),
}
"""{demon: its mark, its ability, a word for its field}."""
ORIGINS = {
    "Fährleute am großen Fluss": ("Kennt jede Strömung", "Feilscht gern", "Bootshaken"),
    "Köhlerdorf in den Bergen": ("Zäh", "Riecht Gefahr", "Holzfälleraxt"),
    "Wandertheater": ("Tausend Gesichter", "Auswendig gelernt", "Theaterschwert"),
    "Teehaus der Hauptstadt": ("Hört alles", "Ruhige Hand", "Eiserner Fächer"),
    "Waffenschmiede": ("Starke Arme", "Feuerfest", "Übungsklinge"),
    "Kloster im Nebel": ("Stille", "Alte Schriften", "Wanderstab"),
}
"""{origin: two words, and an item that is fit for combat}."""
MOUNTS = (("Wasserbüffel", "Morchel"), ("Riesenkranich", "Silberfeder"), ("Wolfshund", "Asche"),
          ("Bergziege", "Distel"))
FEARS = ("Tiefes Wasser", "Verlassen zu werden", "Enge Räume", "Das eigene Spiegelbild", "Feuer", "Stille",
         "Versprechen zu brechen", "Masken")
ABILITIES = ("Lautlos fallen", "Mit Vögeln sprechen", "Spuren verwischen", "Wunden schließen", "Seile beseelen",
             "Ein Lied, das einschläfert", "Schatten verlängern", "Gerüche lesen")
BLACK = ("demon", "origin_1", "origin_2", "item", "free_item")


def sampled(rng) -> dict:
    """Sheet data of a character at the start."""
    demon, origin = rng.choice([*DEMONS]), rng.choice([*ORIGINS])
    mark, gift, word = DEMONS[demon]
    first, second, item = ORIGINS[origin]
    mount = rng.choice((None, *MOUNTS))
    words = {"honour": "", "mount": mount[0] if mount else "", "demon": word, "origin_1": first, "origin_2": second,
             "item": item, "free_item": ""}
    black = rng.choice((*BLACK, "mount") if mount else BLACK)
    return {
        "demon": {"name": demon, "mark": mark}, "origin": origin,
        "mount": mount and {"kind": mount[0], "name": mount[1]},
        "fears": rng.sample(FEARS, 2),
        "fields": {key: {"word": word, "colour": "black" if key == black else "white", "combat": key == "item"}
                   for key, word in words.items()},
        "abilities": [{"name": gift, "demon": True},
                      *({"name": name} for name in rng.sample(ABILITIES, 2))],
    }
