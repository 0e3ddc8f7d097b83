"""The upload handler: files stay in memory, up to a limit above the largest file that is accepted."""

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest

ROOM = 9 * 2**20
"""Bytes of all files of a request that are stored in memory; the largest accepted file, a picture, may have 8 MB."""


class InMemory(FileUploadHandler):
    """A handler that keeps up to `ROOM` bytes of files in memory, so that a view can say what is too large."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.room = ROOM

    def new_file(self, *about: Any, **more: Any) -> None:
        super().new_file(*about, **more)
        self.content = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.room -= self.content.write(raw_data[:self.room])

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        size = self.content.tell()
        self.content.seek(0)
        return InMemoryUploadedFile(self.content, self.field_name, self.file_name, self.content_type, size,
                                    self.charset,
                                    self.content_type_extra)
