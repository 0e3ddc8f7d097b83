"""A scene's thread, for tests: the posts that are copied for it, and what a GM who pastes them is told."""

import html
import re

from sheets.models import Scene
from tests.support.guest import text_of

FOUND = re.compile(r'<li class="(\w+)">.*?(?:<a href="([^"]+)">|<span>)([^<]*).*?</li>', re.DOTALL)


def address(table, scene=None):
    """The page on which posts of a scene are checked: of the newest, if none is named."""
    return f"/parties/{table.party.pk}/scenes/{(scene or Scene.objects.latest('pk')).uuid}/thread/"


def post_of(table, who, by=None, scene=None):
    """The post of somebody, as it is copied."""
    page = table.browsers[who].get(address(table, scene).replace("/thread/", "/post/"),
                                   {"_by": table.sheets[by].pk} if by else {}).text
    return html.unescape(re.search(r"<textarea id=\"post-text\"[^>]*>\n*(.*?)</textarea>", page, re.DOTALL)[1])


def check(table, text="", do="check", who="gm", scene=None, **fields):
    """Press a button of that page."""
    return table.browsers[who].post(address(table, scene), {"do": do, "text": text, **fields})


def note(table, text, title="", scene=None, **fields):
    """Have a text checked, and note it as read."""
    page = check(table, text, scene=scene).text
    hidden = dict(re.findall(r'name="(_saw|_checked)" value="([^"]*)"', page))
    return check(table, text, "read", scene=scene, title=title, **hidden | fields)


def said(answer):
    """The words of a page."""
    return re.sub("[\u2066-\u2069]", "", text_of(answer))


def found(answer):
    """[(verdict, title)] of the list."""
    part = answer.text.partition('id="found-title"')[2].partition('id="read"')[0]
    return [(verdict, re.sub("[\u2066-\u2069]", "", html.unescape(title)).strip())
            for verdict, _url, title in FOUND.findall(part)]


def verdicts(answer):
    """{verdict: the numbers} of the list."""
    kept = {}
    for verdict, title in found(answer):
        kept.setdefault(verdict, []).append(int(re.match(r"#(\d+)", title)[1]))
    return kept


def rendered(text):
    """A post as its page shows it: without tags and addresses."""
    return re.sub(r"\[(?!\u200b)[^\]]*\]", "", text).replace("\u200b", "")
