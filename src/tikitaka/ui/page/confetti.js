// A handful of paper for a goal. Positions in pixels of the canvas.

const COLOURS = [["#4b8dff", "#cfe0ff", "#fff"], ["#ffd23e", "#fff2b8", "#fff"]];
const PIECES = 70;
const SECONDS = 1.8;

export class Confetti {
  constructor() {
    this.pieces = [];
  }

  burst([x, y], team, size) {
    const colours = COLOURS[team] ?? COLOURS[0];
    this.pieces = Array.from({ length: PIECES }, (_, i) => {
      const angle = 2 * Math.PI * Math.random();
      const speed = size * (0.15 + 0.75 * Math.random());
      return {
        x, y, age: 0, turn: 6 * Math.random(), colour: colours[i % colours.length],
        vx: speed * Math.cos(angle), vy: speed * Math.sin(angle) - 0.35 * size, size: 4 + 5 * Math.random(),
      };
    });
  }

  draw(ctx, wall, size) {
    this.pieces = this.pieces.filter((piece) => piece.age < SECONDS);
    for (const piece of this.pieces) {
      fall(piece, wall, size);
      ctx.save();
      ctx.globalAlpha = Math.min(1, 2 * (1 - piece.age / SECONDS));
      ctx.translate(piece.x, piece.y);
      ctx.rotate(piece.turn + 5 * piece.age);
      ctx.fillStyle = piece.colour;
      ctx.fillRect(-piece.size / 2, -piece.size / 4, piece.size, piece.size / 2);
      ctx.restore();
    }
  }
}

function fall(piece, wall, size) {
  const drag = Math.exp(-2.2 * wall);
  piece.age += wall;
  piece.vx *= drag;
  piece.vy = piece.vy * drag + 0.9 * size * wall;
  piece.x += piece.vx * wall;
  piece.y += piece.vy * wall;
}
