// The canvas: its size, and one picture a display refresh.

import { Camera } from "./camera.js";
import { Confetti } from "./confetti.js";
import { Maps } from "./maps.js";
import { paintPitch } from "./pitch.js";
import { Playhead } from "./playhead.js";
import { drawGhost, drawNumber, drawRobot, drawShadow, drawTarget, visible } from "./robots.js";
import { Trails } from "./trails.js";

const BALL = { body: "#ff8a1f", edge: "#c85a00", trail: "#ffb066" };

export class Scene {
  constructor(canvas, shows) {
    this.canvas = canvas;
    this.ctx = canvas.getContext("2d", { alpha: true });
    this.shows = shows;
    this.playhead = new Playhead();
    this.trails = new Trails();
    this.confetti = new Confetti();
    this.maps = new Maps(shows);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.before = performance.now();
    requestAnimationFrame((now) => this.refresh(now));
  }

  begin(hello) {
    this.hello = hello;
    this.camera = new Camera(hello.field);
    this.playhead.clear();
    this.trails.clear();
    this.maps.clear();
    this.maps.names = hello.names;
    this.resize();
  }

  push(frame) {
    this.playhead.push(frame, performance.now() / 1000);
  }

  celebrate(team) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { field } = this.hello;
    const x = (team === 0 ? 0.5 : -0.5) * field.length;
    this.confetti.burst(this.camera.toPixels(x, 0), team, 0.6 * Math.min(this.camera.width, this.camera.height));
  }

  resize() {
    const { width, height } = this.canvas.getBoundingClientRect();
    if (!this.camera || !width || !height) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.camera.fit(width, height, ratio);
    this.robot = visible(this.hello.robot, this.camera);
    this.pitch = paintPitch(this.camera, this.hello.field);
  }

  refresh(now) {
    requestAnimationFrame((next) => this.refresh(next));
    const wall = Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    if (this.camera && this.camera.ratio !== Math.min(window.devicePixelRatio || 1, 3)) this.resize();
    const moment = this.playhead.advance(wall);
    if (moment && this.pitch) this.draw(moment, wall);
  }

  draw(moment, wall) {
    const { ctx, camera } = this;
    this.trails.push(moment);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ctx.drawImage(this.pitch, 0, 0);
    camera.apply(ctx);
    this.maps.draw(ctx, this.hello.field);
    if (this.shows.trails) this.drawTrails(moment);
    if (this.shows.targets) this.each(moment, (pose, team, i) => drawTarget(ctx, camera, pose, pair(moment.targets, i), team));
    this.drawRobots(moment);
    this.drawBall(moment.ball);
    if (this.shows.belief) this.drawBelief(moment);
    this.drawLabels(moment, wall);
  }

  // Call `paint` with pose, team and row of every robot.
  each(moment, paint, rows = moment.robots) {
    for (let i = 0; i < moment.n; i += 1) {
      paint(rows.subarray(3 * i, 3 * i + 3), i < moment.n / 2 ? 0 : 1, i);
    }
  }

  drawTrails(moment) {
    const { robot } = this;
    const radius = this.hello.ball_radius;
    const width = 0.8 * robot.half;
    this.each(moment, (_, team, i) => {
      this.trails.draw(this.ctx, i, moment.time, `rgb(${team ? "255 226 120" : "140 185 255"} / 45%)`, width);
    });
    this.trails.draw(this.ctx, moment.n, moment.time, BALL.trail, 1.7 * Math.max(radius, 3 * this.camera.px));
  }

  drawRobots(moment) {
    const { ctx, camera, robot } = this;
    this.each(moment, (pose) => drawShadow(ctx, camera, robot, pose));
    this.each(moment, (pose, team) => drawRobot(ctx, camera, robot, pose, team));
  }

  drawBelief(moment) {
    const { ctx, camera, robot } = this;
    this.each(moment, (pose, team) => drawGhost(ctx, camera, robot, pose, team), moment.belief);
  }

  drawBall([x, y]) {
    const { ctx, camera } = this;
    const radius = Math.max(this.hello.ball_radius, 3.4 * camera.px);
    const [dx, dy] = camera.shade(0.45 * radius);
    fillDisc(ctx, x + dx, y + dy, 1.12 * radius, "rgb(0 12 6 / 38%)");
    const shine = ctx.createRadialGradient(x - 0.6 * dx, y - 0.6 * dy, 0.1 * radius, x, y, radius);
    shine.addColorStop(0, "#ffd9ae");
    shine.addColorStop(0.4, BALL.body);
    shine.addColorStop(1, BALL.edge);
    fillDisc(ctx, x, y, radius, shine);
  }

  drawLabels(moment, wall) {
    const { ctx, camera, robot } = this;
    const k = camera.ratio;
    ctx.setTransform(k, 0, 0, k, 0, 0);
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    if (this.shows.numbers) {
      const number = (i) => i % (moment.n / 2);
      this.each(moment, (pose, team, i) => drawNumber(ctx, camera, robot, pose, team, number(i)));
    }
    this.confetti.draw(ctx, wall, 0.6 * Math.min(camera.width, camera.height));
  }
}

function pair(rows, i) {
  return [rows[2 * i], rows[2 * i + 1]];
}

function fillDisc(ctx, x, y, radius, style) {
  ctx.fillStyle = style;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fill();
}
