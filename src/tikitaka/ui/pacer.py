"""When the ticks of a match are due, at any speed. The clock is handed in; nothing here sleeps."""

import math
from collections import deque
from collections.abc import Callable

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, math.inf)  # inf: as fast as possible
SLICE = 0.012  # [s] of ticks before everybody else has a turn
MAX_LAG = 0.1  # [s] that a late pacer still makes up for; what lies further back is forgotten
WINDOW = 1.0  # [s] over which the achieved speed is measured
MIN_WINDOW = 0.1  # [s] under which it is not known yet


class Pacer:
    """Playing or paused, at a speed; says how many ticks are due and measures how fast they really come."""

    def __init__(self, rate: float, speed: float, clock: Callable[[], float]) -> None:
        self.paused = False
        self.speed = checked_speed(speed)
        self._rate = rate
        self._clock = clock
        self._owed = 0.0  # ticks
        self._restart()

    def pause(self) -> None:
        """Run no tick until `play` or `step`."""
        self.paused = True
        self._restart()

    def play(self) -> None:
        """Run ticks as they fall due, from now on; a playing pacer is left as it is."""
        if self.paused:
            self.paused = False
            self._restart()

    def step(self) -> None:
        """Pause, and owe exactly one tick more than before."""
        steps = self._owed if self.paused else 0.0
        self.pause()
        self._owed = steps + 1.0

    def set_speed(self, speed: float) -> None:
        """Go on at another speed; nothing that was owed at the old one remains, save steps asked for."""
        self.speed = checked_speed(speed)
        if not self.paused:
            self._restart()

    def turn(self, tick: Callable[[], bool]) -> int:
        """Return how many ticks were run: those due, as far as one slice goes or until ``tick`` returns False."""
        start = self._clock()
        self._collect(start)
        ran, going_on = 0, True
        while going_on and self._owed >= 1.0 and (ran == 0 or self._clock() - start < SLICE):
            self._owed -= 1.0
            ran += 1
            going_on = tick()
        self._measure(ran)
        return ran

    def wait(self) -> float:
        """Return the seconds until the next tick is due: 0 when one is due, infinite when paused."""
        if self._owed >= 1.0:
            return 0.0
        if self.paused:
            return math.inf
        return max(0.0, (1.0 - self._owed) / (self._rate * self.speed) - (self._clock() - self._since))

    @property
    def realtime(self) -> float:
        """Simulated over wall seconds in the last window; 0 when paused or not known yet."""
        if self.paused or len(self._past) < 2 or self._past[-1][0] - self._past[0][0] < MIN_WINDOW:
            return 0.0
        (t0, n0), (t1, n1) = self._past[0], self._past[-1]
        return (n1 - n0) / (t1 - t0) / self._rate

    def _restart(self) -> None:
        self._since = self._clock()
        self._owed = math.inf if math.isinf(self.speed) and not self.paused else 0.0
        self._total = 0
        self._past = deque([(self._since, 0)])

    def _collect(self, now: float) -> None:
        if not self.paused and math.isfinite(self.speed):
            due = self._owed + (now - self._since) * self._rate * self.speed
            self._owed = min(due, max(1.0, MAX_LAG * self._rate * self.speed))
        self._since = now

    def _measure(self, ran: int) -> None:
        self._total += ran
        now = self._clock()
        self._past.append((now, self._total))
        while now - self._past[0][0] > WINDOW and len(self._past) > 2:
            self._past.popleft()


def checked_speed(speed: float) -> float:
    """Return the speed, which must be positive."""
    if not speed > 0.0:
        raise ValueError(f"speed must be above 0 (inf: as fast as possible); got {speed}")
    return speed
