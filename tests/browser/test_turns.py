"""Whole scenes beside a referee, in which the GM passes the turns in a browser and all others play by requests."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.scenes.order import turn_token
from tests.support.sheets.whole_scene import WholeScene

pytestmark = pytest.mark.browser
SYSTEMS = ("dice_rumble", "condice", "daemmersturm")
DONE = SimpleNamespace(status_code=302)
"""What a press by a request would have been answered."""


def scene_of(package, page):
    """Return the scene of a system whose turns a GM passes on this page, which shows what the referee says."""
    module = import_module(f"rulesets.{package}.tests.test_scene")
    scene_class = next(one for one in vars(module).values()
                       if isinstance(one, type) and issubclass(one, WholeScene) and one.__module__ == module.__name__)

    class InBrowser(scene_class):
        def settle(self, word, who="ben", number=None, *more, **fields):
            if word != "turn" or who != "gm":
                return super().settle(word, who, number, *more, **fields)
            page.reload()
            button = f"#back-{number.partition(':')[2]}" if number.startswith("back:") else f"#turn-{number}"
            if number == "end":
                page.locator("#turn-menu > summary").click()
            with page.expect_response(lambda one: one.request.method == "POST"):
                page.locator(button).click()
            self.shown()
            return DONE

        def shown(self):
            """The page shows the round and whose turn it is without being loaded anew."""
            scene = self.scene
            on = sorted(one.name for one in self.party.sheets.filter(pk__in=scene.on))
            # What the press has brought is put there a moment after it came.
            expect(page.locator("#turn-shown")).to_have_value(turn_token(scene))
            expect(page.locator("#turns")).to_have_text(f"Round {scene.round}" if scene.round else "Turns")
            assert sorted(page.locator(".turn-order > [aria-current] .called").all_inner_texts()) == on

    return InBrowser, module


@pytest.mark.more
@pytest.mark.parametrize("package", SYSTEMS)
def test_a_gm_passes_the_turns_of_a_whole_scene(visit, transactional_db, package):
    pages = []

    class Late:
        """The page, which is opened once there is a table."""

        def __getattr__(self, name):
            return getattr(pages[0], name)

    scene_class, module = scene_of(package, Late())
    scene = module.begun(User.objects, 1, scene_class)
    # Whoever is attacked is asked, where there is anything to respond.
    scene.waits = True
    pages.append(visit(scene.address, client=scene.browsers["gm"], locale="en"))
    scene.play_through(3)
