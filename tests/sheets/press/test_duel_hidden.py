"""What nobody but its owner learns of a side in a game of Battle Dice between two."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sheets.models import Scene, Sheet
from tests.support.party import browser
from tests.support.sheets.duel import CORONA, FAN, PINA, SNOW, avatars, defends

pytestmark = pytest.mark.alike


def test_who_reads_a_sheet_alone_learns_nothing_of_the_other_one(begun):
    Sheet.objects.filter(pk=begun.sheets["anna"].pk).update(share="s" * 32, share_play=True, seen_by="party")

    def promised():
        shared = browser(None).get(f"/shared/{'s' * 32}/")
        read = begun.browsers["ben"].get(f"/sheets/{begun.sheets['anna'].pk}/")
        return [re.search(r'id="promise-roll-battle-attack">(.*?)</div>', page.text)[1] for page in (shared, read)]
    before = promised()
    begun.put("ben", avatars=avatars(CORONA, SNOW))
    assert promised() == before


def test_of_all_pairs_at_a_table_a_gm_meets_the_one_for_whom_they_act(battle, dice):
    battle.put("anna", avatars=avatars(PINA, damage=1))
    battle.put("ben", avatars=avatars(CORONA, FAN), mana=0)
    defends(battle, dice, 6, 6, 6, 1, 1)

    def asked(**seats):
        with CaptureQueriesContext(connection) as found:
            page = battle.browsers["gm"].get(battle.address, seats).text
        return f'<option value="{CORONA}"' in page, sum('"applied_id" DESC' in one["sql"] for one in found)
    assert asked() == (False, 0)
    assert asked(_by=battle.sheets["anna"].pk) == (True, 2)


@pytest.mark.database("sqlite")
@pytest.mark.rule("BD-11")
@pytest.mark.slow
def test_no_answer_to_the_other_one_names_a_card_that_is_hidden(duel, dice):
    scene = Scene.objects.create(party=duel.party)
    told_then = [f"/parties/{duel.party.pk}/scenes/{scene.uuid}/{file}" for file in ("", "log.md", "log.json")]
    duel.told_apart().begin()
    game = [("anna", "act-put-away-hand-0", {}), ("anna", "act-focus", {"change": 0}),
            ("anna", "act-summon-hand-0", {}), ("anna", "act-to-battle", {}), ("anna", "act-declare", {"change": 0}),
            ("ben", "act-defend", {"change": 0}), ("ben", "act-take-rest", {}), ("ben", "act-next-turn", {}),
            ("ben", "act-put-away-hand-1", {}), ("ben", "act-focus", {"change": 0})]
    told = 0
    for who, press, fields in game:
        dice += [[6, 6, 6, 1]] if press == "act-defend" else []
        duel.do(who, press, **fields)
        for reader, other in (("anna", "ben"), ("ben", "anna")):
            own = f"/sheets/{duel.sheets[reader].pk}/"
            answers = [duel.browsers[reader].get(url, headers=head).getvalue() for url, head in (
                (own, {}), (duel.address, {}), (f"{own}landed/", {"HX-Request": "true"}),
                # What tells all that was, at the end.
                *((url, {}) for url in told_then if (who, press) == game[-1][:2]))]
            answers.append(duel.look(reader, reader, other).content)
            assert not [name for name in duel.hidden(other) for answer in answers if name.encode() in answer]
            told += sum(one.card.encode() in answer for one in duel.state(other).avatars for answer in answers)
    assert told, "what lies open is told"
