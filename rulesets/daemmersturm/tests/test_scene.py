"""A whole scene at the table, beside a referee who goes by the source (DS-20 to DS-24, DS-32, DS-40 to DS-57)."""

import re

import pytest

from rulesets.daemmersturm import RULESET
from tests.support.everyday import SEED, everyday
from tests.support.sheets.answering import Answering, Event, PendingEffect, Question
from tests.support.sheets.seeded_dice import seed_dice
from tests.support.sheets.storm_referee import DEMANDED, DaemmersturmReferee, Warrior

pytestmark = pytest.mark.alike
MANA = {"magic": {"attack": 0, "defence": 10}, "resource": "mana"}
SHADOW = {"magic": {"attack": 3, "defence": 10}, "resource": "shadow"}
ARMED = {"weapons": RULESET.examples["two-weapons"]["data"]["weapons"]}
GUARDED = {key: RULESET.examples["knight"]["data"][key] for key in ("weapons", "shield", "armour")}
TOUGH = {"life": 30}
SPAN = "1-10"
"""Damage of what is at hand and of spells, which no profile says."""


class DaemmersturmScene(Answering):
    roll = "roll-exhaustion"

    def prepare(self):
        referee = self.referee
        referee.fighters = {name: Warrior(self.data(name)) for name in referee.there}
        referee.fighters["dora"], self.struck = referee.fighters.get("wolf"), None
        referee.full = {name: self.data(name)["life"] for name in referee.there}
        referee.full["dora"] = referee.full.get("wolf")
        referee.life = dict(referee.full)
        referee.mana = {"ben": 2}
        referee.first = self.chance.sample(sorted(referee.there), len(referee.there))
        for place, name in enumerate(referee.first):
            self.do(f"place:{self.sheets[name].pk}:{place}")

    def turn(self, *arguments):
        """Press a button of the turns; rolls that are due and were left out are made as the turn ends."""
        event = super().turn(*arguments)
        for step in event.steps.filter(act="damage-over-time"):
            name = self.names[str(step.sheet_id)]
            lasting = self.referee.lasting[name]
            place = next(place for place, (_turns, due) in enumerate(lasting) if due)
            lasting[place] = (lasting[place][0], False)
            self.referee.hurt(name, step.outcome)
        for step in event.steps.filter(roll="exhaustion"):
            name, [face] = self.names[str(step.sheet_id)], step.thrown
            assert name in self.referee.due_rolls
            self.referee.due_rolls.discard(name)
            if face <= 5:
                self.referee.falls(name)
        return event

    def acts(self, name):
        referee = self.referee
        if name in referee.due_rolls:
            return self.rolls(name)
        if name in referee.down:
            return None
        match self.chance.choice(["shelter", "lasting", "magic", "wait", "suffer", *["attack"] * 15]):
            case "attack":
                self.may_attack(name)
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

    def may_attack(self, name):
        """A turn is one action, and who seeks protection has none; Cleo is to have a turn, and is not attacked."""
        referee = self.referee
        others = sorted(referee.there - referee.down - {name, "cleo"})
        if others and self.struck != (referee.round, name) and name not in referee.sheltered:
            self.struck = referee.round, name
            self.attacks(name, self.chance.choice(others))

    def attacks(self, name, at):
        """Somebody attacks in one of the ways of a profile; a hit leads to damage, a critical one by its own die."""
        ways = self.referee.fighters[name].ways
        assert self.offered(name, at, r"roll-(attack-.*|w-roll-weapons-.*)") == set(ways)
        which = self.chance.choice(sorted(one for one in ways if self.referee.ready(name, one)))
        way = ways[which]
        hit, *noted = self.falls_at(name, at, which)
        self.fires(name, hit, noted, self.referee.fired(name, which, hit.thrown[-1]))
        defence = self.referee.fighters[at].defence.get(way.against)
        good = [way.hits(face, defence) for face in hit.thrown]
        assert len(good) == 1 + (way.behind and not good[0])
        names = ("success", "failure") if way.w is not None else ("hit", "miss")
        named = {1: "fumble"} if way.w is not None else {1: "fumble", 20: "critical"}
        assert hit.outcome == named.get(hit.thrown[-1], names[not good[-1]])
        if good[-1]:
            critical = 0
            if way.w is not None:
                self.falls_at(name, at, self.lead(name, at, "targets"))
            elif hit.outcome == "critical":
                critical = self.falls_at(name, at, self.lead(name, at, "critical"))[0].thrown[0]
            self.deals(name, at, way, critical)

    def falls_at(self, name, at, which):
        """Return a roll that falls at once, since nobody is asked, and what it has done by itself."""
        count = Event.objects.count()
        assert self.strikes(name, at, which, {}) is None
        return self.since(count)

    def fires(self, name, shot, noted, steps):
        """A shot has its weapon loaded anew, by itself and once."""
        assert [(one.sheet_id, one.act) for one in noted] == [(self.sheets[name].pk, "not-ready")] * bool(steps)
        if noted and self.tenth():
            after, who = self.stored(), self.player(name)
            assert self.settle("back", who, noted[0].pk).status_code == 302
            assert self.stored() != after
            assert self.settle("apply", who, shot.pending_effects.get().pk).status_code == 302
            assert self.stored() == after

    def lead(self, name, at, slug):
        """The first roll of a kind that the one before leads on to."""
        return min(self.offered(name, at, f"roll-{slug}(-.*)?", "tray-press"))

    def deals(self, name, at, way, critical):
        """Before the damage falls the target may protect itself by whatever helps; then it is what the dice say."""
        referee, figures = self.referee, {} if way.span else {"range": SPAN}
        may, count = referee.may_respond(at, way.source), Event.objects.count()
        number = self.strikes(name, at, self.lead(name, at, "damage"), may, **figures)
        tried, asked = set(), number is not None
        while number:
            choice = self.answers(number, at, may)
            fallen, tried = self.since(count), {*tried, choice}
            if choice != "forgo" and self.tries(choice, at, fallen.pop(0)):
                [stop] = fallen
                assert (stop.sheet_id, stop.roll, stop.act) == (self.sheets[name].pk, "", "")
                assert not Question.objects.filter(response__isnull=True).exists(), "all of it is stopped"
                return
            may = {key: title for key, title in referee.may_respond(at, way.source).items() if key not in tried}
            if choice == "forgo" or set(may) <= {"forgo"}:
                break
            assert fallen == []
            count = Event.objects.count()
            assert self.asks_of(name, at, may, self.untouched()) == number
        else:
            fallen = self.since(count)
        [roll] = fallen
        points = self.dealt(roll, way if way.span else way.with_span(SPAN), critical)
        expected = [(at, "damage", {"points": points, "source": way.source})]
        landed = self.landed(roll, expected + [(at, "roll-exhaustion", {})] * (critical == 6))
        self.takes(at, way.source, points, landed, asked=asked)

    def dealt(self, roll, way, critical):
        """The damage of a roll."""
        assert (roll.roll, roll.outcome) == ("damage", way.dealt(roll.thrown, critical))
        return roll.outcome

    def tries(self, choice, at, event):
        """Somebody tries to stop damage; answer whether that does."""
        assert (event.sheet_id, event.who.username) == (self.sheets[at].pk, self.responder)
        if choice == "seek-protection":
            assert event.act == choice
            self.referee.sheltered[at] = False
            self.done_again(event, at, choice)
            return False
        [face] = event.thrown
        stopped = self.referee.fighters[at].stops(choice, face)
        assert (event.roll, event.outcome) == (choice, "blocked" if stopped else "open")
        return stopped

    def takes(self, at, source, points, landed, *, asked):
        """Try to stop what landed by what helps then, and else take it."""
        referee, who, number = self.referee, self.player(at), landed[0][-1]
        guards = referee.fighters[at].guards(source, points, sheltered=at in referee.sheltered, asked=asked)
        while True:
            found = dict(re.findall(rf'value="guard:{number}:(roll-(\w+)[^"]*)"', self.read(who).text))
            assert set(found.values()) == guards
            if not guards or self.chance.random() < .3:
                break
            which, key = self.chance.choice(sorted(found.items()))
            count = Event.objects.count()
            assert self.settle("guard", who, f"{number}:{which}").status_code == 302
            [event] = self.since(count)
            self.responder = who
            self.seen[f"guard {key}"] += 1
            if self.tries(key, at, event):
                assert PendingEffect.objects.get(pk=number).state == "dismissed"
                break
            guards.remove(key)
        for _whom, act, _filled, one in landed:
            if PendingEffect.objects.get(pk=one).state != "open":
                continue
            if at in referee.down:
                self.settle("dismiss", who, one)
            elif act == "damage":
                self.applies(at, one)
                referee.hurt(at, points)
            elif self.applies(at, one).faces[0] <= 5:
                referee.falls(at)
            else:
                referee.due_rolls.discard(at)

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
    return scene_class(users, "daemmersturm", DaemmersturmReferee, seed, anna=SHADOW | ARMED | TOUGH,
                       ben=MANA | GUARDED | TOUGH, ork=ARMED | TOUGH, troll=GUARDED | TOUGH)


@pytest.mark.rule("DS-20", "DS-21", "DS-23", "DS-24", "DS-27", "DS-32", "DS-40", "DS-41", "DS-42", "DS-43", "DS-44",
                  "DS-45", "DS-50", "DS-57")
@pytest.mark.every_case
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(("seed", "rounds"), everyday([(1, 4), *((seed, 12) for seed in range(2, 8))]))
def test_a_whole_scene_is_played_as_the_referee_says(django_user_model, monkeypatch, seed, rounds, waits):
    seed_dice(monkeypatch, f"dice {seed}")
    scene = begun(django_user_model.objects, seed)
    scene.waits = waits
    scene.play_through(rounds)
    assert SEED or waits == any(not one.startswith("guard") for one in scene.seen)
