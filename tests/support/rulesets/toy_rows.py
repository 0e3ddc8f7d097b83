"""Rows for the system that tests lay down: something for each of a list of the sheet, and a list that play keeps."""

TRICKED = '''    def tricked(self):
        """A roll for each trick."""
        for index, trick in enumerate(self.tricks):
            yield rolls.Throw.offer(trick.name, f"tricks.{index}", dice=trick.level)

'''
ROWS = {
    "play.py": (
        ("import HIGHEST,", "import HIGHEST, Name, Part, row, rows,"),
        ("class ToyPlay", 'class Knot(Part):\n    """A knot."""\n\n    name: Name = field("Name")\n\n\nclass ToyPlay'),
        ("    tired:", '    knots: list[Knot] = rows("Knots", [])\n    tired:'),
    ),
    "sheet.py": (
        ("        yield rolls.Test.offer(luck=self.luck)",
         "        yield from self.tricked()"),
        ("    def roll_offers(", f"{TRICKED}    def roll_offers("),
    ),
}
"""{module: (text, what it becomes)}."""
ACTS = '''

class Untie(Act):
    """A knot is untied."""

    index: Count = field("Knot")
    title = "Untie"

    @classmethod
    def offered(cls, sheet, play):
        """One for each."""
        for index, one in enumerate(play.knots):
            yield cls.offer(one.name, f"knots.{index}", index=index)

    def apply(self, sheet, play, outcome=None):
        """Without it."""
        row(play.knots, self.index)
        return play.model_copy(update={"knots": play.knots[:self.index] + play.knots[self.index + 1:]})


class Cut(Untie):
    """A knot that is chosen is cut."""

    title = "Cut"

    @classmethod
    def offered(cls, sheet, play):
        """One of those that there are."""
        if play.knots:
            yield cls.offer(among={"index": dict(enumerate(one.name for one in play.knots))})
'''


def with_rows(name, text):
    """The text of one of its modules, with all that is about rows."""
    for was, becomes in ROWS[name]:
        assert was in text, name
        text = text.replace(was, becomes, 1)
    return text + (ACTS if name == "play.py" else "")
