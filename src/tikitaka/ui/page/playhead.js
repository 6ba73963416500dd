// Where the picture stands between two frames. It runs a little behind the newest one, so that there is always
// a frame on either side, and moves evenly although frames arrive unevenly.

const KEPT = 32;
const JUMP = 12;  // [m/s] faster than anything drives or rolls: it was placed there

export class Playhead {
  constructor() {
    this.clear();
  }

  clear() {
    this.frames = [];
    this.arrivals = [];  // [simulated, wall] seconds of the frames since the pace last changed
    this.time = -Infinity;
  }

  push(frame, now) {
    const last = this.frames.at(-1);
    if (last && frame.tick < last.tick) this.clear();
    if (last && (frame.speed !== last.speed || frame.paused !== last.paused)) this.arrivals = [];
    if (last && frame.tick === last.tick) this.frames.pop();
    else this.arrivals.push([frame.time, now]);
    this.frames.push(frame);
    if (this.frames.length > KEPT) this.frames.shift();
    if (this.arrivals.length > KEPT) this.arrivals.shift();
  }

  // Simulated seconds a wall second, and wall seconds between frames, as frames really arrive.
  rhythm(newest) {
    const [first, last] = [this.arrivals[0], this.arrivals.at(-1)];
    const wall = last ? last[1] - first[1] : 0;
    if (wall < 0.1) return { pace: Math.min(newest.speed, 16), gap: 1 / 30 };
    return { pace: (last[0] - first[0]) / wall, gap: Math.min(0.3, wall / (this.arrivals.length - 1)) };
  }

  // The moment to draw, `wall` seconds after the one before.
  advance(wall) {
    const newest = this.frames.at(-1);
    if (!newest) return null;
    const { pace, gap } = this.rhythm(newest);
    const aim = newest.paused ? newest.time : newest.time - 1.5 * gap * pace;
    const error = aim - this.time;
    const push = newest.paused ? Math.max(0, 0.3 * error) : 4 * wall * (error - wall * pace);
    this.time += wall * pace + push;
    if (Math.abs(error) > 0.5 * Math.max(pace, 0.5)) this.time = aim;
    this.time = Math.min(this.time, newest.time);
    return this.at(this.time);
  }

  at(time) {
    const { frames } = this;
    let i = frames.length - 1;
    while (i > 0 && frames[i - 1].time > time) i -= 1;
    if (i === 0 || frames[i].time <= time) return still(frames[i]);
    const [a, b] = [frames[i - 1], frames[i]];
    const span = b.time - a.time;
    return between(a, b, Math.max(0, Math.min(1, (time - a.time) / span)), JUMP * span + 0.02);
  }
}

function still({ ball, robots, belief, targets, n, time }) {
  return { ball, robots, belief, targets, n, time };
}

function between(a, b, s, reach) {
  return {
    n: b.n,
    time: a.time + s * (b.time - a.time),
    ball: blend(a.ball, b.ball, 2, s, reach),
    robots: blend(a.robots, b.robots, 3, s, reach),
    belief: blend(a.belief, b.belief, 3, s, reach),
    targets: b.targets,
  };
}

function blend(a, b, columns, s, reach) {
  if (a.length !== b.length) return b;
  const out = new Float32Array(b);
  for (let i = 0; i < b.length; i += columns) {
    if (Math.hypot(b[i] - a[i], b[i + 1] - a[i + 1]) > reach) continue;
    out[i] = a[i] + s * (b[i] - a[i]);
    out[i + 1] = a[i + 1] + s * (b[i + 1] - a[i + 1]);
    if (columns === 3) out[i + 2] = a[i + 2] + s * turn(b[i + 2] - a[i + 2]);
  }
  return out;
}

const turn = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));
