// Where ball and robots came from: a short tail that fades.

const SECONDS = 0.7;  // simulated
const LONGEST = 90;  // points
const LEAP = 0.5;  // [m] between two pictures: it was placed there

export class Trails {
  constructor() {
    this.tails = [];
  }

  clear() {
    this.tails = [];
  }

  push(moment) {
    const { ball, robots, n, time } = moment;
    this.add(n, time, ball[0], ball[1]);
    for (let i = 0; i < n; i += 1) this.add(i, time, robots[3 * i], robots[3 * i + 1]);
  }

  add(i, time, x, y) {
    const tail = (this.tails[i] ??= []);
    const last = tail.at(-1);
    if (last && (time < last[0] || Math.hypot(x - last[1], y - last[2]) > LEAP)) tail.length = 0;
    if (!last || time > last[0]) tail.push([time, x, y]);
    while (tail.length > LONGEST || (tail.length && tail[0][0] < time - SECONDS)) tail.shift();
  }

  draw(ctx, i, time, colour, width) {
    const tail = this.tails[i] ?? [];
    ctx.strokeStyle = colour;
    for (let k = 1; k < tail.length; k += 1) {
      const fresh = 1 - (time - tail[k][0]) / SECONDS;
      ctx.globalAlpha = 0.75 * fresh * fresh;
      ctx.lineWidth = width * (0.25 + 0.75 * fresh);
      ctx.beginPath();
      ctx.moveTo(tail[k - 1][1], tail[k - 1][2]);
      ctx.lineTo(tail[k][1], tail[k][2]);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }
}
