"""Pictures that people bring, decoded and written anew: nothing of the file but its dots is kept."""

import threading
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps

KINDS = {"JPEG": 20_000_000, "PNG": 16_000_000, "WEBP": 10_000_000}
"""The most dots, width times height, that each kind of picture may have: none takes 200 MB while it is decoded."""
MOST_BYTES = 8 * 2**20
"""Bytes of a file that somebody brings."""
LARGE, SMALL = SIZES = (512, 96)
"""Width and height of what is shown, in dots."""
LONGEST = 2
"""How many times as long as its shorter side a picture is kept; of a longer one the ends are cut off."""
ROOM = 64 * 1024
"""Bytes that each picture may take."""
TRIES = ((80, 1), (45, 1), (60, 2), (60, 4), (60, 8))
"""(quality, how much coarser) in which a picture is written till it fits; few, for each takes a while."""
PLAIN = ("L", "LA", "RGB", "RGBA", "CMYK")
"""Ways to say colours in which a picture is made smaller as it is."""

_one = threading.Lock()
"""Held while a picture is decoded: a process has several threads, and room for what one of them decodes."""


class BadPicture(ValueError):
    """A file that becomes no portrait; the message says why and what would do."""


def rewritten(content: bytes) -> bytes:
    """A picture as it is kept whole, as WebP whose shorter side has `LARGE` dots at the most (`BadPicture`)."""
    if len(content) > MOST_BYTES:
        raise BadPicture(_("The file is larger than 8 MB; save the picture smaller."))
    try:
        with _one:
            return _written(_decoded(content))
    except BadPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as wrong:
        raise _too_large() from wrong
    # Pillow's decoders raise whatever a broken file brings about.
    except Exception as wrong:
        raise BadPicture(_("This is no picture that can be read; take a JPEG, PNG or WebP.")) from wrong


def squares(whole: bytes, focus: int = 50) -> tuple[bytes, bytes]:
    """The largest square of a picture that is kept, as WebP of `SIZES`.

    The focus goes along the longer side in percent, from 0 (left, top) to 100.
    """
    with Image.open(BytesIO(whole), formats=["WEBP"]) as picture:
        side = min(picture.size)
        left, top = (round((length - side) * focus / 100) for length in picture.size)
        large, small = (_written(picture.resize((size, size), Image.Resampling.LANCZOS,
                                                (left, top, left + side, top + side))) for size in SIZES)
    return large, small


def size_of(whole: bytes) -> tuple[int, int]:
    """Width and height of a picture that is kept, in dots."""
    with Image.open(BytesIO(whole), formats=["WEBP"]) as picture:
        return picture.size


def _too_large() -> BadPicture:
    """What is said of a picture with too many dots."""
    return BadPicture(_("The picture has too many dots; save it with 10 million or fewer."))


def _decoded(content: bytes) -> Image.Image:
    """The picture upright, in red, green, blue and how far one sees through, no larger than it is kept."""
    # What is not among these kinds is not even looked at; the size is read before any dot is decoded.
    with Image.open(BytesIO(content), formats=list(KINDS)) as picture:
        if picture.width * picture.height > KINDS[picture.format]:
            raise _too_large()
        if getattr(picture, "is_animated", False):
            raise BadPicture(_("The picture moves; a portrait stands still."))
        shorter, longer = sorted(picture.size)
        most = max(1, longer * min(LARGE, shorter) // shorter)
        upright = picture if picture.mode in PLAIN else picture.convert("RGBA")
        # JPEG is decoded no larger than this, which saves most of the time.
        upright.thumbnail((most, most), reducing_gap=1.5)
        upright = ImageOps.exif_transpose(upright).convert("RGBA")
    most = LONGEST * min(upright.size)
    return ImageOps.fit(upright, (min(upright.width, most), min(upright.height, most)))


def _written(picture: Image.Image) -> bytes:
    """The picture as WebP, as good as there is room for; what one saw through becomes white where there is none."""
    if picture.getextrema()[-1] == (255, 255):
        picture = picture.convert("RGB")
    for quality, coarser in TRIES:
        file = BytesIO()
        shown = picture if coarser == 1 else picture.reduce(coarser).resize(picture.size)
        shown.save(file, "WEBP", quality=quality)
        if file.tell() <= ROOM:
            break
        if picture.mode == "RGBA":
            picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    return file.getvalue()
