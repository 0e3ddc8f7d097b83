"""A referee for a fight in Augen des Zwielichts, written from the rules alone: what fell is read, what follows is said.

Where the rules leave something open it goes by what the page of the rules says of it.
"""

import re
from dataclasses import dataclass, field

PLACES = 6
"""Places for conditions; the demon is always there, and the sixth puts out of action."""
THROW, SETTLED = "Roll the combat die", "Settle the round"
DOES = {"Leave the fight": "leave", "Take over weak point": "take_over", "Brought back by someone else": "bring_back",
        "Note a condition": "note", "The combat die of this round": "weaken"}
"""{what the log calls it: what it does to a hero}, of what has no dice."""


@dataclass
class Hero:
    """Somebody who may fight; who has gained no level yet is in a dark section."""

    light: bool = False
    conditions: int = 1
    nameless: int = 0
    """Conditions among these that have no word yet."""
    back: bool = False
    """Whether another has brought them back into action."""
    weak: list[int] = field(default_factory=list)
    """The own weak point, then those taken over; none outside of a fight."""
    die: int | None = None
    second: bool = False
    weakens: bool = False
    left: tuple[int, int, int | None, bool] | None = None
    """Out of a fight that goes on: the rounds fought, the own weak point, the die, and if the enemy was weakened."""

    @property
    def out(self) -> bool:
        """Out of action by the sixth condition."""
        return self.conditions >= PLACES and not self.back

    @property
    def due(self) -> bool:
        """Whether a turn is due in each round."""
        return bool(self.weak) and not self.out

    @property
    def owes(self) -> bool:
        """Whether the combat die of this round is still to be thrown."""
        return self.due and self.die is None and not self.weakens

    def hurt(self, times: int) -> None:
        """Take conditions without a word, up to the last place; who is hurt has not been brought back any more."""
        there, self.conditions = self.conditions, min(PLACES, self.conditions + times)
        self.nameless += self.conditions - there
        self.back = self.back and not times

    def stop(self) -> None:
        """Be in no fight."""
        self.weak, self.die, self.second, self.weakens = [], None, False, False


class Referee:
    """What has happened in a fight, as far as the rules are about it."""

    def __init__(self, **heroes: Hero):
        self.heroes, self.danger, self.open = heroes, None, None
        self.fought = self.clues = self.round = 0
        self.on, self.had, self.fell = "", set(), {}
        self.over = False
        """Whether the GM has settled the round while turns of it were still due."""

    def read(self, events) -> None:
        """Read what somebody did in their own time: (name, title, faces, words) of each."""
        for name, title, faces, words in events:
            hero = self.heroes[name]
            if title == "Start a fight":
                self.comes(hero, faces)
                self.danger = self.danger or int(re.search(r"Danger level (\d+)", words)[1])
            elif title in ("Weaken the enemy", "Take a risk"):
                self.fell[name] = title, sorted(faces)
            elif title == THROW:
                self.throw(hero, faces)
            elif title == "Apply the result":
                self.apply(hero, *self.fell.pop(name))
            else:
                getattr(self, DOES[title.rstrip(" 123456")])(hero)

    def weaken(self, hero) -> None:
        """The enemy is weakened in this round, to which no die is added, whether the result is applied or not."""
        hero.weakens, hero.die = True, None

    def comes(self, hero, faces) -> None:
        """Into a fight: with a weak point that is rolled, or back with the old one and what was used in this round."""
        if not self.fighters():
            for one in self.heroes.values():
                one.left = None
        if hero.left is None:
            hero.weak = [max(faces) if hero.light else min(faces)]
            return
        assert not faces
        fought, point, die, weakens = hero.left
        hero.weak, hero.left = [point], None
        if fought == self.fought:
            hero.die, hero.weakens = die, weakens
        if self.open == point:
            self.open = None

    def leave(self, hero) -> None:
        """Give up the last weak point that is held; out of the fight with the own one."""
        self.open = hero.weak.pop()
        if not hero.weak:
            hero.left = self.fought, self.open, hero.die, hero.weakens
            hero.stop()

    def take_over(self, hero) -> None:
        """Be hit at the weak point that was given up, too."""
        hero.weak.append(self.open)
        self.open = None

    def bring_back(self, hero) -> None:
        """In action again, with all conditions."""
        hero.back = True

    def note(self, hero) -> None:
        """A condition has its word: one that was due, or one more."""
        hero.conditions, hero.nameless = hero.conditions + (not hero.nameless), max(0, hero.nameless - 1)

    def throw(self, hero, faces) -> None:
        """The combat die; two of whoever threw the highest in the round before, of which the better counts."""
        assert hero.owes
        assert len(faces) == 1 + hero.second
        hero.die = max(faces)

    def apply(self, hero, move, faces) -> None:
        """What came of a move of black dice alone, which always leaves a condition."""
        if move == "Weaken the enemy":
            best, twice = faces[-1], faces[-2:]
            change = {1: 1, 2: 1, 5: -1, 6: -1}.get(best, 0) + {(6, 6): -2, (1, 1): 1}.get((*twice,), 0)
            self.danger = max(1, self.danger + change)
        hero.hurt(1)

    def fighters(self) -> list[Hero]:
        """Those who fight."""
        return [one for one in self.heroes.values() if one.weak]

    @property
    def complete(self) -> bool:
        """Whether all that a round needs lies there."""
        there = self.fighters()
        return any(one.die or one.weakens for one in there) and not any(one.owes for one in there)

    def left(self) -> list[str]:
        """Those to whom a turn is still due in this round, the lowest weak point first."""
        names = [name for name, one in self.heroes.items() if one.due and name not in self.had]
        return sorted(names, key=lambda name: (self.heroes[name].weak[0], name))

    def begin(self) -> None:
        """Turns are counted from now on."""
        self.round, self.had = 1, set()
        self.on = next(iter(self.left()))

    def blocked(self) -> bool:
        """Whether a round would end by the turn at hand while a weak point lies open."""
        return self.open is not None and not self.over and not {*self.left()} - {self.on}

    def passes(self, events) -> None:
        """Read what came with the end of a turn: a throw that was owed, and a round that is over by it."""
        thrown = [one for one in events if one[1] == THROW]
        assert [one[0] for one in thrown] == ([self.on] if self.heroes[self.on].owes and not self.over else [])
        for name, _title, faces, _words in thrown:
            self.throw(self.heroes[name], faces)
        self.had.add(self.on)
        settled = {name: words for name, title, _faces, words in events if title == SETTLED}
        if left := self.left():
            assert not settled
            self.on = left[0]
            return
        if settled or self.complete:
            self.settle(settled)
        self.round, self.had, self.over = self.round + 1, set(), False
        self.on = next(iter(self.left()), "")
        self.round *= bool(self.on)

    def settle_early(self, events, *, ties: bool) -> None:
        """Read a round that the GM settles before its last turn is over; on a tie all may get a second die."""
        self.settle({name: words for name, _title, _faces, words in events}, ties=ties)
        self.over = True

    def settle(self, said, *, ties: bool = False) -> None:
        """A round by all of its dice; what is said to each is how often they were hit, and when they tell."""
        assert {*said} == {name for name, one in self.heroes.items() if one.weak}
        dice = sorted(one.die for one in self.fighters() if one.die)
        won, best = sum(dice[-2:]) >= self.danger, max(dice, default=None)
        self.fought += 1
        for name, words in said.items():
            hero = self.heroes[name]
            hits = sum(dice.count(face) for face in hero.weak)
            hero.hurt(hits)
            assert {0: "not hit", 1: "hit once"}.get(hits, f"hit {hits} times") in words
            if hero.die and len(dice) > 1:
                assert f"number {dice.index(hero.die) + 1} of {len(dice)}" in words
            assert words.startswith(f"The fight is won; clues for the group: {self.clues + self.fought}" if won
                                    else f"Round {self.fought} is over")
            hero.second = bool(best) and hero.die == best and (ties or dice.count(best) == 1)
            hero.die, hero.weakens = None, False
        if won:
            self.clues, self.fought, self.danger, self.open = self.clues + self.fought, 0, None, None
            for one in self.fighters():
                one.stop()
