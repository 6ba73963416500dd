// Bytes of one published moment to an object; the layout is described in ui/frames.py.

export const VERSION = 1;
export const PHASES = [
  "halt", "kick-off", "play", "stop", "free kick", "goal kick", "penalty", "free ball", "ball placement",
];

export function decode(buffer) {
  const view = new DataView(buffer);
  const version = view.getUint16(0, true);
  if (version !== VERSION) throw new Error(`frame version ${version}; this page knows ${VERSION}`);
  const flags = view.getUint8(53);
  return {
    tick: view.getUint32(4, true),
    time: view.getFloat64(8, true),
    timeLeft: view.getFloat64(16, true),
    speed: view.getFloat32(24, true),
    realtime: view.getFloat32(28, true),
    score: [view.getUint16(32, true), view.getUint16(34, true)],
    faults: [view.getUint32(36, true), view.getUint32(40, true)],
    collisions: view.getUint32(44, true),
    swaps: view.getUint32(48, true),
    phase: PHASES[view.getUint8(52)] ?? "unknown",
    paused: (flags & 1) !== 0,
    done: (flags & 2) !== 0,
    owner: flags & 4 ? 0 : flags & 8 ? 1 : -1,
    ready: (flags & 16) === 0,
    ...rows(buffer, view.getUint16(2, true), view.getUint16(54, true)),
  };
}

function rows(buffer, start, n) {
  const at = (offset, length) => new Float32Array(buffer, start + 4 * offset, length);
  return { n, ball: at(0, 2), robots: at(2, 3 * n), belief: at(2 + 3 * n, 3 * n), targets: at(2 + 6 * n, 2 * n) };
}
