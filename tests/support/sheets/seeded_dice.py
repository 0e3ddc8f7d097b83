"""Dice that fall the same way each time a test runs."""

from random import Random

from rulesets.dice import thrown


def seed_dice(monkeypatch, seed):
    """Let the dice of all presses fall by a seed."""
    source = Random(seed)  # noqa: S311 - the dice of a test

    def fall(throw, tray):
        getattr(tray, "tray", tray).source = source.randbytes
        return thrown(throw, tray)

    monkeypatch.setattr("sheets.press.dice.thrown", fall)
