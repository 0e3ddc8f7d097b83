"""Names that look like a link: mail programs make one of whatever has an address's shape."""

import re

LINK = re.compile(r"://|(?<=\w)@(?=\w)|(?<=\w)[.\u2024\u3002\uff0e\uff61](?=[^\W\d_]{2})|(?i:(?<=\bwww))\.")
"""The signs that make one: a scheme's, an address's, and a dot with what might be a domain behind it.

Each has a fixed length, and so has what is looked at around it: a text takes as long as it is, which is a name of 200
characters or a line of a mail.
"""


def links(text: str) -> bool:
    """Return True if a text has anything that might become a link."""
    return bool(LINK.search(text))


def unlinked(text: str) -> str:
    """Return a text as a mail may say it, with those signs in brackets, so that nothing in it becomes a link."""
    return LINK.sub(lambda sign: f"[{sign[0]}]", text)
