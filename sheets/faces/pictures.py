"""Pictures that people upload, decoded and written anew: nothing of the file but its pixels is kept.

Uploads are decoded by `sheets.separate_process`, which loads this module without the program's settings.
"""

from dataclasses import dataclass
from io import BytesIO

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from PIL import Image, ImageOps
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from sheets import separate_process
from sheets.separate_process import BrokenFile, NotAccepted, NoTime, TooCostly

KINDS = {b"\xff\xd8\xff": (JpegImageFile, 20_000_000), b"\x89PNG\r\n\x1a\n": (PngImageFile, 16_000_000),
         b"RIFF": (WebPImageFile, 10_000_000)}
"""{the first bytes of a file: its reader, and the most pixels, width times height, that such a picture may have}"""
LONGEST = 16_384
"""Pixels of a picture's longer side: one with few lines, or short ones, takes far more room than its pixels."""
MOST_BYTES = 8 * 2**20
"""Bytes of an uploaded file."""
LARGE, SMALL = SIZES = (512, 96)
"""Width and height of the portraits that are shown, in pixels."""


@dataclass(frozen=True)
class PictureSize:
    """The limits of a picture that is kept: pixels of its shorter side, times that of the longer side, bytes.

    The ends of a longer picture are cut off.
    """

    shorter: int
    longest: int
    room: int


PORTRAIT = PictureSize(LARGE, 2, 64 * 1024)
HANDOUT = PictureSize(960, 3, 192 * 1024)
GLANCE = PictureSize(180, 3, 24 * 1024)
"""A handout in a list."""
TRIES = ((80, 1), (45, 1), (60, 2), (60, 4), (60, 8))
"""(quality, how much coarser) in which a picture is written till it fits; few, for each takes a while."""
PLAIN = ("L", "LA", "RGB", "RGBA", "CMYK")
"""Colour modes in which a picture can be made smaller as it is."""
DOTS, MOVES = "dots", "moves"
NOT_ACCEPTED = {DOTS: gettext_lazy("The picture has too many pixels; save it with 10 million or fewer."),
                MOVES: gettext_lazy("The picture is animated; save a still one.")}
"""{why a picture that can be read is not accepted: its sentence}."""
# Loaded here once, and not for each picture that is written.
Image.preinit()


class BadPicture(ValueError):
    """A file that cannot be used as a picture; the message says why and what would do."""


def rewritten(content: bytes, size: PictureSize = PORTRAIT) -> bytes:
    """Return a picture as it is kept whole, as WebP (`BadPicture`)."""
    if len(content) > MOST_BYTES:
        raise BadPicture(_("The file is larger than 8 MB; save a smaller picture."))
    try:
        return separate_process.run(_rewritten, content, size)
    except NotAccepted as wrong:
        fault = NOT_ACCEPTED[str(wrong)]
    except NoTime:
        fault = _("Many files are being read right now; try again shortly.")
    except TooCostly:
        fault = _("This picture takes far more work to read than others; save it again, or make it smaller.")
    except BrokenFile:
        fault = _("This is not a picture that can be read; choose a JPEG, PNG or WebP of at most 10 million pixels.")
    raise BadPicture(fault)


def squares(whole: bytes, focus: int = 50) -> tuple[bytes, bytes]:
    """Return the largest square of a picture that is kept, as WebP in both `SIZES`.

    The focus goes along the longer side in percent, from 0 (left, top) to 100.
    """
    with Image.open(BytesIO(whole), formats=["WEBP"]) as picture:
        side = min(picture.size)
        left, top = (round((length - side) * focus / 100) for length in picture.size)
        large, small = (_written(picture.resize((size, size), Image.Resampling.LANCZOS,
                                                (left, top, left + side, top + side)), PORTRAIT.room)
                        for size in SIZES)
    return large, small


def glance(whole: bytes) -> bytes:
    """Return a smaller version of a picture that is kept as a handout."""
    return _written(_decoded(whole, GLANCE), GLANCE.room)


def size_of(whole: bytes) -> tuple[int, int]:
    """Return width and height of a picture that is kept, in pixels."""
    with Image.open(BytesIO(whole), formats=["WEBP"]) as picture:
        return picture.size


def _rewritten(content: bytes, size: PictureSize) -> bytes:
    return _written(_decoded(content, size), size.room)


def _decoded(content: bytes, size: PictureSize) -> Image.Image:
    """Return the picture upright, in red, green, blue and alpha, no larger than it is kept."""
    # What is not among these kinds is not even looked at; the size is read before any dot is decoded. Of a JPEG with
    # several pictures, as phones write them, its class reads the first.
    kind, dots = next(kind for head, kind in KINDS.items() if content.startswith(head))
    with kind(BytesIO(content)) as picture:
        if picture.width * picture.height > dots or max(picture.size) > LONGEST:
            raise NotAccepted(DOTS)
        if getattr(picture, "is_animated", False):
            raise NotAccepted(MOVES)
        shorter, longer = sorted(picture.size)
        most = max(1, longer * min(size.shorter, shorter) // shorter)
        upright = picture if picture.mode in PLAIN else picture.convert("RGBA")
        # JPEG is decoded no larger than this, which saves most of the time.
        upright.thumbnail((most, most), reducing_gap=1.5)
        upright = ImageOps.exif_transpose(upright).convert("RGBA")
    most = size.longest * min(upright.size)
    return ImageOps.fit(upright, (min(upright.width, most), min(upright.height, most)))


def _written(picture: Image.Image, room: int) -> bytes:
    """Return the picture as WebP, as good as there is room for; without room for transparency that becomes white."""
    if picture.getextrema()[-1] == (255, 255):
        picture = picture.convert("RGB")
    for quality, coarser in TRIES:
        file = BytesIO()
        shown = picture if coarser == 1 else picture.reduce(coarser).resize(picture.size)
        shown.save(file, "WEBP", quality=quality)
        if file.tell() <= room:
            break
        if picture.mode == "RGBA":
            picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    return file.getvalue()
