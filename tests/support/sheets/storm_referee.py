"""A referee for attacks in Dämmersturm, written from the source alone: hits, protection, damage."""

import re
from dataclasses import dataclass, replace

from tests.support.sheets.referee import Referee

FEW, DEMANDED = 5, 3
"""Life at which one is exhausted; damage that a shadow point demands."""
MELEE = ("knife", "dagger", "hidden-blade", "fist", "one-handed", "two-handed", "lance", "spear")
AREA = ("explosive", "artillery", "tactical-artillery")
UNSHIELDED, UNCOVERED = ("behind", "explosive", "artillery"), ("melee", "behind")
"""What neither shield nor armour stops, and what cover is no help against."""
BEHIND, SOUGHT = 3, 10
"""What an attack from behind adds; the number of cover that is sought."""
FORGO = "Do not respond"
SEEK = "Seek protection (Cover 10+ until the end of the next turn, without movement or action.)"
TIMES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3}
MORE = {1: 5, 3: 10}
LEAST = {5: 20, 6: 30}
"""What the die of a critical hit does: it multiplies, adds a die, and deals so much at the least."""


@dataclass(frozen=True)
class Way:
    """An attack by what stands on a sheet: the bonus, the defence that it meets, and what does the damage."""

    bonus: int
    against: str
    source: str
    span: str = ""
    """The damage; of what is at hand the sheet does not know it."""
    w: int | None = None
    targets: str = ""

    @property
    def behind(self):
        """Whether it comes from behind, so that a failure is thrown again and the damage twice."""
        return self.source == "behind"

    def with_span(self, span):
        """The same where the GM says what it does."""
        return replace(self, span=span)

    def hits(self, natural, defence):
        """Tell whether so high a roll hits: above the defence, a 20 always, a 1 never; a W number is to be reached."""
        if self.w is not None:
            return natural != 1 and natural + self.bonus >= self.w
        return natural == 20 or (natural != 1 and natural + self.bonus > defence)

    def dealt(self, faces, critical):
        """The damage of these faces, the last of which is what a critical hit adds."""
        most, rolls = tuple(map(int, self.span.split("-"))), 2 if self.behind else 1
        assert len(faces) == rolls + (critical in MORE)
        assert all(most[0] <= face <= most[1] for face in faces[:rolls])
        more = sum(faces[rolls:])
        assert more <= MORE.get(critical, 0)
        return max(TIMES[critical] * sum(faces[:rolls]) + more, LEAST.get(critical, 0))


class Warrior:
    """Somebody by what stands on the profile."""

    def __init__(self, data):
        self.bonus = {key: data[key]["attack"] for key in ("melee", "ranged", "magic")}
        self.defence = {key: data[key]["defence"] for key in self.bonus}
        self.weapons, self.shield, self.armour = data["weapons"], data["shield"], data["armour"]

    @property
    def ways(self):
        """{button: attack} of all by which one can hit somebody with one weapon, or with what is at hand."""
        found = {"roll-attack-magic": Way(self.bonus["magic"], "magic", "magic")}
        if not any(one["kind"] in MELEE for one in self.weapons):
            found["roll-attack-melee"] = Way(self.bonus["melee"], "melee", "melee")
        if all(one["kind"] in MELEE + AREA for one in self.weapons):
            found["roll-attack-ranged"] = Way(self.bonus["ranged"], "ranged", "ranged")
        for index, one in enumerate(self.weapons):
            found |= {f"roll-{key}": way for key, way in self._with(one, f"weapons-{index}")}
        return found

    def _with(self, weapon, place):
        melee, ranged, harm = self.bonus["melee"], self.bonus["ranged"], weapon["damage"]
        kind = weapon["kind"]
        if kind in AREA:
            source = "explosive" if kind == "explosive" else "artillery"
            yield f"w-roll-{place}", Way(ranged, "", source, harm, weapon["w"], weapon["targets"])
            return
        if kind in MELEE:
            yield f"attack-{place}", Way(melee, "melee", "melee", harm)
            yield f"attack-{place}-behind", Way(melee + BEHIND, "melee", "behind", harm)
        if kind not in MELEE or kind == "spear":
            yield f"attack-{place}-shot", Way(ranged, "ranged", "ranged", harm)
        if kind not in MELEE and weapon["reload_actions"]:
            # In melee reach it uses the melee value in all respects.
            yield f"attack-{place}-close", Way(melee, "melee", "melee", harm)
            yield f"attack-{place}-close-behind", Way(melee + BEHIND, "melee", "behind", harm)

    def protects(self, source, *, sheltered):
        """{key: title} of what may stop all of it before the damage falls."""
        found = {}
        if self.shield and source not in UNSHIELDED:
            found["shield"] = "Shield roll"
        if sheltered and source not in UNCOVERED:
            found["cover"] = "Cover roll"
        return found

    def may_respond(self, source, *, sheltered):
        """The same with protection that is sought only now, and with doing nothing; nothing where that is all."""
        found = self.protects(source, sheltered=sheltered)
        if not sheltered and source not in UNCOVERED:
            found["seek-protection"] = SEEK
        return {**found, "forgo": FORGO} if found else {}

    def guards(self, source, points, *, sheltered, asked):
        """The keys of what may stop damage that fell: armour, which depends on it; and what there was no time for."""
        found = set() if asked else set(self.protects(source, sheltered=sheltered))
        most = self.armour and self.armour["max_damage"]
        if self.armour and source not in UNSHIELDED and (not most or points <= most):
            found.add("armour")
        return found

    def stops(self, key, face):
        """Tell whether such a roll stops the damage."""
        return {"shield": lambda: face + self.bonus["melee"] >= self.shield["target"],
                "cover": lambda: face >= SOUGHT, "armour": lambda: face >= self.armour["target"]}[key]()


class DaemmersturmReferee(Referee):
    """The GM sets the order; what is due is due as a turn begins, and who is out of the fight has none."""

    def __init__(self, heroes, opponents):
        super().__init__(heroes, opponents)
        self.first, self.full, self.life, self.mana = [], {}, {}, {}
        self.down, self.due_rolls, self.sheltered = set(), set(), {}
        self.owed, self.lasting, self.fighters, self.unready = {}, {}, {}, {}

    def line(self):
        """As the GM has set it; whoever comes later comes last."""
        return [one for one in self.first if one in self.there] + sorted(self.there - {*self.first})

    def due(self, name):
        return name not in self.down

    may_fight = due

    def figures(self, name):
        return {"Life points": self.life[name]}

    def fallen(self, name):
        return name in self.down

    def turn_begins(self, name):
        """What shadow still demands is paid with life; what lasts has one turn less, and its damage is due."""
        self.hurt(name, self.owed.pop(name, 0))
        self.lasting[name] = [(turns - 1, True) for turns, _due in self.lasting.get(name, []) if turns]
        exhausted = FEW >= self.life[name] < self.full[name] or self.mana.get(name) == 0
        self.due_rolls -= {name}
        if exhausted and name not in self.down:
            self.due_rolls.add(name)
        if name in self.sheltered:
            self.sheltered[name] = True

    def turn_ends(self, name):
        """Protection lasts to the end of the turn after it was sought, all else to that of its last one."""
        self.lasting[name] = [(turns, due) for turns, due in self.lasting.get(name, []) if turns or due]
        if self.sheltered.get(name):
            del self.sheltered[name]

    def waits(self, name):
        """Whoever is next goes first; so it stays until the GM says otherwise."""
        after = min(self.next_ones({name}))
        line = [one for one in self.line() if one != name]
        self.first = [*line[:line.index(after) + 1], name, *line[line.index(after) + 1:]]

    def hurt(self, name, points):
        self.life[name] = max(0, self.life[name] - points)
        if not self.life[name]:
            self.falls(name)

    def falls(self, name):
        self.down.add(name)
        self.due_rolls.discard(name)
        self.sheltered.pop(name, None)

    def may_respond(self, name, source):
        """{key: title} of what somebody may do before damage falls: whoever is out takes no part any more."""
        return {} if name in self.down else self.fighters[name].may_respond(source, sheltered=name in self.sheltered)

    def ready(self, name, which):
        """Tell whether the weapon of an attack may be used."""
        return self._place(which) not in self.unready.get(name, {})

    def fired(self, name, which, natural):
        """Write down, and answer, the actions a weapon needs after a shot: to be treated after a fumble, and loaded."""
        place = self._place(which)
        weapon = self.fighters[name].weapons[place - 1] if place else None
        if weapon is None or weapon["kind"] in MELEE + AREA:
            return 0
        # In melee reach it is a melee attack in all respects.
        fumbled = natural == 1 and "-close" not in which
        steps = max(1, weapon["reload_actions"]) + 1 if fumbled else weapon["reload_actions"]
        if steps:
            self.unready.setdefault(name, {})[place] = steps
        return steps

    @staticmethod
    def _place(which):
        found = re.search(r"weapons-(\d+)", which)
        return int(found[1]) + 1 if found else 0

    def came(self, name, *, opponent):
        super().came(name, opponent=opponent)
        self.life[name] = self.full[name]

    def written(self, name):
        return {"life": self.life[name], "down": name in self.down, "roll": name in self.due_rolls,
                "sheltered": name in self.sheltered, "owed": self.owed.get(name, 0),
                "lasting": self.lasting.get(name, []), "unready": self.unready.get(name, {})}

    def read(self, name, play):
        life = play.get("life")
        return {"life": self.full[name] if life is None else life, "down": play.get("down", False),
                "roll": play.get("exhaustion_due", False), "sheltered": bool(play.get("sheltered")),
                "owed": play.get("shadow_owed", 0),
                "lasting": [(one["turns"], one.get("due", False)) for one in play.get("conditions", ())],
                "unready": {one["place"]: one["steps"] for one in play.get("unready", ())}}
