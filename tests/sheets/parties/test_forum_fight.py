"""A fight that is played for days in a forum, in three scenes at once: only by pages, and by posts that are pasted."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from sheets.models import Scene
from tests.support.sheets.fight import table_of
from tests.support.sheets.thread import check, found, note, post_of, rendered, said

DAYS = 2
SEATS = {"Die Furt": (("anna", "anna"), ("gm", "troll")), "Der Turm": (("ben", "ben"), ("gm", "wolf")),
         "Das Tor": (("gm", "ork"), ("gm", "goblin"))}
"""{scene: (who plays, whom)}."""


def act(table, who, whom, w, **fields):
    answer = table.browsers[who].post(f"/sheets/{table.sheets[whom].pk}/play/",
                                      {"w": w, "_press": str(uuid.uuid4()), **fields})
    assert answer.status_code == 302, answer.text


def turn(table, word, scene, who="gm"):
    table.browsers[who].post(f"{table.address}play/?_scene={scene.uuid}", {
        "do": f"turn:{word}", "_press": str(uuid.uuid4())})


def open_scenes(table):
    """Open each scene with its seats, and give it a thread."""
    pages = f"/parties/{table.party.pk}/scenes/"
    for number, (name, seats) in enumerate(SEATS.items()):
        table.browsers["gm"].post(pages, {"do": "another" if number else "begin", "name": name,
                                          "seat": [table.sheets[whom].pk for _who, whom in seats] if number else []})
        scene = Scene.objects.get(name=name)
        table.browsers["gm"].post(f"{pages}{scene.uuid}/settings/", {
            "do": "save", "name": name, "thread": f"https://forum.example.org/t/{number}", "hours": "48"})


@pytest.fixture
def fight(table, monkeypatch):
    """The threads of the scenes: {name: [(who wrote, whose post, text)]}."""
    for name in ("Troll", "Wolf", "Ork", "Goblin"):
        table.bring(name)
    open_scenes(table)
    now, passed = timezone.now, timedelta()
    monkeypatch.setattr("django.utils.timezone.now", lambda: now() + passed)
    threads = {name: [] for name in SEATS}
    for name in SEATS:
        turn(table, "begin", Scene.objects.get(name=name))
    for _day in range(DAYS):
        for name, seats in SEATS.items():
            for _seat in seats:
                scene = Scene.objects.get(name=name)
                [on] = scene.on
                who, whom = next(one for one in seats if str(table.sheets[one[1]].pk) == on)
                act(table, who, whom, "roll-exhaustion")
                act(table, who, whom, "act-damage", points=1, against="nothing")
                act(table, who, whom, "roll-exhaustion")
                threads[name].append((who, whom, post_of(table, who, whom, scene)))
                turn(table, "next", scene, who)
        passed += timedelta(days=1)
    return table, threads


def as_bbcode(posts):
    """A page of a thread, as its posts are quoted."""
    return "\n".join(f'[quote="{who}" post_id={number}]{text}[/quote]'
                     for number, (who, _whom, text) in enumerate(posts))


def as_rendered(posts):
    """The same page as it is shown."""
    return "\n".join(f"Re: Die Furt\nvon {who} » Fr 27. Nov 2026, 20:14\n\n{rendered(text)}\n"
                     for who, _whom, text in posts)


@table_of("daemmersturm")
@pytest.mark.alike
def test_a_fight_of_days_in_three_scenes_holds_and_each_forgery_is_found(fight):
    table, threads = fight
    assert Scene.objects.filter(ended=None).count() == len(SEATS)
    for name, posts in threads.items():
        scene = Scene.objects.get(name=name)
        assert scene.rolls == 4 * DAYS
        for form in (as_bbcode, as_rendered):
            answer = check(table, form(posts), scene=scene)
            assert {one[0] for one in found(answer)} == {"holds"}, (name, form, said(answer))
            # Each post has two rolls and a profile.
            assert len(found(answer)) == 2 * DAYS * 3
    furt, posts = Scene.objects.get(name="Die Furt"), threads["Die Furt"]
    for form in (as_bbcode, as_rendered):
        for forged, numbers in forgeries(posts, threads):
            answer = check(table, form(forged), scene=furt)
            wrong = [title for verdict, title in found(answer) if verdict == "differs"]
            assert [re.match(r"#\d+", one)[0] for one in wrong if one.startswith("#")] == numbers, (form, wrong)
    # What is noted day by day is known the next day.
    for day in range(DAYS):
        page = as_rendered(posts[2 * day:2 * day + 2])
        assert {one[0] for one in found(check(table, page, scene=furt))} == {"holds"}
        assert note(table, page, f"Tag {day}", scene=furt).status_code == 302
    assert {one[0] for one in found(check(table, as_rendered(posts[:1]), scene=furt))} == {"differs", "holds"}


def forgeries(posts, threads):
    """Yield (posts, the numbers that are found): a number forged, a receipt foreign, one quoted twice, one left out."""
    (who, whom, text), *rest = posts
    first, second, *profile = text.splitlines()
    yield [(who, whom, "\n".join([first.replace("#1 ·", "#3 ·"), second, *profile])), *rest], ["#3", "#1"]
    foreign = threads["Der Turm"][0][2].splitlines()[0]
    yield [(who, whom, "\n".join([first, second, foreign, *profile])), *rest], ["#1"]
    other = rest[0][2].splitlines()[0]
    yield [(who, whom, "\n".join([first, second, other, *profile])), *rest], ["#3", "#3"]
    yield [*posts, (who, whom, first)], ["#1"]
    yield [(who, whom, "\n".join([second, *profile])), *rest], ["#1"]
