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
    this.time = 0;
    this.pace = 1;  // simulated seconds a wall second, as frames arrive
    this.gap = 1 / 60;  // wall seconds between frames, as they arrive
    this.arrived = 0;
  }

  push(frame, now) {
    const last = this.frames.at(-1);
    if (last && frame.tick < last.tick) this.clear();
    if (last && frame.tick === last.tick) this.frames.pop();
    else if (last) this.learn(frame.time - last.time, now - this.arrived);
    this.frames.push(frame);
    this.arrived = now;
    if (this.frames.length > KEPT) this.frames.shift();
  }

  learn(simulated, wall) {
    if (wall <= 0 || wall > 1) return;
    this.gap += 0.1 * (Math.min(wall, 0.3) - this.gap);
    this.pace += 0.1 * (simulated / wall - this.pace);
  }

  // The moment to draw, `wall` seconds after the one before.
  advance(wall) {
    const newest = this.frames.at(-1);
    if (!newest) return null;
    const aim = newest.paused ? newest.time : newest.time - 1.5 * this.gap * this.pace;
    const ahead = this.time + wall * this.pace;
    const error = aim - ahead;
    const far = Math.abs(error) > 0.25 * Math.max(this.pace, 0.25);
    this.time = far && !newest.paused ? aim : ahead + error * Math.min(1, (newest.paused ? 18 : 4) * wall);
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
