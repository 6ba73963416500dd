"""The log of a match: MCAP with zstd and protobuf. It knows no clock but the match's: same match, same bytes."""

import contextlib
from pathlib import Path
from typing import BinaryIO

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from tikitaka.errors import RunError
from tikitaka.loop import encode, log_pb2
from tikitaka.loop.match import Match, Record
from tikitaka.loop.mcap import McapWriter
from tikitaka.types import Event

THOUGHTS = {"estimate": "World", "intents": "Intents", "plans": "Plans", "commands": "Commands"}
TOPICS = {
    "/truth": "Truth",
    "/detections": "Frames",
    "/referee": "Referee",
    **{f"/{team}/{name}": kind for team in ("blue", "yellow") for name, kind in THOUGHTS.items()},
    "/tally": "Tally",
    "/events": "Event",
    "/faults": "Fault",
}

BATCH = 8  # ticks that are written at once: they are still in the processor's cache then


class Recorder:
    """Writes a match to a file, tick by tick. Call `close` also when the match was cut short: the log then opens."""

    def __init__(self, path: Path, match: Match) -> None:
        self._path = path
        self._rate = match.rate
        self._faults: set[str] = set()
        self._pending: list[tuple[Record, list[str]]] = []
        try:
            self._file: BinaryIO = path.open("xb")
            self._writer = McapWriter(self._file)
            self._channels = self._start()
            for event in match.events:
                self._event(event)
        except OSError as error:
            raise _cannot_write(path, error) from None

    def write(self, record: Record, fault_messages: list[str]) -> None:
        """Append one tick; what is written goes out in batches, which a processor does faster than one by one."""
        new = [text for text in fault_messages if text not in self._faults]
        self._faults.update(new)
        self._pending.append((record, new))
        if len(self._pending) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        pending, self._pending = self._pending, []
        try:
            for record, faults in pending:
                self._tick(record, faults)
        except OSError as error:
            raise _cannot_write(self._path, error) from None

    def _tick(self, record: Record, faults: list[str]) -> None:
        tick, channels = record.state.tick, self._channels
        rows = [(channels[topic], data) for topic, data in encode.record(record).items()]
        self._writer.messages(self._ns(tick), tick, rows)
        for text in faults:
            self._add("/faults", tick, encode.fault(tick, text))
        for event in record.events:  # they belong to the next tick
            self._event(event)

    def close(self) -> None:
        """Finish the log, so that it has its index and opens everywhere."""
        self._flush()
        try:
            self._writer.finish()
            self._file.close()
        except OSError as error:
            raise _cannot_write(self._path, error) from None

    def abandon(self) -> None:
        """Let go of a file that can no longer be written."""
        with contextlib.suppress(OSError):
            self._file.close()

    def _start(self) -> dict[str, int]:
        descriptors = FileDescriptorSet()
        log_pb2.DESCRIPTOR.CopyToProto(descriptors.file.add())
        data = descriptors.SerializeToString(deterministic=True)
        schemas = {
            kind: self._writer.schema(f"tikitaka.{kind}", "protobuf", data) for kind in dict.fromkeys(TOPICS.values())
        }
        return {topic: self._writer.channel(topic, "protobuf", schemas[kind]) for topic, kind in TOPICS.items()}

    def _event(self, event: Event) -> None:
        self._add("/events", event.tick, encode.event(event))

    def _add(self, topic: str, tick: int, data: bytes) -> None:
        self._writer.messages(self._ns(tick), tick, [(self._channels[topic], data)])

    def _ns(self, tick: int) -> int:
        return round(tick * 1e9 / self._rate)


def _cannot_write(path: Path, error: OSError) -> RunError:
    why = error.strerror or str(error)
    return RunError(f"cannot write the log {path}: {why}; free space there or choose another folder with --out")
