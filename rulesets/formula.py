"""Free rolls: a formula such as "3d6+2" as people type it, its dice, and its exact odds.

Formulas are sums of dice and numbers. Dice are written in English or German ("3d6", "3W6"), and of several dice only
the highest or lowest may count ("2d20 highest", "4W6 höchste 3", "4d6kh3").
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb

from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from rulesets.dice import Outcome, Pool, Tray, totals
from rulesets.work import STEP, digits, spend

MAX_LENGTH, MAX_TERMS, MAX_DICE, MAX_SIDES, MAX_NUMBER = 60, 10, 100, 1000, 10_000
"""The limits of a formula: characters, terms, dice in all, sides of a die, and the size of a number in it."""
HIGHEST, LOWEST = "kh", "kl"
"""The selections: the highest or the lowest dice of a term count."""
SELECTIONS = {
    HIGHEST: ("kh", "k", "highest", "best", "höchster", "höchsten", "höchste", "bester", "besten", "beste"),
    LOWEST: ("kl", "lowest", "worst", "niedrigster", "niedrigsten", "niedrigste", "schlechtester", "schlechtesten",
             "schlechteste")}
"""{selection: the words for it}."""
_WORDS = {word: one for one, words in SELECTIONS.items() for word in words}
_TOKEN = re.compile(r"(\d+)|([dw])(?![^\W\d_])|([^\W\d_]+)|(\S)", re.IGNORECASE)
_NUMBER, _DIE, _WORD = 1, 2, 3
"""The kinds of tokens; 4 is any other character."""
_MINUS = "-−–"


class FormulaError(ValueError):
    """Raised if a formula cannot be read; `at` is the index of the character at which reading stopped."""

    def __init__(self, message: object, at: int) -> None:
        super().__init__(str(message))
        self.at = at


@dataclass(frozen=True)
class Term:
    """Dice or a number in a sum: `count` dice of `sides` sides, of which `selected` count; a number has no sides."""

    count: int
    sides: int = 0
    selection: str = ""
    selected: int = 0
    sign: int = 1

    def written(self, die: str = "d") -> str:
        """Return the term without its sign, with this letter for dice."""
        if not self.sides:
            return str(self.count)
        return f"{self.count}{die}{self.sides}" + (f"{self.selection}{self.selected}" if self.selection else "")

    def throw(self, tray: Tray) -> tuple[Pool, int]:
        """Throw the dice; return the faces that count, highest first, and what they add to the sum."""
        if not self.sides:
            return (), self.sign * self.count
        pool = tray.pool(self.count, self.sides)
        if self.selection:
            pool = pool[:self.selected] if self.selection == HIGHEST else pool[-self.selected:]
        return pool, self.sign * sum(pool)

    def weights(self) -> Mapping[int, int]:
        """Return {amount added to the sum: number of ways to throw it}."""
        if not self.sides:
            return {self.sign * self.count: 1}
        found = dict(totals(self.count, tuple(range(1, self.sides + 1)))) if not self.selection else _selected_totals(
            self.count, self.sides, self.selected)
        if self.selection == LOWEST:
            found = {self.selected * (self.sides + 1) - total: ways for total, ways in found.items()}
        return {self.sign * total: ways for total, ways in found.items()}


@dataclass(frozen=True)
class Formula:
    """A sum of dice and numbers."""

    terms: tuple[Term, ...]

    @classmethod
    def read(cls, text: str) -> "Formula":
        """Return the formula in a text; raise `FormulaError` if the text is no formula or exceeds a limit."""
        if len(text) > MAX_LENGTH:
            raise FormulaError(_("A formula has at most {n} characters.").format(n=MAX_LENGTH), MAX_LENGTH)
        return cls(tuple(_Reader(text).terms()))

    def __str__(self) -> str:
        """The formula as receipts contain it: "3d6+2", "2d20kh1"."""
        return self.written()

    def written(self, die: str = "d") -> str:
        """Return the formula with this letter for dice."""
        text = "".join(f"{'-' if one.sign < 0 else '+'}{one.written(die)}" for one in self.terms)
        return text.removeprefix("+")

    @cached_property
    def dice(self) -> int:
        """The number of dice."""
        return sum(one.count for one in self.terms if one.sides)

    def throw(self, tray: Tray) -> Outcome:
        """Throw all dice and return their sum; `counted` are the faces that count, for each term with dice."""
        thrown = [one.throw(tray) for one in self.terms]
        return Outcome(sum(added for _faces, added in thrown),
                       counted=tuple(faces for faces, _added in thrown if faces))

    def weights(self) -> Mapping[int, int]:
        """Return {sum: number of ways to throw it}, exact; raise `TooMuch` if it exceeds the limit of work."""
        sums: Mapping[int, int] = {0: 1}
        for term in self.terms:
            found: defaultdict[int, int] = defaultdict(int)
            more = term.weights()
            spend(len(sums) * len(more) * (STEP + digits(max(sums.values())) * digits(max(more.values()))))
            for total, ways in sums.items():
                for added, others in more.items():
                    found[total + added] += ways * others
            sums = found
        return sums


def _selected_totals(count: int, sides: int, selected: int) -> Mapping[int, int]:
    """Return {sum of the `selected` highest of `count` dice: number of ways to throw it}.

    The loop goes from the highest face down: some of the remaining dice show the face, all others a lower one.
    """
    spend(sides * count * count * selected * sides // 4 * (STEP + digits(sides ** count)))
    open_throws: dict[int, dict[int, int]] = {count: {0: 1}}
    sums: defaultdict[int, int] = defaultdict(int)
    for face in range(sides, 0, -1):
        found: dict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        for left, before in open_throws.items():
            missing = selected - (count - left)
            for showing in range(left + 1):
                ways = comb(left, showing)
                for total, others in before.items():
                    if showing >= missing:
                        # All selected dice are known; the remaining ones show any lower faces.
                        sums[total + missing * face] += ways * others * (face - 1) ** (left - showing)
                    else:
                        found[left - showing][total + showing * face] += ways * others
        open_throws = {left: dict(one) for left, one in found.items()}
    return sums


class _Reader:
    """Reads the terms of a formula one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [(match[match.lastindex or 0].lower(), match.lastindex, match.start(match.lastindex or 0))
                       for match in _TOKEN.finditer(text.rstrip())]
        self.place = 0
        self.dice = 0

    @property
    def at(self) -> int:
        """The index of the next token in the text."""
        return self.tokens[self.place][2] if self.place < len(self.tokens) else len(self.text)

    def next(self, kind: int) -> str:
        """Return the next token if it is of this kind, and go on; else ""."""
        if self.place < len(self.tokens) and self.tokens[self.place][1] == kind:
            self.place += 1
            return self.tokens[self.place - 1][0]
        return ""

    def number(self, most: int, message: object) -> int | None:
        """Return the next token as a number from 1 to `most`, None if it is no number."""
        at, text = self.at, self.next(_NUMBER)
        if not text:
            return None
        # Digits of other scripts are refused, and so are long numbers, before they are converted.
        if not text.isascii() or len(text) > len(str(most)) + 2 or not 1 <= int(text) <= most:
            raise FormulaError(message, at)
        return int(text)

    def terms(self) -> Iterator[Term]:
        """Yield all terms; raise `FormulaError` if the text is no formula."""
        sign = self.sign() or 1
        for _number in range(MAX_TERMS):
            yield self.term(sign)
            if self.place == len(self.tokens):
                if not self.dice:
                    raise FormulaError(_("There are no dice in it: write 2d6, for instance."), len(self.text))
                return
            at, sign = self.at, self.sign()
            if not sign:
                raise FormulaError(_("A plus or a minus is expected here."), at)
        raise FormulaError(_("A formula has at most {n} parts.").format(n=MAX_TERMS), self.at)

    def sign(self) -> int:
        """Return 1 or -1 for a plus or minus that comes next, 0 if none does."""
        if self.place < len(self.tokens) and self.tokens[self.place][0] in ("+", *_MINUS):
            self.place += 1
            return 1 if self.tokens[self.place - 1][0] == "+" else -1
        return 0

    def term(self, sign: int) -> Term:
        """Return the term that comes next."""
        at = self.at
        count = self.number(MAX_NUMBER, _("Numbers go from 1 to {n}.").format(n=MAX_NUMBER))
        if not self.next(_DIE):
            if count is None:
                raise FormulaError(_("Dice or a number are expected here, such as 2d6 or 3."), at)
            return Term(count, sign=sign)
        count = count or 1
        self.dice += count
        if self.dice > MAX_DICE:
            raise FormulaError(_("A formula has at most {n} dice.").format(n=MAX_DICE), at)
        at = self.at
        sides = 100 if self.place < len(self.tokens) and self.tokens[self.place][0] == "%" else 0
        if sides:
            self.place += 1
        else:
            sides = self.number(MAX_SIDES, _("A die has 2 to {n} sides.").format(n=MAX_SIDES)) or 0
        if sides < 2:
            raise FormulaError(_("A die has 2 to {n} sides.").format(n=MAX_SIDES), at)
        return self.selecting(count, sides, sign)

    def selecting(self, count: int, sides: int, sign: int) -> Term:
        """Return a term with these dice; the words after them may select the highest or lowest ones."""
        at, word = self.at, self.next(_WORD)
        if not word:
            return Term(count, sides, sign=sign)
        if word not in _WORDS:
            raise FormulaError(_("This word has no meaning here. “highest” and “lowest” do."), at)
        at = self.at
        selected = self.number(MAX_DICE, _("There are not that many dice.")) or 1
        if selected > count:
            raise FormulaError(_("There are not that many dice."), at)
        return Term(count, sides, _WORDS[word], selected, sign) if selected < count else Term(count, sides, sign=sign)
