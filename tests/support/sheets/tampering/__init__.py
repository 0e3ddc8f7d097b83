"""Ways to tamper with the chain's tables behind the program's back, each answering which entry is then the first bad.

All of it is SQL: no model's own code runs in an update, an insert in bulk or a raw deletion. Which entry is the first:
of an `erased` entry the first that it excused, for what is gone of that one is then missing; of a revision or a sheet
the first entry that names it; of the head the number after the last entry.
"""

from tests.support.sheets.tampering import entries, revisions
from tests.support.sheets.tampering.ways import TAMPERINGS

__all__ = ["TAMPERINGS", "entries", "revisions"]
