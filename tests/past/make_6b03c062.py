"""Makes the past of 6b03c062; was run once, on that commit as it stood, and is kept to say how.

    python -m tests.past.make_6b03c062

Run on a later version it would make that version's past, which proves nothing of this one.
"""

# ruff: noqa: PLC0415, S311, T201 - one story, told once; Django comes after its environment

import sys
from itertools import cycle
from random import Random

from tests.past.from_6b03c062 import PAST
from tests.past.making import begin, covered, drafts, finish, others, people, reviews, taken_along
from tests.past.odd import INVISIBLE, NAMES
from tests.past.pressing import Seldom, browser, pressed
from tests.past.rounds import asked_for_more, round_table
from tests.past.tables import all_parties, imported, tables


def signed_up():
    """Make accounts of odd names on the page for that, as far as it takes them; return these."""
    from django.contrib.auth.models import User

    made = []
    tried = (*NAMES, *(2 * sign for sign in INVISIBLE), *(f"spieler{sign}" for sign in INVISIBLE))
    for number, name in enumerate(tried):
        client = browser()
        before = User.objects.count()
        # Each comes from elsewhere: so many from one address are stopped.
        client.post("/account/signup/", {"username": name, "email": "", "password1": "gut-geschmiedet-7",
                                         "password2": "gut-geschmiedet-7"}, REMOTE_ADDR=f"192.0.2.{number}")
        if User.objects.count() > before:
            made.append(User.objects.latest("pk"))
            print("signed up:", ascii(made[-1].username))
    return made


STEPS = ["change-mark", "name-fears", "turn-white", "drop-fear", "change-field"]
BLOCKING = {"phase": "block", "mana": 1, "minion": True, "coming": 5, "attackers": [6, 6, 3, 2, 1],
            "avatars": [{"card": "Dice Minion Boost"}, {"card": "Dice Minion Fokus"}]}
RARE = {
    "augen-des-zwielichts": ([{"section_points": 10}, {"steps": STEPS}], 13),
    "battle-dice": ([BLOCKING, {}], 13),
    "condice": ([{"losses_due": 2}], 9),
    "daemmersturm": ([{"sheltered": 1, "exhaustion_due": True}, {"resource": "shadow"}], 16),
}
"""{system: states of play that offer what chance may not bring about, and the presses on each sheet}."""
APART = ("lose", "win", "end-game", "skip-battle", "change-mana", "damage", "cure", "strike", "draw-by-card")
"""Acts that lead to nothing, or to an end."""


def rarely_pressed(rng):
    """Bring sheets into such a state while acts were never done, and press there what was pressed least."""
    from rulesets import systems
    from sheets.models import Event, Sheet
    for slug, (states, presses) in RARE.items():
        system = systems()[slug]
        of_party = Sheet.objects.filter(ruleset=slug, owner__username="jürgen", party__name__startswith="Runde")
        for sheet, state in zip(of_party.order_by("created")[:7], cycle(states), strict=False):
            done = {*Event.objects.filter(sheet__ruleset=slug).values_list("act", flat=True)}
            if done >= {*system.acts}:
                break
            begin = {one: 99 * (name in APART) or 9 * (name in done) for name, one in system.acts.items()}
            Sheet.objects.filter(pk=sheet.pk).update(play=state)
            pressed(sheet, "de", rng, Seldom(dict.fromkeys(system.rolls.values(), 9) | begin), presses)


def guest(session):
    """Make sheets of every odd name for the guest."""
    from rulesets import systems
    client = browser()
    client.cookies["sessionid"] = session
    every = list(systems().values())
    for number, name in enumerate(NAMES):
        document = next(iter(every[number % len(every)].examples.values()))
        imported(client, document, name)


def main():
    """Tell the whole story and pack it."""
    begin()
    from django.core.management import call_command

    from tests.past.reading import PARTS, told
    rng = Random(6)
    call_command("demo", verbosity=0)
    people()
    accounts = signed_up()
    print("story", reviews().kept.pk)
    round_table(rng, "place:{}:0")
    rarely_pressed(rng)
    kept = drafts()
    guest(kept["guest"])
    asked_for_more()
    print("taken by the page:", {ascii(name): taken for name, taken in all_parties(rng).items()})
    odd = tables(accounts, rng)
    others()
    taken_along(PAST, *(sheet for table in odd for sheet in table.sheets))
    covered()
    finish(PAST, told(PARTS), kept)


if __name__ == "__main__":
    sys.exit(main())
