"""The contents of a draft, now or at a point in its history."""

from dataclasses import dataclass

from rulesets.kit import Data


@dataclass(frozen=True)
class State:
    """The contents of a sheet: name, data, invalid input, and the slug of the concept that it was rolled from."""

    name: str
    data: Data
    typed: dict[str, str]
    concept: str = ""


class HasState:
    """A mixin for models whose rows contain a whole state."""

    name: str
    data: Data
    typed: dict[str, str]
    concept: str

    @property
    def state(self) -> State:
        """The state in the row; assign another one to replace it."""
        return State(self.name, self.data, self.typed, self.concept)

    @state.setter
    def state(self, new: State) -> None:
        self.name, self.data, self.typed, self.concept = new.name, new.data, new.typed, new.concept
