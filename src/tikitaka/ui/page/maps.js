// Where a shot would score, and where a pass would arrive: maps of the pitch, asked for while they are shown.

const EVERY = 200; // [ms] between two questions
const KINDS = { chances: [255, 96, 64], passes: [96, 200, 255] };
const MOST = 0.62; // opacity of a certainty

export class Maps {
  constructor(shows) {
    this.shows = shows;
    this.pictures = {};
    this.names = ["blue", "yellow"];
    setInterval(() => this.ask(), EVERY);
  }

  clear() {
    this.pictures = {};
  }

  async ask() {
    const wanted = Object.keys(KINDS).filter((kind) => this.shows[kind]);
    if (!wanted.length || this.asking || document.hidden) return;
    this.asking = true;
    try {
      const answer = await fetch("maps.json");
      const { columns, rows, team, ...maps } = await answer.json();
      this.explain(this.names[team] ?? "");
      for (const kind of wanted) this.pictures[kind] = columns ? paint(maps[kind], columns, rows, KINDS[kind]) : undefined;
    } catch {
      this.clear(); // no connection: the page says so elsewhere
    } finally {
      this.asking = false;
    }
  }

  // What the colours mean, and for whom: the team that is nearest to the ball.
  explain(name) {
    for (const line of document.querySelectorAll("[data-legend]")) {
      line.hidden = !this.shows[line.dataset.legend];
      line.querySelector("b").textContent = name;
    }
  }

  draw(ctx, field) {
    document.getElementById("legend").hidden = !Object.keys(KINDS).some((kind) => this.shows[kind] && this.pictures[kind]);
    for (const kind of Object.keys(KINDS)) {
      const picture = this.pictures[kind];
      if (!this.shows[kind] || !picture) continue;
      ctx.drawImage(picture, -field.length / 2, -field.width / 2, field.length, field.width);
    }
  }
}

// Rows run from -y to +y, values from 0 to 255.
function paint(values, columns, rows, [red, green, blue]) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns, rows];
  const ctx = canvas.getContext("2d");
  const image = ctx.createImageData(columns, rows);
  values.forEach((value, i) => image.data.set([red, green, blue, MOST * value], 4 * i));
  ctx.putImageData(image, 0, 0);
  return canvas;
}
