"""Which regular expressions take more than linear time: those with two loops that may share one run of letters.

An expression becomes the automaton of its positions (Glushkov's). It is slow where one word leads from a position back
to it, from it to another, and from that one back to itself, and what follows can fail. A search begins anywhere, so it
has a position more, which everything leads back to.
"""

import re
from collections import defaultdict, deque
from itertools import product
from re import _constants as sre
from re import _parser

ALPHABET = frozenset(map(chr, range(128))) | set("äß\u00a0\u0308\u2028−–—Ø・界")
START = 0
COPIES = 2
"""How often a bounded quantifier is laid out: more of it adds no loop."""
LOOKS = (sre.AT, sre.ASSERT, sre.ASSERT_NOT)
CATEGORIES = {sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
              sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W"}


class Expression:
    """A pattern as it is used: by `match`, `fullmatch` or `search` (and whatever searches: `finditer`, `sub`)."""

    def __init__(self, pattern: str | bytes, flags: int = 0, use: str = "search"):
        parsed = _parser.parse(pattern, flags)
        self.flags, self.use = parsed.state.flags, use
        source = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
        self.alphabet = ALPHABET | set(source)
        self.letters = [self.alphabet]
        self.follow: dict[int, set[int]] = defaultdict(set)
        self.looked: set[int] = set()
        self.guards: dict[int, frozenset[str]] = {}
        self.twice = False
        self.first, self.last, _empty = self._sequence(parsed)

    @property
    def slow(self) -> str:
        """Return where two loops share a run of letters; "" where none do."""
        if self.twice:
            return "a quantifier within a quantifier"
        loops = [state for state in self._states() if self._again(state)]
        for one, other in product(loops, loops):
            if one != other and self._can_fail(other) and self._shared(one, other):
                return f"{self._spelt(one)} and {self._spelt(other)}"
        return ""

    def runs(self):
        """Yield (a word that leads to a loop, a letter that the loop takes), one letter of each kind."""
        words, queue = {START: ""}, deque([START])
        while queue:
            state = queue.popleft()
            for target in sorted(self.first if state == START else self.follow[state]):
                if target not in words:
                    words[target] = words[state] + min(self.letters[target], default="")
                    queue.append(target)
        for state in self._states() - {START}:
            if self._again(state):
                yield from ((words.get(state, ""), kind) for kind in self._kinds() if kind in self.letters[state])

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

    def _kinds(self):
        """One letter of each kind that the expression tells apart."""
        guards = [*self.guards.values()]
        kinds = {tuple(letter in each for each in (*self.letters, *guards)): letter
                 for letter in sorted(self.alphabet, reverse=True)}
        return sorted(kinds.values())

    def _again(self, state):
        seen, queue = set(), [state]
        while queue:
            for target in self.follow[queue.pop()]:
                if target not in seen:
                    seen.add(target)
                    queue.append(target)
        return state == START or state in seen

    def _can_fail(self, state):
        return self.use == "fullmatch" or state not in self.last or state in self.looked

    def _shared(self, one, other):
        """Whether a word leads from one to one, from one to the other and from the other to the other."""
        kinds, begin = self._kinds(), (one, one, other)
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
        """Return (positions it begins with, positions it ends with, whether it may be empty)."""
        first, last, empty, guard = set(), set(), True, None
        for op, arg in items:
            if op in LOOKS:
                self.looked |= last
                guard = self._guard(op, arg) if empty and guard is None else guard
                if op is not sre.AT and arg[0] > 0:
                    begins = self._sequence(arg[1])[0]
                    self._join(last, begins)
                    first |= begins if empty else set()
                continue
            begins, ends, nothing = self._node(op, arg)
            self._join(last, begins)
            if empty:
                first |= begins
                self.guards |= {one: self._narrowed(guard, one) for one in begins if guard is not None}
            last = ends | (last if nothing else set())
            empty &= nothing
        return first, last, empty

    def _node(self, op, arg):
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            self.letters.append(self._letters(op, arg))
            one = {len(self.letters) - 1}
            return one, one, False
        if op is sre.SUBPATTERN:
            return self._sequence(arg[3])
        if op is sre.ATOMIC_GROUP:
            return self._sequence(arg)
        if op is sre.BRANCH:
            firsts, lasts, empties = zip(*map(self._sequence, arg[1]), strict=True)
            return set().union(*firsts), set().union(*lasts), any(empties)
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            return self._repeated(*arg)
        raise NotImplementedError(op)

    def _repeated(self, least, most, items):
        endless = most is sre.MAXREPEAT
        first, last, empty = set(), set(), True
        for _copy in range(1 if endless else min(most, COPIES)):
            begins, ends, nothing = self._sequence(items)
            self._join(ends if endless else last, begins)
            first |= begins if empty else set()
            last |= ends
            empty &= nothing
        return first, last, empty or not least

    def _join(self, ends, begins):
        for end, begin in product(ends, begins):
            self.twice |= begin in self.follow[end]
            self.follow[end].add(begin)

    def _letters(self, op, arg):
        if op is sre.ANY:
            return self.alphabet if self.flags & re.S else self.alphabet - {"\n"}
        items = arg if op is sre.IN else [(sre.LITERAL, arg)]
        found = frozenset(one for one in self.alphabet if any(self._holds(item, one) for item in items))
        negated = op is sre.NOT_LITERAL or items[0][0] is sre.NEGATE
        return self.alphabet - found if negated else found

    def _holds(self, item, letter):
        op, arg = item
        alike = {letter, letter.swapcase()} if self.flags & re.I else {letter}
        if op is sre.LITERAL:
            return chr(arg) in alike
        if op is sre.RANGE:
            return any(len(one) == 1 and arg[0] <= ord(one) <= arg[1] for one in alike)
        return op is sre.CATEGORY and bool(re.match(CATEGORIES[arg], letter, self.flags & re.A))

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
