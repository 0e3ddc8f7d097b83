"""What stands for the program in a tab, on a home screen and in a list of programs."""

import json
import re
import struct
from urllib.parse import urljoin

import pytest
from django.urls import resolve

pytestmark = pytest.mark.django_db


def served(client, url):
    answer = client.get(url)
    return answer["Content-Type"], b"".join(answer)


def test_each_page_links_icons_and_a_manifest_that_are_what_they_say_in_the_colour_of_the_paper(client):
    head = client.get("/").text.partition("</head>")[0]
    links = {rel: re.search(rf'<link rel="{rel}" href="([^"]+)"', head)[1]
             for rel in ("icon", "apple-touch-icon", "manifest")}
    assert {rel: served(client, url)[0] for rel, url in links.items()} == {
        "icon": "image/svg+xml", "apple-touch-icon": "image/png", "manifest": "application/manifest+json"}
    manifest = json.loads(served(client, links["manifest"])[1])
    assert {one.get("purpose", "any") for one in manifest["icons"]} == {"any", "maskable"}
    for one in manifest["icons"]:
        kind, content = served(client, urljoin(links["manifest"], one["src"]))
        assert kind == one["type"]
        if kind == "image/png":
            assert "{}x{}".format(*struct.unpack(">II", content[16:24])) == one["sizes"]
    paper = re.search(r"--paper: light-dark\((#\w+), (#\w+)\)", served(client, "/static/base.css")[1].decode())
    assert re.findall(r'<meta name="theme-color" content="(#\w+)"', head) == list(paper.groups())
    assert manifest["theme_color"] == paper[1]
    for one in manifest["screenshots"]:
        content = served(client, urljoin(links["manifest"], one["src"]))[1]
        assert "{}x{}".format(*struct.unpack(">II", content[16:24])) == one["sizes"]
    for one in manifest["shortcuts"]:
        assert resolve(one["url"])
