"""Which regular expressions take more than linear time: those that may read one run of letters in several ways.

An expression becomes the automaton of its positions (Glushkov's), which counts in how many ways one leads to the next.
It is slow where one word leads from a position back to it, from it to another, and from that one back to itself, and
what follows can fail: two loops share a run. It is far slower where one word leads from a position back to it in two
ways: each round doubles them. A search begins anywhere, so it has a position more, which everything leads back to.
"""

import re
from collections import Counter, defaultdict, deque
from functools import lru_cache
from itertools import product
from re import _constants as sre
from re import _parser

from django.utils.functional import cached_property

ALPHABET = frozenset(map(chr, range(128))) | frozenset("äß\u00a0\u0308\u2028−–—Ø・界")
START = 0
COPIES = 2
"""How often a bounded quantifier is laid out: more of it adds no loop."""
MANY = 5
"""From so many repeats on a bounded quantifier is as bad as an endless one, where each of them doubles the ways."""
LOOKS = (sre.AT, sre.ASSERT, sre.ASSERT_NOT)
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
CATEGORIES = {sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
              sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W"}


class Expression:
    """A pattern as it is used: by `match`, `fullmatch` or `search` (and whatever searches: `finditer`, `sub`)."""

    def __init__(self, pattern: str | bytes, flags: int = 0, use: str = "search", endless: float = float("inf")):
        """Lay it out; a quantifier of so many repeats counts as an endless one."""
        parsed = _parser.parse(pattern, flags)
        self.source, self.flags, self.use, self.endless = pattern, parsed.state.flags, use, endless
        self.alphabet = ALPHABET.union(letter for node in _nodes(parsed) for letter in _named(*node))
        self.letters = [self.alphabet]
        self.follow: dict[int, Counter[int]] = defaultdict(Counter)
        self.looked: set[int] = set()
        self.guards: dict[int, frozenset[str]] = {}
        self.first, self.last, _empty = self._sequence(parsed)

    @property
    def slow(self) -> str:
        """Return where a run of letters is read in several ways; "" where none is."""
        if doubled := Expression(self.source, self.flags, self.use, MANY).doubled:
            return doubled
        loops = [state for state in self._states() if self._again(state)]
        for one, other in product(loops, loops):
            if one != other and self._can_fail(other) and self._shared(one, other):
                return f"{self._spelt(one)} and {self._spelt(other)}"
        return ""

    @property
    def doubled(self) -> str:
        """Return where one word leads from a position back to it in two ways; "" where none does."""
        reached = {state: self._reached(state) for state in range(1, len(self.letters))}
        for state, targets in [*self.follow.items()]:
            for target, ways in targets.items():
                if ways > 1 and state in reached[target] | {target}:
                    return f"{ways} ways from {self._spelt(state)} to {self._spelt(target)}"
        for loop in {frozenset(one for one in reached[state] if state in reached[one]) for state in reached}:
            for one, other in self._apart_and_together(loop):
                return f"{self._spelt(one)} or {self._spelt(other)}"
        return ""

    def _apart_and_together(self, loop):
        """Yield each two positions that one word leads to from one, and one word from both to one; all of one loop."""
        ahead = {(one, other): [(to, too) for to, too in product(self.follow[one], self.follow[other])
                                if to in loop and too in loop and self.letters[to] & self.letters[too]]
                 for one, other in product(sorted(loop), repeat=2)}
        back = defaultdict(list)
        for pair, targets in ahead.items():
            for target in targets:
                back[target].append(pair)
        same = [(one, one) for one in loop]
        for one, other in sorted(_walked(same, ahead) & _walked(same, back)):
            if one != other:
                yield one, other

    def runs(self):
        """Yield (a word to begin with, a word to be repeated): letters of each kind that it takes, and each loop."""
        yield from (("", kind) for kind in self._kinds if any(kind in letters for letters in self.letters[1:]))
        words = self._words(self.first)
        for state in sorted(words):
            head, round_ = words[state][:-1], self._words(self.follow[state]).get(state)
            if round_:
                yield from ((head, kind) for kind in self._kinds if kind in self.letters[state])
                yield head, round_

    def _words(self, begins):
        """The shortest words that lead to each position from those."""
        words = {target: min(self.letters[target], default="") for target in sorted(begins)}
        queue = deque(words)
        while queue:
            state = queue.popleft()
            for target in sorted(self.follow[state].keys() - words.keys()):
                words[target] = words[state] + min(self.letters[target], default="")
                queue.append(target)
        return words

    def _states(self):
        return set(range(0 if self.use == "search" else 1, len(self.letters)))

    def _step(self, state, letter):
        """The states that a letter leads to. A guard looks at the letter before, so that it is a state of its own."""
        if isinstance(state, frozenset):
            return {target for target in self.first if self.guards.get(target) == state
                    and letter in self.letters[target]}
        found = {target for target in (self.first if state == START else self.follow[state])
                 if letter in self.letters[target] and not (state == START and target in self.guards)}
        if state == START:
            found |= {START} | {guard for guard in self.guards.values() if letter in guard}
        return found

    @cached_property
    def _kinds(self):
        """One letter of each kind that the expression tells apart."""
        guards = [*self.guards.values()]
        kinds = {tuple(letter in each for each in (*self.letters, *guards)): letter
                 for letter in sorted(self.alphabet, reverse=True)}
        return sorted(kinds.values())

    def _again(self, state):
        return state == START or state in self._reached(state)

    def _reached(self, state):
        """The positions that a step or more leads to."""
        return _walked(self.follow[state], self.follow)

    def _can_fail(self, state):
        return self.use == "fullmatch" or state not in self.last or state in self.looked

    def _shared(self, one, other):
        """Whether a word leads from one to one, from one to the other and from the other to the other."""
        kinds, begin = self._kinds, (one, one, other)
        seen, queue = {begin}, deque([begin])
        while queue:
            now = queue.popleft()
            for letter in kinds:
                for then in product(*(self._step(state, letter) for state in now)):
                    if then == (one, other, other):
                        return True
                    if then not in seen:
                        seen.add(then)
                        queue.append(then)
        return False

    def _spelt(self, state):
        return "the beginning" if state == START else repr("".join(sorted(self.letters[state])[:12]))

    def _sequence(self, items):
        """Return what it begins with and ends with ({position: ways}), and in how many ways it may be empty."""
        first, last, empty, guard = Counter(), Counter(), 1, None
        for op, arg in items:
            if op in LOOKS:
                self.looked |= last.keys()
                guard = self._guard(op, arg) if empty and guard is None else guard
                if op is not sre.AT and arg[0] > 0:
                    begins = self._sequence(arg[1])[0]
                    self._join(last, begins)
                    first += _times(begins, empty)
                continue
            begins, ends, nothing = self._node(op, arg)
            self._join(last, begins)
            if empty:
                self.guards |= {one: self._narrowed(guard, one) for one in begins if guard is not None}
            if nothing and any(inner in LOOKS for inner, _arg in _nodes([(op, arg)])):
                self.looked |= last.keys()
            first += _times(begins, empty)
            last = ends + _times(last, nothing)
            empty *= nothing
        return first, last, empty

    def _node(self, op, arg):
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            self.letters.append(self._letters(op, arg))
            one = Counter([len(self.letters) - 1])
            return one, one, 0
        if op is sre.SUBPATTERN:
            return self._sequence(arg[3])
        if op is sre.ATOMIC_GROUP:
            return self._sequence(arg)
        if op is sre.BRANCH:
            firsts, lasts, empties = zip(*map(self._sequence, arg[1]), strict=True)
            return sum(firsts, Counter()), sum(lasts, Counter()), sum(empties)
        if op in REPEATS:
            return self._repeated(*arg)
        raise NotImplementedError(op)

    def _repeated(self, least, most, items):
        if most is sre.MAXREPEAT or most >= self.endless:
            begins, ends, nothing = self._sequence(items)
            self._join(ends, begins)
            # A round that reads nothing is the last one.
            return begins, _times(ends, 1 + nothing), (not least) + nothing
        first, last, before, through, empty = Counter(), Counter(), Counter(), 1, int(not least)
        for _copy in range(min(most, COPIES)):
            begins, ends, nothing = self._sequence(items)
            self._join(before, begins)
            first += _times(begins, through)
            before = ends + _times(before, nothing)
            last += before
            through *= nothing
            empty += through
        return first, last, empty

    def _join(self, ends, begins):
        for (end, ways), (begin, more) in product(ends.items(), begins.items()):
            self.follow[end][begin] += ways * more

    def _letters(self, op, arg):
        if op is sre.ANY:
            return self.alphabet if self.flags & re.S else self.alphabet - {"\n"}
        items = tuple(arg) if op is sre.IN else ((sre.LITERAL, arg),)
        found = _held(items, self.alphabet, self.flags)
        negated = op is sre.NOT_LITERAL or items[0][0] is sre.NEGATE
        return self.alphabet - found if negated else found

    def _guard(self, op, arg):
        """The letters that may stand before an expression that begins by looking there; None where any may."""
        if op is sre.AT:
            if arg is sre.AT_BEGINNING and self.flags & re.M:
                return frozenset("\n")
            if arg in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
                return frozenset()
            return "\\b" if arg is sre.AT_BOUNDARY else None
        where, items = arg
        if where > 0 or len(items) != 1 or items[0][0] not in (sre.IN, sre.LITERAL, sre.NOT_LITERAL):
            return None
        found = frozenset(self._letters(*items[0]))
        return found if op is sre.ASSERT else frozenset(self.alphabet - found)

    def _narrowed(self, guard, position):
        r"""What \b allows depends on the letter behind it."""
        if guard != "\\b":
            return guard
        word = frozenset(one for one in self.alphabet if re.match(r"\w", one, self.flags & re.A))
        return frozenset(self.alphabet - word) if self.letters[position] <= word else frozenset(self.alphabet)


@lru_cache(1024)
def _held(items, alphabet, flags):
    """The letters of an alphabet that are among these."""
    return frozenset(one for one in alphabet if any(_holds(item, one, flags) for item in items))


def _holds(item, letter, flags):
    op, arg = item
    alike = {letter, letter.swapcase()} if flags & re.I else {letter}
    if op is sre.LITERAL:
        return chr(arg) in alike
    if op is sre.RANGE:
        return any(len(one) == 1 and arg[0] <= ord(one) <= arg[1] for one in alike)
    return op is sre.CATEGORY and bool(re.match(CATEGORIES[arg], letter, flags & re.A))


def _times(ways, more):
    """The same positions, each in so many times as many ways."""
    return Counter({one: count * more for one, count in ways.items() if more})


def _walked(begins, steps):
    """Everything that is reached from these, and they themselves."""
    seen, queue = set(begins), [*begins]
    while queue:
        for target in steps.get(queue.pop(), ()):
            if target not in seen:
                seen.add(target)
                queue.append(target)
    return seen


def _nodes(items):
    """Yield each node of a parsed expression, those within others too."""
    for op, arg in items:
        yield op, arg
        if op is sre.BRANCH:
            yield from (node for branch in arg[1] for node in _nodes(branch))
        elif op is sre.SUBPATTERN:
            yield from _nodes(arg[3])
        elif op is sre.ATOMIC_GROUP:
            yield from _nodes(arg)
        elif op in REPEATS:
            yield from _nodes(arg[2])
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _nodes(arg[1])
        elif op is sre.IN:
            yield from arg


def _named(op, arg):
    """The letters that a node names."""
    if op in (sre.LITERAL, sre.NOT_LITERAL):
        return {chr(arg)}
    return set(map(chr, arg)) if op is sre.RANGE else set()
