"""A referee at a table, who knows the rules of a system from its source and asks none of its code for them.

It keeps books of its own: who is there, whose turn it is, what is spent. What a system says of it is a class of its
tests; here is what all have in common: a round is over once everybody has had a turn.
"""


class Referee:
    """Whose turn it is; `there` are the names of all at the table, `opponents` those of whom the GM plays."""

    def __init__(self, heroes, opponents):
        self.there, self.opponents = {*heroes, *opponents}, {*opponents}
        self.round, self.on, self.had, self.held = 0, set(), set(), set()

    def line(self):
        """Return the names of all who are there in the order of their turns."""
        raise NotImplementedError

    def due(self, name):
        """Tell whether a turn is due to somebody who has had none in this round."""
        return True

    def next_ones(self, waiting=()):
        """Return who would be on next in this round, of those who do not wait."""
        left = [one for one in self.line() if one not in self.had and one not in waiting and self.due(one)]
        return {*left[:1]}

    def round_begins(self, event):
        """Learn from an event of the turns what fell for the round."""

    def round_ends(self):
        """Write down what is over with a round."""

    def turn_begins(self, name):
        """Write down what begins with a turn."""

    def turn_ends(self, name):
        """Write down what ends with it."""

    def may_wait(self, name):
        """Tell whether there is anybody whom one could let go first."""
        return bool(self.next_ones({name}))

    def waits(self, name):
        """Write down that somebody lets others go first."""

    def fallen(self, name):
        """Tell whether somebody is out of the fight."""
        raise NotImplementedError

    def figures(self, name):
        """Return {title: figure} of what the table shows of somebody."""
        return {}

    def written(self, name):
        """Return what the books say of somebody."""
        return {}

    def read(self, name, play):
        """Return the same as a stored state of play says it."""
        return {}

    def begun(self, event):
        """The fight begins."""
        self._new_round(event)

    def passed(self, names, event):
        """Some have had their turn."""
        self.had |= names
        for name in names & self.there:
            self.turn_ends(name)
        self.on -= names | (self.on - self.there)
        self._go_on(event)

    def held_back(self, name, event):
        """Somebody lets others go first, if they can."""
        if not self.may_wait(name):
            self.passed({name}, event)
            return
        self.on.discard(name)
        self.waits(name)
        self.held.add(name)
        self._go_on(event)

    def over(self):
        """The fight is over."""
        self.round_ends()
        self.round, self.on, self.had, self.held = 0, set(), set(), set()

    def came(self, name, *, opponent):
        """Somebody comes to the table."""
        self.there.add(name)
        if opponent:
            self.opponents.add(name)

    def left(self, name):
        """Somebody is gone."""
        self.there.discard(name)

    def _new_round(self, event):
        self.round, self.had, self.held = self.round + 1, set(), set()
        self.round_begins(event)
        self.on = self.next_ones()
        self._begin_turns(event)

    def _begin_turns(self, event):
        for name in self.on - self.held:
            self.turn_begins(name)
        # Whom the beginning of the turn itself has put out of the fight has none.
        if fallen := {one for one in self.on if not self.due(one)}:
            self.had |= fallen
            self.on -= fallen
            self._go_on(event)

    def _go_on(self, event):
        if self.on:
            return
        if on := self.next_ones():
            self.on = on
            self._begin_turns(event)
        elif any(map(self.may_fight, self.there)):
            self.round_ends()
            self._new_round(event)
        else:
            self.over()

    def may_fight(self, name):
        """Tell whether somebody takes part in the next round."""
        return True
