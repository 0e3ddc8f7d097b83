import pytest

from rulesets.dice import LoadedTray, thrown
from tests.support.sheets.duel import battle, begun, duel
from tests.support.sheets.fight import hit, struck, table

__all__ = ["battle", "begun", "duel", "hit", "struck", "table"]


@pytest.fixture
def dice(monkeypatch):
    """Faces for the next throws, one tray each."""
    faces = []

    def loaded(throw, tray=None):
        return thrown(throw, LoadedTray(*faces.pop(0)) if faces else tray)

    monkeypatch.setattr("sheets.play.services.thrown", loaded)
    return faces
