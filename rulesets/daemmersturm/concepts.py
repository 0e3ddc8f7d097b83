"""Concepts for random characters of Dämmersturm; no points are spent, so a concept is complete (DS-01 to DS-09)."""

from typing import Any

from rulesets.kit import HIGHEST, Concept, Draw, between, one_of, row_from, some_of
from rulesets.kit.concepts import Drawing

BOWS = ("Meisterschütze", "Gezielter Schuss", "Fokus (Fernkampf)", "Adlerauge", "Waldläufer", "Tötungsmaschine",
        "Scharfschütze", "Tödliche Fehler", "Flinker Bogenschütze", "Guerillakämpfer", "Plänkler", "Treffsicherheit",
        "Trickschütze", "Analytiker", "Jagdschütze", "Den Apfel vom Kopf", "Späher")
"""Special abilities by the weapons they suit; each ability on the community's list is in some concept."""
SCOUTING = BOWS[8:]
"""Abilities for archers on the move; `AIM` are those for archers who take their time."""
AIM = ("Gezielter Schuss", "Fokus (Fernkampf)", "Adlerauge", "Tötungsmaschine", "Scharfschütze", "Tödliche Fehler",
       "Treffsicherheit", "Analytiker")
GUNS = ("Füsilier", "Munitionsspezialist", "Ansturmsfeuer", "Kugelhagel", "Ballistiker", "Deckungsfeuer")
HANDGUNS = ("Revolverheld", "Pistolier")


COSTS = {"Nachsetzen": "1 AP", "Volle Kraft": "2 AP", "Konzentration": "2 AP", "Durchbrechen": "2 AP"}
"""{action ability for melee: cost}."""


class Bonus(Draw):
    """An attack bonus within the bounds of the house (DS-01)."""

    def __init__(self, least: int, most: int) -> None:
        self.wish = between(least, most)

    def drawn(self, drawing: Drawing) -> Any:
        """Return the bonus, moved within the bounds of the house rules."""
        return min(drawing.house.highest, max(drawing.house.lowest, self.wish.drawn(drawing)))


class AtMost(Draw):
    """A number limited by a field of the house rules, in which 0 means no limit."""

    def __init__(self, bound: str, least: int, most: int) -> None:
        self.bound, self.wish = bound, between(least, most)

    def drawn(self, drawing: Drawing) -> Any:
        """Return the number, at most the limit."""
        return min(self.wish.drawn(drawing), getattr(drawing.house, self.bound) or HIGHEST)


class Damage(Draw):
    """A range of damage, limited by the house rules."""

    def __init__(self, *ends: int) -> None:
        self.ends = ends

    def drawn(self, drawing: Drawing) -> Any:
        """Return the range, neither end of it above the maximum of the house rules."""
        return "-".join(str(min(end, drawing.house.most_damage or HIGHEST)) for end in self.ends)


LEVELS = ((-4, -1), (9, 12)), ((0, 2), (11, 14)), ((3, 5), (13, 16))
"""Ranges of (bonus, defence) for a skill that a concept lacks (0), knows (1) or relies on (2)."""


def _skill(level: int) -> dict:
    bonus, defence = LEVELS[level]
    return {"attack": Bonus(*bonus), "defence": AtMost("most_defence", *defence)}


def _weapon(kind: str, low: int, high: int, words: str = "", hands: int = 1, **more: Any) -> Draw:
    return row_from(words or kind, kind=kind, hands=hands, damage=Damage(low, high), **more)


class Listed(Draw):
    """A special ability named in the community's list, with one of our texts for it; no sheet has it twice."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def drawn(self, drawing: Drawing) -> Any:
        """Return its name, a text, and the cost if the rules state one (DS-05a)."""
        name = drawing.entry("listed", ways=self.names)
        return {"name": name, "text": drawing.pick(drawing.vocabulary["listed"][name]), "cost": COSTS.get(name, "")}


def _own(kind: str) -> Draw:
    return row_from(kind, "name", "text")


def _spell(kind: str) -> Draw:
    return row_from(kind, "name", "text", "cost")


def _concept(skills: tuple[int, int, int], weapons: tuple, abilities: tuple, life: tuple[int, int] = (18, 26), *,
             weight: float = 1, **more: Any) -> Concept:
    has = {"life": AtMost("most_life", *life), "weapons": weapons, "abilities": abilities, **more}
    return Concept(dict(zip(("melee", "ranged", "magic"), map(_skill, skills), strict=True)) | has, weight=weight)


SWORD = one_of(_weapon("one-handed", 1, 10), _weapon("one-handed", 2, 11), _weapon("one-handed", 3, 12))
AXE = one_of(_weapon("one-handed", 1, 12, "axe"), _weapon("one-handed", 2, 13, "axe"))
SABRE = _weapon("one-handed", 2, 11, "sabre")
GREAT = one_of(_weapon("two-handed", 2, 14, hands=2), _weapon("two-handed", 3, 16, hands=2))
STAFF = _weapon("two-handed", 1, 8, "staff", 2)
KNIFE = one_of(_weapon("knife", 1, 5), _weapon("dagger", 1, 6))
BOW = one_of(_weapon("bow", 1, 10, hands=2), _weapon("bow", 2, 12, hands=2))
PISTOL = one_of(_weapon("handgun", 3, 12, reload_actions=1), _weapon("handgun", 4, 11, reload_actions=1))
MUSKET = one_of(_weapon("gun", 4, 16, hands=2, reload_actions=2), _weapon("gun", 3, 14, hands=2, reload_actions=1))
GRENADE = one_of(_weapon("explosive", 1, 12, w=10, targets="1-4"), _weapon("explosive", 2, 12, w=12, targets="1-3"))
SHIELD = {"target": between(12, 16)}
PLATE = {"target": between(4, 6), "max_damage": one_of(0, 10, 15)}
ACTION, FORCE = Listed(*COSTS), Listed("Volle Kraft", "Durchbrechen")
STURDY = some_of(0, 1, _own("sturdy"))

CONCEPTS = {
    "knight": _concept((2, 0, 0), (SWORD,), (_own("shield"), ACTION, STURDY), (26, 36), armour_class="heavy",
                       shield=SHIELD, armour=PLATE),
    "swordsman": _concept((2, 0, 0), (SWORD, KNIFE), (_own("melee"), ACTION, STURDY),
                          armour_class=one_of("light", "medium")),
    "breaker": _concept((2, 0, 0), (GREAT,), (FORCE, _own("sturdy")), (24, 34), armour_class=one_of("medium", "heavy")),
    "berserk": _concept((2, 0, 0), (AXE, AXE), (_own("rage"), Listed("Nachsetzen", "Volle Kraft")), (24, 34),
                        armour_class=one_of("none", "light")),
    "fencer": _concept((2, 0, 0), (_weapon("one-handed", 2, 10, "rapier"), _weapon("dagger", 1, 6, "parry")),
                       (_own("fence"), Listed("Nachsetzen", "Konzentration"), some_of(0, 1, _own("fence"))), (17, 24),
                       armour_class=one_of("none", "light")),
    "captain": _concept((2, 0, 0), (SWORD,), (_own("lead"), one_of(_own("lead"), ACTION)), (22, 30),
                        armour_class=one_of("medium", "heavy"), shield=SHIELD),
    "daggers": _concept((2, 1, 0), (_weapon("dagger", 1, 6), _weapon("dagger", 1, 7),
                                    _weapon("throwing-knife", 1, 6)),
                        (_own("sly"), Listed("Messer/Axtwerfer"), some_of(0, 1, _own("sly"))), (15, 22),
                        armour_class=one_of("none", "light")),
    "spear": _concept((2, 1, 0), (one_of(_weapon("spear", 1, 10, hands=2), _weapon("spear", 2, 11, hands=2)), KNIFE),
                      (_own("guard"), one_of(Listed("Speerwerfer"), ACTION)), armour_class=one_of("light", "medium")),
    "rider": _concept((2, 0, 0), (_weapon("lance", 4, 16), SWORD), (_own("rider"), FORCE, STURDY), (22, 32),
                      armour_class=one_of("medium", "heavy")),
    "brawler": _concept((2, 0, 0), (_weapon("fist", 1, 6), _weapon("fist", 1, 7)),
                        (_own("brawl"), Listed("Nachsetzen", "Volle Kraft"), some_of(0, 1, _own("brawl"))), (22, 32)),
    "archer": _concept((1, 2, 0), (BOW, KNIFE), (Listed(*BOWS), Listed(*BOWS)), (15, 22), weight=0.6,
                       armour_class=one_of("none", "light")),
    "scout": _concept((1, 2, 0), (BOW, some_of(1, 1, KNIFE, _weapon("throwing-knife", 1, 6))),
                      (Listed(*SCOUTING), _own("sly")), (16, 24), weight=0.7, armour_class=one_of("none", "light")),
    "crossbow": _concept((1, 2, 0), (_weapon("crossbow", 3, 14, hands=2, reload_actions=1), KNIFE),
                         (Listed("Armbrustschütze"), Listed(*AIM)), weight=0.7, armour_class=one_of("light", "medium")),
    "horse-archer": _concept((1, 2, 0), (BOW, SABRE), (Listed("Berittener Schütze"), _own("rider")), weight=0.7,
                             armour_class="light"),
    "slinger": _concept((1, 2, 0), (_weapon("throwing-knife", 1, 8, "sling"), KNIFE),
                        (Listed("Schleuderschütze"), one_of(_own("sly"), Listed("Treffsicherheit", "Guerillakämpfer"))),
                        (15, 22), weight=0.6),
    "pistols": _concept((1, 2, 0), (PISTOL, one_of(PISTOL, _weapon("fist", 1, 6), SABRE)),
                        (Listed(*HANDGUNS), one_of(Listed("Ansturmsfeuer", "Kugelhagel", "Munitionsspezialist"),
                                                _own("sly"))),
                        (16, 24), armour_class=one_of("none", "light")),
    "musket": _concept((1, 2, 0), (MUSKET, KNIFE), (Listed(*GUNS), one_of(Listed(*GUNS), Listed(*AIM))), weight=0.8,
                       armour_class=one_of("light", "medium")),
    "grenadier": _concept((1, 2, 0), (GRENADE, one_of(SABRE, PISTOL)),
                          (Listed("Grenadier", "Sprengstoffexperte"), _own("sturdy")), weight=0.8,
                          armour_class=one_of("light", "medium")),
    "gunner": _concept((1, 2, 0), (one_of(_weapon("artillery", 4, 20, hands=2, reload_actions=3, w=12, targets="1-6"),
                                       _weapon("tactical-artillery", 5, 20, hands=2, reload_actions=2)), KNIFE),
                       (Listed("Belagerungsexperte"), _own("gunnery")), weight=0.7, armour_class="light"),
    "assassin": _concept((1, 2, 0), (_weapon("hidden-blade", 1, 6), _weapon("blowpipe", 1, 4)),
                         (Listed("Attentäter"), _own("sly"), some_of(0, 1, _own("sly"))), (14, 20)),
    "light": _concept((1, 0, 2), (STAFF,), (_spell("light"), _spell("light"), some_of(0, 1, _own("ward"))),
                      resource="light", armour_class=one_of("none", "light")),
    "paladin": _concept((1, 0, 2), (SWORD,), (_spell("light"), _own("shield")), (22, 30), resource="light",
                        armour_class=one_of("light", "medium"), shield=SHIELD),
    "mage": _concept((1, 0, 2), (one_of(KNIFE, STAFF),), (_spell("mana"), _spell("mana"), some_of(0, 1, _own("ward"))),
                     (15, 22), resource="mana"),
    "shadow": _concept((1, 0, 2), (KNIFE,), (_spell("shadow"), one_of(_spell("shadow"), _own("sly"))), (15, 22),
                       resource="shadow", armour_class=one_of("none", "light")),
    "shaman": _concept((1, 0, 2), (_weapon("spear", 1, 10),), (_spell("elements"), _spell("elements"), STURDY),
                       (20, 28), resource="elements", armour_class=one_of("none", "light")),
    "witch": _concept((1, 0, 2), (_weapon("knife", 1, 5),),
                      (_own("brew"), _spell("elements"), some_of(0, 1, _own("ward"))), (16, 23), resource="elements"),
}
"""{slug: concept}; the titles are in the vocabularies."""
