"""A whole scene at the table, beside a referee who goes by the short rules (DR-12 to DR-16, DR-19)."""

import pytest

from tests.support.everyday import SEED, everyday
from tests.support.sheets.answering import Answering, Event
from tests.support.sheets.rumble_referee import DiceRumbleReferee, Fighter, blow, duel
from tests.support.sheets.seeded_dice import seed_dice

pytestmark = pytest.mark.alike


class DiceRumbleScene(Answering):
    anew = frozenset({"initiative"})
    roll, asks = "roll-initiative", {"fighters": 2}

    def prepare(self):
        self.referee.fighters = {name: Fighter(self.data(name)) for name in self.sheets}
        self.referee.lost = {name: self.sheet(name).play.get("life_lost", 0) for name in self.sheets}
        self.struck = None

    def acts(self, name):
        referee = self.referee
        match self.chance.choice(["react", "wait", "first", *["attack"] * 5]):
            case "react":
                # Cleo is to have a turn.
                others = sorted(set(referee.dice) - {name, "cleo"})
                if others:
                    self.reacts(self.chance.choice(others))
            case "wait":
                referee.held_back(name, self.turn("hold", self.player(name)))
            case "first":
                self.goes_first(self.chance.choice(sorted(referee.there)))
            case "attack" if self.struck != (referee.round, name):
                # The die is one action.
                self.struck = referee.round, name
                # Cleo is to have a turn.
                self.attacks(name, self.chance.choice(sorted(referee.there - {name, "cleo"})))

    def attacks(self, name, at):
        """Somebody is attacked in one of the ways of a sheet, and may respond where the party asks."""
        before, may = Event.objects.count(), self.referee.may_respond(at)
        number, which = self.begins_attack(name, at, may)
        choice = self.answers(number, at, may) if number else None
        self.attacked(name, at, which, choice, self.since(before))

    def begins_attack(self, name, at, may):
        """Return the number of the question that an attack asks first, if it does, and which attack it is."""
        ways = self.referee.fighters[name].ways
        assert self.offered(name, at, r"roll-(attack|duel-damage)(-.*)?") == set(ways)
        which = self.chance.choice(sorted(ways))
        return self.strikes(name, at, which, may), which

    def attacked(self, name, at, which, choice, fallen):
        """Check the rolls after such an answer against the rules, and apply their effects."""
        referee, may = self.referee, self.referee.may_respond(at)
        other, (duels, arm) = referee.fighters[at], referee.fighters[name].ways[which]
        # Whoever has no die left cannot react.
        if choice == "forgo" or not may:
            duels, theirs = False, None
        elif choice:
            duels, theirs = True, other.reactions[choice][1]
            spent = fallen.pop(0)
            assert (spent.sheet_id, spent.act, spent.who.username) == (self.sheets[at].pk, "spend-die", self.responder)
            del referee.dice[at]
            self.done_again(spent, at, "spend-die")
        else:
            theirs = other.usual
        if duels and not choice:
            spent = fallen.pop()
            assert (spent.sheet_id, spent.act) == (self.sheets[at].pk, "spend-die")
            del referee.dice[at]
        acted = referee.acted(name)
        if acted:
            spent = fallen.pop()
            assert (spent.sheet_id, spent.act, spent.who.username) == (
                self.sheets[name].pk, "spend-die", self.player(name))
        roll = fallen.pop()
        assert (fallen, roll.sheet_id, roll.who.username) == ([], self.sheets[name].pk, self.player(name))
        expected = self.duel(roll, name, arm, at, theirs) if duels else self.blow(roll, arm, at)
        if duels and not choice:
            expected.append((at, "spend-die", {}))
        if acted:
            # It is done by itself.
            expected.append((name, "spend-die", {}))
        for whom, act, filled, number in self.landed(roll, expected):
            if act == "damage":
                self.applies(whom, number)
                referee.hurt(whom, filled["points"])

    def blow(self, roll, arm, at):
        """Return what an attack brings that nobody reacts to."""
        [face] = roll.thrown
        dealt = blow(face, *arm)
        assert roll.outcome == ("miss" if dealt is None else dealt)
        return [(at, "damage", {"points": dealt})] if dealt else []

    def duel(self, roll, name, arm, at, theirs):
        """Return what a duel brings: the difference and the winner's weapon; whoever dodges deals nothing."""
        for tie in roll.veiled.get("tries", roll.tries):
            with pytest.raises(ValueError, match="again"):
                duel(*tie, arm[0], theirs[0])
        mine, other = roll.thrown
        wins = duel(mine, other, arm[0], theirs[0])
        dealt = abs(mine - other)
        assert roll.outcome == (dealt + arm[1] if wins else 0)
        if wins is None or (wins is False and theirs[1] is None):
            return []
        points = dealt + (arm if wins else theirs)[1]
        return [(at if wins else name, "damage", {"points": points})] if points else []

    def attacks_in_turn(self, name, foes):
        """The heroes attack an opponent each, and the GM lets both do nothing by one press."""
        heroes = sorted(set(self.referee.dice) - self.referee.opponents - {name}) if self.waits else []
        pairs = [*zip([name, *heroes], foes, strict=False)]
        if name in self.referee.opponents or len(pairs) < 2 or not all(self.referee.may_respond(at) for at in foes):
            super().attacks_in_turn(name, foes)
            return
        which = [self.begins_attack(by, at, self.referee.may_respond(at))[1] for by, at in pairs]
        before = Event.objects.count()
        assert self.settle("forgo-all", "gm", "0").status_code == 302
        self.seen["forgo-all"] += 1
        fallen = self.since(before)
        for (by, at), one in zip(pairs, which, strict=True):
            self.attacked(by, at, one, "forgo", [event for event in fallen if event.sheet_id == self.sheets[by].pk])

    def put_out(self):
        """Whoever has fallen loses the die: so the GM decides."""
        for name in sorted(self.referee.dice):
            if self.referee.fallen(name) and name not in self.referee.on:
                self.act(name, "spend-die", "gm")
                del self.referee.dice[name]

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
        self.referee.fighters["dora"] = Fighter(self.data("dora"))
        return True

    def player(self, name):
        return "ben" if name == "dora" else super().player(name)

    def falls(self):
        """Somebody falls who still holds a die: the GM decides that it is gone."""
        waiting = sorted(set(self.referee.dice) - self.referee.on - {"cleo"})
        if not waiting:
            return False
        self.act(waiting[0], "damage", "gm", points=99)
        self.referee.hurt(waiting[0], 99)
        self.act(waiting[0], "spend-die", "gm")
        del self.referee.dice[waiting[0]]
        return True


def begun(users, seed, scene_class=DiceRumbleScene):
    """Three against three, who have not begun to play."""
    return scene_class(users, "dice-rumble", DiceRumbleReferee, seed)


@pytest.mark.rule("DR-12", "DR-13", "DR-14", "DR-15", "DR-16", "DR-19")
@pytest.mark.every_case
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(("seed", "rounds"), everyday([(1, 4), *((seed, 12) for seed in range(2, 8))]))
def test_a_whole_scene_is_played_as_the_referee_says(django_user_model, monkeypatch, seed, rounds, waits):
    seed_dice(monkeypatch, f"dice {seed}")
    scene = begun(django_user_model.objects, seed)
    scene.waits = waits
    scene.play_through(rounds)
    assert SEED or bool(scene.seen) == waits
