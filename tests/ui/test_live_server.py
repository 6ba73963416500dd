"""The live page over real sockets."""

import asyncio
import json
import logging
import math
import socket
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from live_matches import make_match
from live_serving import TIMEOUT, Served, get, next_frame, next_message, serving
from test_live_frames import decode
from websockets.asyncio.client import connect

from tikitaka.ui import frames
from tikitaka.ui.mailbox import MAX_CLIENTS


def test_the_page_and_all_it_links_to_are_served_under_security_headers() -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served:
            for path in ("", "main.js", "base.css", "parts.css", "favicon.svg", "healthz", "state.json", "nowhere"):
                answer = await get(served, path)
                assert answer.status_code == (404 if path == "nowhere" else 200), path
                assert answer.headers["content-security-policy"].startswith("default-src 'self';")
                assert answer.headers["x-content-type-options"] == "nosniff"

    asyncio.run(scenario())


def test_state_json_tells_machines_what_the_match_does() -> None:
    async def scenario() -> None:
        async with serving(make_match(), speed=math.inf) as served:
            served.live.pacer.pause()
            state = (await get(served, "state.json")).json()
            assert {k: state[k] for k in ("paused", "done", "speed", "clients")} == {
                "paused": True,
                "done": False,
                "speed": None,
                "clients": 0,
            }
            snapshot = served.live.match.snapshot()
            assert (state["tick"], state["time"]) == (snapshot.tick, snapshot.time)
            assert (await get(served, "healthz")).json() == {"status": "ok"}

    asyncio.run(scenario())


def test_a_page_is_greeted_with_the_league_then_frames_come() -> None:
    async def scenario() -> None:
        match = make_match()
        async with serving(match) as served, connect(served.socket) as client:
            hello = json.loads(await client.recv())
            assert hello["type"] == "hello"
            assert hello["names"] == list(match.names)
            assert hello["field"]["length"] == match.league.field.length
            assert len(hello["robot"]["outline"]) == 8  # a cube with a notch
            assert (
                max(map(math.hypot, *zip(*hello["robot"]["outline"], strict=True))) <= hello["robot"]["radius"] + 1e-5
            )
            first, _ = await next_frame(client)
            later, pace = await next_frame(client, lambda moment, _: moment.tick > first.tick + 5)
            assert later.time > first.time
            assert len(later.robots) == 2 * match.league.team.robots
            assert pace.speed == 1.0

    asyncio.run(scenario())


def test_pause_stops_step_adds_one_tick_and_play_goes_on() -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served, connect(served.socket) as client:
            await client.send('{"do":"pause"}')
            paused, _ = await next_frame(client, lambda _, pace: pace.paused)
            for i in range(1, 4):
                await client.send('{"do":"step"}')
                stepped, pace = await next_frame(client, lambda moment, _: moment.tick != paused.tick + i - 1)  # noqa: B023
                assert (stepped.tick, pace.paused) == (paused.tick + i, True)
            await client.send('{"do":"speed","value":"max"}')
            moment, _ = await next_frame(client, lambda _, pace: pace.speed == math.inf)
            assert moment.tick == paused.tick + 3
            await client.send('{"do":"play"}')
            await next_frame(client, lambda moment, pace: moment.tick > paused.tick + 100 and pace.realtime > 1.0)

    asyncio.run(scenario())


def test_one_page_too_many_is_refused_politely_and_let_in_when_another_leaves() -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served, AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(connect(served.socket)) for _ in range(MAX_CLIENTS)]
            for client in clients:
                await next_frame(client)
            async with connect(served.socket) as late:
                assert "Close one" in (await next_message(late, "refused"))["message"]
                await late.wait_closed()
                assert late.close_code == 1013
            await clients[0].close()
            async with asyncio.timeout(TIMEOUT):
                while len(served.live.hub) == MAX_CLIENTS:
                    await asyncio.sleep(0)
            async with connect(served.socket) as again:
                await next_frame(again)

    asyncio.run(scenario())


def test_a_page_that_does_not_read_skips_to_the_newest_frame() -> None:
    async def scenario() -> None:
        async with serving(make_match()) as served, connect_slowly(served) as slow:
            await next_frame(slow)
            published = await publish_many(served)
            seen = 0
            while (await next_frame(slow))[0].tick != published:
                seen += 1
            assert seen < published // 2

    asyncio.run(scenario())


def test_a_page_that_does_not_read_cannot_keep_the_server_from_its_end(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with AsyncExitStack() as clients, serving(make_match()) as served:  # the server ends first
            await clients.enter_async_context(connect_slowly(served))
            await publish_many(served)

    with caplog.at_level(logging.WARNING):
        asyncio.run(scenario())
    assert caplog.records == []


def connect_slowly(served: Served) -> connect:
    """Return a client with hardly any room for what it does not read."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", urlsplit(served.url).port))
    raw.setblocking(False)  # noqa: FBT003
    return connect(served.socket, sock=raw, max_queue=1, close_timeout=0.1)


async def publish_many(served: Served, count: int = 5000) -> int:
    """Publish frames with ticks from 1 to ``count``; return the last."""
    served.live.pacer.pause()
    moment = served.live.match.snapshot()
    for tick in range(1, count + 1):
        served.live.hub.post(frames.encode(replace(moment, tick=tick), served.live.pace()))
        await asyncio.sleep(0)
    return count


def test_full_time_is_told_once_and_the_last_frame_stays() -> None:
    told: list[str] = []

    async def scenario() -> None:
        match = make_match(seconds=0.5)
        async with serving(match, math.inf, lambda: told.append("full time")) as served:
            async with connect(served.socket) as client:
                end, pace = await next_frame(client, lambda _, pace: pace.done)
                assert pace.paused
                for do in ("play", "step"):
                    await client.send(json.dumps({"do": do}))
                await client.send('{"do":"speed","value":2}')
                after, _ = await next_frame(client, lambda _, pace: pace.speed == 2.0)
                assert after.tick == end.tick
            async with connect(served.socket) as late:
                hello = await next_message(late, "hello")
                assert hello["events"][-1]["kind"] == "full_time"

    asyncio.run(scenario())
    assert told == ["full time"]


def test_a_fault_is_shown_once_to_those_who_watch_and_to_those_who_come_later(tmp_path: Path) -> None:
    team = tmp_path / "clumsy.py"
    team.write_text(
        "def decide(world, memory):\n    if world.time > 0.2:\n        raise ValueError('oops')\n    return {}\n"
    )
    fault = "blue: clumsy.py, line 3: ValueError: oops"

    async def scenario() -> None:
        async with serving(make_match(blue=str(team))) as served, connect(served.socket) as client:
            assert (await next_message(client, "hello"))["faults"] == []
            assert (await next_message(client, "fault"))["message"] == fault
            async with connect(served.socket) as late:
                assert (await next_message(late, "hello"))["faults"] == [fault]
                await next_frame(late, lambda moment, _: moment.faults[0] > 10)
            await client.send('{"do":"pause"}')
            while not (isinstance(post := await client.recv(), bytes) and decode(post)[1].paused):
                assert isinstance(post, bytes), post

    asyncio.run(scenario())


def test_what_the_match_raises_ends_the_server_and_is_raised() -> None:
    async def scenario() -> None:
        match = make_match()
        async with serving(match) as served, connect(served.socket) as client:
            await next_frame(client)
            match.step = lambda: 1 / 0  # type: ignore[method-assign, assignment, return-value]
            async with asyncio.timeout(TIMEOUT):
                await client.wait_closed()

    with pytest.raises(ZeroDivisionError):
        asyncio.run(scenario())
