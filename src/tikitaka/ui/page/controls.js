// Buttons and keys. They only ask; what is shown as on is what the match says.

const NAMES = new Map([[0.25, "¼×"], [0.5, "½×"], [Infinity, "max"]]);
const STORE = "tikitaka.shows";
const SHOW_KEYS = { b: "belief", t: "targets", l: "trails", n: "numbers", g: "chances", p: "passes" };
const DEFAULTS = { belief: false, targets: false, trails: true, numbers: true, chances: false, passes: false };

const at = (id) => document.getElementById(id);
const label = (speed) => NAMES.get(speed) ?? `${speed}×`;

export class Controls {
  constructor(ask, shows) {
    this.ask = ask;
    this.shows = Object.assign(shows, DEFAULTS, stored());
    this.speeds = [];
    at("pause").onclick = () => this.pauseOrPlay();
    at("step").onclick = () => ask({ do: "step" });
    at("help-open").onclick = () => at("help").showModal();
    for (const button of document.querySelectorAll("[data-show]")) button.onclick = () => this.toggle(button.dataset.show);
    document.addEventListener("click", leaveToKeys);
    document.addEventListener("keydown", (event) => this.key(event));
    this.showShows();
  }

  begin(hello) {
    this.speeds = hello.speeds.map((speed) => speed ?? Infinity);
    at("speed").replaceChildren(...this.speeds.map((speed) => this.speedButton(speed)));
  }

  speedButton(speed) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label(speed);
    button.dataset.speed = value(speed);
    button.setAttribute("aria-label", speed === Infinity ? "As fast as possible" : `Speed ${speed}`);
    button.onclick = () => this.askSpeed(speed);
    return button;
  }

  show(frame) {
    this.frame = frame;
    at("pause").setAttribute("aria-label", frame.paused ? "Play" : "Pause");
    at("pause").disabled = at("step").disabled = frame.done;
    at("speed").dataset.value = value(frame.speed);
    for (const button of at("speed").children) {
      button.setAttribute("aria-pressed", button.dataset.speed === value(frame.speed));
    }
    this.showAchieved(frame);
  }

  showAchieved({ paused, realtime, speed }) {
    const known = !paused && realtime > 0;
    const digits = realtime < 10 ? 2 : realtime < 100 ? 1 : 0;
    const text = known ? `${realtime.toFixed(digits)}× reached` : paused ? "standing still" : "measuring";
    const output = at("achieved");
    if (output.textContent !== text) output.textContent = text;
    output.classList.toggle("behind", known && Number.isFinite(speed) && realtime < 0.9 * speed);
  }

  pauseOrPlay() {
    this.ask({ do: this.frame?.paused ? "play" : "pause" });
  }

  askSpeed(speed) {
    this.ask({ do: "speed", value: value(speed) === "max" ? "max" : speed });
  }

  faster(by) {
    const now = this.speeds.findLastIndex((speed) => speed <= (this.frame?.speed ?? 1));
    const next = this.speeds[Math.max(0, Math.min(this.speeds.length - 1, now + by))];
    if (next) this.askSpeed(next);
  }

  toggle(name) {
    this.shows[name] = !this.shows[name];
    store(this.shows);
    this.showShows();
  }

  showShows() {
    for (const button of document.querySelectorAll("[data-show]")) {
      button.setAttribute("aria-pressed", this.shows[button.dataset.show]);
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || at("help").open) return;
    if (event.key === " " && event.target.closest?.("button")) return;
    const act = this.action(event.key);
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || event.key === "." || event.key === "ArrowRight") act();
  }

  action(key) {
    if (key === " ") return () => this.pauseOrPlay();
    if (key === "." || key === "ArrowRight") return () => this.ask({ do: "step" });
    if (key === "+" || key === "=") return () => this.faster(1);
    if (key === "-") return () => this.faster(-1);
    if (key === "?") return () => at("help").showModal();
    if (SHOW_KEYS[key]) return () => this.toggle(SHOW_KEYS[key]);
    const speed = /^[1-9]$/.test(key) ? this.speeds[key - 1] : undefined;
    return speed && (() => this.askSpeed(speed));
  }
}

function value(speed) {
  return speed === Infinity ? "max" : String(speed);
}

// A button pressed by mouse or finger gives the keyboard back, so that space pauses again.
function leaveToKeys(event) {
  if (event.detail > 0) event.target.closest("button")?.blur();
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

function store(shows) {
  try {
    localStorage.setItem(STORE, JSON.stringify(shows));
  } catch {
    // a private window keeps nothing
  }
}
