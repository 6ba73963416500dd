// Robots in their real outline, which the server sends as a polygon; the front is told by a light bar.

export const TEAM = [
  { body: "#2f72ea", edge: "#1a4aa6", light: "#cfe0ff", text: "#fff", ghost: "#9cc2ff" },
  { body: "#f7c92e", edge: "#a67c00", light: "#fff6d2", text: "#2b2000", ghost: "#ffe68a" },
];
const HULL = "#15191d";
const SMALLEST = 5;  // [px] from centre to rim

// The robot large enough to be seen: its real size unless that is only a few pixels. `half` is half its width.
export function visible({ outline, radius, front, wheels }, camera) {
  const grow = Math.max(1, SMALLEST / (radius * camera.scale));
  const points = outline.map(([x, y]) => [grow * x, grow * y]);
  const path = new Path2D();
  for (const [x, y] of points) path.lineTo(x, y);
  path.closePath();
  return { path, wheels, front: grow * front, half: Math.max(...points.map(([, y]) => y)) };
}

export function drawShadow(ctx, camera, robot, pose) {
  const [dx, dy] = camera.shade(0.28 * robot.half);
  ctx.save();
  ctx.translate(pose[0] + dx, pose[1] + dy);
  ctx.rotate(pose[2]);
  ctx.fillStyle = "rgb(0 12 6 / 17%)";
  for (const size of [1.16, 1.06, 0.98]) fillScaled(ctx, robot.path, size);
  ctx.restore();
}

export function drawRobot(ctx, camera, robot, pose, team) {
  const colours = TEAM[team];
  ctx.save();
  ctx.translate(pose[0], pose[1]);
  ctx.rotate(pose[2]);
  ctx.fillStyle = HULL;
  ctx.fill(robot.path);
  if (robot.wheels === 2) sideWheels(ctx, robot);
  ctx.fillStyle = plate(ctx, robot.half, colours);
  fillScaled(ctx, robot.path, 0.84);
  frontLight(ctx, robot, colours);
  ctx.strokeStyle = "rgb(0 0 0 / 45%)";
  ctx.lineWidth = 0.8 * camera.px;
  ctx.stroke(robot.path);
  ctx.restore();
}

function fillScaled(ctx, path, size) {
  ctx.save();
  ctx.scale(size, size);
  ctx.fill(path);
  ctx.restore();
}

function sideWheels(ctx, { half, front }) {
  ctx.fillStyle = "#343c42";
  for (const y of [-half, 0.84 * half]) ctx.fillRect(-0.52 * front, y, 1.04 * front, 0.16 * half);
}

// A bar across the plate, cut off by its outline: a notch stays open.
function frontLight(ctx, { path, half, front }, colours) {
  ctx.save();
  ctx.scale(0.84, 0.84);
  ctx.clip(path);
  ctx.fillStyle = colours.light;
  ctx.fillRect(0.7 * front, -0.86 * half, 0.24 * front, 1.72 * half);
  ctx.restore();
}

function plate(ctx, size, colours) {
  const shine = ctx.createLinearGradient(-size, 0, size, 0);
  shine.addColorStop(0, colours.edge);
  shine.addColorStop(0.45, colours.body);
  shine.addColorStop(1, colours.body);
  return shine;
}

// Numbers stand upright on the screen, whichever way the robot looks; beside it where it is too small to hold one.
export function drawNumber(ctx, camera, robot, pose, team, number) {
  const { half } = robot;
  const back = 0.15 * half;
  const [x, y] = camera.toPixels(pose[0] - back * Math.cos(pose[2]), pose[1] - back * Math.sin(pose[2]));
  const beside = half * camera.scale < 6.5;
  const step = beside ? half * camera.scale + 4 : 0;
  ctx.font = `700 ${beside ? 9 : Math.max(9.5, 1.02 * half * camera.scale)}px system-ui, "Liberation Sans", sans-serif`;
  ctx.fillStyle = beside ? TEAM[team].light : TEAM[team].text;
  ctx.fillText(number, x + step, y - step);
}

export function drawGhost(ctx, camera, robot, pose, team) {
  if (!Number.isFinite(pose[0])) return;
  ctx.save();
  ctx.translate(pose[0], pose[1]);
  ctx.rotate(pose[2]);
  ctx.strokeStyle = TEAM[team].ghost;
  ctx.lineWidth = 1.2 * camera.px;
  ctx.setLineDash([3 * camera.px, 2 * camera.px]);
  ctx.stroke(robot.path);
  ctx.restore();
}

export function drawTarget(ctx, camera, pose, [x, y], team) {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return;
  ctx.strokeStyle = TEAM[team].ghost;
  ctx.lineWidth = 1.1 * camera.px;
  ctx.globalAlpha = 0.75;
  ctx.beginPath();
  ctx.moveTo(pose[0], pose[1]);
  ctx.lineTo(x, y);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x, y, 4 * camera.px, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.globalAlpha = 1;
}
