"""What random characters of Dämmersturm can be; no points are spent here, so a concept says it all (DS-01 to DS-09)."""

from rulesets.kit import HIGHEST, Concept, Draw, few, one, some, told

BOWS = ("Meisterschütze", "Gezielter Schuss", "Fokus (Fernkampf)", "Adlerauge", "Waldläufer", "Tötungsmaschine",
        "Scharfschütze", "Tödliche Fehler", "Flinker Bogenschütze", "Guerillakämpfer", "Plänkler", "Treffsicherheit",
        "Trickschütze", "Analytiker", "Jagdschütze", "Den Apfel vom Kopf", "Späher")
"""Special abilities by what they are of use with: of those that the list knows by name each has its place."""
GUNS = ("Füsilier", "Munitionsspezialist", "Ansturmsfeuer", "Kugelhagel", "Ballistiker", "Deckungsfeuer")
HANDGUNS = ("Revolverheld", "Pistolier")


class Bonus(Draw):
    """An attack bonus within the bounds of the house (DS-01)."""

    def __init__(self, least: int, most: int):
        self.wish = few(least, most)

    def drawn(self, drawing):
        """The nearest that the house allows."""
        return min(drawing.house.highest, max(drawing.house.lowest, self.wish.drawn(drawing)))


class AtMost(Draw):
    """A number that the house may bound by the field of its name; 0 there is no bound."""

    def __init__(self, bound: str, least: int, most: int):
        self.bound, self.wish = bound, few(least, most)

    def drawn(self, drawing):
        """What is wished, or the bound."""
        return min(self.wish.drawn(drawing), getattr(drawing.house, self.bound) or HIGHEST)


class Damage(Draw):
    """A range of damage, within the bound of the house."""

    def __init__(self, *ends: int):
        self.ends = ends

    def drawn(self, drawing):
        """Both ends."""
        return "-".join(str(min(end, drawing.house.most_damage or HIGHEST)) for end in self.ends)


LEVELS = ((-4, -1), (9, 12)), ((0, 2), (11, 14)), ((3, 5), (13, 16))
"""Bonus and defence of a skill that one does without (0), knows (1) or lives by (2)."""


def _skill(level: int) -> dict:
    bonus, defence = LEVELS[level]
    return {"attack": Bonus(*bonus), "defence": AtMost("most_defence", *defence)}


def _weapon(kind: str, low: int, high: int, words: str = "", hands: int = 1, **more) -> Draw:
    return told(words or kind, kind=kind, hands=hands, damage=Damage(low, high), **more)


def _listed(text: str, *names: str) -> Draw:
    """A special ability by its name in the list, with a text of ours."""
    return told(text, "text", name=one(*names))


def _own(kind: str) -> Draw:
    return told(kind, "name", "text")


def _concept(skills: tuple[int, int, int], weapons: tuple, abilities: tuple, life=(18, 26), **more) -> Concept:
    return Concept({**dict(zip(("melee", "ranged", "magic"), map(_skill, skills), strict=True)),
                    "life": AtMost("most_life", *life), "weapons": weapons, "abilities": abilities, **more})


SWORD = one(_weapon("one-handed", 1, 10), _weapon("one-handed", 2, 11), _weapon("one-handed", 3, 12))
GREAT = one(_weapon("two-handed", 2, 14, hands=2), _weapon("two-handed", 3, 16, hands=2))
KNIFE = one(_weapon("knife", 1, 5), _weapon("dagger", 1, 6))
BOW = one(_weapon("bow", 1, 10, hands=2), _weapon("bow", 2, 12, hands=2))
PISTOL = _weapon("handgun", 3, 12, reload_actions=1)
MUSKET = _weapon("gun", 4, 16, hands=2, reload_actions=2)
GRENADE = _weapon("explosive", 1, 12, w=10, targets="1-4")
SHIELD = {"target": few(12, 16)}
PLATE = {"target": few(4, 6), "max_damage": one(0, 10, 15)}
STURDY = some(1, 1, _own("sturdy"), _own("melee"))

CONCEPTS = {
    "knight": _concept((2, 0, 0), (SWORD,), (_own("shield"), STURDY), (26, 36), armour_class="heavy", shield=SHIELD,
                       armour=PLATE),
    "swordsman": _concept((2, 0, 0), (SWORD, KNIFE), (_own("melee"), STURDY), armour_class=one("light", "medium")),
    "breaker": _concept((2, 0, 0), (GREAT,), (_own("melee"), _own("sturdy")), (24, 34),
                        armour_class=one("medium", "heavy")),
    "daggers": _concept((2, 1, 0), (_weapon("dagger", 1, 6), _weapon("dagger", 1, 7),
                                    some(0, 1, _weapon("throwing-knife", 1, 6))),
                        (_own("sly"), some(0, 1, _listed("thrown", "Messer/Axtwerfer"))), (15, 22),
                        armour_class=one("none", "light")),
    "spear": _concept((2, 1, 0), (_weapon("spear", 1, 10, hands=2), some(0, 1, KNIFE)),
                      (_own("melee"), _listed("thrown", "Speerwerfer")), armour_class=one("light", "medium")),
    "rider": _concept((2, 1, 0), (_weapon("lance", 4, 16), SWORD), (_own("rider"), STURDY), (22, 32),
                      armour_class=one("medium", "heavy")),
    "archer": _concept((0, 2, 0), (BOW, KNIFE), (_listed("shot", *BOWS[:8]), some(0, 1, _listed("shot", *BOWS[8:]))),
                       (15, 22), armour_class=one("none", "light")),
    "scout": _concept((1, 2, 0), (BOW, some(1, 1, KNIFE, _weapon("throwing-knife", 1, 6))),
                      (_listed("shot", *BOWS[8:]), _own("sly")), (16, 24), armour_class=one("none", "light")),
    "crossbow": _concept((1, 2, 0), (_weapon("crossbow", 3, 14, hands=2, reload_actions=1), KNIFE),
                         (_listed("shot", "Armbrustschütze"), some(0, 1, _listed("shot", *BOWS[1:8]))),
                         armour_class=one("light", "medium")),
    "horse-archer": _concept((0, 2, 0), (BOW, _weapon("lance", 3, 12)),
                             (_listed("rider_shot", "Berittener Schütze"), _own("rider")), armour_class="light"),
    "slinger": _concept((1, 2, 0), (_weapon("throwing-knife", 1, 8, "sling"), KNIFE),
                        (_listed("thrown", "Schleuderschütze"), _own("sly")), (15, 22)),
    "pistols": _concept((1, 2, 0), (PISTOL, one(PISTOL, _weapon("fist", 1, 6), KNIFE)),
                        (_listed("gunfire", *HANDGUNS), some(0, 1, _listed("gun", *GUNS[1:]))), (16, 24),
                        armour_class=one("none", "light")),
    "musket": _concept((0, 2, 0), (MUSKET, KNIFE), (_listed("gunfire", *GUNS), some(0, 1, _own("sturdy"))),
                       armour_class=one("light", "medium")),
    "grenadier": _concept((1, 2, 0), (GRENADE, one(SWORD, PISTOL)),
                          (_listed("bang", "Grenadier", "Sprengstoffexperte"), some(0, 1, _own("sturdy"))),
                          armour_class=one("light", "medium")),
    "gunner": _concept((0, 2, 0), (one(_weapon("artillery", 4, 20, hands=2, reload_actions=3, w=12, targets="1-6"),
                                       _weapon("tactical-artillery", 5, 20, hands=2, reload_actions=2)), KNIFE),
                       (_listed("bang", "Belagerungsexperte"), some(0, 1, _own("sturdy"))), armour_class="light"),
    "assassin": _concept((1, 2, 0), (_weapon("hidden-blade", 1, 6), _weapon("blowpipe", 1, 4)),
                         (_listed("shot", "Attentäter"), _own("sly")), (14, 20)),
    "brawler": _concept((2, 0, 0), (_weapon("fist", 1, 6), _weapon("fist", 1, 7)), (_own("melee"), _own("sturdy")),
                        (22, 32)),
    "light": _concept((1, 0, 2), (_weapon("two-handed", 1, 8, "staff", 2),), (_own("light"), some(0, 1, _own("ward"))),
                      resource="light", armour_class=one("none", "light")),
    "mage": _concept((0, 0, 2), (one(KNIFE, _weapon("two-handed", 1, 8, "staff", 2)),),
                     (_own("mana"), some(0, 1, _own("ward"))), (15, 22), resource="mana"),
    "shadow": _concept((1, 0, 2), (KNIFE,), (_own("shadow"), some(0, 1, _own("sly"))), (15, 22), resource="shadow",
                       armour_class=one("none", "light")),
    "shaman": _concept((1, 1, 2), (_weapon("spear", 1, 10),), (_own("elements"), some(0, 1, _own("sturdy"))), (20, 28),
                       resource="elements", armour_class=one("none", "light")),
}
"""By slug; what each is called stands in the vocabularies."""
