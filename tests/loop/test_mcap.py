"""What our writer writes, read by the format's own library."""

import contextlib
import io
import struct

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.exceptions import McapError
from mcap.reader import make_reader
from mcap.records import Message
from mcap.stream_reader import StreamReader

from tikitaka.loop.mcap import CHUNK_SIZE, McapWriter

payloads = st.lists(st.tuples(st.integers(0, 2), st.binary(max_size=300)), max_size=60)


def write(messages: list[tuple[int, bytes]]) -> bytes:
    file = io.BytesIO()
    writer = McapWriter(file)
    schema = writer.schema("tikitaka.Any", "protobuf", b"descriptor")
    channels = [writer.channel(f"/topic{k}", "protobuf", schema) for k in range(3)]
    for number, (channel, data) in enumerate(messages):
        writer.messages(1000 * number, number, [(channels[channel], data)])
    writer.finish()
    return file.getvalue()


@given(messages=payloads)
@settings(deadline=None)
def test_the_library_reads_every_message_in_order(messages: list[tuple[int, bytes]]) -> None:
    reader = make_reader(io.BytesIO(write(messages)), validate_crcs=True)
    read = [(channel.topic, m.sequence, m.log_time, m.data) for _, channel, m in reader.iter_messages()]
    assert read == [(f"/topic{c}", k, 1000 * k, data) for k, (c, data) in enumerate(messages)]


def test_the_summary_counts_what_is_there_and_finds_it_by_topic_and_time() -> None:
    messages = [(k % 3, bytes([k % 256]) * 9000) for k in range(400)]
    reader = make_reader(io.BytesIO(write(messages)), validate_crcs=True)
    summary = reader.get_summary()
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.message_count == 400
    assert summary.statistics.chunk_count == len(summary.chunk_indexes) == 400 * 9000 // CHUNK_SIZE + 1
    assert (summary.statistics.message_start_time, summary.statistics.message_end_time) == (0, 399_000)
    found = list(reader.iter_messages(topics=["/topic1"], starting_at=100_000, ending_before=200_000))
    assert [m.sequence for _, _, m in found] == [k for k in range(100, 200) if k % 3 == 1]


def test_a_file_without_messages_opens() -> None:
    assert list(make_reader(io.BytesIO(write([]))).iter_messages()) == []


def test_a_file_that_was_cut_off_is_read_up_to_its_last_full_chunk() -> None:
    noise = np.random.default_rng(1)
    messages = [(0, noise.bytes(8000)) for _ in range(400)]
    whole = write(messages)
    read: list[int] = []
    with contextlib.suppress(McapError, EOFError, struct.error):
        records = StreamReader(io.BytesIO(whole[: len(whole) // 2])).records
        read.extend(record.sequence for record in records if isinstance(record, Message))
    assert read == list(range(len(read)))
    assert len(read) >= CHUNK_SIZE // 8000
