"""Pages that mean no good, over real sockets."""

import asyncio
import logging

import pytest
from live_matches import make_match
from live_serving import get, next_frame, serving
from test_live_control import HOSTILE
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus


def test_hostile_messages_change_nothing_and_leave_no_trace_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served, connect(served.socket) as client:
            served.live.pacer.pause()
            before = served.live.match.snapshot().tick
            for text in HOSTILE:
                if text.isprintable():
                    await client.send(text)
            await client.send(b'{"do":"step"}')
            await client.send('{"do":"speed","value":4}')
            _, pace = await next_frame(client, lambda _, pace: pace.speed == 4.0)
            assert (served.live.match.snapshot().tick, pace.paused) == (before, True)

    with caplog.at_level(logging.WARNING):
        asyncio.run(scenario())
    assert caplog.records == []


def test_a_message_too_long_ends_that_connection_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served, connect(served.socket) as quiet, connect(served.socket) as loud:
            await loud.send("x" * 100_000)
            with pytest.raises(ConnectionClosed) as closed:
                await next_frame(loud, lambda *_: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
            await next_frame(quiet)

    with caplog.at_level(logging.WARNING):
        asyncio.run(scenario())
    assert caplog.records == []


def test_a_flood_ends_that_connection_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served, connect(served.socket) as quiet, connect(served.socket) as loud:
            for _ in range(1000):
                await loud.send('{"do":"step"}')
            with pytest.raises(ConnectionClosed) as closed:
                await next_frame(loud, lambda *_: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008
            await quiet.send('{"do":"pause"}')
            await next_frame(quiet, lambda _, pace: pace.paused)

    with caplog.at_level(logging.WARNING):
        asyncio.run(scenario())
    assert caplog.records == []


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:1", None, 200),
        ("localhost:9000", None, 200),
        ("[::1]:1", "http://[::1]:1", 200),
        ("localhost:1", "http://localhost:1", 200),
        ("evil.example", None, 403),
        ("127.0.0.1.evil.example:1", None, 403),
        ("localhost:1", "http://evil.example", 403),
        ("localhost:1", "http://localhost:2", 403),
        ("localhost:1", "null", 403),
        ("evil.example:1", "http://evil.example:1", 403),
    ],
)
def test_strangers_are_turned_away_by_host_and_origin(host: str, origin: str | None, status: int) -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served:
            headers = {"host": host} | ({"origin": origin} if origin else {})
            assert (await get(served, "state.json", **headers)).status_code == status

    asyncio.run(scenario())


def test_a_websocket_across_sites_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served:
            with pytest.raises(InvalidStatus) as refused:
                await connect(served.socket, additional_headers={"Origin": "http://evil.example"})
            assert refused.value.response.status_code == 403
            async with connect(served.socket, additional_headers={"Origin": served.url.rstrip("/")}) as client:
                await next_frame(client)

    with caplog.at_level(logging.WARNING):
        asyncio.run(scenario())
    assert caplog.records == []
