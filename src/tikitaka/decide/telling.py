"""What a team's own code did wrong, in words."""

import dis
import traceback
from collections.abc import Callable
from pathlib import Path


def where(error: BaseException, file: Path) -> str:
    """Return file, line and text of an error."""
    frame, words = _last(error, file), said(error)
    told = f": {words}" if words else f" in `{frame.line}`" if frame and frame.line else ""
    text = f"{type(error).__name__}{told}".replace(f"{file.resolve().parent}/", "")
    return f"{file.name}{at(error, file)}: {text}"


def at(error: BaseException, file: Path) -> str:
    """Return the last line of the file that an error came through."""
    frame = _last(error, file)
    return f", line {frame.lineno}" if frame else ""


def _last(error: BaseException, file: Path) -> traceback.FrameSummary | None:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file.resolve())]
    return frames[-1] if frames else None


def first_line(decide: Callable[..., object]) -> str:
    """Return where a function begins, as far as it says."""
    code = getattr(decide, "__code__", None)
    return f", line {code.co_firstlineno}" if code else ""


def last_lines(decide: Callable[..., object]) -> str:
    """Return where a function returns, as far as it says."""
    code = getattr(decide, "__code__", None)
    ends = [i for i in dis.get_instructions(code) if i.opname in ("RETURN_VALUE", "RETURN_CONST")] if code else []
    lines = sorted({i.positions.lineno for i in ends if i.positions and i.positions.lineno})
    return f", line {' or '.join(map(str, lines))}" if lines else first_line(decide)


def said(error: BaseException) -> str:
    """Return an error's own words."""
    try:
        return str(error)
    except Exception:  # a __str__ of the user's own
        return "(it cannot say what)"


def short(value: object) -> str:
    """Return a value as a short text."""
    try:
        text = repr(value)
    except Exception:  # a repr of the user's own
        text = type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."
