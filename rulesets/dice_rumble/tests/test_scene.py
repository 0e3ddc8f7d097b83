"""A whole scene at the table, beside a referee who goes by the short rules (DR-14 to DR-16, DR-19)."""

import pytest

from tests.support.everyday import everyday
from tests.support.sheets.referee import Referee
from tests.support.sheets.whole_scene import WholeScene


class DiceRumbleReferee(Referee):
    """The lowest initiative die goes first, and is the action; once all are spent all roll again."""

    def __init__(self, heroes, opponents):
        super().__init__(heroes, opponents)
        self.dice, self.first = {}, []

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
        return self.dice[name] != 10 or super().may_wait(name)

    def waits(self, name):
        """A die of 10 cannot be turned: then whoever is next goes first."""
        if self.dice[name] != 10:
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
        return {"die": self.dice.get(name)}

    def read(self, name, play):
        return {"die": play.get("initiative")}


class DiceRumbleScene(WholeScene):
    anew = frozenset({"initiative"})
    roll, asks = "roll-initiative", {"fighters": 2}

    def acts(self, name):
        referee = self.referee
        match self.chance.choice(["react", "wait", "first", "hurt"]):
            case "react":
                # Cleo is to have a turn.
                others = sorted(set(referee.dice) - {name, "cleo"})
                if others:
                    self.reacts(self.chance.choice(others))
            case "wait":
                referee.held_back(name, self.turn("hold", self.player(name)))
            case "first":
                self.goes_first(self.chance.choice(sorted(referee.there)))
            case "hurt":
                other = self.chance.choice(sorted(referee.there))
                self.act(other, "damage", "gm", points=self.chance.randint(1, 3))

    def reacts(self, name):
        self.act(name, "spend-die")
        del self.referee.dice[name]

    def goes_first(self, name):
        """The GM says who comes first of those who are still to come."""
        self.do(f"place:{self.sheets[name].pk}:0")
        self.referee.put_first(name)

    def comes(self):
        """Somebody brings a sheet, and has no die before all roll again."""
        self.brings("ben", "dora")
        self.referee.came("dora", opponent=False)
        return True

    def player(self, name):
        return "ben" if name == "dora" else super().player(name)

    def falls(self):
        """Somebody falls who still holds a die: the GM decides that it is gone."""
        waiting = sorted(set(self.referee.dice) - self.referee.on - {"cleo"})
        if not waiting:
            return False
        self.act(waiting[0], "damage", "gm", points=99)
        self.act(waiting[0], "spend-die", "gm")
        del self.referee.dice[waiting[0]]
        return True


def begun(users, seed, scene_class=DiceRumbleScene):
    """Three against three, who have not begun to play."""
    return scene_class(users, "dice-rumble", DiceRumbleReferee, seed)


@pytest.mark.rule("DR-14", "DR-15", "DR-16", "DR-19")
@pytest.mark.parametrize(("seed", "rounds"), everyday([(1, 4), *((seed, 12) for seed in range(2, 8))]))
def test_a_whole_scene_is_played_as_the_referee_says(django_user_model, seed, rounds):
    scene = begun(django_user_model.objects, seed)
    scene.play_through(rounds)
