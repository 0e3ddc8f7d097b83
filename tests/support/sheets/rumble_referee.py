"""A referee for Dice Rumble, written from the short rules alone: dice, duels, damage, who may respond."""

from tests.support.sheets.referee import Referee

BRAWL, DODGE, TOUGH = "Nahkampf", "Akrobatik", "Konstitution"
USUAL = {BRAWL: "strength", "Ballistik": "dexterity", DODGE: "dexterity", TOUGH: "strength"}
"""The attribute that a talent of the book is rolled with by whoever has not learnt it."""


class Fighter:
    """Somebody by what stands on the sheet."""

    def __init__(self, data):
        self.attributes, self.talents = data["attributes"], {one["name"]: one for one in data["talents"]}
        self.weapons = [(one["name"], one["talent"], one["damage"]) for one in data["weapons"]]

    def threshold(self, talent):
        """Attribute and talent."""
        known = self.talents.get(talent, {"attribute": USUAL[talent], "points": 0})
        return self.attributes[known["attribute"]] + known["points"]

    @property
    def life(self):
        """Strength, what is learnt to be tough, and five."""
        return self.attributes["strength"] + self.talents.get(TOUGH, {"points": 0})["points"] + 5

    def arm(self, index=None):
        """(threshold, what the weapon adds) of a weapon, or of bare hands."""
        _name, talent, damage = ("", BRAWL, 0) if index is None else self.weapons[index]
        return self.threshold(talent), damage

    @property
    def usual(self):
        """What is fought with unless something else is said: the first weapon, else bare hands."""
        return self.arm(0 if self.weapons else None)

    @property
    def ways(self):
        """{button: (whether it is a duel, arm)} of all by which one can hurt somebody."""
        arms = {f"weapons-{index}": self.arm(index) for index in range(len(self.weapons))}
        return {"roll-attack-unarmed": (False, self.arm()), "roll-duel-damage": (True, self.arm()),
                **{f"roll-attack-{key}": (False, arm) for key, arm in arms.items()},
                **{f"roll-duel-damage-{key}": (True, arm) for key, arm in arms.items()}}

    @property
    def reactions(self):
        """{key: (title, arm)} of what answers an attack: to strike back with a weapon, or to dodge."""
        arms = [(f"weapon-{index}", name) for index, (name, *_more) in enumerate(self.weapons)]
        back = {key: (f"Strike back: {name}", self.arm(index)) for index, (key, name) in enumerate(arms)}
        return {**back, "unarmed": (f"Strike back: {BRAWL}", self.arm()),
                "dodge": (f"Dodge: {DODGE}", (self.threshold(DODGE), None))}


def succeeds(face, threshold):
    """A 1 always, a 10 never."""
    return face == 1 or (face <= threshold and face != 10)


def blow(face, threshold, weapon):
    """The damage of an attack without a reaction, None for a miss."""
    return max(0, threshold - face) + weapon if succeeds(face, threshold) else None


def duel(mine, theirs, threshold, other):
    """Tell whether the first side wins, None for nobody (`ValueError` where both roll again)."""
    good, well = succeeds(mine, threshold), succeeds(theirs, other)
    if good != well or not good:
        return good if good != well else None
    if mine != theirs:
        return mine < theirs
    if threshold == other:
        raise ValueError("both roll again")
    return threshold > other


class DiceRumbleReferee(Referee):
    """The lowest initiative die goes first, and is the action; once all are spent all roll again."""

    def __init__(self, heroes, opponents):
        super().__init__(heroes, opponents)
        self.dice, self.first = {}, []
        self.fighters, self.lost = {}, {}

    def line(self):
        """By the dice; the same die by name, unless it has been said otherwise."""
        places = {name: self.first.index(name) if name in self.first else len(self.first) for name in self.there}
        return sorted(self.there, key=lambda name: (places[name], self.dice.get(name, 0), name))

    def due(self, name):
        return name in self.dice

    def round_begins(self, event):
        fell = {one.sheet.name.lower(): one.faces[0] for one in event.steps.select_related("sheet").filter(
            act="roll-initiative")}
        assert set(fell) == self.there - set(self.dice)
        assert all(1 <= face <= 10 for face in fell.values())
        self.dice |= fell
        self.first = []

    def round_ends(self):
        self.dice = {}

    def turn_ends(self, name):
        self.dice.pop(name, None)

    def may_wait(self, name):
        return self.dice.get(name, 10) != 10 or super().may_wait(name)

    def waits(self, name):
        """A die of 10 cannot be turned, nor one that is spent: then whoever is next goes first."""
        if self.dice.get(name, 10) != 10:
            self.dice[name] = 10
            self.first = [one for one in self.first if one != name]
            return
        after = min(self.next_ones({name}))
        line = [one for one in self.line() if one != name]
        self.first = [*line[:line.index(after) + 1], name, *line[line.index(after) + 1:]]

    def put_first(self, name):
        """The GM's word goes before the dice: for the first turn, too, while nobody has had one."""
        self.first = [name, *(one for one in self.line() if one != name)]
        if not (self.had or self.held):
            self.on = self.next_ones()

    def left(self, name):
        super().left(name)
        self.dice.pop(name, None)

    def written(self, name):
        return {"die": self.dice.get(name), "lost": self.lost.get(name, 0)}

    def read(self, name, play):
        return {"die": play.get("initiative"), "lost": play.get("life_lost", 0)}

    def may_respond(self, name):
        """{key: title} of what somebody may do who is attacked: nothing without a die, for that is the action."""
        if name not in self.dice:
            return {}
        found = {key: f"{title} ({arm[0]})" for key, (title, arm) in self.fighters[name].reactions.items()}
        return {**found, "forgo": "Do not respond"}

    def acted(self, name):
        """An attack is the action, and so the die of whoever is on; tell whether one was left."""
        return name in self.on and self.dice.pop(name, None) is not None

    def life(self, name):
        """The life points that somebody has left."""
        return self.fighters[name].life - self.lost.get(name, 0)

    def figures(self, name):
        die = {"Initiative": self.dice[name]} if name in self.dice else {}
        return {"Life points": self.life(name), **die}

    def fallen(self, name):
        return self.life(name) <= 0

    def hurt(self, name, points):
        """Damage is taken; nothing keeps life above 0."""
        self.lost[name] = self.lost.get(name, 0) + points
