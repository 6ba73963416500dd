// Wires link, scene, board and controls together.

import { Board } from "./board.js";
import { Controls } from "./controls.js";
import { Link } from "./link.js";
import { Reel } from "./reel.js";
import { Scene } from "./scene.js";

const shows = {};
const scene = new Scene(document.getElementById("pitch"), shows);
const board = new Board(scene);
const controls = new Controls((wish) => link.ask(wish), shows);
const reel = new Reel((wish) => link.ask(wish));
let speed = 1;
let refused = "";

const takers = {
  hello(hello) {
    for (const part of [scene, board, controls, reel]) part.begin(hello);
  },
  event: (event) => board.happened(event, speed),
  fault: ({ message }) => board.fault(message),
  refused({ message }) {
    refused = message;
    board.link(message);
  },
};

const link = new Link({
  message: (message) => takers[message.type]?.(message),
  frame(frame) {
    speed = frame.speed;
    scene.push(frame);
    board.show(frame);
    controls.show(frame);
    reel.show(frame);
  },
  up() {
    refused = "";
    board.link("");
  },
  down: () => board.link(refused || "No connection to the match. It may have been stopped; trying again."),
});
