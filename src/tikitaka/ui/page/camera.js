// Metres to pixels. The pitch lies along the longer side of its box: upright on a phone, blue playing upwards.

const AIR = 0.02;  // free space around the pitch, as a share of its box

export class Camera {
  constructor(field) {
    const rim = rimOf(field);
    this.reach = {
      x: field.length / 2 + Math.max(field.margin_x, field.goal_depth) + rim,
      y: field.width / 2 + field.margin_y + rim,
    };
    this.fit(1, 1, 1);
  }

  fit(width, height, ratio) {
    const { x, y } = this.reach;
    this.upright = height > 1.1 * width;
    const [w, h] = this.upright ? [2 * y, 2 * x] : [2 * x, 2 * y];
    this.scale = (1 - AIR) * Math.min(width / w, height / h);
    Object.assign(this, { width, height, ratio, px: 1 / this.scale });
  }

  // Set up the context so that it draws in metres, +y to the left of +x.
  apply(ctx) {
    const k = this.scale * this.ratio;
    const [cx, cy] = [0.5 * this.width * this.ratio, 0.5 * this.height * this.ratio];
    if (this.upright) ctx.setTransform(0, -k, -k, 0, cx, cy);
    else ctx.setTransform(k, 0, 0, -k, cx, cy);
  }

  // Pixels of the box, for what is drawn upright whatever lies below.
  toPixels(x, y) {
    const [cx, cy] = [0.5 * this.width, 0.5 * this.height];
    return this.upright ? [cx - y * this.scale, cy - x * this.scale] : [cx + x * this.scale, cy - y * this.scale];
  }

  // Right-down on the screen, in metres of the field: where shadows fall.
  shade(metres) {
    return this.upright ? [-metres, -0.6 * metres] : [0.6 * metres, -metres];
  }
}

// Thickness of the wall around the pitch, which the leagues leave open.
export function rimOf(field) {
  return Math.max(0.025, 0.008 * field.length);
}
