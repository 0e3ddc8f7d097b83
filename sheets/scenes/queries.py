"""The scene that is open at a party's table."""

from sheets.models import Party, Scene


def scene_now(party: Party) -> Scene | None:
    """Return the scene that is open, None between two."""
    return party.scenes.filter(ended=None).first()


def begun_scene(party: Party) -> Scene | None:
    """Return the same, if somebody has begun it."""
    return party.scenes.filter(ended=None, by_itself=False).first()
