// Robots in their real shape: a box or a disc with a flat mouth, its front told by a light bar.

export const TEAM = [
  { body: "#2f72ea", edge: "#1a4aa6", light: "#cfe0ff", text: "#fff", ghost: "#9cc2ff" },
  { body: "#f7c92e", edge: "#a67c00", light: "#fff6d2", text: "#2b2000", ghost: "#ffe68a" },
];
const HULL = "#15191d";
const SMALLEST = 5;  // [px] from centre to rim

// Metres from the centre to the flat front of a disc; its radius where it is round all about.
function mouthOf(robot) {
  return Math.min(robot.mouth ?? robot.radius, robot.radius);
}

// The outline around the robot's centre, front towards +x.
export function outline(robot, grow = 0) {
  const path = new Path2D();
  if (robot.shape === "box") {
    const [l, w] = [robot.length / 2 + grow, robot.width / 2 + grow];
    path.roundRect(-l, -w, 2 * l, 2 * w, 0.14 * Math.min(l, w));
    return path;
  }
  const radius = robot.radius + grow;
  const half = Math.acos(Math.min(1, mouthOf(robot) / robot.radius));
  path.arc(0, 0, radius, half, 2 * Math.PI - half);
  path.closePath();
  return path;
}

export function drawShadow(ctx, camera, robot, pose) {
  const size = robot.shape === "box" ? robot.length / 2 : robot.radius;
  const [dx, dy] = camera.shade(0.28 * size);
  ctx.save();
  ctx.translate(pose[0] + dx, pose[1] + dy);
  ctx.rotate(pose[2]);
  ctx.fillStyle = "rgb(0 12 6 / 17%)";
  for (const grow of [0.16 * size, 0.06 * size, -0.02 * size]) ctx.fill(outline(robot, grow));
  ctx.restore();
}

export function drawRobot(ctx, camera, robot, pose, team) {
  const colours = TEAM[team];
  ctx.save();
  ctx.translate(pose[0], pose[1]);
  ctx.rotate(pose[2]);
  ctx.fillStyle = HULL;
  ctx.fill(outline(robot));
  if (robot.shape === "box") boxTop(ctx, robot, colours);
  else discTop(ctx, robot, colours);
  ctx.strokeStyle = "rgb(0 0 0 / 45%)";
  ctx.lineWidth = 0.8 * camera.px;
  ctx.stroke(outline(robot));
  ctx.restore();
}

function boxTop(ctx, robot, colours) {
  const [l, w] = [robot.length / 2, robot.width / 2];
  ctx.fillStyle = "#343c42";
  for (const y of [-w, w - 0.16 * w]) ctx.fillRect(-0.52 * l, y, 1.04 * l, 0.16 * w);
  ctx.fillStyle = plate(ctx, l, colours);
  ctx.beginPath();
  ctx.roundRect(-0.9 * l, -0.8 * w, 1.8 * l, 1.6 * w, 0.12 * l);
  ctx.fill();
  ctx.fillStyle = colours.light;
  ctx.beginPath();
  ctx.roundRect(0.62 * l, -0.72 * w, 0.22 * l, 1.44 * w, 0.08 * l);
  ctx.fill();
}

function discTop(ctx, robot, colours) {
  const r = robot.radius;
  const mouth = Math.min(mouthOf(robot), 0.86 * r);
  ctx.fillStyle = plate(ctx, r, colours);
  ctx.fill(outline({ ...robot, radius: 0.88 * r, mouth: 0.88 * mouthOf(robot) }));
  const half = 0.86 * Math.sqrt(Math.max(0, r * r - mouth * mouth));
  ctx.fillStyle = colours.light;
  ctx.beginPath();
  ctx.roundRect(0.78 * mouth, -half, 0.2 * mouth, 2 * half, 0.05 * r);
  ctx.fill();
}

function plate(ctx, size, colours) {
  const shine = ctx.createLinearGradient(-size, 0, size, 0);
  shine.addColorStop(0, colours.edge);
  shine.addColorStop(0.45, colours.body);
  shine.addColorStop(1, colours.body);
  return shine;
}

// The robot large enough to be seen: its real size unless that is only a few pixels.
export function visible(robot, camera) {
  const grow = Math.max(1, SMALLEST / (halfSize(robot) * camera.scale));
  const scaled = Object.entries(robot).map(([name, size]) => [name, typeof size === "number" ? grow * size : size]);
  return Object.fromEntries(scaled);
}

// Numbers stand upright on the screen, whichever way the robot looks; beside it where it is too small to hold one.
export function drawNumber(ctx, camera, robot, pose, team, number) {
  const half = halfSize(robot);
  const back = 0.15 * half;
  const [x, y] = camera.toPixels(pose[0] - back * Math.cos(pose[2]), pose[1] - back * Math.sin(pose[2]));
  const beside = half * camera.scale < 6.5;
  const step = beside ? half * camera.scale + 4 : 0;
  ctx.font = `700 ${beside ? 9 : Math.max(9.5, 1.02 * half * camera.scale)}px system-ui, "Liberation Sans", sans-serif`;
  ctx.fillStyle = beside ? TEAM[team].light : TEAM[team].text;
  ctx.fillText(number, x + step, y - step);
}

function halfSize(robot) {
  return robot.shape === "box" ? robot.width / 2 : robot.radius;
}

export function drawGhost(ctx, camera, robot, pose, team) {
  if (!Number.isFinite(pose[0])) return;
  ctx.save();
  ctx.translate(pose[0], pose[1]);
  ctx.rotate(pose[2]);
  ctx.strokeStyle = TEAM[team].ghost;
  ctx.lineWidth = 1.2 * camera.px;
  ctx.setLineDash([3 * camera.px, 2 * camera.px]);
  ctx.stroke(outline(robot));
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
