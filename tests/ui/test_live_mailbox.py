"""Post for pages that read quickly, slowly or never."""

import asyncio

from tikitaka.ui.mailbox import MAX_CLIENTS, MAX_TEXTS, Hub, Mailbox


def test_a_slow_reader_finds_only_the_newest_frame() -> None:
    async def scenario() -> bytes | str:
        box = Mailbox()
        for i in range(1000):
            box.put(bytes([i % 256]))
        return await box.take()

    assert asyncio.run(scenario()) == bytes([999 % 256])


def test_messages_come_first_in_order_and_the_oldest_are_dropped() -> None:
    async def scenario() -> list[bytes | str]:
        box = Mailbox()
        box.put(b"frame")
        for i in range(MAX_TEXTS + 3):
            box.put(str(i))
        return [await box.take() for _ in range(MAX_TEXTS + 1)]

    assert asyncio.run(scenario()) == [*(str(i) for i in range(3, MAX_TEXTS + 3)), b"frame"]


def test_a_waiting_reader_is_woken() -> None:
    async def scenario() -> bytes | str:
        box = Mailbox()
        reading = asyncio.create_task(box.take())
        await asyncio.sleep(0)
        box.put("news")
        return await reading

    assert asyncio.run(scenario()) == "news"


def test_there_is_room_for_so_many_and_again_when_one_leaves() -> None:
    hub = Hub()
    boxes = [hub.join() for _ in range(MAX_CLIENTS)]
    assert hub.join() is None
    assert boxes[0] is not None
    hub.leave(boxes[0])
    assert hub.join() is not None
