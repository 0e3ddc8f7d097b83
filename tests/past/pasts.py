"""A frozen past: the files of one commit, packed in a folder of their own."""

import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Past:
    """The past of a commit: `past.sql`, `past.backup`, `documents.json` and `told.json` in its folder.

    It is read at the moment `then`, when what waits in its trash is still there. `counted_since` holds the gauges,
    {sheet: {gauge: left}}, that the rules have come to count otherwise.
    """

    commit: str
    then: datetime
    counted_since: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder with its files."""
        return HERE / f"from_{self.commit}"

    def unpacked(self, name: str) -> bytes:
        """Return the content of one of its files."""
        return lzma.decompress((self.folder / f"{name}.xz").read_bytes())

    def pack(self, name: str, tree: Any) -> None:
        """Write one of its files: a text as it stands, anything else as JSON."""
        text = tree if isinstance(tree, str) else json.dumps(tree, ensure_ascii=False, sort_keys=True)
        (self.folder / f"{name}.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))

    def told(self) -> dict[str, Any]:
        """Return what the commit told of it, with what the rules count otherwise since."""
        found = json.loads(self.unpacked("told.json"))
        for key, gauges in self.counted_since.items():
            found["sheets"][key]["gauges"] |= gauges
        return found
