"""Pictures that people bring, decoded and written anew: nothing of the file but its dots is kept."""

from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps

KINDS = {"JPEG": 20_000_000, "PNG": 16_000_000, "WEBP": 10_000_000}
"""The most dots, width times height, that each kind of picture may have: none takes 200 MB while it is decoded."""
MOST_BYTES = 8 * 2**20
"""Bytes of a file that somebody brings."""
LARGE, SMALL = SIZES = (512, 96)
"""Width and height of what is kept, in dots."""
ROOM = 64 * 1024
"""Bytes that each of these may take."""


class BadPicture(ValueError):
    """A file that becomes no portrait; the message says why and what would do."""


def portraits(content: bytes, across: float = 0.5, down: float = 0.5) -> tuple[bytes, bytes]:
    """The largest square of a picture as WebP of `SIZES` (`BadPicture`); its focus goes from 0 (left, top) to 1."""
    if len(content) > MOST_BYTES:
        raise BadPicture(_("The file is larger than 8 MB; save the picture smaller."))
    try:
        picture = _decoded(content)
        side = min(picture.size)
        left, top = (round((whole - side) * min(1, max(0, part)))
                     for whole, part in zip(picture.size, (across, down), strict=True))
        square = (left, top, left + side, top + side)
        large, small = (_written(picture.resize((size, size), Image.Resampling.LANCZOS, square)) for size in SIZES)
    except BadPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as wrong:
        raise _too_large() from wrong
    # Pillow's decoders raise whatever a broken file brings about.
    except Exception as wrong:
        raise BadPicture(_("This is no picture that can be read; take a JPEG, PNG or WebP.")) from wrong
    return large, small


def _too_large() -> BadPicture:
    """What is said of a picture with too many dots."""
    return BadPicture(_("The picture has too many dots; save it with 10 million or fewer."))


def _decoded(content: bytes) -> Image.Image:
    """The picture upright, in red, green, blue and how far one sees through, no larger than it need be."""
    # What is not among these kinds is not even looked at; the size is read before any dot is decoded.
    with Image.open(BytesIO(content), formats=list(KINDS)) as picture:
        if picture.width * picture.height > KINDS[picture.format]:
            raise _too_large()
        if getattr(picture, "is_animated", False):
            raise BadPicture(_("The picture moves; a portrait stands still."))
        picture.thumbnail((4 * LARGE, 4 * LARGE))
        return ImageOps.exif_transpose(picture).convert("RGBA")


def _written(picture: Image.Image) -> bytes:
    """The picture as WebP, as good as there is room for."""
    for quality in (84, 70, 50, 25, 5):
        file = BytesIO()
        picture.save(file, "WEBP", quality=quality, alpha_quality=quality, method=4)
        if file.tell() <= ROOM:
            return file.getvalue()
    return _written(picture.convert("RGB"))
