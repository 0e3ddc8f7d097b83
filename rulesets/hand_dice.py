"""Dice thrown by hand: a tray that is given the faces, and says which dice it still needs."""

from collections.abc import Sequence

from rulesets.dice import Pool, RealTray, faces_of


class NextDice(Exception):
    """Raised when a roll thrown by hand lacks faces: its next `count` dice have these `faces`, after those `given`."""

    def __init__(self, faces: range, count: int, given: Sequence[int]) -> None:
        super().__init__(f"{count} more dice from {faces[0]} to {faces[-1]}")
        self.faces, self.count, self.given = faces, count, tuple(given)


class HandTray(RealTray):
    """Dice that fell on a real table; a face that is missing, or that its die does not have, raises `NextDice`."""

    def __init__(self, given: Sequence[int | None]) -> None:
        super().__init__()
        self.given = given

    def face(self, faces: range) -> int:
        """Return the next given face."""
        return self.lay(faces, self._next(faces, 1)[0])

    def pool(self, count: int, sides: int | range) -> Pool:
        """Return the next `count` faces, which are asked for together."""
        self._next(faces_of(sides), count)
        return super().pool(count, sides)

    def total(self, count: int, worth: Sequence[int]) -> int:
        """Return the sum of the next `count` dice, which are asked for together."""
        self._next(faces_of(len(worth)), count)
        return super().total(count, worth)

    @property
    def left(self) -> int:
        """The number of given faces that no die has taken."""
        return len(self.given) - len(self.dice)

    def _next(self, faces: range, count: int) -> list[int]:
        found: list[int] = []
        for face in self.given[len(self.dice):][:count]:
            if face is None or face not in faces:
                break
            found.append(face)
        if len(found) < count:
            raise NextDice(faces, count - len(found), [*(one.face for one in self.dice), *found])
        return found
