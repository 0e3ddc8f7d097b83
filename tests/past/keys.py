"""The keys that the frozen pasts were signed with: inventions that open nothing anywhere."""

KEYS = {"SECRET_KEY": "the-frozen-past-" + "0123456789abcdef" * 4, "REVIEW_KEY": "the-frozen-reviews-" + "fedcba98" * 8}
