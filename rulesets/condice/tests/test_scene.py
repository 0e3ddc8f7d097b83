"""A whole scene at the table, beside a referee who goes by the book (CD-45, CD-47, CD-50, CD-52)."""

import pytest

from tests.support.everyday import everyday
from tests.support.sheets.answering import Answering, Question
from tests.support.sheets.referee import Referee

pytestmark = pytest.mark.alike
ANGER = 2
"""The points that an effect adds to the defence."""


class ConDiceReferee(Referee):
    """A turn is a movement and an action, at 0 life one of both; effects last for rounds.

    An attack deals its successes less the defence: 4 and 5 are one, 6 is two.
    """

    def __init__(self, heroes, opponents):
        super().__init__(heroes, opponents)
        self.life, self.full, self.effects, self.defence = {}, {}, {}, {}
        self.moved, self.acted = set(), set()

    def line(self):
        return sorted(self.there, key=lambda name: (name in self.opponents, name))

    def next_ones(self, waiting=()):
        """The players in any order, then the GM's; who holds back comes after both."""
        left = [one for one in self.there if one not in self.had and one not in waiting]
        for some in ([one for one in left if one not in self.held], left):
            players = {one for one in some if one not in self.opponents}
            if players or some:
                return players or {*some}
        return set()

    def turn_begins(self, name):
        self.moved.discard(name)
        self.acted.discard(name)

    turn_ends = turn_begins

    def round_ends(self):
        for name, rounds in self.effects.items():
            self.effects[name] = [one - 1 for one in rounds if one > 1]

    def may(self, name, *, move):
        """Tell whether a movement, or the action, of the turn is open; the action may become a movement."""
        if not self.life[name]:
            return not {name} & (self.moved | self.acted)
        return name not in self.acted or (move and name not in self.moved)

    def moves(self, name):
        (self.acted if name in self.moved else self.moved).add(name)

    def figures(self, name):
        return {"Life points": self.life[name]}

    def fallen(self, name):
        return not self.life[name]

    def dealt(self, faces, at):
        """Return the damage of so many dice."""
        defence = self.defence[at] + ANGER * len(self.effects[at])
        return max(0, sum((face > 3) + (face > 5) for face in faces) - defence)

    def hurt(self, name, points):
        self.life[name] = max(0, self.life[name] - points)

    def heal(self, name, points):
        self.life[name] = min(self.full[name], self.life[name] + points)

    def came(self, name, *, opponent):
        super().came(name, opponent=opponent)
        self.life[name], self.effects[name] = self.full[name], []

    def written(self, name):
        return {"moved": name in self.moved, "acted": name in self.acted, "life": self.life[name],
                "rounds": sorted(self.effects[name])}

    def read(self, name, play):
        life = play.get("life")
        return {"moved": play.get("moved", False), "acted": play.get("acted", False),
                "life": self.full[name] if life is None else life,
                "rounds": sorted(one["rounds"] for one in play.get("effects", ()))}


class ConDiceScene(Answering):
    roll, asks = "roll-success", {"dice": 3}

    def prepare(self):
        referee = self.referee
        referee.full = {name: 2 * self.data(name)["life"] for name in referee.there}
        referee.defence = {name: self.data(name)["defence"] for name in referee.there}
        for figures in (referee.full, referee.defence):
            figures["dora"] = figures.get("wolf")
        referee.life, referee.effects = dict(referee.full), {name: [] for name in referee.there}
        # What somebody did before there were turns is spent in none of them.
        self.act("anna", "move")

    def acts(self, name):
        match self.chance.choice(["move", "action", "attack", "hurt", "heal", "effect", "wait"]):
            case "move":
                self._spends(name, "move", move=True)
            case "action":
                self._spends(name, "take-action", move=False)
            case "attack":
                self.attacks(name, self.chance.choice(sorted(self.referee.there - {name})))
            case "hurt":
                self.hit(self.chance.choice(sorted(self.referee.there)), self.chance.randint(1, 5))
            case "heal":
                if self.referee.life[name] < self.referee.full[name]:
                    self.act(name, "heal", points=2)
                    self.referee.heal(name, 2)
            case "wait" if name not in self.referee.opponents:
                self.referee.held_back(name, self.turn("hold", name))
            case "effect":
                rounds = self.chance.randint(1, 3)
                self.act(name, "change-attributes-others", attributes="defence", by=ANGER, rounds=rounds, name="Zorn")
                self.referee.effects[name].append(rounds)

    def attacks(self, name, at):
        """An attack falls at once, for nobody responds in this system."""
        ways = {f"roll-attack-attacks-{index}": one["dice"] for index, one in enumerate(self.data(name)["attacks"])}
        assert self.offered(name, at, "roll-attack-.*") == set(ways)
        which = self.chance.choice(sorted(ways))
        before = self.untouched()
        assert self.strikes(name, at, which, {}) is None
        roll, *spent = self.since(before[2])
        own = str(self.sheets[name].pk) in self.scene.on and self.referee.may(name, move=False)
        assert [(one.sheet_id, one.act) for one in spent] == [(self.sheets[name].pk, "take-action")][:own]
        if own:
            self.referee.acted.add(name)
        assert [*roll.aimed_at] == [str(self.sheets[at].pk)]
        points = self.referee.dealt(roll.faces, at)
        assert (len(roll.faces), roll.outcome) == (ways[which], points)
        expected = [(at, "damage", {"points": points, "against": "nothing"})] if points else []
        # The action is used by itself.
        expected += [(name, "take-action", {})] * own
        for whom, act, _figures, number in self.landed(roll, expected):
            if act == "damage":
                self.applies(whom, number)
                self.referee.hurt(whom, points)

    def _spends(self, name, which, *, move):
        if self.referee.may(name, move=move):
            self.act(name, which)
            if move:
                self.referee.moves(name)
            else:
                self.referee.acted.add(name)
        else:
            before = self.stored()
            self.try_act(name, which, self.player(name))
            assert self.stored() == before

    def hit(self, name, points):
        self.act(name, "damage", "gm", points=points, against="nothing")
        self.referee.hurt(name, points)

    def falls(self):
        """Somebody whose turn it is falls to 0, and has a movement or an action left, not both."""
        name = min(self.referee.on)
        if {name} & (self.referee.moved | self.referee.acted):
            return False
        self.hit(name, 99)
        for which, move in (("move", True), ("take-action", False)):
            self._spends(name, which, move=move)
        return True


def begun(users, seed, scene_class=ConDiceScene):
    """Three against three, who have not begun to play."""
    return scene_class(users, "condice", ConDiceReferee, seed)


@pytest.mark.rule("CD-45", "CD-47", "CD-50", "CD-52")
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(("seed", "rounds"), everyday([(1, 4), *((seed, 12) for seed in range(2, 8))]))
def test_a_whole_scene_is_played_as_the_referee_says(django_user_model, seed, rounds, waits):
    scene = begun(django_user_model.objects, seed)
    scene.waits = waits
    scene.play_through(rounds)
    assert not Question.objects.exists()
