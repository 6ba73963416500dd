// The pitch itself: grass, lines, goals, walls. Drawn once per size, then kept as a picture.

import { rimOf } from "./camera.js";

const GRASS = ["#2a7f4a", "#2e8850"];
const GRASS_OUTSIDE = ["#23693f", "#267044"];
const LINE = "rgb(255 255 255 / 88%)";
const WALL = "#39434a";
const WALL_TOP = "#5d6b74";
const TEAM = ["#3f7ff0", "#f5c62c"];
const STRIPES = 12;

export function paintPitch(camera, field) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(camera.width * camera.ratio);
  canvas.height = Math.round(camera.height * camera.ratio);
  const ctx = canvas.getContext("2d");
  camera.apply(ctx);
  paintWalls(ctx, camera, field);
  paintGrass(ctx, camera, field);
  paintLines(ctx, camera, field);
  for (const side of [-1, 1]) paintGoal(ctx, camera, field, side);
  if (field.corner > 0) paintCorners(ctx, camera, field);
  paintLight(ctx, camera, field);
  return canvas;
}

// The ground that is played on, goals included where they are hollows in the wall.
function ground(field) {
  const [x, y] = [field.length / 2 + field.margin_x, field.width / 2 + field.margin_y];
  const path = new Path2D();
  path.rect(-x, -y, 2 * x, 2 * y);
  if (field.margin_x < field.goal_depth) {
    const [back, half] = [field.length / 2 + field.goal_depth, field.goal_width / 2];
    path.rect(x, -half, back - x, 2 * half);
    path.rect(-back, -half, back - x, 2 * half);
  }
  return path;
}

function paintWalls(ctx, camera, field) {
  const rim = rimOf(field);
  ctx.save();
  ctx.shadowColor = "rgb(0 0 0 / 40%)";
  ctx.shadowBlur = 18 * camera.ratio;
  ctx.shadowOffsetY = 6 * camera.ratio;
  ctx.strokeStyle = WALL;
  ctx.lineWidth = 2 * rim;
  ctx.lineJoin = "round";
  ctx.stroke(ground(field));
  ctx.restore();
  ctx.strokeStyle = WALL_TOP;
  ctx.lineWidth = Math.max(0.5 * rim, 1.5 * camera.px);
  ctx.lineJoin = "round";
  ctx.stroke(ground(field));
}

function paintGrass(ctx, camera, field) {
  const { x, y } = camera.reach;
  ctx.save();
  ctx.clip(ground(field));
  stripes(ctx, field, -x, x, y, field.margin_x > 0 ? GRASS_OUTSIDE : GRASS);
  const [hx, hy] = [field.length / 2, field.width / 2];
  stripes(ctx, field, -hx, hx, hy, GRASS);
  ctx.restore();
}

function stripes(ctx, field, from, to, half, colours) {
  const step = field.length / STRIPES;
  ctx.fillStyle = colours[0];
  ctx.fillRect(from, -half, to - from, 2 * half);
  ctx.fillStyle = colours[1];
  const first = Math.floor((from + field.length / 2) / step - 1e-9);
  for (let i = first + (first & 1 ? 0 : 1); -field.length / 2 + i * step < to - 1e-9; i += 2) {
    const x = Math.max(from, -field.length / 2 + i * step);
    ctx.fillRect(x, -half, Math.min(to, -field.length / 2 + (i + 1) * step) - x, 2 * half);
  }
}

function paintLines(ctx, camera, field) {
  const [x, y] = [field.length / 2, field.width / 2];
  ctx.strokeStyle = LINE;
  ctx.lineWidth = lineWidth(camera, field);
  ctx.strokeRect(-x, -y, 2 * x, 2 * y);
  line(ctx, [0, -y], [0, y]);
  circle(ctx, 0, 0, field.circle_radius);
  for (const side of [-1, 1]) {
    const [depth, half] = [field.area_length, field.area_width / 2];
    if (depth > 0) line(ctx, [side * x, -half], [side * (x - depth), -half], [side * (x - depth), half], [side * x, half]);
  }
  ctx.fillStyle = LINE;
  ctx.beginPath();
  ctx.arc(0, 0, 2 * lineWidth(camera, field), 0, 2 * Math.PI);
  ctx.fill();
}

function lineWidth(camera, field) {
  return Math.max(field.length > 4 ? 0.01 : 0.006, 1.4 * camera.px);
}

function paintGoal(ctx, camera, field, side) {
  const [x, half, depth] = [field.length / 2, field.goal_width / 2, field.goal_depth];
  const colour = TEAM[side < 0 ? 0 : 1];
  ctx.save();
  ctx.scale(side, 1);
  ctx.fillStyle = "rgb(8 20 14 / 42%)";
  ctx.fillRect(x, -half, depth, 2 * half);
  paintNet(ctx, camera, x, half, depth);
  const wall = Math.max(field.goal_wall, 2.5 * camera.px);
  ctx.strokeStyle = colour;
  ctx.lineWidth = wall;
  ctx.lineJoin = "round";
  const [back, out] = [x + depth + wall / 2, half + wall / 2];
  line(ctx, [x, -out], [back, -out], [back, out], [x, out]);
  ctx.fillStyle = "#fff";
  for (const end of [-out, out]) dot(ctx, x, end, 0.75 * wall);
  ctx.strokeStyle = LINE;
  ctx.lineWidth = lineWidth(camera, field);
  line(ctx, [x, -half], [x, half]);
  ctx.restore();
}

function paintNet(ctx, camera, x, half, depth) {
  const mesh = Math.max(depth / 5, 5 * camera.px);
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, -half, depth, 2 * half);
  ctx.clip();
  ctx.strokeStyle = "rgb(255 255 255 / 26%)";
  ctx.lineWidth = 0.8 * camera.px;
  for (let s = -half - depth; s < half + depth; s += mesh) {
    line(ctx, [x, s], [x + depth, s + depth]);
    line(ctx, [x, s], [x + depth, s - depth]);
  }
  ctx.restore();
}

function paintCorners(ctx, camera, field) {
  const [x, y, leg] = [field.length / 2 + field.margin_x, field.width / 2 + field.margin_y, field.corner];
  for (const [sx, sy] of [[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
    ctx.fillStyle = WALL;
    ctx.beginPath();
    ctx.moveTo(sx * x, sy * y);
    ctx.lineTo(sx * (x - leg), sy * y);
    ctx.lineTo(sx * x, sy * (y - leg));
    ctx.fill();
    ctx.strokeStyle = LINE;
    ctx.lineWidth = lineWidth(camera, field);
    line(ctx, [sx * (x - leg), sy * y], [sx * x, sy * (y - leg)]);
  }
}

// A soft light from above, and the shadow that the walls throw on the ground.
function paintLight(ctx, camera, field) {
  const { x, y } = camera.reach;
  const light = ctx.createRadialGradient(0, 0, 0.2 * y, 0, 0, 1.15 * x);
  light.addColorStop(0, "rgb(255 255 255 / 7%)");
  light.addColorStop(1, "rgb(0 10 5 / 22%)");
  ctx.save();
  ctx.clip(ground(field));
  ctx.fillStyle = light;
  ctx.fillRect(-x, -y, 2 * x, 2 * y);
  ctx.restore();
}

function line(ctx, ...points) {
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.stroke();
}

function circle(ctx, x, y, radius) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.stroke();
}

function dot(ctx, x, y, radius) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fill();
}
