// Scoreboard, feed, counters and everything that lies over the pitch.

const FEED = 60;
const COLOURS = ["blue", "yellow"];

const at = (id) => document.getElementById(id);
const write = (id, text) => {
  const node = at(id);
  if (node.textContent !== String(text)) node.textContent = text;
};

export class Board {
  constructor(scene) {
    this.scene = scene;
    this.names = ["blue", "yellow"];
    at("fault-close").onclick = () => { at("fault").hidden = true; };
    at("full-time-close").onclick = () => { at("full-time").hidden = true; };
    at("goal").onanimationend = () => { at("goal").hidden = true; };
  }

  begin(hello) {
    this.names = tellApart(hello.names);
    this.score = null;
    this.ended = false;
    this.replay = hello.replay;
    at("full-time").hidden = true;
    at("fault").hidden = true;
    at("feed").replaceChildren();
    write("title", hello.replay ? `${hello.title} · replay` : hello.title);
    write("length", Number.isFinite(hello.seconds) ? `/ ${clock(hello.seconds)}` : "");
    write("seed", `seed ${hello.seed}`);
    write("name-blue", hello.names[0]);
    write("name-yellow", hello.names[1]);
    document.title = `${hello.names.join(" – ")} · tikitaka`;
    for (const event of hello.events) this.list(event);
    for (const text of hello.faults) this.fault(text);
  }

  // What changes with every frame.
  show(frame) {
    document.body.dataset.tick = frame.tick;
    document.body.dataset.paused = frame.paused;
    write("tick", frame.tick);
    write("clock", clock(frame.time));
    write("phase", frame.done ? this.ending(frame) : frame.paused ? "paused" : phase(frame));
    write("collisions", frame.collisions);
    write("swaps", frame.swaps);
    this.showFaults(frame.faults);
    this.showScore(frame.score);
    if (frame.done && !this.ended) this.fullTime(frame);
  }

  ending(frame) {
    return this.replay && frame.timeLeft > 1 ? "the recording ends" : "full time";
  }

  showFaults([blue, yellow]) {
    write("faults", blue + yellow === 0 ? "0" : `${blue} + ${yellow}`);
    at("faults").classList.toggle("bad", blue + yellow > 0);
    const who = blue && yellow ? "Both teams" : this.names[blue ? 0 : 1];
    const times = blue + yellow === 1 ? "once" : `${blue + yellow} times`;
    write("fault-head", `${who}: the team's code failed ${times}. Its robots stop while it does.`);
  }

  showScore(score) {
    ["score-blue", "score-yellow"].forEach((id, team) => {
      write(id, score[team]);
      if (this.score && score[team] > this.score[team]) replay(at(id), "bump");
    });
    this.score = score;
  }

  happened(event, speed) {
    this.list(event);
    if (event.kind === "goal") this.goal(event, speed);
  }

  goal(event, speed) {
    const name = this.names[event.team] ?? "nobody";
    write("announce", `Goal for ${name}. ${event.score.join(" to ")}.`);
    if (speed > 4) return;
    const banner = at("goal");
    banner.dataset.team = event.team;
    write("goal-team", name);
    banner.hidden = true;
    requestAnimationFrame(() => { banner.hidden = false; });
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) setTimeout(() => { banner.hidden = true; }, 1500);
    this.scene.celebrate(event.team);
  }

  list(event) {
    const item = document.createElement("li");
    item.className = event.kind;
    item.dataset.team = event.team;
    const score = event.kind === "goal" || event.kind === "full_time" ? event.score.join(" : ") : "";
    item.append(node("time", clock(event.time)), node("i", ""), node("span", event.text), node("span", score));
    this.prepend(item);
  }

  fault(text) {
    const item = node("li", text);
    item.className = "fault";
    this.prepend(item);
    write("fault-text", text);
    at("fault").hidden = false;
  }

  prepend(item) {
    const feed = at("feed");
    feed.prepend(item);
    while (feed.children.length > FEED) feed.lastChild.remove();
  }

  fullTime(frame) {
    const [blue, yellow] = frame.score;
    this.ended = true;
    write("full-time-head", this.ending(frame) === "full time" ? "Full time" : "The recording ends here");
    write("result-blue", this.names[0]);
    write("result-yellow", this.names[1]);
    write("result-score", `${blue} : ${yellow}`);
    const winner = blue > yellow ? this.names[0] : this.names[1];
    const won = this.ending(frame) === "full time" ? "won" : "was ahead";
    const words = blue === yellow ? "A draw." : `${winner} ${won}.`;
    write("result-words", words);
    write("announce", `${at("full-time-head").textContent}. ${words} ${blue} to ${yellow}.`);
    at("full-time").hidden = false;
  }

  link(text) {
    document.body.dataset.link = text ? "down" : "up";
    at("lost").hidden = !text;
    if (text) write("lost-text", text);
  }
}

// What the game is doing, and whose ball it is where that is a team's.
function phase({ phase, owner, ready }) {
  if (phase === "play" || phase === "halt") return phase;
  const whose = owner < 0 ? "" : ` ${COLOURS[owner]}`;
  return `${phase}${whose}${ready ? "" : ", get ready"}`;
}

// "5:00": the seconds that have been played, on the board and in the feed.
function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds + 1e-6));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// A team that plays against itself wears its colour in its name.
function tellApart([blue, yellow]) {
  return blue === yellow ? [`${blue} blue`, `${yellow} yellow`] : [blue, yellow];
}

function node(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function replay(element, name) {
  element.classList.remove(name);
  requestAnimationFrame(() => element.classList.add(name));
}
