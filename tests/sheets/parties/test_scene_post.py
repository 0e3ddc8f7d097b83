"""A scene by post: what one rolled since the last turn is gathered for the thread, and who is away says so."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from sheets.models import Event, Member, Portrait, Scene, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import ATTACK, table_of


def address(table, scene=None):
    return f"/parties/{table.party.pk}/scenes/{(scene or Scene.objects.get()).uuid}/post/"


def page(table, who="anna", by=None):
    return table.browsers[who].get(address(table), {"_by": table.sheets[by].pk} if by else {})


def text(table, who="anna", by=None):
    """The post, ready to be copied."""
    return re.search(r"<textarea id=\"post-text\"[^>]*>(.*?)</textarea>", page(table, who, by).text, re.DOTALL)[1]


def turn(table, word, who="gm"):
    return table.browsers[who].post(f"{table.address}play/", {"do": f"turn:{word}", "_press": str(uuid.uuid4())})


def numbers(table, who="anna", by=None):
    return [int(one) for one in re.findall(r"#(\d+) ·", text(table, who, by))]


@pytest.fixture
def post(table):
    """Anna and Ben take turns in a scene beside a thread; it is Anna's turn."""
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Furt"})
    Scene.objects.update(thread="https://forum.example.org/t/4711", turn_hours=48)
    table.do(f"place:{table.sheets['anna'].pk}:0")
    turn(table, "begin")
    return table


def test_a_post_has_the_rolls_since_ones_last_turn_with_their_receipts(post):
    assert numbers(post) == []
    post.play("anna", ATTACK, defence=0)
    post.play("ben", ATTACK, defence=0)
    post.play("anna", "roll-loss-points")
    assert numbers(post) == [1, 3]
    rolls = Event.objects.filter(sheet=post.sheets["anna"]).exclude(roll="").order_by("pk")
    tokens = [one.receipt.token for one in rolls]
    assert re.findall(r"\[url=http://testserver/rolls/([\w-]+)/\]", text(post)) == tokens
    turn(post, "next", "anna")
    assert numbers(post) == []
    # Rolls made in the turns of others belong to the next post.
    post.play("anna", ATTACK, defence=0)
    turn(post, "next", "ben")
    post.play("anna", ATTACK, defence=0)
    assert numbers(post) == [4, 5]


def test_a_turn_that_is_held_back_has_not_ended_and_what_was_taken_back_is_left_out(post):
    post.play("anna", ATTACK, defence=0)
    turn(post, "hold", "anna")
    assert numbers(post) == [1]
    Event.objects.exclude(roll="").update(undone=True)
    assert numbers(post) == []


def test_a_post_is_written_for_whom_one_plays(post):
    troll = post.bring()
    for who in ("anna", "ben"):
        post.play(who, ATTACK, defence=0)
    assert [numbers(post, who) for who in ("anna", "ben")] == [[1], [2]]
    # The address of somebody else's leads to one's own.
    assert numbers(post, "anna", "ben") == [1]
    assert numbers(post, "gm", "ben") == [2]
    assert troll.name in text_of(page(post, "gm", "troll"))


def test_the_picture_of_a_sheet_that_one_does_not_read_is_not_shown(post):
    ben = post.sheets["ben"]
    ben.portrait = Portrait.objects.create(whole=b"x", large=b"x", small=b"x")
    ben.save()
    shown = []
    for seen_by in ("party", "private"):
        Sheet.objects.filter(pk=ben.pk).update(seen_by=seen_by, at_table=True)
        shown.append(f"/sheets/{ben.pk}/portrait-" in page(post).text)
    assert shown == [True, False]


def test_the_turn_is_ended_there_by_whose_turn_it_is(post):
    assert "It is your turn" in text_of(page(post))
    assert "turn:next" in page(post).text
    assert "turn:next" not in page(post, "ben").text
    assert 'rel="nofollow ugc noopener"' in page(post, "ben").text


@table_of("daemmersturm")
def test_the_profile_line_is_as_it_stands_now(table):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin"})
    whole, most = text(table), table.full("anna")
    assert f"LP {most}," in whole
    table.play("anna", "act-damage", points=2, against="nothing")
    assert f"LP {most - 2}/{most}," in text(table)
    assert "[i]Profile now:[/i]" in text(table)


def test_whoever_is_away_says_so_and_only_for_days_to_come(post):
    today = timezone.localdate()

    def away(until, who="anna"):
        return post.browsers[who].post(address(post), {"do": "away", "until": str(until)})

    def stored():
        return Member.objects.get(user=post.users["anna"]).away_until

    assert away(today + timedelta(days=3)).status_code == 302
    assert stored() == today + timedelta(days=3)
    assert "anna is away until" in re.sub("[\u2066-\u2069]", "", text_of(page(post, "ben")))
    for wrong in ("x", today - timedelta(days=1), today + timedelta(days=400), "2026-02-31", "\0"):
        answer = away(wrong)
        assert (answer.status_code, stored()) == (422, today + timedelta(days=3)), wrong
        assert "That is no day from today on" in answer.text
    away("")
    assert stored() is None


def test_an_ended_scene_has_no_post_and_nor_has_a_stranger(post):
    where = address(post)
    Scene.objects.update(ended=timezone.now())
    assert post.browsers["anna"].get(where).status_code == 404
