// The WebSocket to the match: tries again by itself, waiting a little longer each time.

import { decode } from "./frames.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 4000;

export class Link {
  constructor(on) {
    this.on = on;  // { frame, message, up, down }
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/live`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => { this.wait = FIRST_WAIT; this.on.up(); };
    this.socket.onmessage = ({ data }) => this.receive(data);
    this.socket.onclose = () => this.retry();
  }

  receive(data) {
    if (typeof data === "string") this.on.message(JSON.parse(data));
    else this.on.frame(decode(data));
  }

  retry() {
    this.on.down();
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  ask(wish) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(wish));
  }
}
