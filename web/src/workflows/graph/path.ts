export interface Point {
  readonly x: number;
  readonly y: number;
}

const radius = 6;

/** A line through points from rank to rank: down, across in the gap between two ranks, and down again. */
export function pathThrough(points: readonly Point[], halfAt: (y: number) => number): string {
  const corners = points.flatMap((to, at): Point[] => {
    const from = points[at - 1];
    if (from === undefined || from.x === to.x || from.y === to.y) return [to];
    const way = Math.sign(to.y - from.y);
    const across = (from.y + way * halfAt(from.y) + to.y - way * halfAt(to.y)) / 2;
    return [{ x: from.x, y: across }, { x: to.x, y: across }, to];
  });
  return corners.map((corner, at) => rounded(corners[at - 1], corner, corners[at + 1])).join('');
}

function rounded(before: Point | undefined, at: Point, after: Point | undefined): string {
  if (before === undefined) return `M${at.x} ${at.y}`;
  if (after === undefined) return `L${at.x} ${at.y}`;
  const [into, out] = [towards(at, before), towards(at, after)];
  return `L${into.x} ${into.y}Q${at.x} ${at.y} ${out.x} ${out.y}`;
}

/** A point on the way to another, no farther than half of it. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
