"""The contents of a draft, now or at a point in its history."""

from dataclasses import dataclass

from rulesets.kit import Data


@dataclass(frozen=True)
class State:
    """The contents of a sheet: its name, its data, the texts that are no values yet, and what the dice made it from."""

    name: str
    data: Data
    typed: dict[str, str]
    concept: str = ""


class HasState:
    """A row that keeps a whole state."""

    name: str
    data: Data
    typed: dict[str, str]
    concept: str

    @property
    def state(self) -> State:
        """The state that the row holds; assign another to replace it."""
        return State(self.name, self.data, self.typed, self.concept)

    @state.setter
    def state(self, new: State) -> None:
        self.name, self.data, self.typed, self.concept = new.name, new.data, new.typed, new.concept
