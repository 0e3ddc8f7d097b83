"""A whole scene at the table, beside a referee who goes by the source (DS-32, DS-44, DS-45, DS-50, DS-57)."""

import pytest

from tests.support.everyday import everyday
from tests.support.sheets.referee import Referee
from tests.support.sheets.whole_scene import WholeScene

FEW, DEMANDED = 5, 3
"""Life at which one is exhausted; damage that a shadow point demands."""
MANA = {"magic": {"attack": 0, "defence": 10}, "resource": "mana"}
SHADOW = {"magic": {"attack": 3, "defence": 10}, "resource": "shadow"}


class DaemmersturmReferee(Referee):
    """The GM sets the order; what is due is due as a turn begins, and who is out of the fight has none."""

    def __init__(self, heroes, opponents):
        super().__init__(heroes, opponents)
        self.first, self.full, self.life, self.mana = [], {}, {}, {}
        self.down, self.due_rolls, self.sheltered = set(), set(), {}
        self.owed, self.lasting = {}, {}

    def line(self):
        """As the GM has set it; whoever comes later comes last."""
        return [one for one in self.first if one in self.there] + sorted(self.there - {*self.first})

    def due(self, name):
        return name not in self.down

    may_fight = due

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
        """Protection lasts to the end of the turn after the one in which it was sought."""
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

    def came(self, name, *, opponent):
        super().came(name, opponent=opponent)
        self.life[name] = self.full[name]

    def written(self, name):
        return {"life": self.life[name], "down": name in self.down, "roll": name in self.due_rolls,
                "sheltered": name in self.sheltered, "owed": self.owed.get(name, 0),
                "lasting": self.lasting.get(name, [])}

    def read(self, name, play):
        life = play.get("life")
        return {"life": self.full[name] if life is None else life, "down": play.get("down", False),
                "roll": play.get("exhaustion_due", False), "sheltered": bool(play.get("sheltered")),
                "owed": play.get("shadow_owed", 0),
                "lasting": [(one["turns"], one.get("due", False)) for one in play.get("conditions", ())]}


class DaemmersturmScene(WholeScene):
    roll = "roll-exhaustion"

    def prepare(self):
        referee = self.referee
        referee.full = {name: self.data(name)["life"] for name in referee.there}
        referee.full["dora"], referee.life = referee.full["wolf"], dict(referee.full)
        referee.mana = {"ben": 2}
        referee.first = self.chance.sample(sorted(referee.there), len(referee.there))
        for place, name in enumerate(referee.first):
            self.do(f"place:{self.sheets[name].pk}:{place}")

    def acts(self, name):
        referee = self.referee
        if name in referee.due_rolls:
            return self.rolls(name)
        if name in referee.down:
            return None
        match self.chance.choice(["hurt", "shelter", "lasting", "magic", "wait", "suffer"]):
            case "hurt":
                up = sorted(referee.there - referee.down - {"cleo"})
                self.hit(self.chance.choice(up), self.chance.randint(1, 8))
            case "shelter" if name not in referee.sheltered:
                self.act(name, "seek-protection")
                referee.sheltered[name] = False
            case "lasting":
                turns = self.chance.randint(1, 3)
                self.act(name, "add-condition", kind="other", name="Gift", turns=turns, lowest=1, highest=2)
                referee.lasting.setdefault(name, []).append((turns, False))
            case "magic" if name == "ben" and referee.mana["ben"]:
                self.act(name, "spend-magic_points", points=1, what="Funken")
                referee.mana["ben"] -= 1
            case "magic" if name == "anna" and not referee.owed.get(name):
                self.act(name, "use-shadow", points=1)
                referee.owed[name] = DEMANDED
            case "wait":
                referee.held_back(name, self.turn("hold", self.player(name)))
            case "suffer":
                self.suffers(name)
        return None

    def rolls(self, name):
        """The roll that is due: up to 5 one is out."""
        event = self.act(name, "roll-exhaustion")
        self.referee.due_rolls.discard(name)
        if event.faces[0] <= 5:
            self.referee.falls(name)

    def suffers(self, name):
        """Damage over time that is due, once in a turn."""
        lasting = self.referee.lasting.get(name, [])
        for index, (turns, due) in enumerate(lasting):
            if due:
                event = self.act(name, f"damage-over-time-conditions-{index}", reduced=0)
                lasting[index] = (turns, False)
                self.referee.hurt(name, event.outcome)
                return

    def hit(self, name, points):
        self.act(name, "damage", "gm", points=points)
        self.referee.hurt(name, points)

    def falls(self):
        """Somebody falls who is still to come, and has no turn."""
        waiting = sorted(self.referee.there - self.referee.had - self.referee.on - self.referee.down - {"cleo"})
        if waiting:
            self.hit(waiting[0], 99)
        return bool(waiting)


def begun(users, seed, scene_class=DaemmersturmScene):
    """Three against three, who have not begun to play."""
    return scene_class(users, "daemmersturm", DaemmersturmReferee, seed, anna=SHADOW, ben=MANA)


@pytest.mark.rule("DS-32", "DS-44", "DS-45", "DS-50", "DS-57")
@pytest.mark.parametrize(("seed", "rounds"), everyday([(1, 4), *((seed, 12) for seed in range(2, 8))]))
def test_a_whole_scene_is_played_as_the_referee_says(django_user_model, seed, rounds):
    scene = begun(django_user_model.objects, seed)
    scene.play_through(rounds)
