"""What the log says, and how much of it."""

import logging


class Theirs(logging.Filter):
    """A request that is refused is whoever sent it's fault: a line tells of it, without our traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, one of a 4xx without the way to it, on one line."""
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = record.stack_info = None
            record.msg, record.args = " ".join(record.getMessage().split()), ()
        return True
