"""Reviews: revisions of a sheet, what a GM says of them, and the proof of it."""
