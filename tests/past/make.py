"""Makes the past of 50aac23; was run once, on that commit as it stood, and is kept to say how.

    python -m tests.past.make

Run on a later version it would make that version's past, which proves nothing of this one.
"""

# ruff: noqa: PLC0415, S311, T201 - one story, told once; Django comes after its environment

import sys
from random import Random

from tests.past.from_50aac23 import PAST
from tests.past.making import begin, covered, drafts, finish, others, people, reviews, taken_along
from tests.past.rounds import asked_for_more, round_table


def main():
    """Tell the whole story and pack it."""
    begin()
    from django.core.management import call_command

    from tests.past.reading import FIRST, told
    rng = Random(50)
    call_command("demo", verbosity=0)
    people()
    print("story", reviews().kept.pk)
    round_table(rng, "first:{}")
    kept = drafts()
    asked_for_more()
    others()
    taken_along(PAST)
    covered()
    finish(PAST, told(FIRST), kept)


if __name__ == "__main__":
    sys.exit(main())
