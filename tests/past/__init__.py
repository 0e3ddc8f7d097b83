"""A frozen past: a database and a backup that commit 50aac23 made, which every later version must read."""
