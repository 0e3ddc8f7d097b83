"""Whoever is curious, by what no page of theirs sends: of what is secret no answer tells anything, whatever is asked.

As in `test_secrets`, raw answers are compared with those of the same game in which every secret card is another one.
"""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from rulesets import systems
from sheets.models import Event, Sheet
from tests.support.everyday import everyday
from tests.support.party import Rooms
from tests.support.sheets.secret_game import NAMES, otherwise

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite"), pytest.mark.rule("BD-11"), pytest.mark.slow]
READERS = ("gm", "link holder", "player", "stranger", "co-gm")
HTMX = {"HX-Request": "true"}
PRESSES = ("act-put-away-hand-0", "act-put-away-hand-1", "act-summon-hand-0", "act-summon-minion", "act-focus",
           "act-next-turn", "roll-draw", "roll-battle-attack", "act-start-game")
"""What the owner is offered, or may have been."""
GUESSED = [{"card": name} for name in NAMES[:2]] + [{"change": "0"}, {"card": "\0"}, {"cards": "99", "draws": "x"}]
QUERIES = ("_rolls=2", "_rolls=x&against.defence_dice=40", "against.hand=1&less=hand", "w=roll-draw&cards=3&draws=1",
           "w=act-summon-minion&card=" + NAMES[0], "w=act-put-away-hand-0&_rolls=-1", "done=share", "of=now&a=1&b=now")
OLD = {"If-None-Match": '"x", *', "If-Modified-Since": "Thu, 01 Jan 2099 00:00:00 GMT", "Range": "bytes=0-99",
       "Accept": "application/json"}
"""What asks for an answer only if it is another."""


def places(game):
    """Addresses at which something of the game might be told."""
    pk, token, party = game.sheet.pk, game.sheet.share, game.party.pk
    own = [f"/sheets/{pk}/{rest}" for rest in ("", "play/", "keep/", "history/", "review/", "print/", "export.json")]
    return [*own, f"/drafts/{pk}/deck/", f"/shared/{token}/", f"/shared/{token}/export.json",
            f"/parties/{party}/table/", f"/parties/{party}/", f"/compare/battle-dice/?a={pk}&b={token}",
            *(f"/parties/{party}/scenes/{game.scene.uuid}/{rest}" for rest in ("", "log.md", "log.json")),
            f"/dice/battle-dice/?sheet={pk}", "/api/v1/rulesets/battle-dice/rolls/draw/odds?cards=3&draws=1"]


def asked(game, who):
    """All raw answers to what is asked by address."""
    for place in places(game):
        for more in QUERIES:
            yield game.ask(who, f"{place}{'&' if '?' in place else '?'}{more}", htmx="w=" in more)
        yield game.ask(who, place, **OLD)
        yield game.ask(who, place, htmx=True, **OLD)


def pressed(game, who):
    """All raw answers to what is posted."""
    keys = (f"/sheets/{game.sheet.pk}/play/", f"/parties/{game.party.pk}/table/", f"/shared/{game.sheet.share}/")
    events = [*game.sheet.events.values_list("pk", flat=True)]
    for which in PRESSES:
        for guess in GUESSED[:1] if which != "act-summon-minion" else GUESSED:
            press = {"w": which, "_press": PRESS, "_seen": "", **guess}
            yield game.ask(who, keys[0], press, htmx=True)
            yield game.ask(who, keys[0], {**press, "do": "odds"})
            yield game.ask(who, keys[1], {**press, "do": "round"}, htmx=True)
            yield game.ask(who, keys[2], press)
    for event in (*events, "x"):
        yield game.ask(who, keys[0], {"w": "undo", "_event": event}, htmx=True)
        yield game.ask(who, keys[1], {"do": f"reveal:{event}"})
    for do in (f"count:hand:{10**9}", f"place:{uuid4().hex[:4]}", "throw:hidden", "drop:hand"):
        yield game.ask(who, keys[1], {"do": do, "w": "roll-heal", "dice": "x", "_press": PRESS})
    for do in ("copy", "finish", "delete"):
        yield game.ask(who, f"/drafts/{game.sheet.pk}/", {"do": do})
    yield game.ask(who, f"/drafts/{game.sheet.pk}/deck/", {"_version": "1", "do": "undo:"}, htmx=True)


PRESS = "11111111-2222-4333-8444-666666666666"


@pytest.mark.parametrize(("who", "how"), everyday([
    ("link holder", asked), ("gm", pressed), *((who, how) for who in READERS for how in (asked, pressed)
                                              if (who, how) not in {("link holder", asked), ("gm", pressed)})]))
def test_no_answer_to_what_no_page_sends_hangs_on_what_is_secret(game, who, how):
    first = list(how(game, who))
    otherwise(game.sheet)
    for number, text in enumerate(how(game, who)):
        assert text.splitlines() == first[number].splitlines(), number
    assert len({text[:3] for text in first}) > 1


@pytest.mark.parametrize("last", ["put-away", "undo"])
@pytest.mark.parametrize("who", everyday(READERS, 2))
def test_what_fell_last_and_what_was_taken_back_tell_others_no_card(game, who, last):
    game.press("act-focus", change="0")
    game.over()
    game.press("act-put-away-hand-0")
    event = game.sheet.events.order_by("-pk").first()
    assert event.act == "put-away"
    if last == "undo":
        game.browsers["owner"].post(f"/sheets/{game.sheet.pk}/play/", {"w": "undo", "_event": event.pk})
        event.refresh_from_db()
        assert event.undone

    def told():
        return [game.ask(who, url, htmx=htmx).splitlines() for url in (
            f"/sheets/{game.sheet.pk}/", f"/shared/{game.sheet.share}/", f"/parties/{game.party.pk}/table/")
            for htmx in (False, True)]

    first = told()
    assert any(lines[0].startswith("200") for lines in first)
    otherwise(game.sheet)
    assert told() == first


@pytest.mark.parametrize("who", everyday(["link holder", "owner", "gm"]))
def test_the_link_of_the_sheet_alone_is_the_same_as_if_nobody_had_ever_played(game, who):
    Sheet.objects.filter(pk=game.sheet.pk).update(share_play=False)
    token = game.sheet.share
    files = [reverse("shared-pdf", args=[token]),
             *(reverse("shared-file", args=[token, form]) for form in ("json", "md", "bbcode"))]
    urls = [reverse("shared", args=[token]),
            f"/compare/battle-dice/?a={token}&b=frost", f"/compare/battle-dice/?a=frost&b_link={token}&b=x"]
    more = ["", *(query for query in QUERIES if "card=" not in query)]

    def answers():
        # Files read neither htmx nor what is asked at a sheet.
        taken = [game.ask(who, f"{url}?{query}").splitlines() for url in files for query in ("", "of=now&a=1&b=now")]
        return taken + [game.ask(who, f"{url}{'&' if '?' in url else '?'}{query}", htmx=htmx).splitlines()
                        for url in urls for query in more for htmx in (False, True)]

    first = answers()
    game.sheet.events.all().delete()
    Sheet.objects.filter(pk=game.sheet.pk).update(play={}, played=None)
    assert answers() == first


@pytest.mark.parametrize("who", ["player", "owner", "stranger"])
def test_of_a_hidden_roll_no_answer_to_players_tells_that_it_was_made(game, who):
    urls = [f"/parties/{game.party.pk}/table/", f"/parties/{game.party.pk}/", "/notifications/", "/parties/",
            f"/sheets/{game.sheet.pk}/", f"/sheets/{game.sheet.pk}/history/", "/account/download/"]

    def answers():
        texts = [game.ask(who, url, htmx=htmx) for url in urls for htmx in (False, True)]
        # A download contains its own time.
        return [[line for line in text.splitlines() if not line.startswith('"made"')] for text in texts]

    first = answers()
    roll = {"do": "throw:hidden", "w": "roll-heal", "dice": "3", "_press": str(uuid4())}
    assert game.browsers["gm"].post(f"/parties/{game.party.pk}/table/", roll).status_code == 302
    assert Event.objects.filter(hidden=True).count() == 1
    assert answers() == first


def test_against_what_a_secret_roll_was_made_is_its_owners_to_know(monkeypatch):
    rooms = Rooms()
    rooms.sheet.seen_by = "public"
    rooms.sheet.save()
    monkeypatch.setattr(systems()["condice"].rolls["attack"], "secret", True)
    monkeypatch.setitem(vars(systems()["condice"]), "secretive", True)
    browsers = {"gm": rooms.browsers["gm"], "reader": Client(), "player": rooms.browsers["player"]}
    url = f"/sheets/{rooms.sheet.pk}/"

    def promised():
        return {who: browser.get(url, headers=HTMX | {"Accept-Language": "en"}).text
                for who, browser in browsers.items()}

    first = promised()
    press = {"w": "roll-attack-attacks-0", "_press": str(uuid4()), "defence": "1"}
    rooms.browsers["player"].post(f"{url}play/", press)
    assert rooms.sheet.events.get().given["defence"] == 1
    now = promised()
    assert now["player"] != first["player"]
    assert (now["gm"], now["reader"]) == (first["gm"], first["reader"])
