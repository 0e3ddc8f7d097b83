"""What a draft holds, now or at a place in its history."""

from dataclasses import dataclass

from rulesets.kit import Data


@dataclass(frozen=True)
class State:
    """What a sheet holds: its name, its data, the texts that are no values yet, and what the dice made it from."""

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
        """What it holds; another is put in its place by assigning it."""
        return State(self.name, self.data, self.typed, self.concept)

    @state.setter
    def state(self, new: State) -> None:
        self.name, self.data, self.typed, self.concept = new.name, new.data, new.typed, new.concept
