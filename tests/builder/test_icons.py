"""What stands for the program in a tab, on a home screen and in a list of programs."""

import json
import re
import struct
from urllib.parse import urljoin

import pytest

pytestmark = pytest.mark.django_db


def served(client, url):
    answer = client.get(url)
    return answer["Content-Type"], b"".join(answer)


@pytest.fixture
def head(client):
    return client.get("/").content.decode().partition("</head>")[0]


def linked(head, rel):
    return re.search(rf'<link rel="{rel}" href="([^"]+)"', head)[1]


@pytest.mark.parametrize(("rel", "kind"), [("icon", "image/svg+xml"), ("apple-touch-icon", "image/png"),
                                           ("manifest", "application/manifest+json")])
def test_each_page_links_icons_and_manifest_that_are_served_as_what_they_are(client, head, rel, kind):
    assert served(client, linked(head, rel))[0] == kind


def test_the_icons_of_the_manifest_are_as_large_as_it_says(client, head):
    url = linked(head, "manifest")
    icons = json.loads(served(client, url)[1])["icons"]
    assert {one.get("purpose", "any") for one in icons} == {"any", "maskable"}
    for one in icons:
        kind, content = served(client, urljoin(url, one["src"]))
        assert kind == one["type"]
        if kind == "image/png":
            assert "{}x{}".format(*struct.unpack(">II", content[16:24])) == one["sizes"]


def test_the_browsers_frame_has_the_colour_of_the_paper(client, head):
    paper = re.search(r"--paper: light-dark\((#\w+), (#\w+)\)", served(client, "/static/base.css")[1].decode())
    assert re.findall(r'<meta name="theme-color" content="(#\w+)"', head) == list(paper.groups())
    assert json.loads(served(client, linked(head, "manifest"))[1])["theme_color"] == paper[1]


def test_a_manifest_may_come_from_here_alone(client):
    assert "manifest-src 'self'" in client.get("/")["Content-Security-Policy"]
