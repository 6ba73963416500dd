"""The live page in a real Chromium."""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from chromium import Page, browse, find_chromium
from live_matches import make_match
from live_serving import Served, serving

from tikitaka import league
from tikitaka.loop import run
from tikitaka.loop.playback import Playback
from tikitaka.loop.snapshot import Watchable

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="no chromium found: the page is not tried in a browser")

TICK = "Number(document.body.dataset.tick)"
PIXELS = """(() => {
  const pitch = document.getElementById("pitch");
  const copy = new OffscreenCanvas(pitch.width, pitch.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(pitch, 0, 0);
  return copy.getImageData(0, 0, pitch.width, pitch.height).data.reduce((sum, byte) => (31 * sum + byte) >>> 0, 0);
})()"""
A_WHILE = """(async () => {
  const since = performance.now();
  for (let i = 0; i < 12 || performance.now() - since < 200; i += 1) await new Promise(requestAnimationFrame);
})()"""


@asynccontextmanager
async def watching(match: Watchable, speed: float = 1.0) -> AsyncIterator[tuple[Served, Page]]:
    """Give a served match and a browser that shows it, whose console stays empty and which asks nobody else."""
    async with serving(match, speed) as served, browse(served.url) as page:
        await page.until("document.body?.dataset.link === 'up' && document.getElementById('title').textContent.trim()")
        yield served, page
        assert page.errors == []
        assert {urlsplit(url).netloc for url in page.requests} == {urlsplit(served.url).netloc}


def text(name: str) -> str:
    return f"document.getElementById('{name}').textContent"


def test_the_page_shows_the_match_and_obeys_its_buttons() -> None:
    async def scenario() -> None:
        async with watching(make_match()) as (served, page):
            await page.until(f"{TICK} > 5")
            before = await page.evaluate(PIXELS)
            await page.until(f"{PIXELS} !== {before}")

            await page.evaluate("document.getElementById('pause').click()")
            await page.until("document.body.dataset.paused === 'true'")
            tick = await page.evaluate(TICK)
            await page.evaluate(A_WHILE)
            still = await page.evaluate(PIXELS)
            await page.evaluate(A_WHILE)
            assert (await page.evaluate(TICK), await page.evaluate(PIXELS)) == (tick, still)
            moment = served.live.match.snapshot()
            assert moment.tick == tick
            shown = [await page.evaluate(text(name)) for name in ("score-blue", "score-yellow", "clock")]
            minutes, seconds = divmod(math.floor(moment.time + 1e-6), 60)
            assert shown == [*map(str, moment.score), f"{minutes}:{seconds:02}"]
            assert await page.evaluate(text("length")) == "/ 5:00"
            assert await page.evaluate("document.getElementById('pause').getAttribute('aria-label')") == "Play"

            await page.evaluate("document.getElementById('step').click()")
            await page.until(f"{TICK} !== {tick}")
            await page.evaluate(A_WHILE)
            assert await page.evaluate(TICK) == tick + 1 == int(await page.evaluate(text("tick")))

    asyncio.run(scenario())


def test_the_page_decodes_frames_as_they_were_encoded() -> None:
    async def scenario() -> None:
        async with watching(make_match()) as (served, page):
            served.live.pacer.pause()
            moment = served.live.match.snapshot()
            decoded = await page.evaluate("""(async () => {
              const { decode } = await import("/frames.js");
              const socket = new WebSocket(`ws://${location.host}/live`);
              socket.binaryType = "arraybuffer";
              const data = await new Promise((done) => {
                socket.onmessage = ({ data }) => typeof data !== "string" && done(data);
              });
              socket.close();
              const frame = decode(data);
              for (const name of ["ball", "robots", "belief"]) frame[name] = [...frame[name]];
              frame.targets = frame.targets.length;
              return frame;
            })()""")
            assert decoded["tick"] == moment.tick
            assert decoded["time"] == moment.time
            assert decoded["timeLeft"] == moment.time_left
            assert decoded["robots"] == pytest.approx(moment.robots.ravel(), rel=1e-6, abs=1e-6)
            assert decoded["belief"] == pytest.approx(moment.belief.ravel(), rel=1e-6, abs=1e-6)
            assert decoded["ball"] == pytest.approx(moment.ball, rel=1e-6, abs=1e-6)
            assert decoded["targets"] == moment.targets.size

    asyncio.run(scenario())


def test_keys_pause_step_change_speed_and_open_help() -> None:
    async def scenario() -> None:
        async with watching(make_match()) as (served, page):
            await page.press(" ")
            await page.until("document.body.dataset.paused === 'true'")
            tick = await page.evaluate(TICK)
            for _ in range(3):
                await page.press(".")
            await page.until(f"{TICK} === {tick} + 3")
            for key, value in (("1", "0.25"), ("+", "0.5"), ("7", "16"), ("+", "max"), ("-", "16")):
                await page.press(key)
                await page.until(f"document.getElementById('speed').dataset.value === '{value}'")
            assert served.live.pacer.speed == 16.0
            await page.press("?")
            await page.until("document.getElementById('help').open")

    asyncio.run(scenario())


def test_full_time_and_its_result_are_shown() -> None:
    async def scenario() -> None:
        async with watching(make_match(seconds=2.0), math.inf) as (served, page):
            await page.until("!document.getElementById('full-time').hidden")
            blue, yellow = served.live.match.snapshot().score
            assert await page.evaluate(text("result-score")) == f"{blue} : {yellow}"
            assert await page.evaluate(text("clock")) == "0:02"
            assert await page.evaluate("document.querySelector('#feed time').textContent") == "0:02"
            assert await page.evaluate(text("phase")) == "full time"

    asyncio.run(scenario())


def test_a_fault_is_shown_with_file_and_line(tmp_path: Path) -> None:
    team = tmp_path / "clumsy.py"
    team.write_text("def decide(world, memory):\n    return 1 / 0\n")

    async def scenario() -> None:
        async with watching(make_match(blue=str(team))) as (_, page):
            await page.until("!document.getElementById('fault').hidden")
            assert "clumsy.py, line 2: ZeroDivisionError" in await page.evaluate(text("fault-text"))
            await page.until("Number.parseInt(document.getElementById('faults').textContent) > 3")

    asyncio.run(scenario())


def test_a_lost_match_is_told_kindly_and_found_again() -> None:
    async def scenario() -> None:
        async with AsyncExitStack() as browser:
            async with serving(make_match()) as served:
                port = urlsplit(served.url).port
                page = await browser.enter_async_context(browse(served.url))
                await page.until(f"{TICK} > 3")
            await page.until("document.body.dataset.link === 'down' && !document.getElementById('lost').hidden")
            async with serving(make_match("ssl-b"), port=port or 0):
                await page.until("document.body.dataset.link === 'up' && document.getElementById('lost').hidden")
                await page.until("document.getElementById('title').textContent.includes('division B')")

    asyncio.run(scenario())


@pytest.mark.parametrize("width", [320, 390, 760, 900, 1280])
def test_nothing_is_wider_than_the_page(width: int) -> None:
    async def scenario() -> None:
        async with watching(make_match()) as (_, page):
            await page.resize(width, 844)
            await page.press("g")
            await page.until("!document.getElementById('legend').hidden")
            await page.evaluate(A_WHILE)
            assert await page.evaluate("document.documentElement.scrollWidth") <= width

    asyncio.run(scenario())


def test_maps_have_a_legend_that_names_the_team_they_are_for() -> None:
    async def scenario() -> None:
        async with watching(make_match()) as (_, page):
            assert await page.evaluate("document.getElementById('legend').hidden")
            await page.press("p")
            await page.until("!document.getElementById('legend').hidden")
            seen = "[...document.querySelectorAll('#legend p:not([hidden])')].map((p) => p.innerText.trim())"
            assert await page.evaluate(seen) == ["a pass of rookie to here arrives: never to surely"]
            await page.press("p")
            await page.until("document.getElementById('legend').hidden")

    asyncio.run(scenario())


def test_a_recording_has_a_slider_that_goes_to_any_tick_and_a_match_has_none(tmp_path: Path) -> None:
    folder, match = run.create(tmp_path / "run", run.Fixture(league.load(), 3, 20.0, "tikitaka", "rookie"))
    while not match.done:
        match.step()
    match.close()

    async def scenario() -> None:
        async with watching(make_match()) as (_, page):
            assert await page.evaluate("document.getElementById('reel').hidden")
        async with watching(Playback(folder)) as (served, page):
            await page.press(" ")
            await page.until("document.body.dataset.paused === 'true'")
            assert (await page.evaluate(text("title"))).endswith("replay")
            for tick in (500, 100, 598):
                drag = "s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change'))"
                await page.evaluate(
                    f"(() => {{ const s = document.getElementById('seek'); s.value = {tick}; {drag} }})()"
                )
                await page.until(f"{TICK} === {tick}")
                listed = len(served.live.match.events)
                await page.until(f"document.getElementById('feed').children.length === {listed}")
            await page.press(" ")
            await page.until("!document.getElementById('full-time').hidden")
            assert await page.evaluate(text("full-time-head")) == "Full time"
            await page.evaluate("document.getElementById('seek').value = 9; document.getElementById('seek').onchange()")
            await page.until(
                "document.getElementById('full-time').hidden && !document.getElementById('pause').disabled"
            )

    asyncio.run(scenario())
