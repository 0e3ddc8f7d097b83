"""Pictures that people upload. They are decoded and encoded anew, so that only the pixels of a file are kept.

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
"""The most pixels of a picture's longer side; a very narrow one takes far more memory than its pixels need."""
MOST_BYTES = 8 * 2**20
"""The most bytes of an uploaded file."""
LARGE, SMALL = SIZES = (512, 96)
"""Width and height of the portraits that are shown, in pixels."""


@dataclass(frozen=True)
class PictureSize:
    """The limits of a stored picture: pixels of the shorter side, the ratio of the longer to the shorter side, bytes.

    Both ends of a longer picture are cut off.
    """

    shorter: int
    longest: int
    room: int


PORTRAIT = PictureSize(LARGE, 2, 64 * 1024)
HANDOUT = PictureSize(960, 3, 192 * 1024)
GLANCE = PictureSize(180, 3, 24 * 1024)
"""The size of a handout's picture in a list."""
TRIES = ((80, 1), (45, 1), (60, 2), (60, 4), (60, 8))
"""(quality, factor by which detail is reduced) of each attempt to fit a picture; few, because each takes a while."""
PLAIN = ("L", "LA", "RGB", "RGBA", "CMYK")
"""The colour modes in which a picture can be scaled without conversion."""
DOTS, MOVES = "dots", "moves"
NOT_ACCEPTED = {DOTS: gettext_lazy("The picture has too many pixels; save it with 10 million or fewer."),
                MOVES: gettext_lazy("The picture is animated; save a still one.")}
"""{reason why a readable picture is not accepted: its message}."""
# Load the plugins once, and not for each picture that is written.
Image.preinit()


class BadPicture(ValueError):
    """A file cannot be used as a picture; the message says why, and what is accepted."""


def rewritten(content: bytes, size: PictureSize = PORTRAIT) -> bytes:
    """Return an uploaded picture as it is stored whole, as WebP; raise `BadPicture` if it cannot be used."""
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
    """Return the largest square of a stored picture, as WebP in both `SIZES`.

    `focus` is the square's position along the longer side in percent, 0 at the left or the top.
    """
    with Image.open(BytesIO(whole), formats=["WEBP"]) as picture:
        side = min(picture.size)
        left, top = (round((length - side) * focus / 100) for length in picture.size)
        large, small = (_written(picture.resize((size, size), Image.Resampling.LANCZOS,
                                                (left, top, left + side, top + side)), PORTRAIT.room)
                        for size in SIZES)
    return large, small


def glance(whole: bytes) -> bytes:
    """Return a smaller version of a handout's stored picture."""
    return _written(_decoded(whole, GLANCE), GLANCE.room)


def size_of(whole: bytes) -> tuple[int, int]:
    """Return the width and height of a stored picture in pixels."""
    with Image.open(BytesIO(whole), formats=["WEBP"]) as picture:
        return picture.size


def _rewritten(content: bytes, size: PictureSize) -> bytes:
    return _written(_decoded(content, size), size.room)


def _decoded(content: bytes, size: PictureSize) -> Image.Image:
    """Return the picture upright, as RGBA, no larger than it is stored."""
    # No other kind of file is parsed, and the size is checked before any pixel is decoded. Of a JPEG with several
    # pictures, as phones write them, its class reads the first.
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
    """Return the picture as WebP in the best quality that fits; transparency becomes white if it does not fit."""
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
