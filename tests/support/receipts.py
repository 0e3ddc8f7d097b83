"""The verifier of receipts as the docs print it."""

import re
from functools import cache

from tests.support.server import ROOT


@cache
def docs_verifier():
    """Return the names that the code of docs/receipts.md defines; it has at most forty lines."""
    text = (ROOT / "docs/receipts.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(code.splitlines()) <= 40
    names = {}
    exec(compile(code, "docs/receipts.md", "exec"), names)  # noqa: S102 - our own text
    return names
