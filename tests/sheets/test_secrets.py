"""What is the owner's alone: a Battle Dice hand, what the deck still holds, what was put away, in no answer to others.

All answers to others are compared as they come with those of the same game in which every secret card is another one:
nothing that hangs on a secret may differ, in whatever form.
"""

import re
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from rulesets import systems
from rulesets.kit import redacted, secretive
from sheets.character import Character
from sheets.models import Event, PendingEffect, Sheet
from sheets.models.events import OTHERS
from sheets.press.perform import press
from tests.support.addresses import OPEN, OWN, PARTY
from tests.support.everybody import address
from tests.support.everyday import everyday
from tests.support.guest import guest_of, words_in
from tests.support.sheets.secret_game import NAMES, SUMMONED, SYSTEM, otherwise

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite"), pytest.mark.rule("BD-11")]
READERS = ("gm", "player", "stranger", "link holder", "co-gm")


def urls(game, name):
    """The addresses of this name: with keys, and with everything that may be asked for there."""
    row = {**OWN, **PARTY, **OPEN}[name]
    here = {"number": game.party.members.get(user__username="player").pk, "uuid": game.scene.uuid, "roll": "draw",
            "slug": "deck" if name == "step" else "battle-dice"}
    pk = game.sheet.pk if name in OWN else game.party.pk if name in PARTY else None
    url = address(name, row, pk, {key: here.get(key, value) for key, value in row.given.items()})
    more = {"sheet": ("?w=roll-battle-attack&defence_dice=2", "?w=act-put-away-hand-0"), "pdf": ("?layout=pencil",),
            "compare": (f"?a={game.sheet.pk}", f"?b={game.sheet.share}", f"?a_link={game.sheet.share}")}
    forms = [url.replace(".json", f".{form}") for form in ("md", "bbcode")]
    return [url, *(url + query for query in more.get(name, ())), *(forms if name == "file" else ())]


def shared(game):
    """The addresses of those who hold the link."""
    page, pdf = (reverse(name, args=[game.sheet.share]) for name in ("shared", "shared-pdf"))
    return [page, f"{page}?w=act-put-away-hand-0", pdf,
            *(reverse("shared-file", args=[game.sheet.share, form]) for form in ("json", "md", "bbcode"))]


def answers(game, who, name):
    """All raw answers at an address, and what is asked there by POST."""
    row = {**OWN, **PARTY, **OPEN}[name]
    named = ("loose", "private", "offered", "shown", "effect", "done", "asked", "scene", "handout", "kept", "evening")
    given = {key: value.format(**dict.fromkeys(named, str(game.sheet.pk)))
             if isinstance(value, str) else value for key, value in row.form.items()}
    asked = [(url, None, htmx) for url in urls(game, name) for htmx in (False, True)]
    # Each invitation, each scene is another one.
    if row.form and name not in (*LISTS, "ready: lay out", "party: invite", "scenes: another"):
        asked.append((urls(game, name)[0], given, False))
    if name == "remark":
        asked.append((urls(game, name)[0], {"text": "\0"}, False))
    return {(url, str(form), htmx): game.ask(who, url, form, htmx=htmx) for url, form, htmx in asked}


LISTS = ("home", "mine", "parties", "reviews", "notifications", "compare", "trash", "account")
"""What shows sheets without the key of one in its address."""


@pytest.mark.slow
@pytest.mark.parametrize("who", everyday(READERS))
def test_no_answer_to_others_hangs_on_what_is_secret(game, who):
    first = {name: answers(game, who, name) for name in (*OWN, *PARTY, *LISTS)}
    otherwise(game.sheet)
    for name in first:
        for key, text in answers(game, who, name).items():
            assert text.splitlines() == first[name][key].splitlines(), key
    read = [key for found in first.values() for key, text in found.items() if text.startswith("200")]
    assert len(read) > (60 if who == "gm" else 12)


@pytest.mark.parametrize("who", everyday(["link holder", "owner", *READERS[:3], READERS[4]], 2))
def test_the_link_shows_nothing_that_hangs_on_what_is_secret(game, who):
    first = [game.ask(who, url, htmx=htmx) for url in shared(game) for htmx in (False, True)]
    assert first[0].startswith("200")
    assert game.sheet.name in first[0]
    otherwise(game.sheet)
    assert first == [game.ask(who, url, htmx=htmx) for url in shared(game) for htmx in (False, True)]


def test_the_owner_sees_all_of_it_and_others_take_along_nothing_that_names_a_card(game):
    for who in ("player", "co-gm", "gm", "stranger"):
        text = game.ask(who, "/account/download/")
        assert words_in(text, "account", *NAMES) == ["account"], who
    urls = [url.format(game.sheet.pk, party=game.party.pk) for url in (
        "/sheets/{}/", "/sheets/{}/export.json", "/parties/{party}/table/", "/account/download/")]
    first = {url: game.ask("owner", url) for url in urls}
    assert {url: words_in(text, *game.hand) for url, text in first.items()} == dict.fromkeys(urls, game.hand)
    otherwise(game.sheet)
    assert [url for url in urls if game.ask("owner", url) == first[url]] == []


def test_a_guest_in_their_own_browser_is_the_owner(game):
    guest = Client()
    guest.post("/build/battle-dice/")
    sheet = Sheet.objects.get(owner=None)
    Sheet.objects.filter(pk=sheet.pk).update(
        data=game.sheet.data, play=Sheet.objects.get(pk=game.sheet.pk).play, name="Gast", seen_by="public",
        guest=guest_of(guest))
    seen, others = (one.get(f"/sheets/{sheet.pk}/").text for one in (guest, Client(headers={"Accept-Language": "en"})))
    spread = [re.findall(r'<section class="spread[^>]*>.*?</section>', text, re.S)[0] for text in (seen, others)]
    assert [sum(name in one for name in NAMES) for one in spread] == [2, 0]
    assert spread[1].count("Face down") == 2


def test_the_numbers_of_cards_the_avatars_and_life_stay_open_and_what_others_see_is_not_played_on(game):
    text = game.ask("player", f"/sheets/{game.sheet.pk}/")
    spreads = re.findall(r'<section class="spread[^>]*>.*?</section>', text, re.S)
    assert [one.count("<li") for one in spreads] == [2, 2]
    assert SUMMONED in spreads[1]
    sheet = Sheet.objects.get(pk=game.sheet.pk)
    character = Character(sheet, others=True)
    deck_left = len(Character(sheet).play.deck)
    assert {one.key: one.current for one in character.play.gauges(character.written)}["deck"] == deck_left > 0
    assert set(character.play.deck) == set(character.play.hand) == {""}
    with pytest.raises(ValueError, match="not played on"):
        press(character, SimpleNamespace(complete=None), uuid4())


def test_the_log_tells_the_owner_the_cards_and_others_how_many(game):
    event = game.sheet.events.filter(act="put-away").earliest("pk")
    with override("en"):
        seen = event.for_others(SYSTEM)
        assert "put away; in hand" in event.words
        assert (seen.title, seen.words) == ("Put away and draw", "2 cards in hand")
    assert (seen.faces, seen.roll, seen.figures) == ([], "", {})
    assert event.title != seen.title
    summoned = game.sheet.events.get(act="summon")
    assert SUMMONED in summoned.for_others(SYSTEM).words == summoned.words
    # An act that the system no longer knows tells others nothing.
    event.act, event.roll = "gone", "gone"
    with override("en"):
        seen = event.for_others(SYSTEM)
        assert seen.title == "Something only the owner may know"
    assert (seen.said, seen.faces, seen.figures) == (event.said[OTHERS], [], {})


def test_of_an_opponent_that_is_not_shown_no_line_of_the_party_hangs_on_what_is_secret(game):
    gm = game.party.members.get(role="gm").user
    Sheet.objects.filter(pk=game.sheet.pk).update(opponent=True, owner=gm, seen_by="private", share=None)
    scene = f"/parties/{game.party.pk}/scenes/{game.scene.uuid}/"
    urls = [f"/parties/{game.party.pk}/table/", scene, f"{scene}log.json", f"{scene}log.md"]
    first = [game.ask("player", url) for url in urls]
    assert [words_in(text, "Put away and draw", *NAMES[:-1]) for text in first] == [
        ["Put away and draw"]] * len(urls)
    otherwise(game.sheet)
    assert first == [game.ask("player", url) for url in urls]


@pytest.mark.parametrize("way", ["press", "landing"])
def test_what_is_refused_tells_a_gm_nothing_of_anothers_hand(game, way):
    event = game.sheet.events.latest("pk")
    effect = PendingEffect.objects.create(event=event, sheet=game.sheet, act="hold")
    form = {"w": "act-hold"} if way == "press" else {"do": f"change:{effect.pk}"}
    url = f"/parties/{game.party.pk}/table/play/?_by={game.sheet.pk}"
    guesses = game.hand[0], next(name for name in NAMES if name not in game.hand), "Nonsense"
    for htmx in (False, True):
        told = [game.ask("gm", url, form | {"card": card, "real": "zzz", "_press": str(uuid4())}, htmx=htmx)
                for card in guesses]
        assert told == [told[0]] * len(guesses)
        assert "That cannot be done now." in told[0]


def test_what_landed_tells_of_the_act_that_brought_it_as_others_read_that(game):
    player = game.party.members.get(user__username="player").user
    other = Sheet.objects.create(owner=player, party=game.party, ruleset=game.sheet.ruleset, name="Gegenüber",
                                 data=game.sheet.data, play=game.sheet.play)
    effect = PendingEffect.objects.create(event=game.sheet.events.filter(act="put-away").earliest("pk"), sheet=other,
                                          act="damage", filled={"points": 1, "effect": True, "guardian": None})
    game.browsers["player"].post(f"/sheets/{other.pk}/play/", {"do": f"apply:{effect.pk}", "_press": str(uuid4())})
    told = " ".join(other.events.get().said.values())
    assert words_in(told, "Stiller Abend: Put away and draw", *NAMES) == ["Stiller Abend: Put away and draw"]


def test_lines_that_were_stored_before_name_nothing_to_others(game):
    for event in game.sheet.events.all():
        event.said.pop(OTHERS, None)
        event.save()
    otherwise(game.sheet)
    first = [game.ask(who, f"/parties/{game.party.pk}/table/") for who in ("player", "gm")]
    with override("en"):
        told = [event.for_others(SYSTEM) for event in game.sheet.events.all()]
        assert not [name for event in told if event.act in ("put-away", "summon-minion")
                    for name in NAMES if name in f"{event.title}{event.text}{event.said}"]
        assert [event.title for event in told if event.act == "put-away"] == ["Put away and draw"] * 2
    assert all("Put away and draw" in text for text in first)


def test_a_system_that_states_no_secret_is_as_it_was(game):
    other = systems()["condice"]
    event = Event(sheet=game.sheet, act="gone", title="Etwas", text="geschah", said={"en": "happened"}, faces=[3])
    assert event.for_others(other) is event
    assert redacted(play := other.play()) is play
    assert [one.slug for one in systems().values() if secretive(one.play)] == ["battle-dice"]
