// The slider of a recording, with a mark where each goal was. A match that is being played has none.

const EVERY = 100; // [ms] between two questions while it is dragged

const at = (id) => document.getElementById(id);

export class Reel {
  constructor(ask) {
    this.ask = ask;
    this.asked = 0;
    at("seek").oninput = () => this.drag();
    at("seek").onchange = () => this.letGo();
  }

  begin({ replay }) {
    at("reel").hidden = !replay?.last;
    if (!replay?.last) return;
    at("seek").max = replay.last;
    at("marks").replaceChildren(...replay.goals.map(([tick, team]) => mark(tick / replay.last, team)));
  }

  show(frame) {
    if (!this.dragging) at("seek").value = frame.tick;
  }

  drag() {
    this.dragging = true;
    const now = performance.now();
    if (now - this.asked > EVERY) this.go(now);
  }

  letGo() {
    this.dragging = false;
    this.go(performance.now());
    at("seek").blur();
  }

  go(now) {
    this.asked = now;
    this.ask({ do: "seek", value: Number(at("seek").value) });
  }
}

function mark(share, team) {
  const made = document.createElement("i");
  made.dataset.team = team;
  made.style.left = `${100 * share}%`;
  return made;
}
