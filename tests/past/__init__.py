"""Frozen pasts: databases and backups that earlier commits made, which every later version must read."""
