"""Names that look like a link, which mail programs turn into one."""

import re

LINK = re.compile(r"://|(?<=\w)@(?=\w)|(?<=\w)[.\u2024\u3002\uff0e\uff61](?=[^\W\d_]{2})|(?i:(?<=\bwww))\.")
"""The signs of a link: "://", an "@" within an address, and a dot followed by what might be a domain.

Each sign and its lookarounds have a fixed length, so a search takes linear time. Texts are names of at most 200
characters, or lines of a mail.
"""


def links(text: str) -> bool:
    """Return True if a text contains anything that might become a link."""
    return bool(LINK.search(text))


def unlinked(text: str) -> str:
    """Return a text with the signs of `LINK` in brackets, so that no part of it becomes a link in a mail."""
    return LINK.sub(lambda sign: f"[{sign[0]}]", text)
