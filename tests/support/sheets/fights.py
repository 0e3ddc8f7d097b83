"""Fights of two against two at a table, in each system whose figures cross it; opponents bear little."""

from importlib import import_module

from tests.support.sheets.answering import Answering

FRAGILE = {
    "condice": {"life": 1, "defence": 2},
    "daemmersturm": {"life": 4},
    "dice_rumble": {"talents": [{"name": "Nahkampf", "attribute": "strength", "points": 6}]},
}
"""What of each opponent's sheet is stated."""
HURT = {"dice_rumble": {"life_lost": 5}}
"""How each opponent begins where nobody's life is so little."""
FIGHTS = sorted(FRAGILE)


class Requests:
    """A hand that plays by requests."""


def fight_of(package, users, seed, *, waits, hand=Requests):
    """Return such a fight, played by this hand; with `waits` whoever is attacked is asked first."""
    module = import_module(f"rulesets.{package}.tests.test_scene")
    scene_class = next(one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Answering)
                       and one.__module__ == module.__name__)

    class Small(hand, scene_class):
        heroes, opponents = ("anna", "ben"), ("ork", "troll")

    scene = module.begun(users, seed, Small)
    scene.waits = waits
    for name in scene.opponents:
        scene.have(name, **FRAGILE[package])
        scene.put(name, **HURT.get(package, {}))
    return scene
