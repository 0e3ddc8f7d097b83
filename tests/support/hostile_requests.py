"""What strangers may ask that costs most: addresses, texts, sheets and drafts at their bounds, and what a search found.

`tests/support/costly.py` is the search.
"""

import json

from rulesets import systems

ALL = ",".join(map(str, range(1, 21)))


def meeting(slug, **figures):
    """Two with the same figures side by side."""
    return f"/compare/{slug}/?" + "&".join(f"{side}.{key}={value}" for side in "ab" for key, value in figures.items())


EXACT = (
    meeting("condice", dice=5, defence=9, life=150),
    meeting("condice", dice=3, defence=5, life=60),
    meeting("dice-rumble", life=100),
    meeting("daemmersturm", damage="0-1", life=70),
)
"""What must be answered exactly."""
API, CONDICE, STORM = "/api/v1/rulesets/", "/api/v1/rulesets/condice/rolls/", "/api/v1/rulesets/daemmersturm/rolls/"
BOUNDS = (
    meeting("condice", dice=499, defence=997, life=282),
    meeting("condice", dice=999, defence=0, life=999),
    meeting("condice", dice=999, defence=3, life=10),
    meeting("condice", dice=0, defence=0, life=999),
    meeting("condice", dice=1, defence=0, life=158),
    meeting("condice", dice=3, defence=5, life=150),
    meeting("condice", dice=15, defence=3, life=60),
    meeting("condice", dice=120, defence=239, life=40),
    meeting("dice-rumble", life=999, threshold=999, weapon=999),
    meeting("dice-rumble", life=223, threshold=9),
    meeting("dice-rumble", life=158, threshold=1, modifier=-999),
    meeting("daemmersturm", damage="0-999"),
    meeting("daemmersturm", damage="0-999", life=70, shield=14, armour=4, armour_most=500),
    meeting("daemmersturm", damage="0-999", life=999, skill="magic", criticals=ALL, fumbles=ALL),
    meeting("daemmersturm", damage="0-1", life=50, reload=3, skill="ranged"),
    meeting("daemmersturm", damage="0-1", life=100, shield=20, shield_bonus=1, armour=6),
    meeting("augen-des-zwielichts", life=999),
    meeting("battle-dice", life=999),
    *(f"{CONDICE}{roll}" for roll in (
        "attack/odds?dice=999&defence=0&extra_dice=999", "attack/odds?dice=999", "attack/odds?dice=300&defence=150",
        "attack/odds?dice=999&extra_dice=999&least=1000&most=1020", "success/odds?dice=999",
        "mental-attack/odds?dice=999&resistance=999", "mental-damage/odds?dice=999&resistance=0",
        "mental-defence/odds?dice=999&successes=999", "explosion/odds?dice=999&defence=1",
        "success/odds?dice=" + "9" * 4000)),
    *(f"{STORM}{roll}" for roll in (
        "damage/odds?range=0-999&rolls=20&critical=6", "damage/odds?range=0-999&rolls=2&critical=3",
        "damage/odds?range=0-999&rolls=20&critical=3&least=9990&most=10010", "damage/odds?range=1-500&rolls=20",
        "targets/odds?range=0-999", "elements/odds?maximum=999",
        f"attack/odds?bonus=0&defence=0&criticals={ALL}&fumbles={ALL}&repeat=1",
        "climbing/odds?rope=1&gear=1&weapon=1&weather=1&deadly=1&shaking=1")),
    f"{API}dice-rumble/rolls/duel-damage/odds?threshold=999&opponent=999&weapon=999",
    f"{API}dice-rumble/rolls/initiative-order/odds?fighters=99",
    f"{API}augen-des-zwielichts/rolls/combat-round/odds?fighters=99&danger_level=12&second_dice=99",
    f"{API}augen-des-zwielichts/rolls/weak-hits/odds?fighters=99&weak_point=6&second_dice=50",
    f"{API}augen-des-zwielichts/rolls/solve/odds?difficulty=999&clues=999",
    f"{API}augen-des-zwielichts/rolls/help/odds?colour=black&helped_black=" + ",".join(["6"] * 500),
    f"{API}battle-dice/rolls/battle/odds?attack_dice=40&defence_dice=40&flink=10",
    f"{API}battle-dice/rolls/battle/odds?attack_dice=40&defence_dice=40",
    f"{API}battle-dice/rolls/heal/odds?dice=999",
    f"{API}battle-dice/rolls/draw/odds?cards=999&draws=999&spare=999",
    f"{API}battle-dice/rolls/seen/odds?copies=8&turn=999",
    "/dice/condice/?w=roll-attack&dice=999&defence=0&extra_dice=999",
    "/dice/daemmersturm/?w=roll-damage&range=0-999&rolls=20&critical=6",
    "/dice/dice-rumble/?w=roll-initiative-order&fighters=99",
    "/dice/augen-des-zwielichts/?w=roll-combat-round&fighters=99&danger_level=12&second_dice=99",
    "/dice/battle-dice/?w=roll-battle&attack_dice=40&defence_dice=40&flink=10",
    "/dice/condice/?against.defence=999&against.mental_resistance=999&_rolls=9&start=999",
    "/dice/daemmersturm/?against.defence=999&w=roll-attack&bonus=0&less=defence&rows=9",
    "/dice/dice-rumble/?against.opponent=999&against.threshold=" + "9" * 4000,
    "/dice/condice/?fell=" + "x" * 6000,
)
FOUND = (
    "/compare/condice/?a.dice=999&a.defence=8&a.life=880&b.dice=999&b.defence=15&b.life=24",
    "/compare/condice/?a.dice=999&a.defence=841&a.life=999&b.dice=999&b.defence=0&b.life=23",
    "/compare/condice/?a.dice=999&a.defence=8&a.life=880&b.dice=999&b.defence=891&b.life=24",
    "/compare/condice/?a.dice=999&a.defence=27&a.life=999&b.dice=999&b.defence=20&b.life=1",
    "/compare/condice/?a.dice=999&a.defence=841&a.life=999&b.dice=999&b.defence=0&b.life=1",
    "/compare/condice/?a.dice=999&a.defence=27&a.life=999&b.dice=999&b.defence=0&b.life=1",
    "/compare/condice/?a.dice=999&a.defence=841&a.life=999&b.dice=999&b.defence=111&b.life=1",
    "/compare/condice/?a.dice=999&a.defence=0&a.life=999&b.dice=999&b.defence=10&b.life=1",
    "/compare/condice/?a.dice=999&a.defence=849&a.life=999&b.dice=999&b.defence=10&b.life=1",
    ("/compare/dice-rumble/?a.threshold=0&a.modifier=738&a.weapon=999&a.life=390"
    "&b.threshold=54&b.modifier=27&b.weapon=0&b.life=103"),
    ("/compare/dice-rumble/?a.threshold=339&a.modifier=738&a.weapon=999&a.life=390"
    "&b.threshold=999&b.modifier=27&b.weapon=0&b.life=103"),
    ("/compare/dice-rumble/?a.threshold=339&a.modifier=738&a.weapon=0&a.life=390"
    "&b.threshold=25&b.modifier=389&b.weapon=714&b.life=103"),
    ("/compare/dice-rumble/?a.threshold=339&a.modifier=738&a.weapon=1&a.life=390"
    "&b.threshold=2&b.modifier=320&b.weapon=0&b.life=103"),
    ("/compare/dice-rumble/?a.threshold=87&a.modifier=237&a.weapon=1&a.life=32"
    "&b.threshold=999&b.modifier=999&b.weapon=12&b.life=999"),
    ("/compare/dice-rumble/?a.threshold=339&a.modifier=2&a.weapon=420&a.life=390"
    "&b.threshold=999&b.modifier=17&b.weapon=0&b.life=103"),
    ("/compare/dice-rumble/?a.threshold=339&a.modifier=738&a.weapon=1&a.life=32"
    "&b.threshold=999&b.modifier=999&b.weapon=12&b.life=999"),
    ("/compare/dice-rumble/?a.threshold=339&a.modifier=738&a.weapon=420&a.life=390"
    "&b.threshold=0&b.modifier=0&b.weapon=999&b.life=103"),
    ("/compare/dice-rumble/?a.threshold=339&a.modifier=738&a.weapon=0&a.life=390"
    "&b.threshold=31&b.modifier=999&b.weapon=0&b.life=103"),
    ("/compare/dice-rumble/?a.threshold=16&a.modifier=999&a.weapon=1&a.life=32"
    "&b.threshold=999&b.modifier=999&b.weapon=46&b.life=999"),
    ("/compare/dice-rumble/?a.threshold=339&a.modifier=738&a.weapon=1&a.life=390"
    "&b.threshold=999&b.modifier=999&b.weapon=0&b.life=103"),
)
"""What `tests/support/costly.py` found dearest."""
LINE = "Juan (N=20+0|10)["
POSTED = {
    "openings of profiles": ("/paste/", LINE * (62 * 1024 // len(LINE))),
    "profiles with commas": ("/paste/", "Juan (N=20+0|10" + "," * 60_000),
    "profiles without an end": ("/paste/", "Juan (N=20+0|10 " * 3_800),
    "whole profiles": ("/paste/", "Juan (N=20+0|10, F=20+0|10, Z=20+0|10), LP 20 [AP: 2 | FP: 0 | MP: 0]\n" * 850),
    "brackets": ("/paste/", "[" * 64_000),
    "quotations": ("/paste/", "> " * 32_000),
    "a profile to be validated": ("/validate/", LINE * (62 * 1024 // len(LINE))),
    "deep lists": ("/validate/", "[" * 64_000),
    "unknown keys": ("/validate/", json.dumps(
        {"format": "bogenschmiede.sheet", "version": 1, "ruleset": "condice", "name": "x",
         "data": {f"k{n}": n for n in range(5_000)}})),
    "a draft of deep lists": ("/import/", "[" * 64_000),
}


def sheet(slug, **data):
    """A document of so much data."""
    ruleset = systems()[slug]
    return ruleset.document("Juan", ruleset.sheet.model_validate({**ruleset.document()["data"], **data}).model_dump())


HUNDREDS = sheet("condice", attacks=[{"name": f"a{n}", "dice": 900 + n} for n in range(99)])
MARKED = sheet("condice", abilities=[{"ability": "custom", "name": f"n{n}", "cost": 1,
                                      "description": "a" + "\u0301\u0308\u0327\u0330" * 999} for n in range(6)])
WORDY = sheet("condice", abilities=[{"ability": "custom", "name": f"n{n}", "cost": 1,
                                     "description": "Wort für Wort, und weiter. " * 140} for n in range(9)])
TALENTS = sheet("dice-rumble", talents=[{"name": f"t{n}", "attribute": "mind", "points": 999} for n in range(99)])
KEPT = {
    "hundreds of dice": (HUNDREDS, "/shared/{token}/"),
    "one of hundreds asked for": (HUNDREDS, "/shared/{token}/?w=roll-attack-attacks-98&defence=5"),
    "hundreds of dice in figures": (HUNDREDS, "/drafts/{pk}/attacks/"),
    "hundreds of dice against each other": (HUNDREDS, "/compare/condice/?a={token}&b={token}"),
    "hundreds of talents": (TALENTS, "/shared/{token}/"),
    "talents in figures": (TALENTS, "/drafts/{pk}/talents/"),
    "marks set": (MARKED, "/shared/{token}/sheet.pdf"),
    "marks shown": (MARKED, "/shared/{token}/"),
    "words set": (WORDY, "/shared/{token}/sheet.pdf?layout=pencil"),
    "words to print": (WORDY, "/sheets/{pk}/print/"),
    "hundreds of dice to print": (HUNDREDS, "/sheets/{pk}/print/"),
    "a page of hundreds as a picture": (HUNDREDS, "/sheets/{pk}/print/1.png"),
}
"""A sheet that a guest keeps, and what a stranger asks of it."""
NINES = "9" * 4_000
TURNED = {
    "promises of a page of hundreds": (HUNDREDS, "/sheets/{pk}/?_rolls=4&against.defence=190", True),
    "promises against nobody can say whom": (HUNDREDS, "/sheets/{pk}/?_rolls=x&against.defence=" + NINES, True),
    "a page of hundreds against much": (HUNDREDS, "/shared/{token}/?_rolls=4&against.defence=999", False),
    "rows of the last page": (HUNDREDS, "/drafts/{pk}/attacks/?rows=5", False),
    "all of hundreds against little": (HUNDREDS, "/sheets/{pk}/?against.defence=0&against.mental_resistance=0", True),
    "a page that there is not": (HUNDREDS, "/sheets/{pk}/?_rolls=" + NINES, False),
    "a page that there is not by the link": (HUNDREDS, "/shared/{token}/?_rolls=-999999999&_rolls=1e9", False),
    "one of a page against much": (HUNDREDS, "/sheets/{pk}/?_rolls=1&w=roll-attack-attacks-98&defence=999", True),
    "one over and over": (HUNDREDS, "/sheets/{pk}/?" + "&".join(
        f"against.defence={n}&less=defence&more=defence" for n in range(150)), False),
    "targets that there are not": (HUNDREDS, "/sheets/{pk}/?" + "&".join(
        f"against.x{n}={n}&start={n}" for n in range(300)), True),
    "rows that there are not": (HUNDREDS, "/drafts/{pk}/attacks/?rows=" + NINES, False),
    "rows and words to look for": (HUNDREDS, "/drafts/{pk}/abilities/?rows=99999999&is=x&q=" + "x" * 4_000, True),
    "talents against each other": (TALENTS, "/sheets/{pk}/?_rolls=3&against.opponent=999&against.threshold=999", True),
    "talents of another page": (TALENTS, "/shared/{token}/?_rolls=3&against.opponent=999", False),
    "talents in rows of another page": (TALENTS, "/drafts/{pk}/talents/?rows=4", False),
}
"""The same by pages and against figures of the other side: a sheet, an address, and whether htmx asks."""
TURNS = ("turn:attacks:4", f"turn:attacks:{NINES}", "turn:attacks:-1", "turn:x.y\n:2", f"turn:{'attacks.' * 900}:1")
"""What turns a page of a draft, or looks so."""
