"""Writing MCAP, as the format's specification says (mcap.dev): chunks, message indexes, summary.

A tick writes a dozen messages, many times faster than real time, so a message must cost little (docs/decisions/0002).
The `mcap` package reads what this writes, in `log` and in the tests.
"""

import struct
import zlib
from collections import defaultdict
from collections.abc import Iterable
from typing import BinaryIO

import zstandard

MAGIC = b"\x89MCAP0\r\n"
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX = range(1, 9)
STATISTICS, SUMMARY_OFFSET, DATA_END = 0x0B, 0x0E, 0x0F
CHUNK_SIZE = 1 << 20  # [bytes] before compression; at most so much is lost when the power goes
LEVEL = -1  # of zstd: noise does not get smaller with more work

_MESSAGE_HEAD = struct.Struct("<BQHIQQ")
_WHERE = struct.Struct("<QQ")  # time and place of a message in its chunk
_FIXED = 2 + 4 + 8 + 8  # bytes of a message before its data


class McapWriter:
    """Writes one file; `finish` makes it whole. Until then it can be read up to the last full chunk."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0
        self._compressor = zstandard.ZstdCompressor(level=LEVEL)
        self._definitions: list[tuple[int, bytes]] = []  # schemas and channels, for the summary
        self._schemas = 0
        self._counts: dict[int, int] = {}
        self._chunk_indexes: list[bytes] = []
        self._times: tuple[int, int] | None = None
        self._span: tuple[int, int] | None = None  # of the chunk that is being filled
        self._chunk = bytearray()
        self._index = defaultdict[int, bytearray](bytearray)  # where the messages of each channel are
        self._write(MAGIC)
        self._record(HEADER, _string("") + _string("tikitaka"))

    def schema(self, name: str, encoding: str, data: bytes) -> int:
        """Return the number of a new schema."""
        self._schemas += 1
        content = struct.pack("<H", self._schemas) + _string(name) + _string(encoding) + _sized(data)
        self._define(SCHEMA, content)
        return self._schemas

    def channel(self, topic: str, encoding: str, schema: int) -> int:
        """Return the number of a new channel."""
        number = len(self._counts)
        content = struct.pack("<HH", number, schema) + _string(topic) + _string(encoding) + _sized(b"")
        self._define(CHANNEL, content)
        self._counts[number] = 0
        return number

    def messages(self, time_ns: int, sequence: int, rows: Iterable[tuple[int, bytes]]) -> None:
        """Append messages (channel, data) of one time; times must not go back."""
        chunk, index, pack, where = self._chunk, self._index, _MESSAGE_HEAD.pack, _WHERE.pack
        for channel, data in rows:
            index[channel] += where(time_ns, len(chunk))
            chunk += pack(MESSAGE, _FIXED + len(data), channel, sequence, time_ns, time_ns)
            chunk += data
        if chunk:
            self._span = (time_ns, time_ns) if self._span is None else (self._span[0], time_ns)
        if len(chunk) >= CHUNK_SIZE:
            self._flush()

    def finish(self) -> None:
        """Write what is left, the summary and the footer."""
        self._flush()
        self._record(DATA_END, struct.pack("<I", 0))
        start = self._at
        groups = [self._group(SCHEMA), self._group(CHANNEL)]
        groups.append(self._write_group(STATISTICS, [self._statistics()]))
        groups.append(self._write_group(CHUNK_INDEX, self._chunk_indexes))
        offsets = self._at
        for opcode, begin, length in groups:
            if length:
                self._record(SUMMARY_OFFSET, struct.pack("<BQQ", opcode, begin, length))
        self._record(FOOTER, struct.pack("<QQI", start, offsets, 0))
        self._write(MAGIC)
        self._file.flush()

    def _flush(self) -> None:
        if self._span is None:
            return
        raw, start = self._chunk, self._at
        packed = self._compressor.compress(raw)
        head = struct.pack("<QQQI", *self._span, len(raw), zlib.crc32(raw)) + _string("zstd")
        self._record(CHUNK, head + struct.pack("<Q", len(packed)), packed)
        end, offsets = self._at, b""
        for channel, table in self._index.items():
            offsets += struct.pack("<HQ", channel, self._at)
            self._counts[channel] += len(table) // _WHERE.size
            self._record(MESSAGE_INDEX, struct.pack("<HI", channel, len(table)), table)
        index = struct.pack("<QQQQ", *self._span, start, end - start) + _sized(offsets)
        sizes = struct.pack("<QQ", len(packed), len(raw))
        self._chunk_indexes.append(index + struct.pack("<Q", self._at - end) + _string("zstd") + sizes)
        self._times = self._span if self._times is None else (self._times[0], self._span[1])
        self._chunk, self._span = bytearray(), None
        self._index.clear()

    def _statistics(self) -> bytes:
        channels, chunks = len(self._counts), len(self._chunk_indexes)
        totals = struct.pack("<QHIIII", sum(self._counts.values()), self._schemas, channels, 0, 0, chunks)
        counts = b"".join(struct.pack("<HQ", *item) for item in self._counts.items())
        return totals + struct.pack("<QQ", *(self._times or (0, 0))) + _sized(counts)

    def _group(self, opcode: int) -> tuple[int, int, int]:
        return self._write_group(opcode, [content for kind, content in self._definitions if kind == opcode])

    def _write_group(self, opcode: int, contents: list[bytes]) -> tuple[int, int, int]:
        begin = self._at
        for content in contents:
            self._record(opcode, content)
        return opcode, begin, self._at - begin

    def _define(self, opcode: int, content: bytes) -> None:
        self._definitions.append((opcode, content))
        self._record(opcode, content)

    def _record(self, opcode: int, content: bytes, more: bytes | bytearray = b"") -> None:
        self._write(struct.pack("<BQ", opcode, len(content) + len(more)) + content)
        self._write(more)

    def _write(self, data: bytes | bytearray) -> None:
        self._file.write(data)
        self._at += len(data)


def _sized(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def _string(text: str) -> bytes:
    return _sized(text.encode())
