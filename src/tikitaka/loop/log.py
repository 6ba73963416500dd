"""Reading a match log, also one that was cut off."""

import contextlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError
from mcap.exceptions import McapError
from mcap.reader import SeekingReader
from mcap.records import Channel, Message
from mcap.stream_reader import StreamReader
from zstandard import ZstdError

from tikitaka.errors import RunError
from tikitaka.loop import log_pb2
from tikitaka.loop.mcap import MAGIC
from tikitaka.loop.record import TOPICS

RECORD_LIMIT = 1 << 28  # [bytes] a larger record is not ours
BROKEN = (McapError, EOFError, ValueError, struct.error, ZstdError)


@dataclass(slots=True)
class LoggedTick:
    """The messages of one tick as they stand in the log."""

    tick: int
    data: dict[str, bytes] = field(default_factory=dict)
    events: list[bytes] = field(default_factory=list)
    faults: list[bytes] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Every topic is there: the log was not cut off within this tick."""
        return len(self.data) == len(TOPICS) - 2


@dataclass(frozen=True, slots=True)
class Contents:
    """What a log that was closed says of itself without being read through."""

    end_ns: int  # the time of its last message
    events: list[bytes]
    faults: list[bytes]


def contents(path: Path) -> Contents | None:
    """Return what the index of a log leads to; None: the log was cut off and has none."""
    if not is_finished(path):
        return None
    found: dict[str, list[bytes]] = {"/events": [], "/faults": []}
    with _readable(path), path.open("rb") as file:
        reader = SeekingReader(file, validate_crcs=True, record_size_limit=RECORD_LIMIT)
        summary = reader.get_summary()
        if summary is None or summary.statistics is None:
            return None
        for _, channel, message in reader.iter_messages(list(found), log_time_order=False):
            found[channel.topic].append(message.data)
    return Contents(summary.statistics.message_end_time, found["/events"], found["/faults"])


def ticks(path: Path, since_ns: int = 0) -> Iterator[LoggedTick]:
    """Yield the whole ticks of a log in order, and at last the events that ended it; cut off, it ends early.

    ``since_ns``: from this time on, in a log that has an index.
    """
    current = LoggedTick(0)
    for topic, message in _messages_since(path, since_ns) if since_ns else _messages(path):
        if message.sequence != current.tick:
            if current.whole:
                yield current
            current = LoggedTick(message.sequence)
        if topic == "/events":
            current.events.append(message.data)
        elif topic == "/faults":
            current.faults.append(message.data)
        else:
            current.data[topic] = message.data
    if current.whole or (current.events and not current.data):
        yield current


def is_finished(path: Path) -> bool:
    """Say whether a log was closed: one that was cut off lacks its end."""
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - len(MAGIC)))
            return file.read() == MAGIC
    except OSError as error:
        raise RunError(f"cannot read the log {path}: {error.strerror}") from None


def decode(topic: str, data: bytes) -> Any:  # noqa: ANN401  the generated classes are made at run time
    """Return a message of a topic as a protobuf object."""
    message = getattr(log_pb2, TOPICS[topic])()
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise RunError(f"the log holds a broken {topic} message: {error}") from None
    return message


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say what is wrong with a log that was closed and cannot be read."""
    try:
        yield
    except OSError as error:
        raise RunError(f"cannot read the log {path}: {error.strerror}") from None
    except BROKEN as error:
        raise RunError(f"{path} is damaged: {type(error).__name__} {error}".rstrip()) from None


def _messages_since(path: Path, since_ns: int) -> Iterator[tuple[str, Message]]:
    with _readable(path), path.open("rb") as file:
        reader = SeekingReader(file, validate_crcs=True, record_size_limit=RECORD_LIMIT)
        for _, channel, message in reader.iter_messages(TOPICS, starting_at=since_ns):
            yield channel.topic, message


def _messages(path: Path) -> Iterator[tuple[str, Message]]:
    topics: dict[int, str] = {}
    try:
        with path.open("rb") as file:
            for record in StreamReader(file, record_size_limit=RECORD_LIMIT, validate_crcs=True).records:
                if isinstance(record, Channel):
                    topics[record.id] = record.topic
                elif isinstance(record, Message) and topics.get(record.channel_id) in TOPICS:
                    yield topics[record.channel_id], record
    except OSError as error:
        raise RunError(f"cannot read the log {path}: {error.strerror}") from None
    except BROKEN as error:
        if not topics:
            raise RunError(f"{path} is not a match log: {type(error).__name__} {error}".rstrip()) from None
        if is_finished(path):  # cut off it would have no end: this one was whole and is broken in the middle
            raise RunError(f"{path} is damaged: {type(error).__name__} {error}".rstrip()) from None
